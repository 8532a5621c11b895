package admission

import "context"

// A Weight is the share of a processor that a goroutine uses.
type Weight int

const (
	// Waiting is the weight of a goroutine that mostly waits for the file system.
	Waiting Weight = 1
	// Working is the weight of any other goroutine.
	Working Weight = 4
)

// AcquireWorker reports whether the call of ctx can use another goroutine. All calls together have
// at most one of weight [Working] for each processor. AcquireWorker never waits. Outside of calls
// it always returns true.
func AcquireWorker(ctx context.Context, w Weight) bool {
	a := accountOf(ctx)
	if a == nil {
		return true
	}
	c := a.controller
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.workers < w {
		return false
	}
	c.workers -= w
	return true
}

// ReleaseWorker releases weight that AcquireWorker has granted to the call of ctx.
func ReleaseWorker(ctx context.Context, w Weight) {
	if a := accountOf(ctx); a != nil {
		a.controller.mu.Lock()
		defer a.controller.mu.Unlock()
		a.controller.workers += w
	}
}
