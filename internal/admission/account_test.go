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

// call makes a call by the named client, without a result.
func call(
	ctx context.Context, c *Controller, client string, timeout time.Duration,
	f func(context.Context) error,
) error {
	_, err := Run(WithClient(ctx, client), c, timeout, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, f(ctx)
	})
	return err
}

// reserve returns a call that makes reservations of the given sizes, one after the other.
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

// checkFree checks that no bytes are reserved and no slot is in use.
func checkFree(t *testing.T, c *Controller) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bytes != 0 || c.calls != 0 || c.stuck != 0 || len(c.clients) > 0 || len(c.waiting) > 0 {
		t.Errorf("left: %+v", c)
	}
}

// TestReserve checks that calls wait while their reservations would exceed the budget.
func TestReserve(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(0, 32*mib)
		var held atomic.Int64
		start := time.Now()
		var calls sync.WaitGroup
		for range 20 {
			calls.Go(func() {
				err := call(t.Context(), c, "", time.Hour, func(ctx context.Context) error {
					err := Reserve(ctx, 5*mib)
					if n := held.Add(1); n > 6 {
						t.Errorf("%d calls hold 5 MiB of 32", n)
					}
					time.Sleep(time.Minute)
					held.Add(-1)
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		calls.Wait()
		if took := time.Since(start); took != 4*time.Minute {
			t.Errorf("20 calls, 6 concurrently, took %v", took)
		}
		checkFree(t, c)
	})
}

// TestStepByStep makes calls that reserve in steps and together exceed the budget by far. They must
// not deadlock.
func TestStepByStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(0, 8*mib)
		var full atomic.Int64
		var calls sync.WaitGroup
		for i := range 40 {
			calls.Go(func() {
				err := call(t.Context(), c, fmt.Sprint(i%3), 0, func(ctx context.Context) error {
					for range 6 {
						time.Sleep(time.Second)
						if err := Reserve(ctx, mib); err != nil {
							return err
						}
					}
					return nil
				})
				if errors.Is(err, ErrFull) {
					full.Add(1)
				} else if err != nil {
					t.Error(err)
				}
			})
		}
		calls.Wait()
		if n := full.Load(); n == 0 || n == 40 {
			t.Errorf("%d of 40 calls were refused more; want some", n)
		}
		checkFree(t, c)
	})
}

// TestOneWaits checks that only one goroutine of a call can wait for bytes.
func TestOneWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(0, 2*mib)
		go call(t.Context(), c, "", 0, func(ctx context.Context) error {
			defer time.Sleep(time.Minute)
			return Reserve(ctx, mib)
		})
		synctest.Wait()
		err := call(t.Context(), c, "", 0, func(ctx context.Context) error {
			first := make(chan error)
			go func() { first <- Reserve(ctx, 2*mib) }()
			synctest.Wait()
			if err := Reserve(ctx, 1); !errors.Is(err, ErrFull) {
				t.Errorf("the second goroutine: %v", err)
			}
			return <-first
		})
		if err != nil {
			t.Error(err)
		}
		checkFree(t, c)
	})
}

// TestShare checks that a client that requests all memory does not delay another client.
func TestShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(0, 32*mib)
		start := time.Now()
		var calls sync.WaitGroup
		for range 24 {
			calls.Go(func() {
				_ = call(t.Context(), c, "greedy", 0, func(ctx context.Context) error {
					defer time.Sleep(time.Minute)
					return Reserve(ctx, 16*mib)
				})
			})
		}
		synctest.Wait()
		err := call(t.Context(), c, "modest", 0, reserve(16*mib))
		if took := time.Since(start); err != nil || took > 0 {
			t.Errorf("the call of the other client: %v after %v", err, took)
		}
		calls.Wait()
		checkFree(t, c)
	})
}

