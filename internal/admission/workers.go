package admission

import "context"

// A Weight is the load of a goroutine on a processor.
type Weight int

const (
	// Waiting is the weight of a goroutine that mostly waits for the file system.
	Waiting Weight = 1
	// Working is the weight of any other goroutine.
	Working Weight = 4
)

// AcquireWorker reports whether the call with context ctx can start another goroutine of weight w.
// The total weight for all calls is [Working] per processor. AcquireWorker never blocks. Outside of
// calls it always returns true.
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

// ReleaseWorker releases the weight of a goroutine that has ended.
func ReleaseWorker(ctx context.Context, w Weight) {
	if a := accountOf(ctx); a != nil {
		a.controller.mu.Lock()
		defer a.controller.mu.Unlock()
		a.controller.workers += w
	}
}
