package workspace

import (
	"context"
	"time"
)

// A Turn lets one call at a time do something, among all calls on a workspace and on those that are narrowed from it.
type Turn chan struct{}

// Turn returns the turns to hold much memory.
func (d *Dir) Turn() Turn { return d.w.turn }

// Wait waits for a turn until ctx ends or most has passed. It returns the function that ends the turn, or nil if there was none.
func (t Turn) Wait(ctx context.Context, most time.Duration) (leave func()) {
	leave = func() { <-t }
	select {
	case t <- struct{}{}:
		return leave
	default:
	}
	if most == 0 {
		return nil
	}
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case t <- struct{}{}:
		return leave
	case <-timer.C:
	case <-ctx.Done():
	}
	return nil
}
