package jsonl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

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
}

const (
	// maxHeld is the most bytes that unanswered requests may take. One request is always accepted.
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
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s := &session{
		ctx:     ctx,
		caller:  caller,
		running: make(chan struct{}, o.MaxCalls),
		replies: make(chan reply),
		freed:   make(chan struct{}, 1),
		calls:   make(map[string]context.CancelFunc),
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
		s.pending.Wait()
		close(s.replies)
		<-written
		finished <- err
	}()
	select {
	case err := <-finished:
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		return err
	case <-ctx.Done():
		s.stop()
		return context.Cause(ctx)
	}
}

// A session is one run of [Serve]: a reader, a writer and a goroutine for each request.
type session struct {
	ctx     context.Context
	caller  Caller
	running chan struct{} // holds a value for each call that is made or whose reply waits for the writer
	replies chan reply
	freed   chan struct{} // gets a value when a request was answered
	pending sync.WaitGroup

	mu      sync.Mutex
	calls   map[string]context.CancelFunc // the calls under way, by id
	held    int                           // the bytes that unanswered requests take
	stopped bool
}

func (s *session) read(in io.Reader) error {
	lines := framing.NewReader(in)
	for s.ctx.Err() == nil {
		line, err := lines.Next()
		switch {
		case errors.Is(err, framing.ErrTooLong):
			s.reply(failure("", err))
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
	if err == nil {
		err = s.unused(r.id)
	}
	switch {
	case err != nil:
		s.reply(failure(r.id, err))
	case r.cancel != "":
		s.cancel(r)
	default:
		s.begin(r, len(line)+overhead)
	}
}

// unused returns an error if a call under way has that id.
func (s *session) unused(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, found := s.calls[id]; found {
		return fmt.Errorf("the id %s belongs to a call that is under way; choose another", id)
	}
	return nil
}

func (s *session) cancel(r request) {
	s.mu.Lock()
	cancel, found := s.calls[r.cancel]
	s.mu.Unlock()
	if !found {
		message := fmt.Sprintf("no call with the id %s is under way; it may have been answered already", r.cancel)
		s.reply(failure(r.id, &tool.Error{Kind: tool.NotFound, Message: message}))
		return
	}
	cancel()
	s.reply(accepted(r.id))
}

// begin starts a call. It waits while unanswered requests take too much memory.
func (s *session) begin(r request, size int) {
	for {
		s.mu.Lock()
		if s.stopped {
			s.mu.Unlock()
			return
		}
		if s.held == 0 || s.held+size <= maxHeld {
			break
		}
		s.mu.Unlock()
		select {
		case <-s.freed:
		case <-s.ctx.Done():
			return
		}
	}
	defer s.mu.Unlock()
	ctx, cancel := context.WithCancel(s.ctx)
	s.calls[r.id] = cancel
	s.held += size
	s.pending.Go(func() {
		defer cancel()
		s.answer(ctx, r)
		s.release(size)
	})
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
	if err != nil {
		s.reply(failure(r.id, err))
		return
	}
	s.reply(success(r.id, result))
}

func (s *session) release(size int) {
	s.mu.Lock()
	s.held -= size
	s.mu.Unlock()
	select {
	case s.freed <- struct{}{}:
	default:
	}
}

// stop lets no more calls begin and waits for those under way. Their context has ended.
func (s *session) stop() {
	s.mu.Lock()
	s.stopped = true
	s.mu.Unlock()
	s.pending.Wait()
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
	var scratch []byte
	for {
		select {
		case r, more := <-s.replies:
			if !more {
				return nil
			}
			var err error
			if scratch, err = r.writeTo(out, scratch); err != nil {
				return fmt.Errorf("cannot write replies: %w", err)
			}
		case <-s.ctx.Done():
			return nil
		}
	}
}
