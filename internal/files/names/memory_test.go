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

// inCall runs f within an admitted call.
func inCall(t *testing.T, c *admission.Controller, f func(context.Context)) {
	t.Helper()
	_, err := admission.Run(t.Context(), c, 0, func(ctx context.Context) (int, error) {
		f(ctx)
		return 0, nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestMemory makes lists of more names than fit in the small quota, with a free and an exhausted
// budget. The lists must be complete and within their quotas.
func TestMemory(t *testing.T) {
	all := numbered(20_000, "%0100d")
	for size, isOne := range map[int64]bool{admission.DefaultBytes: true, 1 << 20: false} {
		inCall(t, admission.New(0, size), func(ctx context.Context) {
			m := NewMemory(ctx)
			defer m.Release()
			l := check(t, "memory", m.top, Query{}, all)
			if (len(l.places) == len(all)) != isOne || l.more {
				t.Errorf("%d bytes: the last list has %d names", size, len(l.places))
			}
		})
	}
}

// TestMemoryWait checks that waiting for the large quota ends with the call, and that a list
// continues with the small quota after maxWait.
func TestMemoryWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := admission.New(0, reserved)
		start := time.Now()
		check := func(m *Memory, want error, available int, waited time.Duration) {
			t.Helper()
			err := m.grow()
			if !errors.Is(err, want) || m.available() != available || time.Since(start) != waited {
				t.Errorf("%v, %d bytes after %v", err, m.available(), time.Since(start))
			}
		}
		inCall(t, c, func(first context.Context) {
			m := NewMemory(first)
			check(m, nil, reserved, 0)
			inCall(t, c, func(second context.Context) {
				ctx, cancel := context.WithTimeout(second, time.Second)
				defer cancel()
				check(NewMemory(ctx), context.DeadlineExceeded, smallShare, time.Second)
				waiting := NewMemory(second)
				check(waiting, nil, smallShare, time.Second+maxWait)
				check(waiting, nil, smallShare, time.Second+maxWait) // without another wait
				m.Release()
				m.Release()
				last := NewMemory(second)
				check(last, nil, reserved, time.Second+maxWait)
				last.Release()
			})
		})
	})
}

// TestFree checks that nothing is held for lists that are free.
func TestFree(t *testing.T) {
	m := NewMemory(t.Context())
	all := numbered(5000, "%d")
	for _, n := range slices.Repeat([]int{len(all), 0}, 100) {
		s, err := m.Sort(Query{}, func(add func([]byte, workspace.EntryKind) bool) error {
			for _, e := range all[:n] {
				add([]byte(e.name), e.kind)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		s.Free()
	}
	if m.held != 0 {
		t.Errorf("%d bytes are held", m.held)
	}
}

// TestNoMemoryLeft makes a list of one name while other lists hold all memory.
func TestNoMemoryLeft(t *testing.T) {
	top := newTopK(t, 0)
	top.reset(Query{Limit: 1})
	for i := range 2 * minRemoval {
		top.add(fmt.Appendf(nil, "%04d", 2*minRemoval-i), workspace.Regular)
	}
	if l, err := top.take(); err != nil || string(l.at(0).Name) != "0001" {
		t.Errorf("%v, %v", l, err)
	}
}
