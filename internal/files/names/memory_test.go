package names

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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

// TestSorted lists names of different scripts alternately. If not all fit in memory, the
// directory is read repeatedly, and no entry is lost. With a limited size, it is read once, and the
// limit bounds the kept entries. Errors of any pass and of the context are returned.
func TestSorted(t *testing.T) {
	broken := errors.New("broken")
	const large = 800
	for _, tt := range []struct {
		n, maxBytes, passes, failing int
		want                         error
	}{
		{0, 0, 1, 0, nil},
		{3, 0, 1, 0, nil},
		{large, 0, 2, 0, nil},
		{large, 10_000, 1, 0, nil},
		{large, 0, 1, 1, broken},
		{large, 0, 2, 2, broken},
		{large, 0, 1, 1, context.Canceled},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		nameOf := func(i int) string {
			return fmt.Sprintf("%c%06d%s", []rune("éeÉ")[i%3], i/3, strings.Repeat("-", 40+900*(i/3%2)))
		}
		var current []byte // A key may depend on the current entry of read.
		keys := Collation(DirectoriesFirst)
		order := Order{Class: DirectoriesFirst, Key: func(dst, _ []byte) []byte {
			return keys.Key(dst, current)
		}}
		passes, next := 0, 0
		read := func(add func([]byte, workspace.EntryKind) bool) error {
			if passes++; passes == tt.failing && tt.want == context.Canceled {
				cancel()
			}
			for i := range tt.n {
				if current = []byte(nameOf(i * 7919 % tt.n)); !add(current, workspace.Regular) {
					return nil
				}
			}
			if passes == tt.failing && tt.want == broken {
				return broken
			}
			return nil
		}
		m := NewMemory(ctx)
		m.tried = true
		c, err := m.Sort(Query{Order: order, MaxBytes: tt.maxBytes}, read)
		if tt.maxBytes > 0 && c.list.records.nameSize > 3*tt.maxBytes {
			t.Errorf("names of %d bytes are kept", c.list.records.nameSize)
		}
		if err == nil {
			err = c.Each(func(e Item) bool {
				want := nameOf(next - next%3 + [3]int{1, 0, 2}[next%3]) // e, é, É
				if string(e.Name) != want || e.Kind != workspace.Regular {
					t.Fatalf("number %d of %d is %.10q, not %.10q", next, tt.n, e.Name, want)
				}
				next++
				return tt.maxBytes == 0 || next < 10
			})
		}
		cancel()
		if !errors.Is(err, tt.want) || passes != tt.passes ||
			tt.want == nil && tt.maxBytes == 0 && next != tt.n {
			t.Errorf("%+v: %d passes, %d names, %v", tt, passes, next, err)
		}
	}
}
