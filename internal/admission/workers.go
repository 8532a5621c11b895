package admission

import (
	"context"
	"runtime"

	"golang.org/x/sync/semaphore"
)

// A Weight is the share of a processor that a goroutine uses.
type Weight int64

const (
	// Waiting is the weight of a goroutine that mostly waits for the file system.
	Waiting Weight = 1
	// Working is the weight of any other goroutine.
	Working Weight = 4
)

func newWorkers() *semaphore.Weighted {
	return semaphore.NewWeighted(int64(Working) * int64(runtime.GOMAXPROCS(0)))
}

// AcquireWorker reports whether the call of ctx can use another goroutine. All calls together have at
// most one of weight [Working] for each processor. AcquireWorker never waits. Outside of calls it
// always returns true.
func AcquireWorker(ctx context.Context, w Weight) bool {
	a, _ := ctx.Value(accountKey{}).(*account)
	return a == nil || a.controller.workers.TryAcquire(int64(w))
}

// ReleaseWorker releases weight that AcquireWorker has granted to the call of ctx.
func ReleaseWorker(ctx context.Context, w Weight) {
	if a, _ := ctx.Value(accountKey{}).(*account); a != nil {
		a.controller.workers.Release(int64(w))
	}
}
