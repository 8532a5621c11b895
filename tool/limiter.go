package tool

import (
	"container/list"
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

// A limiter bounds how many calls run at once. Calls beyond the bound wait: those of the client (see [WithClient]) that has
// the fewest places go first, and among these the one that came first. The calls of one client get at most a quarter of the
// places, and the last quarter of all places goes to clients that have none, so that many calls of some clients do not delay
// the first call of another.
//
// A call that does not return from the operating system keeps its place until it does. While more than half of the places
// are taken by such calls, all others fail with [ErrBusy] instead of waiting.
type limiter struct {
	most int

	mu       sync.Mutex
	used     int
	byClient map[string]int // places, by the client that uses them
	stuck    int            // how many of the calls are stuck
	waiting  *list.List     // of *waiter, in the order in which they came
}

// A waiter waits for a place.
type waiter struct {
	client string     // "" for none
	result chan error // gets nil when the place is the waiter's, or why there will be none
}

// newLimiter returns a limiter of n calls at once.
func newLimiter(n int) *limiter {
	return &limiter{most: n, byClient: make(map[string]int), waiting: list.New()}
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

// acquire waits for a place and returns what gives it back. It fails if ctx ends or too many calls are stuck.
func (l *limiter) acquire(ctx context.Context) (release func(), err error) {
	client, _ := ctx.Value(clientKey{}).(string)
	release = func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.leave(client)
	}
	l.mu.Lock()
	switch {
	case l.isStalled():
		l.mu.Unlock()
		return nil, errBusy()
	case ctx.Err() != nil:
		l.mu.Unlock()
		return nil, ctx.Err()
	case l.admits(client):
		l.enter(client)
		l.mu.Unlock()
		return release, nil
	}
	w := &waiter{client, make(chan error, 1)}
	e := l.waiting.PushBack(w)
	l.mu.Unlock()
	select {
	case err = <-w.result:
	case <-ctx.Done():
		l.mu.Lock()
		defer l.mu.Unlock()
		l.waiting.Remove(e) // It may be gone already.
		select {
		case err = <-w.result:
			if err == nil {
				l.leave(client)
			}
		default:
		}
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return release, nil
}

// admits reports whether a client may have a place now. The caller holds the mutex.
func (l *limiter) admits(client string) bool {
	quarter := l.most / 4
	own := l.byClient[client]
	return l.used < l.most && (client == "" || own == 0 || own < quarter && l.used < l.most-quarter)
}

// enter gives a client a place. The caller holds the mutex.
func (l *limiter) enter(client string) {
	l.used++
	if client != "" {
		l.byClient[client]++
	}
}

// leave takes a place from a client, and gives the free places to those who wait. The caller holds the mutex.
func (l *limiter) leave(client string) {
	l.used--
	if l.byClient[client]--; l.byClient[client] <= 0 {
		delete(l.byClient, client)
	}
	for e := l.next(); e != nil; e = l.next() {
		w := l.waiting.Remove(e).(*waiter)
		l.enter(w.client)
		w.result <- nil
	}
}

// next returns the element of the waiter that gets the next place, or nil if none may have one: of those whose client has the
// fewest places, the one that has waited longest. The caller holds the mutex.
func (l *limiter) next() *list.Element {
	var next *list.Element
	fewest := l.most
	for e := l.waiting.Front(); e != nil && l.used < l.most && fewest > 0; e = e.Next() {
		client := e.Value.(*waiter).client
		if own := l.byClient[client]; own < fewest && l.admits(client) {
			next, fewest = e, own
		}
	}
	return next
}

type clientKey struct{}

// WithClient returns a context for the calls of the client with that name. Of the calls that a [Registry] runs at once, the
// calls of one client are at most a quarter, and a quarter is left for clients that have none, so that clients which make many
// calls do not delay others. A server with several clients uses it. Calls without a client, or with an empty name, have no such
// bound.
func WithClient(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, clientKey{}, name)
}

func errBusy() error {
	return &Error{Kind: Failed, Message: "the file system does not answer: too many earlier calls are still waiting for it; try again later", Err: ErrBusy}
}

// isStalled reports whether too many calls are stuck for others to wait. The caller holds the mutex.
func (l *limiter) isStalled() bool { return l.stuck*2 > l.most }

// addStuck counts a stuck call, or with -1 one that has returned after all. The caller holds the mutex.
func (l *limiter) addStuck(n int) {
	if l.stuck += n; !l.isStalled() {
		return
	}
	for e := l.waiting.Front(); e != nil; e = l.waiting.Front() {
		l.waiting.Remove(e).(*waiter).result <- errBusy()
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
