package documents

import (
	"context"
	"time"
)

// A clock ends a context when it has run for some time. It can stop and start again. A nil clock
// does nothing.
type clock struct {
	left  time.Duration
	since time.Time // when it was started
	timer *time.Timer
}

// withClock returns a context that ends when the new clock of s has run for limit, with the cause
// [context.DeadlineExceeded], and a function that releases it. It is ctx itself if limit is 0.
func (s *Source) withClock(ctx context.Context, limit time.Duration) (context.Context, func()) {
	s.clock = nil
	if limit == 0 {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(limit, func() { cancel(context.DeadlineExceeded) })
	timer.Stop()
	s.clock = &clock{left: limit, timer: timer}
	return ctx, func() {
		timer.Stop()
		cancel(nil)
	}
}

func (c *clock) start() {
	if c != nil {
		c.since = time.Now()
		c.timer.Reset(c.left)
	}
}

func (c *clock) stop() {
	if c != nil {
		c.timer.Stop()
		c.left = max(c.left-time.Since(c.since), 1)
	}
}

// Pause begins a time that does not count against [Limits.Time], and Resume ends it.
func (s *Source) Pause() { s.clock.stop() }

// Resume lets the time count again after Pause.
func (s *Source) Resume() { s.clock.start() }