// TestOrder checks that later calls by other clients do not delay a call that needs the whole
// budget.
func TestOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(0, 4*mib)
		hold := func(ctx context.Context) error {
			defer time.Sleep(time.Minute)
			return Reserve(ctx, mib)
		}
		go call(t.Context(), c, "", 0, hold)
		synctest.Wait()
		start := time.Now()
		whole := make(chan error)
		go func() { whole <- call(t.Context(), c, "a", 0, reserve(4*mib)) }()
		synctest.Wait()
		for range 3 {
			time.Sleep(10 * time.Second)
			go call(t.Context(), c, "b", 0, hold)
		}
		if err := <-whole; err != nil || time.Since(start) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		time.Sleep(time.Hour)
		checkFree(t, c)
	})
}

// TestTooLarge checks the largest possible reservation, and reservations above the limit.
func TestTooLarge(t *testing.T) {
	c := New(0, mib)
	for _, client := range []string{"", "a"} {
		for _, sizes := range [][]int64{{1 << 60}, {mib, 1}, {1, mib}} {
			err := call(t.Context(), c, client, 0, reserve(sizes...))
			if err == nil || !strings.Contains(err.Error(), fmt.Sprint(int64(mib))) {
				t.Errorf("%d: %v; want an error that names the limit", sizes, err)
			}
		}
		if err := call(t.Context(), c, client, 0, reserve(mib/4, 3*mib/4)); err != nil {
			t.Error(err)
		}
	}
	checkFree(t, c)
}

// TestAbandoned checks that a call that ignores the end of its context keeps its memory until it
// returns, and that a call waiting for this memory ends with its own context.
func TestAbandoned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(0, mib)
		stubborn := func(ctx context.Context) error {
			defer time.Sleep(time.Minute)
			return Reserve(ctx, mib)
		}
		for _, f := range []func(context.Context) error{stubborn, reserve(1)} {
			err := call(t.Context(), c, "", time.Second, f)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v; want the deadline while the first holds the memory", err)
			}
		}
		time.Sleep(time.Minute)
		if err := call(t.Context(), c, "", time.Second, reserve(mib)); err != nil {
			t.Error(err)
		}
		checkFree(t, c)
	})
}

// TestResult checks that the bytes of a result are released when the response is written, and all
// other bytes when the call returns.
func TestResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(0, 4*mib)
		written, write := context.WithCancel(t.Context())
		err := call(WithResponse(written), c, "a", 0, func(ctx context.Context) error {
			return errors.Join(Reserve(ctx, mib), ReserveResult(ctx, mib))
		})
		if err != nil || c.bytes != mib {
			t.Errorf("%v, %d bytes are held, want 1 MiB", err, c.bytes)
		}
		write()
		synctest.Wait()
		checkFree(t, c)
	})
}

// TestRelease checks that released bytes can be reserved again, by the same call and by others.
func TestRelease(t *testing.T) {
	c := New(0, mib)
	err := call(t.Context(), c, "a", 0, func(ctx context.Context) error {
		for range 10 {
			if err := Reserve(ctx, mib); err != nil {
				return err
			}
			Release(ctx, mib)
			if err := call(t.Context(), c, "b", time.Second, reserve(mib)); err != nil {
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

// TestNested checks that a nested call uses the slot and the account of the outer call.
func TestNested(t *testing.T) {
	c := New(1, mib)
	err := call(t.Context(), c, "", time.Second, func(ctx context.Context) error {
		if err := call(ctx, c, "", 0, reserve(mib)); err != nil {
			return err
		}
		if err := call(ctx, c, "", 0, reserve(1)); err == nil {
			return errors.New("the second call has an account of its own")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	checkFree(t, c)
}

// TestOutside checks that Reserve and Release do nothing outside of calls.
func TestOutside(t *testing.T) {
	if err := Reserve(t.Context(), 1<<60); err != nil {
		t.Error(err)
	}
	Release(t.Context(), 1)
}

// TestConcurrentReserve calls Reserve and Release from several goroutines of each call.
func TestConcurrentReserve(t *testing.T) {
	c := New(0, 4*mib)
	var calls sync.WaitGroup
	for i := range 8 {
		calls.Go(func() {
			err := call(t.Context(), c, fmt.Sprint(i%2), 0, func(ctx context.Context) error {
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
