package names

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"gander/internal/admission"
	"gander/internal/files/workspace"
)

// inCall calls f as a call of a client.
func inCall(t *testing.T, c *admission.Controller, client string, f func(context.Context)) {
	t.Helper()
	_, err := admission.Run(admission.WithClient(t.Context(), client), c, 0, func(ctx context.Context) (int, error) {
		f(ctx)
		return 0, nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestMemory makes lists of more names than fit in the small share, with room in the budget and
// without. All lists are complete, and none holds more than its share.
func TestMemory(t *testing.T) {
	var names []string
	for i := range 20_000 {
		names = append(names, fmt.Sprintf("%0100d", i*7919%20_000))
	}
	want := slices.Sorted(slices.Values(names))
	for size, lists := range map[int64]int{admission.DefaultBytes: 1, 1 << 20: 5} {
		inCall(t, admission.New(0, size), "a", func(ctx context.Context) {
			m := NewMemory(ctx)
			defer m.Release()
			var got []string
			p, q, n := new(TopK), Query{Memory: m}, 0
			for l := (List{}); n == 0 || l.More(); n++ {
				if n > 0 {
					last := l.At(l.Len() - 1)
					q.After = q.Order.Bound(last.Name, last.Kind)
				}
				p.Reset(t.Context(), q, l)
				for _, name := range names {
					if !p.Add([]byte(name), workspace.Regular) {
						t.Error(p.err)
						return
					}
					if held := p.kept.size + elementSize*p.kept.count; held > max(p.heldBytes, 0)+minRemoval*(100+recordHead+elementSize) {
						t.Errorf("%d bytes are held, of at most %d", held, p.heldBytes)
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
			}
			if !slices.Equal(got, want) || (lists == 1) != (n == 1) {
				t.Errorf("%d bytes: %d names in %d lists, want %d in order", size, len(got), n, len(want))
			}
		})
	}
}

// TestMemoryWait checks that a list which waits for the large share ends with its call, and
// continues with the small one after a while.
func TestMemoryWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := admission.New(0, largeShare)
		inCall(t, c, "", func(first context.Context) {
			m := NewMemory(first)
			if err := m.grow(); err != nil || m.available() != largeShare {
				t.Fatalf("%v, %d bytes", err, m.available())
			}
			inCall(t, c, "", func(second context.Context) {
				start := time.Now()
				ctx, cancel := context.WithTimeout(second, time.Second)
				defer cancel()
				if err := NewMemory(ctx).grow(); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
					t.Errorf("%v after %v", err, time.Since(start))
				}
				other := NewMemory(second)
				for range 2 {
					if err := other.grow(); err != nil || other.available() != smallShare || time.Since(start) != time.Second+maxWait {
						t.Errorf("%v, %d bytes after %v", err, other.available(), time.Since(start))
					}
				}
				m.Release()
				m.Release()
				other = NewMemory(second)
				if err := other.grow(); err != nil || other.available() != largeShare {
					t.Errorf("%v, %d bytes after the first has ended", err, other.available())
				}
				other.Release()
			})
		})
	})
}
