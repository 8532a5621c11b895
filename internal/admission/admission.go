// Package admission limits the resources used by concurrent calls. A [Controller] limits the number
// of running calls and their total memory, and is fair to its clients. Narrowed toolsets share the
// Controller of the original.
//
// [Run] runs a call in a slot of the Controller. The context of the call carries an account for its
// memory, which [Reserve] charges. A call that ignores the end of its context is abandoned: Run
// returns, but the call keeps its slot and its memory until it returns.
package admission

import (
	"cmp"
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

	// grace is the time for a call to return after its context is done.
	grace = 25 * time.Millisecond
	// stuckAfter is the time until an abandoned call is considered stuck.
	stuckAfter = time.Second
)

// The weights of a goroutine that mostly waits for the file system, and of any other.
const (
	Waiting = 1
	Working = 4
)

// An Error reports that a call was rejected or did not get memory.
type Error string

const (
	// ErrBusy reports that too many calls are blocked in the operating system.
	ErrBusy Error = "the file system does not answer: too many earlier calls are still " +
		"waiting for it; try again later"
	// ErrFull reports that a call could not increase its memory. The call can continue with the
	// memory that it has.
	ErrFull Error = "too many calls need much memory now; try again later, or ask for less"
)

func (e Error) Error() string { return string(e) }

// A Controller limits concurrent calls and their memory. It is safe for concurrent use.
type Controller struct {
	maxCalls int
	maxBytes int64

	mu      sync.Mutex // guards the fields below, clients and accounts; functions named Locked need it
	slots   int        // slots in use
	stuck   int        // slots of stuck calls
	bytes   int64      // bytes in use
	workers int        // unused weight of workers
	clients map[string]*client
	waiting []*waiter // in order of arrival
}

// New returns a Controller with the given limits on concurrent calls and bytes. If a limit is not
// positive, the default is used.
func New(calls int, bytes int64) *Controller {
	return &Controller{
		maxCalls: cmp.Or(max(calls, 0), DefaultCalls),
		maxBytes: cmp.Or(max(bytes, 0), DefaultBytes),
		workers:  Working * runtime.GOMAXPROCS(0),
		clients:  make(map[string]*client),
	}
}

type (
	accountKey  struct{}
	callerKey   struct{}
	responseKey struct{}
)

// A Caller is the name of a client, and of one of its connections. Without a name, each call counts as
// a separate client.
type Caller struct{ Client, Connection string }

// WithCaller returns a context for calls by a caller.
//
// A connection can use a quarter of the slots, and the connections of a client together half of them,
// and an eighth more for connections without a running call. The last quarter is reserved for clients
// without a running call. Concurrent calls by one client can use half of the memory, but a single
// call can use all of it.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// WithResponse returns a context for calls that keep their memory until ctx is done, which is when
// their results have been written.
func WithResponse(ctx context.Context) context.Context {
	return context.WithValue(ctx, responseKey{}, ctx)
}

// Run waits for a slot and calls f in a new goroutine. It returns when f returns, or shortly after
// ctx is done or the timeout expires. The timeout starts when f is called; zero means no timeout.
// If f is not called or is abandoned, the error is [ErrBusy] or a context error. A nested call,
// with the context of another call, uses the slot and the account of that call. f must not panic.
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
	result, err := zero, errors.New("the call ended without a result") // if f calls runtime.Goexit
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer a.leave()
		result, err = f(ctx)
	}()
	select {
	case <-done:
		return result, err
	case <-ctx.Done():
	}
	select {
	case <-done:
		return result, err
	case <-time.After(grace):
		go a.countStuck(done)
		return zero, ctx.Err()
	}
}

// accountOf returns the account of the call with context ctx, or nil if ctx is not of a call.
func accountOf(ctx context.Context) *account {
	a, _ := ctx.Value(accountKey{}).(*account)
	return a
}

// Reserve reserves n bytes for the call with context ctx, before they are allocated. They are
// released when the call returns (see [WithResponse]), or earlier by [Release]. Outside of calls
// Reserve does nothing.
//
// The first reservation of a call waits until enough bytes are free or ctx is done. Further
// reservations do not wait: if too few bytes are free, they fail with [ErrFull]. So calls cannot
// deadlock, and a call that needs much memory should reserve it in one step. A reservation above
// the limit of a call fails with an [Error] that contains the limit.
func Reserve(ctx context.Context, n int64) error {
	a := accountOf(ctx)
	if a == nil || n <= 0 {
		return nil
	}
	w, err := a.request(n)
	if err != nil {
		return err
	}
	return a.controller.wait(ctx, w)
}

// Release releases n bytes reserved by the call with context ctx.
func Release(ctx context.Context, n int64) {
	a := accountOf(ctx)
	if a == nil {
		return
	}
	c := a.controller
	c.mu.Lock()
	defer c.mu.Unlock()
	a.addBytesLocked(-min(n, a.bytes))
	c.serveLocked()
}

// AcquireWorker reports whether the call with context ctx can start another goroutine of the given
// weight. The total weight for all calls is [Working] per processor. AcquireWorker never blocks.
// Outside of calls it always returns true.
func AcquireWorker(ctx context.Context, weight int) bool {
	a := accountOf(ctx)
	if a == nil {
		return true
	}
	c := a.controller
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.workers < weight {
		return false
	}
	c.workers -= weight
	return true
}

// ReleaseWorker releases the weight of a goroutine that has ended.
func ReleaseWorker(ctx context.Context, weight int) {
	a := accountOf(ctx)
	if a == nil {
		return
	}
	c := a.controller
	c.mu.Lock()
	defer c.mu.Unlock()
	c.workers += weight
}
