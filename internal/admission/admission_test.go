package admission

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

const mib = 1 << 20

// A scene makes calls in fake time. For example, this starts two calls of client a that hold a
// mebibyte for a minute, and checks that a call by client b gets one immediately:
//
//	play(t, 0, 4*mib, func(t *testing.T, s *scene) {
//		s.start(2, "a", hold(mib))
//		s.check("b", s.call(t.Context(), "b", 0, reserve(mib)), nil, 0)
//	})
type scene struct {
	*Controller
	t     *testing.T
	begin time.Time
	calls sync.WaitGroup
}

// play runs f, and checks that no bytes are reserved and no slot is in use after all calls.
func play(t *testing.T, calls int, bytes int64, f func(*testing.T, *scene)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &scene{Controller: New(calls, bytes), t: t, begin: time.Now()}
		f(t, s)
		s.calls.Wait()
		time.Sleep(2 * time.Hour) // until abandoned calls return
		for _, p := range []*Pool{s.slots, s.memory} {
			p.mu.Lock()
			defer p.mu.Unlock()
			if p.used+p.keptUsed != 0 || len(p.clients) > 0 || len(p.waiting) > 0 {
				t.Errorf("left: %+v", p)
			}
		}
		if s.stuckSlots != 0 {
			t.Errorf("%d calls are stuck", s.stuckSlots)
		}
	})
}

func (s *scene) call(
	ctx context.Context, client string, timeout time.Duration, f func(context.Context) error,
) error {
	_, err := Run(WithCaller(ctx, Caller{Client: client}), s.Controller, timeout,
		func(ctx context.Context) (struct{}, error) { return struct{}{}, f(ctx) })
	return err
}

// start starts calls without a timeout by the named client, and waits until all are blocked.
func (s *scene) start(n int, client string, f func(context.Context) error) {
	for range n {
		s.calls.Go(func() {
			if err := s.call(s.t.Context(), client, 0, f); err != nil {
				s.t.Error(err)
			}
		})
	}
	synctest.Wait()
}

func (s *scene) check(name string, err, want error, after time.Duration) {
	s.t.Helper()
	if took := time.Since(s.begin); !errors.Is(err, want) || took != after {
		s.t.Errorf("%s: %v after %v; want %v after %v", name, err, took, want, after)
	}
}

func reserve(sizes ...int64) func(context.Context) error {
	return func(ctx context.Context) error {
		for _, n := range sizes {
			if err := Reserve(ctx, n); err != nil {
				return err
			}
		}
		return nil
	}
}

// hold returns a call that reserves n bytes and then takes a minute.
func hold(n int64) func(context.Context) error {
	return func(ctx context.Context) error {
		defer time.Sleep(time.Minute)
		return Reserve(ctx, n)
	}
}

func sleep(d time.Duration) func(context.Context) error {
	return func(context.Context) error { time.Sleep(d); return nil }
}

// TestEnd checks when Run returns after the context of a call is done.
func TestEnd(t *testing.T) {
	const second = time.Second
	never := func(context.Context) error { panic("called") }
	wait := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	for name, tt := range map[string]struct {
		call            func(context.Context) error
		timeout, cancel time.Duration // 0 means none
		after           time.Duration
		err             error
	}{
		"ends at its deadline": {wait, second, 0, second, context.DeadlineExceeded},
		"ends when canceled":   {wait, time.Minute, second, second, context.Canceled},
		"ignores its deadline": {sleep(time.Hour), second, 0, second + grace, context.DeadlineExceeded},
		"ignores the end":      {sleep(time.Hour), 0, second, second + grace, context.Canceled},
		"in time":              {sleep(second), time.Minute, 0, second, nil},
		"without a limit":      {sleep(time.Hour), 0, 0, time.Hour, nil},
		"a little late":        {sleep(second + grace/2), second, 0, second + grace/2, nil},
		"has ended":            {never, 0, -1, 0, context.Canceled},
	} {
		play(t, 0, 0, func(t *testing.T, s *scene) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if tt.cancel < 0 {
				cancel()
			} else if tt.cancel > 0 {
				time.AfterFunc(tt.cancel, cancel)
			}
			s.check(name, s.call(ctx, "", tt.timeout, tt.call), tt.err, tt.after)
		})
	}
	play(t, 0, 0, func(t *testing.T, s *scene) {
		exit := func(context.Context) error { runtime.Goexit(); return nil }
		if err := s.call(t.Context(), "", 0, exit); err == nil {
			t.Error("a call that ends its goroutine has no error")
		}
	})
}

