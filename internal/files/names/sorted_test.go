package names

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"gander/internal/files/workspace"
)

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
