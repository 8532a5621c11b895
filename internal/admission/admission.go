// Package admission limits the resources used by concurrent calls. A [Controller] limits the number
// of running calls and their total memory, and is fair to its clients. Narrowed toolsets share the
// Controller of the original.
//
// [Run] runs a call in a slot. Its context carries an account for its memory, which [Reserve]
// charges. A call that ignores the end of its context is abandoned: Run returns, but the call keeps
// its slot and its memory until it returns.
package admission

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"time"
)

const (
	// DefaultCalls is the default number of concurrent calls.
	DefaultCalls = 64
	// DefaultBytes is the default number of bytes that one call can reserve.
	DefaultBytes = 48 << 20
	// ResultBytes is the number of bytes that one result can take while it is sent, in
	// Controller.Results.
	ResultBytes = 16 << 20

	// grace is the time for a call to return after its context is done.
	grace = 25 * time.Millisecond
	// stuckAfter is the time until an abandoned call is considered stuck.
	stuckAfter = time.Second
)

// The weights of a worker, a further goroutine of a call, that mostly waits for the file system,
// and of any other.
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
	slots   *Pool
	memory  *Pool
	Results *Pool // the memory of results that are sent and have not been read

	mu         sync.Mutex // guards the fields below, and those of accounts
	stuckSlots int        // the slots of stuck calls
	freeWeight int        // the weight that further workers can have together
}

// New returns a Controller with the given limits on concurrent calls and on the bytes of one call.
// If a limit is not positive, the default is used.
func New(calls int, bytes int64) *Controller {
	slots := int64(cmp.Or(max(calls, 0), DefaultCalls))
	bytes = cmp.Or(max(bytes, 0), DefaultBytes)
	return &Controller{
		slots:      NewPool(slots-slots/4, slots/4, 1),
		memory:     NewPool(bytes, bytes/2, bytes/4),
		Results:    NewPool(ResultBytes, ResultBytes/2, ResultBytes/4),
		freeWeight: Working * runtime.GOMAXPROCS(0),
	}
}

type (
	accountKey  struct{}
	responseKey struct{}
)

// WithResponse returns a context for calls that keep their memory until ctx is done, which is when
// their results have been written.
func WithResponse(ctx context.Context) context.Context {
	return context.WithValue(ctx, responseKey{}, ctx)
}

// An account has the slot and the bytes of one call.
type account struct {
	controller *Controller // whose mu guards calls and stuck
	slot       *Hold
	bytes      *Hold
	response   context.Context // see WithResponse; nil if not set
	calls      int             // calls that share the account: one, and nested ones
	stuck      int             // how many of them are stuck
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

// enter waits for a slot. A nested call shares the account of the outer call while that is running.
func (c *Controller) enter(ctx context.Context) (*account, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	outer := accountOf(ctx)
	if outer != nil && outer.controller == c && outer.join() {
		return outer, nil
	}
	from := CallerOf(ctx)
	slot := c.slots.Open(from)
	if err := slot.Wait(ctx, 1); err != nil {
		slot.End()
		return nil, err
	}
	response, _ := ctx.Value(responseKey{}).(context.Context)
	bytes := c.memory.Open(from)
	return &account{controller: c, slot: slot, bytes: bytes, response: response, calls: 1}, nil
}

// join adds a nested call. It reports false if all others have returned.
func (a *account) join() bool {
	a.controller.mu.Lock()
	defer a.controller.mu.Unlock()
	if a.calls == 0 {
		return false
	}
	a.calls++
	return true
}

// leave ends a call. The last one releases the slot, and the bytes when its response is written.
func (a *account) leave() {
	a.controller.mu.Lock()
	a.calls--
	isLast := a.calls == 0
	a.controller.mu.Unlock()
	if !isLast {
		return
	}
	a.slot.End()
	if a.response == nil {
		a.bytes.End()
		return
	}
	context.AfterFunc(a.response, a.bytes.End)
}

// countStuck counts an abandoned call as stuck from stuckAfter on, until it is done.
func (a *account) countStuck(done <-chan struct{}) {
	select {
	case <-done:
	case <-time.After(stuckAfter):
		a.addStuck(1)
		<-done
		a.addStuck(-1)
	}
}

// addStuck adds n stuck calls, which can be negative. The slot of the account is stuck while any of
// its calls is. While stuck calls have more than half of the slots, no call is served.
func (a *account) addStuck(n int) {
	c := a.controller
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.stuck > 0 {
		c.stuckSlots--
	}
	a.stuck += n
	if a.stuck > 0 {
		c.stuckSlots++
	}
	var refusal error
	if int64(c.stuckSlots)*2 > c.slots.size+c.slots.kept {
		refusal = ErrBusy
	}
	c.slots.Refuse(refusal)
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
	limit, held := a.controller.memory.size, a.bytes.Amount()
	if n > limit-held {
		needed := held + min(n, math.MaxInt64-held)
		return Error(fmt.Sprintf("the call needs %d bytes of memory, and the limit is %d; "+
			"ask for less", needed, limit))
	}
	return a.bytes.Wait(ctx, n)
}

// Release releases n bytes reserved by the call with context ctx, or all if it has fewer. Outside
// of calls Release does nothing.
func Release(ctx context.Context, n int64) {
	if a := accountOf(ctx); a != nil {
		a.bytes.Release(n)
	}
}

// AcquireWorker reports whether the call with context ctx can start another goroutine of the given
// weight, which it must release with [ReleaseWorker]. All calls together have [Working] for each
// processor. Outside of calls there is no limit.
func AcquireWorker(ctx context.Context, weight int) bool {
	a := accountOf(ctx)
	if a == nil {
		return true
	}
	c := a.controller
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.freeWeight < weight {
		return false
	}
	c.freeWeight -= weight
	return true
}

// ReleaseWorker releases the weight of a goroutine that has ended, which [AcquireWorker] allowed.
func ReleaseWorker(ctx context.Context, weight int) { AcquireWorker(ctx, -weight) }