// TestSlots makes more calls than there are slots. The others must wait until their contexts are
// done, and the waiting time must not count toward their timeouts.
func TestSlots(t *testing.T) {
	play(t, 3, 0, func(t *testing.T, s *scene) {
		for range 10 {
			s.calls.Go(func() {
				if err := s.call(t.Context(), "", 90*time.Second, sleep(time.Minute)); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := s.call(short, "", 0, reserve())
		s.check("a call that waits", err, context.DeadlineExceeded, time.Second)
		s.calls.Wait()
		s.check("3 calls at a time", nil, nil, 4*time.Minute)
	})
}

// TestBusy checks that calls fail immediately while others are stuck in most slots.
func TestBusy(t *testing.T) {
	for _, tt := range []struct{ slots, stuck int }{{1, 1}, {2, 2}, {3, 2}, {4, 3}, {64, 33}} {
		play(t, tt.slots, 0, func(t *testing.T, s *scene) {
			release := make(chan struct{})
			stubborn := func(context.Context) error { <-release; return nil }
			for i := range tt.stuck {
				if err := s.call(t.Context(), "", time.Second, reserve()); err != nil {
					t.Fatalf("%d of %d slots: %v", i, tt.slots, err)
				}
				err := s.call(t.Context(), "", time.Second, stubborn)
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Fatalf("%d of %d slots: %v", i, tt.slots, err)
				}
			}
			s.start(tt.slots-tt.stuck, "", stubborn)
			s.begin = time.Now()
			err := s.call(t.Context(), "", 0, reserve())
			if err != ErrBusy || time.Since(s.begin) > stuckAfter {
				t.Errorf("a call that waits: %v after %v", err, time.Since(s.begin))
			}
			s.begin = time.Now()
			s.check("a new call", s.call(t.Context(), "", 0, reserve()), ErrBusy, 0)
			close(release)
			synctest.Wait()
			s.check("none is stuck", s.call(t.Context(), "", 0, stubborn), nil, 0)
		})
	}
}

// TestNestedLate checks that a nested call that returned late does not make the outer call a stuck
// one, and that one that does not return does until it returns.
func TestNestedLate(t *testing.T) {
	play(t, 1, 0, func(t *testing.T, s *scene) {
		s.start(1, "", func(ctx context.Context) error {
			for _, late := range []time.Duration{300 * time.Millisecond, 5 * time.Second} {
				err := s.call(ctx, "", 100*time.Millisecond, sleep(late))
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Error(err)
				}
				time.Sleep(9 * time.Second)
			}
			return nil
		})
		for _, tt := range []struct {
			after time.Duration
			want  error
		}{
			{2 * time.Second, context.DeadlineExceeded},
			{12 * time.Second, ErrBusy},
			{16 * time.Second, context.DeadlineExceeded},
		} {
			time.Sleep(tt.after - time.Since(s.begin))
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			if err := s.call(ctx, "other", 0, reserve()); !errors.Is(err, tt.want) {
				t.Errorf("after %v: %v, want %v", tt.after, err, tt.want)
			}
			cancel()
		}
	})
}

// TestClients checks that many long calls by one client do not delay other clients.
func TestClients(t *testing.T) {
	play(t, 8, 0, func(t *testing.T, s *scene) {
		s.start(20, "greedy", sleep(time.Minute))
		for _, client := range []string{"modest", ""} {
			s.check("the call of another", s.call(t.Context(), client, 0, reserve()), nil, 0)
		}
		s.calls.Wait()
		s.check("5 calls at a time", nil, nil, 4*time.Minute)
	})
}

// TestConnections checks that the long calls of a client over some connections, each with a number
// of calls, do not delay a call over another connection, nor another client.
func TestConnections(t *testing.T) {
	for _, busy := range [][]int{
		{100}, {20, 20, 20}, slices.Repeat([]int{1}, 33), {40, 1, 1, 1, 1, 1},
	} {
		play(t, 64, 0, func(t *testing.T, s *scene) {
			over := func(client, connection string, f func(context.Context) error) error {
				ctx := WithCaller(t.Context(), Caller{client, connection})
				_, err := Run(ctx, s.Controller, 0,
					func(ctx context.Context) (struct{}, error) { return struct{}{}, f(ctx) })
				return err
			}
			for i, n := range busy {
				for range n {
					s.calls.Go(func() { _ = over("busy", fmt.Sprint(i), sleep(time.Minute)) })
				}
				synctest.Wait()
			}
			if used := s.slots.used; used > 47 {
				t.Errorf("%v: %d slots", busy, used)
			}
			s.check("another connection", over("busy", "other", reserve()), nil, 0)
			s.check("another client", over("other", "0", reserve()), nil, 0)
		})
	}
}

// TestManyClients makes more calls than there are slots, by many clients. The first call by another
// client must start immediately, and a freed slot must go to the longest-waiting call.
func TestManyClients(t *testing.T) {
	play(t, 16, 0, func(t *testing.T, s *scene) {
		for i := range 4 {
			s.start(12, fmt.Sprint(i), sleep(time.Minute))
		}
		for i := range 3 {
			err := s.call(t.Context(), fmt.Sprint("other ", i), 0, reserve())
			s.check("the call of another", err, nil, 0)
		}
		s.calls.Wait()
		if took := time.Since(s.begin); took > 5*time.Minute {
			t.Errorf("48 calls of a minute, 4 concurrently per client, took %v", took)
		}
	})
}

// TestReserve checks that calls wait while their reservations would exceed the budget.
func TestReserve(t *testing.T) {
	play(t, 0, 32*mib, func(t *testing.T, s *scene) {
		s.start(20, "", hold(5*mib))
		s.calls.Wait()
		s.check("6 calls at a time, and 3 in what is kept", nil, nil, 3*time.Minute)
	})
}

// TestStepByStep checks that calls that reserve in steps more than there is do not deadlock.
func TestStepByStep(t *testing.T) {
	play(t, 0, 8*mib, func(t *testing.T, s *scene) {
		var full atomic.Int64
		for i := range 40 {
			s.start(1, fmt.Sprint(i%3), func(ctx context.Context) error {
				for range 6 {
					time.Sleep(time.Second)
					if err := Reserve(ctx, mib); errors.Is(err, ErrFull) {
						full.Add(1)
						return nil
					} else if err != nil {
						return err
					}
				}
				return nil
			})
		}
		s.calls.Wait()
		if n := full.Load(); n == 0 || n == 40 {
			t.Errorf("%d of 40 calls were refused more; want some", n)
		}
	})
}

// TestOneWaits checks that only one goroutine of a call can wait for bytes.
func TestOneWaits(t *testing.T) {
	play(t, 0, 2*mib, func(t *testing.T, s *scene) {
		s.start(1, "", hold(mib))
		s.start(1, "", func(ctx context.Context) error {
			first := make(chan error)
			go func() { first <- Reserve(ctx, 2*mib) }()
			time.Sleep(time.Second) // until it waits
			if err := Reserve(ctx, 1); !errors.Is(err, ErrFull) {
				t.Errorf("the second goroutine: %v", err)
			}
			return <-first
		})
	})
}

// TestTwoHoldMemory checks that two clients that hold all memory for minutes, over any number of
// calls, do not delay a small request of others, and a large one until each had one turn.
func TestTwoHoldMemory(t *testing.T) {
	for _, size := range []int64{mib, 7 * mib, 16 * mib, 32 * mib} {
		play(t, 0, 32*mib, func(t *testing.T, s *scene) {
			s.start(20, "first", hold(size))
			s.start(20, "second", hold(size))
			for i := range 2 {
				err := s.call(t.Context(), fmt.Sprint("small ", i), 0, reserve(mib, 3*mib))
				s.check("a small request", err, nil, 0)
			}
			err := s.call(t.Context(), "large", 0, reserve(32*mib))
			if took := time.Since(s.begin); err != nil || took > 2*time.Minute {
				t.Errorf("a large request: %v after %v", err, took)
			}
		})
	}
}

// TestTooLarge checks the largest possible reservation, and reservations above the limit.
func TestTooLarge(t *testing.T) {
	play(t, 0, mib, func(t *testing.T, s *scene) {
		for _, client := range []string{"", "a"} {
			for _, tt := range []struct {
				sizes  []int64
				needed int64
			}{
				{[]int64{1 << 60}, 1 << 60},
				{[]int64{mib, 1}, mib + 1},
				{[]int64{1, mib}, mib + 1},
				{[]int64{1, math.MaxInt64}, math.MaxInt64},
			} {
				err := s.call(t.Context(), client, 0, reserve(tt.sizes...))
				want := Error(fmt.Sprintf("the call needs %d bytes of memory, and the limit is %d; "+
					"ask for less", tt.needed, int64(mib)))
				if err != want {
					t.Errorf("%d: %v, want %v", tt.sizes, err, want)
				}
			}
			s.start(1, client, reserve(mib/4, 3*mib/4))
		}
	})
}

// TestAbandoned checks that a call that ignores the end of its context keeps its memory until it
// returns, and that a call waiting for this memory ends with its own context.
func TestAbandoned(t *testing.T) {
	play(t, 0, mib, func(t *testing.T, s *scene) {
		for _, f := range []func(context.Context) error{hold(mib), reserve(mib)} {
			err := s.call(t.Context(), "", time.Second, f)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v; want the deadline while the first holds the memory", err)
			}
		}
		time.Sleep(time.Minute)
		if err := s.call(t.Context(), "", time.Second, reserve(mib)); err != nil {
			t.Error(err)
		}
	})
}

