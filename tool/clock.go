package tool

import (
	"context"
	"sync"
	"time"
)

// A clock is a context that ends when a call's time is over. It can be stopped while the call waits for its turn.
type clock struct {
	context.Context // the caller's
	done            chan struct{}
	drop            func() bool // the end of the caller's context

	mu    sync.Mutex
	err   error
	timer *time.Timer // nil while stopped
	after map[*func()]struct{}
	left  time.Duration
	since time.Time
}

type clockKey struct{}

// startClock returns a clock that runs. It is to be ended.
func startClock(ctx context.Context, limit time.Duration) *clock {
	c := &clock{Context: ctx, done: make(chan struct{}), left: limit}
	if err := ctx.Err(); err != nil {
		c.end(err)
		return c
	}
	c.run()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop = context.AfterFunc(ctx, func() { c.end(ctx.Err()) })
	return c
}

// clockOf returns the clock that ctx comes from, nil where there is none.
func clockOf(ctx context.Context) *clock {
	c, _ := ctx.Value(clockKey{}).(*clock)
	return c
}

// Done implements [context.Context].
func (c *clock) Done() <-chan struct{} { return c.done }

// Err implements [context.Context]. The time is over when it is over, and not when the runtime's timer gets to it.
func (c *clock) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil && c.timer != nil && time.Since(c.since) >= c.left {
		c.finish(context.DeadlineExceeded)
	}
	return c.err
}

// AfterFunc has f called, in a goroutine of its own, when the clock has ended, unless that is stopped before. It saves
// package context a goroutine for every context made of this one.
func (c *clock) AfterFunc(f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		go f()
		return func() bool { return false }
	}
	if c.after == nil {
		c.after = make(map[*func()]struct{})
	}
	c.after[&f] = struct{}{}
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		_, waits := c.after[&f]
		delete(c.after, &f)
		return waits
	}
}

// Value implements [context.Context].
func (c *clock) Value(key any) any {
	if key == (clockKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// run goes on, with what time is left.
func (c *clock) run() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil && c.timer == nil {
		c.since = time.Now()
		c.timer = time.AfterFunc(c.left, func() { c.end(context.DeadlineExceeded) })
	}
}

// stop stops the clock until it runs again.
func (c *clock) stop() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer != nil && c.timer.Stop() {
		c.left = max(0, c.left-time.Since(c.since))
		c.timer = nil
	}
}

func (c *clock) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.finish(err)
}

// finish is end for who holds the lock.
func (c *clock) finish(err error) {
	if c.err != nil {
		return
	}
	c.err = err
	close(c.done)
	for f := range c.after {
		go (*f)()
	}
	c.after = nil
	if c.timer != nil {
		c.timer.Stop()
	}
	if c.drop != nil {
		c.drop()
	}
}
