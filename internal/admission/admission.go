// Package admission limits what concurrent calls use together. A [Controller] limits how many calls
// run at once and how many bytes they hold, and is fair between clients. Toolsets derived from
// one another share a Controller.
//
// [Run] runs a call in a slot of the Controller. The context of the call carries an account, to
// which code at any depth adds with [Reserve]. The slot and the account are released when the call
// has returned, which can be later than Run returns: a call that ignores the end of its context is
// abandoned, and keeps what it holds.
package admission

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"
)

const (
	// DefaultCalls is the default number of concurrent calls.
	DefaultCalls = 64
	// DefaultBytes is the default size of the byte budget.
	DefaultBytes = 48 << 20

	// grace is the time that a call has to return after the end of its context.
	grace = 25 * time.Millisecond
	// stuckAfter is the time after which an abandoned call counts as stuck.
	stuckAfter = time.Second
)

// An Error reports that a call was not admitted or not given memory.
type Error string

const (
	// ErrBusy reports that so many calls are stuck in the operating system that no other can start.
	ErrBusy Error = "the file system does not answer: too many earlier calls are still " +
		"waiting for it; try again later"
	// ErrFull reports that a call which holds part of the byte budget asked for more than is free.
	// A caller that can work with less continues with what it has.
	ErrFull Error = "too many calls need much memory now; try again later, or ask for less"
)

func (e Error) Error() string { return string(e) }

// A Controller limits concurrent calls and the bytes that they hold. It is safe for concurrent use.
type Controller struct {
	maxCalls int
	maxBytes int64

	mu      sync.Mutex // guards the fields below, clients and accounts
	calls   int        // slots in use
	stuck   int        // calls that are stuck
	bytes   int64      // bytes of the budget in use
	workers Weight     // weight of workers that is free
	clients map[string]*client
	waiting []*waiter // in order of arrival
}

// New returns a Controller for the given numbers of concurrent calls and bytes. Zero or less means
// the default.
func New(calls int, bytes int64) *Controller {
	if calls <= 0 {
		calls = DefaultCalls
	}
	if bytes <= 0 {
		bytes = DefaultBytes
	}
	return &Controller{
		maxCalls: calls,
		maxBytes: bytes,
		workers:  Working * Weight(runtime.GOMAXPROCS(0)),
		clients:  make(map[string]*client),
	}
}

type (
	accountKey  struct{}
	clientKey   struct{}
	responseKey struct{}
)

// WithClient returns a context for the calls of the named client. Each client gets at most a
// quarter of the slots, and a quarter of the slots is left to clients that have none. The calls of
// a client together get at most half of the byte budget, and one call alone can get all of it. A
// call without a client is its own client.
func WithClient(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, clientKey{}, name)
}

// WithResponse returns a context for calls whose results stay in memory until the context written
// ends, and not only until the call returns. It has no effect if ctx already has such a context.
func WithResponse(ctx, written context.Context) context.Context {
	if ctx.Value(responseKey{}) != nil {
		return ctx
	}
	return context.WithValue(ctx, responseKey{}, written)
}

// Run waits for a slot, calls f in a goroutine of its own and returns when f does, or shortly after
// ctx or the timeout ends. The timeout starts when f is called; 0 means none. It fails with
// [ErrBusy] or the error of the context. A nested call, made with the context of another call,
// uses the slot and the account of that call. f must not panic.
func Run[T any](ctx context.Context, c *Controller, timeout time.Duration,
	f func(context.Context) (T, error),
) (T, error) {
	var zero T
	a, err := c.enter(ctx)
	if err != nil {
		return zero, err
	}
	ctx = context.WithValue(ctx, accountKey{}, a)
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		o := outcome{err: errors.New("the call ended without a result")} // by runtime.Goexit
		defer func() {
			a.leave()
			done <- o
		}()
		o.value, o.err = f(ctx)
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case o := <-done:
		return o.value, o.err
	case <-timer.C:
		time.AfterFunc(stuckAfter, a.markStuck)
		return zero, ctx.Err()
	}
}