// TestResult checks that the bytes of a call are held until its response is written.
func TestResult(t *testing.T) {
	play(t, 0, 4*mib, func(t *testing.T, s *scene) {
		written, write := context.WithTimeout(t.Context(), time.Hour)
		defer write()
		err := s.call(WithResponse(written), "a", 0, reserve(mib))
		s.check("the call", err, nil, 0)
		s.start(1, "b", reserve(4*mib))
		s.calls.Wait()
		s.check("the next call", nil, nil, time.Hour)
	})
}

// TestRelease checks that released bytes can be reserved again.
func TestRelease(t *testing.T) {
	play(t, 0, mib, func(t *testing.T, s *scene) {
		s.start(1, "a", func(ctx context.Context) error {
			for range 10 {
				if err := Reserve(ctx, mib); err != nil {
					return err
				}
				Release(ctx, mib)
				if err := s.call(t.Context(), "b", time.Second, reserve(mib)); err != nil {
					return err
				}
			}
			return nil
		})
		s.check("outside", Reserve(t.Context(), 1<<60), nil, 0)
		Release(t.Context(), 1)
	})
}

// TestNested checks that a nested call uses the slot and the account of the outer call.
func TestNested(t *testing.T) {
	play(t, 1, mib, func(t *testing.T, s *scene) {
		s.start(1, "", func(ctx context.Context) error {
			err := s.call(ctx, "", 0, reserve(mib))
			if err := s.call(ctx, "", 0, reserve(1)); err == nil {
				return errors.New("the second call has an account of its own")
			}
			return err
		})
	})
}

