//go:build unix

package walk_test

import (
	"context"
	"errors"
	"testing"

	"gander/internal/files/walk"
	"gander/internal/testkit/fixture"
)

// TestCancelInDirectory checks that a canceled walk ends in the middle of a directory that it has
// already read.
func TestCancelInDirectory(t *testing.T) {
	inMemory(t)
	const all, soon = 3000, 500
	start := open(t, fixture.Make(t, flat("", all)...))
	for _, after := range []int{1, 700, 1500} {
		for name, order := range allOrders() {
			ctx, cancel := context.WithCancel(t.Context())
			count := 0
			var last error
			for e, err := range walk.Entries(ctx, start, walk.Options{Order: order, Depth: 1}) {
				if e.Dir == nil {
					last = err
				} else if count++; count == after {
					cancel()
				}
			}
			cancel()
			if !errors.Is(last, context.Canceled) || count > after+soon {
				t.Errorf("%s, cancelled after %d: %d of %d entries, then %v", name, after, count, all, last)
			}
		}
	}
}
