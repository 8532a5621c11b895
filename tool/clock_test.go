package tool

import (
	"context"
	"testing"
	"time"
)

// TestClockEnds: contexts made of a clock, and functions that wait for it, end with it.
func TestClockEnds(t *testing.T) {
	for name, end := range map[string]func(c *clock, cancel func()){
		"its time":    func(*clock, func()) {},
		"the caller":  func(_ *clock, cancel func()) { cancel() },
		"its call":    func(c *clock, _ func()) { c.end(context.Canceled) },
		"when looked": func(c *clock, _ func()) { time.Sleep(20 * time.Millisecond); _ = c.Err() },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		c := startClock(ctx, 20*time.Millisecond)
		child, drop := context.WithCancel(c)
		called, stopped := make(chan struct{}), make(chan struct{})
		context.AfterFunc(c, func() { close(called) })
		stop := context.AfterFunc(c, func() { close(stopped) })
		if !stop() || stop() {
			t.Errorf("%s: a function that waits is not stopped once", name)
		}
		end(c, cancel)
		<-c.Done()
		<-child.Done()
		<-called
		if child.Err() != c.Err() || c.Err() == nil {
			t.Errorf("%s: the clock ends with %v, what is made of it with %v", name, c.Err(), child.Err())
		}
		late := make(chan struct{})
		if stop := context.AfterFunc(c, func() { close(late) }); stop() {
			t.Errorf("%s: a function of a clock that has ended was stopped", name)
		}
		<-late
		select {
		case <-stopped:
			t.Errorf("%s: a function that was stopped was called", name)
		default:
		}
		drop()
		cancel()
	}
}