// TestWorkers checks the limit on the number of workers of each weight.
func TestWorkers(t *testing.T) {
	processors := runtime.GOMAXPROCS(0)
	acquire := func(ctx context.Context, weight int) (n int) {
		for AcquireWorker(ctx, weight) {
			n++
		}
		return n
	}
	play(t, 0, 0, func(t *testing.T, s *scene) {
		s.start(1, "", func(first context.Context) error {
			if n := acquire(first, Working); n != processors {
				t.Errorf("%d workers for %d processors", n, processors)
			}
			return s.call(t.Context(), "", 0, func(second context.Context) error {
				if AcquireWorker(second, Waiting) {
					t.Error("a second call got a worker")
				}
				ReleaseWorker(first, Working)
				if n := acquire(second, Waiting); n != Working {
					t.Errorf("%d waiting workers in the place of one", n)
				}
				return nil
			})
		})
	})
}

// TestDefaults checks the documented defaults.
func TestDefaults(t *testing.T) {
	c := New(0, -1)
	calls, memory := c.slots.size+c.slots.kept, c.memory.size+c.memory.kept
	if calls != 64 || memory != 72<<20 || c.memory.size != 48<<20 {
		t.Errorf("%d calls, %d bytes, %d of them for one call", calls, memory, c.memory.size)
	}
}
