package tool

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// grace is how long a call that heeds its context may take to return after the context has ended.
	grace = 25 * time.Millisecond
	// stuckAfter is how long after that a call that has not returned counts as stuck.
	stuckAfter = time.Second
)

// A limiter bounds how many calls run at once. Calls beyond the bound wait in the order in which they came. The calls of one
// client (see [WithClient]) get at most a quarter of the places, so that they do not delay the calls of others.
//
// A call that does not return from the operating system keeps its place until it does. While more than half of the places
// are taken by such calls, all others fail with [ErrBusy] instead of waiting.
type limiter struct {
	places chan struct{} // holds a value for every call that runs

	mu      sync.Mutex
	stuck   int           // how many of the calls are stuck
	stalled chan struct{} // closed while too many are
	clients map[string]*clientShare
}

// A clientShare is the places of one client that has calls.
type clientShare struct {
	places chan struct{}
	calls  int // that run or wait
}

// newLimiter returns a limiter of n calls at once.
func newLimiter(n int) *limiter {
	return &limiter{places: make(chan struct{}, n), stalled: make(chan struct{}), clients: make(map[string]*clientShare)}
}

// run waits for a place, calls f in it and returns when f does, or shortly after ctx or the timeout has ended. The timeout
// begins when f is called; 0 sets none.
func (l *limiter) run(ctx context.Context, timeout time.Duration, f func(context.Context) (Result, error)) (Result, error) {
	release, err := l.acquire(ctx)
	if err != nil {
		return Result{}, err
	}
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	c := &runningCall{limiter: l, release: release, done: make(chan outcome, 1)}
	go c.run(ctx, f)
	select {
	case o := <-c.done:
		return o.result, o.err
	case <-ctx.Done():
	}
	select {
	case o := <-c.done:
		return o.result, o.err
	case <-time.After(grace):
		time.AfterFunc(stuckAfter, c.markStuck)
		return Result{}, ctx.Err()
	}
}

// acquire waits for a place and returns what gives it back.
func (l *limiter) acquire(ctx context.Context) (release func(), err error) {
	name, ok := ctx.Value(clientKey{}).(string)
	if !ok {
		return l.take(ctx, l.places)
	}
	share := l.join(name)
	leaveShare, err := l.take(ctx, share.places)
	if err != nil {
		l.leave(name)
		return nil, err
	}
	leavePlaces, err := l.take(ctx, l.places)
	if err != nil {
		leaveShare()
		l.leave(name)
		return nil, err
	}
	return func() {
		leavePlaces()
		leaveShare()
		l.leave(name)
	}, nil
}

// take waits for one of the places, unless ctx ends or too many calls are stuck.
func (l *limiter) take(ctx context.Context, places chan struct{}) (release func(), err error) {
	l.mu.Lock()
	stalled := l.stalled
	l.mu.Unlock()
	select {
	case <-stalled:
		return nil, errBusy()
	default:
	}
	select {
	case <-stalled:
		return nil, errBusy()
	case <-ctx.Done():
		return nil, ctx.Err()
	case places <- struct{}{}:
		return func() { <-places }, nil
	}
}

// join returns the share of a client, for one more call.
func (l *limiter) join(name string) *clientShare {
	l.mu.Lock()
	defer l.mu.Unlock()
	share := l.clients[name]
	if share == nil {
		share = &clientShare{places: make(chan struct{}, max(1, cap(l.places)/4))}
		l.clients[name] = share
	}
	share.calls++
	return share
}

// leave forgets the share of a client with its last call.
func (l *limiter) leave(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	share := l.clients[name]
	if share.calls--; share.calls == 0 {
		delete(l.clients, name)
	}
}

type clientKey struct{}

// WithClient returns a context for the calls of the client with that name. Of the calls that a [Registry] runs at once, the
// calls of one client are at most a quarter, so that a client which makes many calls does not delay others. A server with
// several clients uses it; calls without a client have no such bound.
func WithClient(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, clientKey{}, name)
}

func errBusy() error {
	return &Error{Kind: Failed, Message: "the file system does not answer: too many earlier calls are still waiting for it; try again later", Err: ErrBusy}
}

// addStuck counts a stuck call, or with -1 one that has returned after all.
func (l *limiter) addStuck(n int) {
	wasStalled := l.stuck*2 > cap(l.places)
	l.stuck += n
	switch isStalled := l.stuck*2 > cap(l.places); {
	case isStalled && !wasStalled:
		close(l.stalled)
	case wasStalled && !isStalled:
		l.stalled = make(chan struct{})
	}
}

// A runningCall is a call that holds a place of the limiter.
type runningCall struct {
	limiter *limiter
	release func() // gives the place back
	done    chan outcome
	// The limiter's mutex guards these.
	returned, stuck bool
}

type outcome struct {
	result Result
	err    error
}

// run calls f, gives the place back and reports the outcome.
func (c *runningCall) run(ctx context.Context, f func(context.Context) (Result, error)) {
	o := outcome{err: errors.New("the call ended without an answer")} // as runtime.Goexit does
	defer func() {
		c.markReturned()
		c.release()
		c.done <- o
	}()
	o.result, o.err = recovered(ctx, f)
}

func (c *runningCall) markReturned() {
	l := c.limiter
	l.mu.Lock()
	defer l.mu.Unlock()
	c.returned = true
	if c.stuck {
		l.addStuck(-1)
	}
}

func (c *runningCall) markStuck() {
	l := c.limiter
	l.mu.Lock()
	defer l.mu.Unlock()
	if !c.returned {
		c.stuck = true
		l.addStuck(1)
	}
}
