// Package admission bounds what concurrent calls use together. A [Controller] limits how many
// calls run at once and how many bytes they hold, and is fair between clients. Everything that is
// derived from one toolset shares one Controller.
//
// [Run] runs a call in a slot of the Controller. The context of the call carries an account, to
// which code at any depth adds with [Reserve]. The slot and the account are released when the call
// has returned, which can be later than Run returns: a call that ignores the end of its context is
// abandoned, and keeps what it holds.
package admission

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/semaphore"
)

const (
	// DefaultCalls is the default number of concurrent calls.
	DefaultCalls = 64
	// DefaultBytes is the size of the byte budget unless a single result can be larger.
	DefaultBytes = 48 << 20
	// FreeBytes is the number of bytes that each call can hold outside the budget.
	FreeBytes = 512 << 10

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
	limiter *limiter
	budget  *budget
	workers *semaphore.Weighted
}

// New returns a Controller for the given number of concurrent calls and the given number of bytes,
// in addition to [FreeBytes] for each call. Zero or less means the default.
func New(calls int, bytes int64) *Controller {
	if calls <= 0 {
		calls = DefaultCalls
	}
	if bytes <= 0 {
		bytes = DefaultBytes
	}
	return &Controller{newLimiter(calls), newBudget(bytes), newWorkers()}
}

type clientKey struct{}

// WithClient returns a context for the calls of the named client. Each client gets at most a
// quarter of the slots and half of the byte budget, and a quarter of the slots is left to clients
// that have none. Calls without a client are not limited by a share.
func WithClient(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, clientKey{}, name)
}

func clientOf(ctx context.Context) string {
	name, _ := ctx.Value(clientKey{}).(string)
	return name
}

// Run waits for a slot, calls f in a goroutine of its own and returns when f does, or shortly after
// ctx or the timeout ends. The timeout starts when f is called; 0 means none. It fails with
// [ErrBusy] or the error of the context. A call that is made in another call, with its context,
// uses the slot and the account of that call. f must not panic.
func Run[T any](ctx context.Context, c *Controller, timeout time.Duration,
	f func(context.Context) (T, error)) (T, error) {
	var zero T
	account, nested := joinAccount(ctx, c)
	if !nested {
		release, err := c.limiter.acquire(ctx)
		if err != nil {
			return zero, err
		}
		account = newAccount(ctx, c, release)
		ctx = context.WithValue(ctx, accountKey{}, account)
	}
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	call := &runningCall{limiter: c.limiter}
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		o := outcome{err: errors.New("the call ended without a result")} // by runtime.Goexit
		defer func() {
			call.markReturned()
			account.leave()
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
		if !nested {
			time.AfterFunc(stuckAfter, call.markStuck)
		}
		return zero, ctx.Err()
	}
}

// A runningCall is the state of a call that decides whether it counts as stuck. The mutex of the
// limiter guards it.
type runningCall struct {
	limiter         *limiter
	returned, stuck bool
}

func (c *runningCall) markReturned() {
	c.limiter.mu.Lock()
	defer c.limiter.mu.Unlock()
	c.returned = true
	if c.stuck {
		c.limiter.addStuck(-1)
	}
}

func (c *runningCall) markStuck() {
	c.limiter.mu.Lock()
	defer c.limiter.mu.Unlock()
	if !c.returned {
		c.stuck = true
		c.limiter.addStuck(1)
	}
}
