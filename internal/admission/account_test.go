package admission

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

const mib = 1 << 20

// run runs f as a call without a result.
func run(ctx context.Context, c *Controller, timeout time.Duration, f func(context.Context) error) error {
	_, err := Run(ctx, c, timeout, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, f(ctx)
	})
	return err
}

// TestReserve has more calls than the budget has room for. They take turns, each for a minute.
func TestReserve(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(0, 32*mib)
		var held, most atomic.Int64
		start := time.Now()
		var calls sync.WaitGroup
		for range 20 {
			calls.Go(func() {
				err := run(t.Context(), c, time.Hour, func(ctx context.Context) error {
					if err := Reserve(ctx, 5*mib+FreeBytes); err != nil {
						return err
					}
					if n := held.Add(1); n > most.Load() {
						most.Store(n)
					}
					time.Sleep(time.Minute)
					held.Add(-1)
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		calls.Wait()
		if took := time.Since(start); most.Load() != 6 || took != 4*time.Minute {
			t.Errorf("%d calls at once, %v; want 6 of 5 MiB in 32 MiB, 4m", most.Load(), took)
		}
		checkFree(t, c)
	})
}

// checkFree checks that nothing is reserved and no slot is used.
func checkFree(t *testing.T, c *Controller) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bytes != 0 || c.calls != 0 || c.stuck != 0 || len(c.clients) > 0 ||
		len(c.forSlot) > 0 || len(c.forBytes) > 0 {
		t.Errorf("left: %+v", c)
	}
}

// TestStepByStep has calls that reserve in steps, which together need far more than there is. None
// waits while it holds something, so all end.
func TestStepByStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(0, 8*mib)
		var full atomic.Int64
		var calls sync.WaitGroup
		for i := range 40 {
			ctx := WithClient(t.Context(), fmt.Sprint(i%3))
			calls.Go(func() {
				err := run(ctx, c, 0, func(ctx context.Context) error {
					for range 6 {
						time.Sleep(time.Second)
						err := Reserve(ctx, mib)
						if errors.Is(err, ErrFull) {
							full.Add(1)
							return nil
						}
						if err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		calls.Wait()
		if n := full.Load(); n == 0 || n == 40 {
			t.Errorf("%d of 40 calls had to make do with less; want some", n)
		}
		checkFree(t, c)
	})
}

// TestShare has one client that wants all memory. Another client's call gets its memory at once.
func TestShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(0, 48*mib)
		start := time.Now()
		var calls sync.WaitGroup
		for range 24 {
			calls.Go(func() {
				_ = run(WithClient(t.Context(), "greedy"), c, 0, func(ctx context.Context) error {
					err := Reserve(ctx, 20*mib)
					time.Sleep(time.Minute)
					return err
				})
			})
		}
		synctest.Wait()
		err := run(WithClient(t.Context(), "modest"), c, 0, func(ctx context.Context) error {
			return Reserve(ctx, 20*mib)
		})
		if took := time.Since(start); err != nil || took > 0 {
			t.Errorf("the call of the other client: %v after %v", err, took)
		}
		calls.Wait()
		checkFree(t, c)
	})
}

// TestTooLarge checks reservations that no call can have, and one that is just possible.
func TestTooLarge(t *testing.T) {
	c := New(0, mib)
	for _, client := range []string{"", "a"} {
		for _, steps := range [][]int64{{1 << 60}, {mib, FreeBytes + 1}, {FreeBytes, mib + 1}} {
			err := run(WithClient(t.Context(), client), c, 0, func(ctx context.Context) error {
				for _, n := range steps {
					if err := Reserve(ctx, n); err != nil {
						return err
					}
				}
				return nil
			})
			if err == nil || !strings.Contains(err.Error(), fmt.Sprint(int64(mib+FreeBytes))) {
				t.Errorf("%d: %v; want an error that names the limit", steps, err)
			}
		}
		err := run(WithClient(t.Context(), client), c, 0, func(ctx context.Context) error {
			return Reserve(ctx, mib)
		})
		if err != nil {
			t.Error(err)
		}
	}
	checkFree(t, c)
}

// TestAbandoned checks that a call which ignores the end of its context holds its memory until it
// returns, and that a call which waits for it ends with its own context.
func TestAbandoned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(0, mib)
		release := make(chan struct{})
		stubborn := func(ctx context.Context) error {
			err := Reserve(ctx, mib+FreeBytes)
			<-release
			return err
		}
		wait := func(ctx context.Context) error { return Reserve(ctx, mib) }
		if err := run(t.Context(), c, time.Second, stubborn); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if err := run(t.Context(), c, time.Second, wait); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v; want the deadline while the other holds the memory", err)
		}
		close(release)
		synctest.Wait()
		if err := run(t.Context(), c, time.Second, wait); err != nil {
			t.Error(err)
		}
		checkFree(t, c)
	})
}

// TestResult checks that the bytes of a result are held until the response is written, and those of
// the call are not.
func TestResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(0, 4*mib)
		written, write := context.WithCancel(t.Context())
		ctx := WithResponse(WithResponse(WithClient(t.Context(), "a"), written), t.Context())
		err := run(ctx, c, 0, func(ctx context.Context) error {
			return errors.Join(Reserve(ctx, mib+FreeBytes), ReserveResult(ctx, mib))
		})
		if err != nil || c.bytes != mib {
			t.Errorf("%v, %d bytes are held, want 1 MiB", err, c.bytes)
		}
		write()
		synctest.Wait()
		checkFree(t, c)
	})
}

// TestRelease checks that released bytes can be reserved again, by the call and by others.
func TestRelease(t *testing.T) {
	c := New(0, mib)
	err := run(WithClient(t.Context(), "a"), c, 0, func(ctx context.Context) error {
		for range 10 {
			if err := Reserve(ctx, mib); err != nil {
				return err
			}
			Release(ctx, mib)
			other := func(ctx context.Context) error { return Reserve(ctx, mib/2+FreeBytes) }
			if err := run(WithClient(t.Context(), "b"), c, time.Second, other); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	checkFree(t, c)
}

// TestNested checks that a call within a call has the same slot and account.
func TestNested(t *testing.T) {
	c := New(1, mib)
	reserve := func(ctx context.Context) error { return Reserve(ctx, mib) }
	err := run(t.Context(), c, time.Second, func(ctx context.Context) error {
		if err := run(ctx, c, 0, reserve); err != nil {
			return err
		}
		if err := run(ctx, c, 0, reserve); err == nil {
			return errors.New("the second call has an account of its own")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	checkFree(t, c)
}

// TestNoCall checks that Reserve and Release do nothing without a call.
func TestNoCall(t *testing.T) {
	if err := Reserve(t.Context(), 1<<60); err != nil {
		t.Error(err)
	}
	Release(t.Context(), 1)
}

// TestConcurrentReserve has calls that reserve and release in several goroutines.
func TestConcurrentReserve(t *testing.T) {
	c := New(0, 4*mib)
	var calls sync.WaitGroup
	for i := range 8 {
		calls.Go(func() {
			err := run(WithClient(t.Context(), fmt.Sprint(i%2)), c, 0, func(ctx context.Context) error {
				var workers sync.WaitGroup
				for range 4 {
					workers.Go(func() {
						for range 200 {
							if Reserve(ctx, mib/2) == nil {
								Release(ctx, mib/2)
							}
						}
					})
				}
				workers.Wait()
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	calls.Wait()
	checkFree(t, c)
}
