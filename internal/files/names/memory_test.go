package names

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gander/internal/files/workspace"
)

// TestMemoryIsShared checks that of many calls only one at a time holds more than its small share, that all lists are whole, and
// that nothing is held when they are released.
func TestMemoryIsShared(t *testing.T) {
	turn := make(workspace.Turn, 1)
	var names []string
	for i := range 5000 {
		names = append(names, fmt.Sprintf("%0100d", i*7919%5000))
	}
	want := slices.Sorted(slices.Values(names))
	var large atomic.Int32
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			m := NewMemory(turn)
			m.shares.small, m.shares.large = 80<<10, 400<<10
			defer m.Release()
			var got []string
			p := new(TopK)
			q := Query{Memory: m}
			for l := (List{}); ; {
				p.Reset(t.Context(), q, l)
				had := m.leave != nil
				for _, name := range names {
					if !p.Add([]byte(name), workspace.Regular) {
						t.Error(p.err)
						return
					}
					if held := p.kept.size + elementSize*p.kept.count; held > max(p.heldBytes, 0)+minRemoval*(100+recordHead+elementSize) {
						t.Errorf("%d bytes are held, of at most %d", held, p.heldBytes)
					}
					if has := m.leave != nil; has && !had {
						if had = true; large.Add(1) > 1 {
							t.Error("two calls have the turn")
						}
					}
				}
				var err error
				if l, err = p.List(); err != nil {
					t.Error(err)
					return
				}
				for i := range l.Len() {
					got = append(got, string(l.At(i).Name))
				}
				if !l.More() {
					break
				}
				last := l.At(l.Len() - 1)
				q.After = q.Order.Bound(last.Name, last.Kind)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d names, want %d in order", len(got), len(want))
			}
			if m.leave != nil {
				large.Add(-1)
			}
		})
	}
	calls.Wait()
	if len(turn) != 0 {
		t.Error("a turn does not end")
	}
}

// TestMemoryWait checks that a call which waits for its turn ends with its context, and goes on without the turn after a while:
// the call that has it may be waiting for this one.
func TestMemoryWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turn := make(workspace.Turn, 1)
		first, second := NewMemory(turn), NewMemory(turn)
		if err := first.grow(t.Context()); err != nil || first.room() != largeShare {
			t.Fatalf("%v, %d bytes", err, first.room())
		}
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := NewMemory(turn).grow(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		if err := second.grow(t.Context()); err != nil || second.room() != smallShare || time.Since(start) != time.Second+maxTurnWait {
			t.Errorf("%v, %d bytes after %v", err, second.room(), time.Since(start))
		}
		if err := second.grow(t.Context()); err != nil || second.room() != smallShare || time.Since(start) != time.Second+maxTurnWait {
			t.Errorf("again: %v, %d bytes after %v", err, second.room(), time.Since(start))
		}
		first.Release()
		if err := second.grow(t.Context()); err != nil || second.room() != largeShare {
			t.Errorf("%v, %d bytes after the first has ended", err, second.room())
		}
		second.Release()
		second.Release()
	})
}
