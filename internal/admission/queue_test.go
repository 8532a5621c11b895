package admission

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func sleep(d time.Duration) func(context.Context) error {
	return func(context.Context) error { time.Sleep(d); return nil }
}

func wait(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

func nothing(context.Context) error { return nil }

// TestEnd checks when Run returns after the context of a call is done.
func TestEnd(t *testing.T) {
	const second = time.Second
	for _, tt := range []struct {
		name            string
		call            func(context.Context) error
		timeout, cancel time.Duration // 0 means none
		after           time.Duration
		err             error
	}{
		{"ends at its deadline", wait, second, 0, second, context.DeadlineExceeded},
		{"ends when canceled", wait, time.Minute, second, second, context.Canceled},
		{"ignores its deadline", sleep(time.Hour), second, 0, second + grace, context.DeadlineExceeded},
		{"ignores the end", sleep(time.Hour), 0, second, second + grace, context.Canceled},
		{"in time", sleep(second), time.Minute, 0, second, nil},
		{"without a limit", sleep(time.Hour), 0, 0, time.Hour, nil},
		{"a little late", sleep(second + grace/2), second, 0, second + grace/2, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := New(0, 0)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if tt.cancel > 0 {
					time.AfterFunc(tt.cancel, cancel)
				}
				start := time.Now()
				err := call(ctx, c, "", tt.timeout, tt.call)
				if took := time.Since(start); took != tt.after || !errors.Is(err, tt.err) {
					t.Errorf("%v after %v, want %v after %v", err, took, tt.err, tt.after)
				}
				time.Sleep(2 * time.Hour) // until an abandoned call returns
				checkFree(t, c)
			})
		})
	}
	err := call(t.Context(), New(0, 0), "", 0, func(context.Context) error {
		runtime.Goexit()
		return nil
	})
	if err == nil {
		t.Error("a call that ends its goroutine has no error")
	}
}

// TestEndedContext checks that Run does not call f if the context is already done.
func TestEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	called := func(context.Context) error { t.Error("called"); return nil }
	if err := call(ctx, New(0, 0), "", 0, called); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestSlots makes more calls than there are slots. The others must wait until their contexts are
// done, and the waiting time must not count toward their timeouts.
func TestSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(3, 0)
		start := time.Now()
		var calls sync.WaitGroup
		for range 10 {
			calls.Go(func() {
				if err := call(t.Context(), c, "", 90*time.Second, sleep(time.Minute)); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := call(short, c, "", 0, nothing)
		if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took != time.Second {
			t.Errorf("a call that waits: %v after %v", err, took)
		}
		calls.Wait()
		if took := time.Since(start); took != 4*time.Minute {
			t.Errorf("10 calls of a minute, 3 concurrently, took %v", took)
		}
		checkFree(t, c)
	})
}

// TestBusy makes calls that do not return. While they use more than half of the slots, all other
// calls must fail immediately.
func TestBusy(t *testing.T) {
	for _, tt := range []struct{ slots, stuck int }{{1, 1}, {2, 2}, {3, 2}, {4, 3}, {64, 33}} {
		synctest.Test(t, func(t *testing.T) {
			c := New(tt.slots, 0)
			release := make(chan struct{})
			stubborn := func(context.Context) error { <-release; return nil }
			for i := range tt.stuck {
				if err := call(t.Context(), c, "", time.Second, nothing); err != nil {
					t.Fatalf("%d of %d slots: %v", i, tt.slots, err)
				}
				err := call(t.Context(), c, "", time.Second, stubborn)
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Fatalf("%d of %d slots: %v", i, tt.slots, err)
				}
			}
			for range tt.slots - tt.stuck {
				go call(t.Context(), c, "", 0, stubborn)
			}
			synctest.Wait()
			start := time.Now()
			err := call(t.Context(), c, "", 0, nothing)
			if err != ErrBusy || time.Since(start) > stuckAfter {
				t.Errorf("a call that waits: %v after %v", err, time.Since(start))
			}
			start = time.Now()
			if err := call(t.Context(), c, "", 0, nothing); err != ErrBusy || time.Since(start) != 0 {
				t.Errorf("%d of %d slots: %v after %v", tt.stuck, tt.slots, err, time.Since(start))
			}
			close(release)
			synctest.Wait()
			if err := call(t.Context(), c, "", 0, stubborn); err != nil {
				t.Errorf("none is stuck: %v", err)
			}
			checkFree(t, c)
		})
	}
}

// TestClients checks that many long calls by one client do not delay other clients.
func TestClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(8, 0)
		start := time.Now()
		var calls sync.WaitGroup
		for range 20 {
			calls.Go(func() { _ = call(t.Context(), c, "greedy", 0, sleep(time.Minute)) })
		}
		synctest.Wait()
		for _, client := range []string{"modest", ""} {
			if err := call(t.Context(), c, client, 0, nothing); err != nil || time.Since(start) > 0 {
				t.Errorf("the call of another: %v after %v", err, time.Since(start))
			}
		}
		calls.Wait()
		if took := time.Since(start); took != 10*time.Minute {
			t.Errorf("20 calls of a minute, 2 concurrently, took %v", took)
		}
		checkFree(t, c)
	})
}

// TestManyClients makes more calls than there are slots, by many clients. The first call by another
// client must start immediately, and a freed slot must go to the longest-waiting call.
func TestManyClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(16, 0)
		start := time.Now()
		var calls sync.WaitGroup
		for i := range 4 {
			for range 12 {
				calls.Go(func() { _ = call(t.Context(), c, fmt.Sprint(i), 0, sleep(time.Minute)) })
			}
			synctest.Wait()
		}
		for i := range 3 {
			err := call(t.Context(), c, fmt.Sprint("other ", i), 0, nothing)
			if err != nil || time.Since(start) > 0 {
				t.Errorf("the call of another: %v after %v", err, time.Since(start))
			}
		}
		calls.Wait()
		if took := time.Since(start); took > 5*time.Minute {
			t.Errorf("48 calls of a minute, 4 concurrently per client, took %v", took)
		}
	})
}
