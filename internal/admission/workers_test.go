package admission

import (
	"context"
	"runtime"
	"testing"
)

// TestWorkers checks that all calls together have one worker for each processor, or several that wait.
func TestWorkers(t *testing.T) {
	c := New(0, 0)
	processors := runtime.GOMAXPROCS(0)
	call := func(ctx context.Context, f func(context.Context)) {
		if _, err := Run(ctx, c, 0, func(ctx context.Context) (int, error) { f(ctx); return 0, nil }); err != nil {
			t.Error(err)
		}
	}
	acquire := func(ctx context.Context, w Weight) (n int) {
		for AcquireWorker(ctx, w) {
			n++
		}
		return n
	}
	call(t.Context(), func(first context.Context) {
		if n := acquire(first, Working); n != processors {
			t.Errorf("%d workers for %d processors", n, processors)
		}
		call(t.Context(), func(second context.Context) {
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
