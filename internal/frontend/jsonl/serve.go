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

// A Caller answers calls. It must be safe for concurrent use, Call must return soon after its context ends, and its errors
// are of type [*tool.Error].
type Caller interface {
	Call(ctx context.Context, name string, c tool.Call) (tool.Result, error)
}

// Options govern [Serve]. The zero value is right.
type Options struct {
	// MaxCalls is how many calls the caller runs at once. 0 means 64. It is handed four times as many, to let short ones
	// pass long ones.
	MaxCalls int
}

const (
	// maxHeld is the most bytes that requests without an answer may take up; at least one is always taken on.
	maxHeld = 32 << 20
	// overhead is what a request takes up beside its line: a goroutine and what belongs to it.
	overhead = 4 << 10
)

// Serve answers the requests in in until it ends and everything is answered. It returns nil then, and otherwise what
// ended it: an error of in, after everything accepted is answered; an error of out; or the cause of ctx. The latter two
// cancel all calls and leave them unanswered. No call is under way when Serve returns, but where ctx has ended or out
// has failed, a Read that is stuck is left behind, and so is a Write.
func Serve(ctx context.Context, caller Caller, o Options, in io.Reader, out io.Writer) error {
	if o.MaxCalls <= 0 {
		o.MaxCalls = 64
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s := &session{
		ctx:     ctx,
		caller:  caller,
		turns:   make(chan struct{}, 4*o.MaxCalls),
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
		s.running.Wait()
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

// A session is one run of the protocol: a reader, a writer and a goroutine for each call.
type session struct {
	ctx     context.Context
	caller  Caller
	turns   chan struct{} // held by a call while the caller has it and until its reply is handed over
	replies chan reply
	freed   chan struct{} // told when a request has been answered
	running sync.WaitGroup

	mu      sync.Mutex
	calls   map[string]context.CancelFunc // under way, by id
	held    int                           // bytes
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

// unused refuses an id that a call under way has.
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

// begin starts a call as soon as there is room for it.
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
	s.running.Go(func() {
		defer cancel()
		s.answer(ctx, r)
		s.release(size)
	})
}

func (s *session) answer(ctx context.Context, r request) {
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-ctx.Done(): // the call below ends at once, in its tool's own words
	}
	result, err := s.caller.Call(ctx, r.tool, r.call)
	// Before the reply is out, since its reader may use the id again at once.
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

// stop waits for the calls, which ctx has ended, and lets no further one begin.
func (s *session) stop() {
	s.mu.Lock()
	s.stopped = true
	s.mu.Unlock()
	s.running.Wait()
}

// reply hands a reply to the writer.
func (s *session) reply(r reply) {
	select {
	case s.replies <- r:
	case <-s.ctx.Done():
	}
}

// write writes the replies, one after the other.
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
