package tool

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

const (
	// grace is how long a call that heeds its context may take to say so. It is far below the promised 100 ms.
	grace = 25 * time.Millisecond
	// short is how long a call may run without being a long one.
	short = 200 * time.Millisecond
	// late is how long after its end a call that has not come back counts as stuck; a busy machine takes a moment.
	late = time.Second
)

// slots bounds how many calls run at once, and lets short calls pass long ones. Which is which nobody knows beforehand:
// a call that goes on while others wait and half of the slots have long calls already is broken off, if it may be made
// again, and made anew when there is room for a long one. That is of use only where there are short ones: it ends, and
// every slot is for every call, when so many have been broken off without a short one ending.
//
// A call that does not come back from the operating system keeps its slot until it does; when more than half of the slots
// are lost that way, further calls are refused rather than queued behind them, and so are those that wait.
type slots struct {
	most int

	mu      sync.Mutex
	running int     // slots taken
	long    int     // taken by calls that run long
	stuck   int     // taken by calls that were left behind
	chances int     // how many more calls may be broken off
	waiting []*turn // the first has waited the longest
	again   []*turn // likewise, of calls that were broken off
}

// A turn is a call's claim to a slot.
type turn struct {
	granted                   chan error // what comes of waiting
	long, broken, stuck, over bool
}

// An outcome is what has come of a call. One that was broken off may be made again.
type outcome struct {
	result Result
	err    error
	broken bool
}

func newSlots(n int) *slots { return &slots{most: n, chances: 4 * n} }

// run calls f in a slot and returns when f does, or shortly after ctx ends. A second time it is called only where it may
// be, and with all the time it needs.
func (s *slots) run(ctx context.Context, repeatable bool, f func(context.Context) (Result, error)) (Result, error) {
	o := s.attempt(ctx, false, repeatable, f)
	if o.broken {
		o = s.attempt(ctx, true, false, f)
	}
	return o.result, o.err
}

func (s *slots) attempt(ctx context.Context, again, repeatable bool, f func(context.Context) (Result, error)) outcome {
	t, err := s.take(ctx, again)
	if err != nil {
		return outcome{err: err}
	}
	within, breakOff := context.WithCancel(ctx)
	defer breakOff()
	done := make(chan outcome, 1)
	go func() {
		o := outcome{err: errors.New("the call ended without an answer")} // as runtime.Goexit does
		defer func() {
			s.give(t)
			done <- o
		}()
		o.result, o.err = recovered(within, f)
	}()
	look := time.NewTimer(short)
	defer look.Stop()
	broken := false
	ended := func(o outcome) outcome {
		if broken && o.err != nil { // because of that, most likely
			return outcome{err: ctx.Err(), broken: ctx.Err() == nil}
		}
		return o
	}
	for {
		select {
		case o := <-done:
			return ended(o)
		case <-look.C:
			if broken = s.outlasts(t, repeatable); broken {
				breakOff()
			} else {
				look.Reset(short)
			}
		case <-ctx.Done():
			select {
			case o := <-done:
				return ended(o)
			case <-time.After(grace):
				s.leave(t)
				return outcome{err: ctx.Err()}
			}
		}
	}
}

// take waits for a slot.
func (s *slots) take(ctx context.Context, again bool) (*turn, error) {
	t := &turn{long: again}
	s.mu.Lock()
	if s.lost() {
		s.mu.Unlock()
		return nil, busy()
	}
	t.granted = make(chan error, 1)
	if again {
		s.again = append(s.again, t)
	} else {
		s.waiting = append(s.waiting, t)
	}
	s.grant()
	s.mu.Unlock()
	select {
	case err := <-t.granted:
		return t, err
	default:
	}
	c := clockOf(ctx)
	c.stop()
	defer c.run()
	select {
	case err := <-t.granted:
		return t, err
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if is := func(other *turn) bool { return other == t }; again {
		s.again = slices.DeleteFunc(s.again, is)
	} else {
		s.waiting = slices.DeleteFunc(s.waiting, is)
	}
	select {
	case err := <-t.granted:
		if err == nil {
			s.free(t)
		}
	default:
	}
	return nil, ctx.Err()
}

// grant gives the slots that are free to those who wait: new calls first where the long ones have their share.
func (s *slots) grant() {
	for s.running < s.most {
		var t *turn
		switch {
		case len(s.again) > 0 && (s.long < s.share() || len(s.waiting) == 0):
			t, s.again = s.again[0], s.again[1:]
			s.long++
		case len(s.waiting) > 0:
			t, s.waiting = s.waiting[0], s.waiting[1:]
		default:
			return
		}
		s.running++
		t.granted <- nil
	}
}

// share is how many slots long calls may have while others wait.
func (s *slots) share() int {
	if s.chances == 0 {
		return s.most
	}
	return max(1, s.most/2)
}

// lost reports whether too many calls are stuck for any other to begin.
func (s *slots) lost() bool { return s.stuck*2 > s.most }

func busy() error {
	return &Error{Kind: Failed, Message: "the file system does not answer: too many earlier calls are still waiting for it; try again later", Err: ErrBusy}
}

// outlasts is asked while a call goes on, and reports whether it is to be broken off.
func (s *slots) outlasts(t *turn, repeatable bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case t.long:
		return false
	case s.long < s.share():
		t.long = true
		s.long++
		return false
	case repeatable && len(s.waiting) > 0: // and there are chances, or the share would be every slot
		t.broken = true
		s.chances--
	}
	return t.broken
}

// give takes back the slot of a call that has ended.
func (s *slots) give(t *turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free(t)
}

func (s *slots) free(t *turn) {
	t.over = true
	s.running--
	if t.stuck {
		s.stuck--
	}
	switch {
	case t.long:
		s.long--
	case !t.broken && !t.stuck:
		s.chances = min(s.chances+1, 4*s.most)
	}
	s.grant()
}

// leave gives a call up that does not end.
func (s *slots) leave(t *turn) { time.AfterFunc(late, func() { s.strand(t) }) }

// strand counts a call as stuck, until it ends, and refuses all that wait where it is one too many.
func (s *slots) strand(t *turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.over {
		return
	}
	if t.long {
		t.long = false
		s.long--
	}
	t.stuck = true
	s.stuck++
	if s.lost() {
		for _, other := range slices.Concat(s.waiting, s.again) {
			other.granted <- busy()
		}
		s.waiting, s.again = nil, nil
	}
}
