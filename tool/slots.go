package tool

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// grace is how long a call that heeds its context may take to say so. It is far below the promised 100 ms.
const grace = 25 * time.Millisecond

// slots bounds how many calls run at once. A call that does not come back from the operating system keeps its slot
// until it does; when more than half of the slots are lost that way, further calls are refused rather than queued behind
// them.
type slots struct {
	free  chan struct{}
	stuck atomic.Int32
}

func newSlots(n int) *slots { return &slots{free: make(chan struct{}, n)} }

// run calls f in a slot and returns when f does, or shortly after ctx ends.
func (s *slots) run(ctx context.Context, f func(context.Context) (Result, error)) (Result, error) {
	if int(s.stuck.Load())*2 > cap(s.free) {
		return Result{}, &Error{Kind: Failed, Message: "the file system does not answer: too many earlier calls are still waiting for it; try again later", Err: ErrBusy}
	}
	select {
	case s.free <- struct{}{}:
	case <-ctx.Done():
		return Result{}, ctx.Err()
	}
	type outcome struct {
		result Result
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		o := outcome{err: errors.New("the call ended without an answer")} // as runtime.Goexit does
		defer func() {
			<-s.free
			done <- o
		}()
		o.result, o.err = recovered(ctx, f)
	}()
	select {
	case o := <-done:
		return o.result, o.err
	case <-ctx.Done():
	}
	select {
	case o := <-done:
		return o.result, o.err
	case <-time.After(grace):
	}
	s.stuck.Add(1)
	go func() {
		<-done
		s.stuck.Add(-1)
	}()
	return Result{}, ctx.Err()
}
