package admission

import (
	"context"
	"runtime"
	"testing"
)

// TestWorkers checks the limit on the number of workers of each weight.
func TestWorkers(t *testing.T) {
	c := New(0, 0)
	processors := runtime.GOMAXPROCS(0)
	within := func(ctx context.Context, f func(context.Context)) {
		err := call(ctx, c, "", 0, func(ctx context.Context) error { f(ctx); return nil })
		if err != nil {
			t.Error(err)
		}
	}
	acquire := func(ctx context.Context, w Weight) (n int) {
		for AcquireWorker(ctx, w) {
			n++
		}
		return n
	}
	within(t.Context(), func(first context.Context) {
		if n := acquire(first, Working); n != processors {
			t.Errorf("%d workers for %d processors", n, processors)
		}
		within(t.Context(), func(second context.Context) {
			if AcquireWorker(second, Waiting) {
				t.Error("a second call got a worker")
			}
			ReleaseWorker(first, Working)
			if n := acquire(second, Waiting); n != int(Working) {
				t.Errorf("%d waiting workers in the place of one", n)
			}
		})
	})
}
