package jsonl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"golang.org/x/sync/semaphore"

	"gander/internal/frontend/framing"
	"gander/tool"
)

// A Caller calls tools. It must be safe for concurrent use. Call must return soon after its context ends, and its errors
// must be of type [*tool.Error].
type Caller interface {
	Call(ctx context.Context, name string, c tool.Call) (tool.Result, error)
}

// Options configure [Serve]. The zero value is useful.
type Options struct {
	// MaxCalls is the most calls that are made at once. 0 means 64.
	MaxCalls int
	// Definitions are the definitions of the tools, a JSON array on one line, for a parent that asks for them. Nil means [].
	Definitions json.RawMessage
}

const (
	// maxHeld is the most bytes that unanswered requests may take. It is more than one request can take.
	maxHeld = 32 << 20
	// overhead is what a request takes beside its line, mostly a goroutine.
	overhead = 4 << 10
)

// Serve answers requests until in ends and everything is answered, and then returns nil. If in fails, Serve answers what
// it has accepted and returns the error. If out fails or ctx ends, Serve cancels all calls, does not answer them, and returns
// the error or the cause of ctx. No call is under way when Serve returns. In the latter two cases a blocked Read or Write may
// be.
func Serve(ctx context.Context, caller Caller, o Options, in io.Reader, out io.Writer) error {
	if o.MaxCalls <= 0 {
		o.MaxCalls = 64
	}
	if o.Definitions == nil {
		o.Definitions = json.RawMessage("[]")
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s := &session{
		ctx:         ctx,
		caller:      caller,
		definitions: o.Definitions,
		running:     make(chan struct{}, o.MaxCalls),
		replies:     make(chan reply),
		held:        semaphore.NewWeighted(maxHeld),
		calls:       make(map[string]context.CancelFunc),
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		if err := s.write(out); err != nil {
			cancel(err)
		}
	}()
	finished := make(chan error, 1)
	go func() {
		err := s.read(in)
		if s.drain(ctx) == nil {
			close(s.replies)
			<-written
		}
		finished <- err
	}()
	var err error
	select {
	case err = <-finished:
	case <-ctx.Done():
	}
	if cause := context.Cause(ctx); cause != nil {
		_ = s.drain(context.WithoutCancel(ctx)) // It fails only if its context ends.
		return cause
	}
	return err
}

// A session is one run of [Serve]: a reader, a writer and a goroutine for each request.
type session struct {
	ctx     context.Context
	caller  Caller
	running chan struct{} // holds a value for each call that is made or whose reply waits for the writer
	replies chan reply
	// definitions are the definitions of the tools, a JSON array.
	definitions json.RawMessage
	held        *semaphore.Weighted // the bytes that unanswered requests take

	mu    sync.Mutex
	calls map[string]context.CancelFunc // the calls under way, by id
}

func (s *session) read(in io.Reader) error {
	lines := framing.NewReader(in)
	for s.ctx.Err() == nil {
		line, err := lines.Next()
		switch {
		case errors.Is(err, framing.ErrTooLong):
			s.reply(reply{err: err})
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("cannot read requests: %w", err)
		case len(bytes.TrimLeft(line, " \t\r")) > 0:
			s.handle(line)
		}
	}
	return nil
}

func (s *session) handle(line []byte) {
	r, err := parse(line)
	if err == nil && s.underWay(r.id) != nil {
		err = fmt.Errorf("the id %s belongs to a call that is under way; choose another", r.id)
	}
	switch {
	case err != nil:
		s.reply(reply{id: r.id, err: err})
	case r.cancel != "":
		s.cancel(r)
	case r.definitions:
		s.reply(reply{id: r.id, definitions: s.definitions})
	default:
		s.begin(r, int64(len(line)+overhead))
	}
}

// underWay returns the function that cancels the call with an id, or nil if no such call is under way.
func (s *session) underWay(id string) context.CancelFunc {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[id]
}

func (s *session) cancel(r request) {
	cancel := s.underWay(r.cancel)
	if cancel == nil {
		message := fmt.Sprintf("no call with the id %s is under way; it may have been answered already", r.cancel)
		s.reply(reply{id: r.id, err: &tool.Error{Kind: tool.NotFound, Message: message}})
		return
	}
	cancel()
	s.reply(reply{id: r.id})
}

// begin starts a call. It waits while unanswered requests take too much memory.
func (s *session) begin(r request, size int64) {
	if s.held.Acquire(s.ctx, size) != nil {
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	s.mu.Lock()
	s.calls[r.id] = cancel
	s.mu.Unlock()
	go func() {
		defer s.held.Release(size)
		defer cancel()
		s.answer(ctx, r)
	}()
}

// drain waits until every request is answered or ctx ends. No call begins after the context of the session has ended.
func (s *session) drain(ctx context.Context) error {
	if err := s.held.Acquire(ctx, maxHeld); err != nil {
		return err
	}
	s.held.Release(maxHeld)
	return nil
}

func (s *session) answer(ctx context.Context, r request) {
	select {
	case s.running <- struct{}{}:
		defer func() { <-s.running }()
	case <-ctx.Done(): // The call ends at once, with an error in the words of the tool.
	}
	result, err := s.caller.Call(ctx, r.tool, r.call)
	// This comes before the reply, because the parent may use the id again as soon as it reads that.
	s.mu.Lock()
	delete(s.calls, r.id)
	s.mu.Unlock()
	s.reply(reply{id: r.id, result: &result, err: err})
}

// reply passes a reply to the writer.
func (s *session) reply(r reply) {
	select {
	case s.replies <- r:
	case <-s.ctx.Done():
	}
}

// write writes replies until there are no more.
func (s *session) write(out io.Writer) error {
	var buf []byte
	for {
		select {
		case r, more := <-s.replies:
			if !more {
				return nil
			}
			var err error
			if buf, err = r.writeTo(out, buf); err != nil {
				return fmt.Errorf("cannot write replies: %w", err)
			}
		case <-s.ctx.Done():
			return nil
		}
	}
}
