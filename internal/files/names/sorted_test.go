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
		n, maxBytes, passes int
		failing             int // the number of the pass that fails
		cancel              bool
		want                error
	}{
		{n: 0, passes: 1},
		{n: 3, passes: 1},
		{n: 99, passes: 1},
		{n: large, passes: 2},
		{n: large, passes: 1, maxBytes: 10_000},
		{n: large, passes: 1, failing: 1, want: broken},
		{n: large, passes: 2, failing: 2, want: broken},
		{n: large, passes: 1, cancel: true, want: context.Canceled},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		nameOf := func(i int) string {
			return fmt.Sprintf("%c%06d%s", []rune("éeÉ")[i%3], i/3, strings.Repeat("-", 40+900*(i/3%2)))
		}
		order := [3]int{1, 0, 2} // e, é, É
		var current []byte       // a key may depend on what read knows of the entry
		keys := Collation(DirectoriesFirst)
		sorted := Order{Class: DirectoriesFirst, Key: func(dst, _ []byte) []byte {
			return keys.Key(dst, current)
		}}
		passes, next := 0, 0
		read := func(add func([]byte, workspace.EntryKind) bool) error {
			passes++
			if tt.cancel {
				cancel()
			}
			for i := range tt.n {
				current = []byte(nameOf(i * 7919 % tt.n))
				if !add(current, workspace.Regular) {
					return nil
				}
			}
			if passes == tt.failing {
				return broken
			}
			return nil
		}
		small := &Memory{ctx: ctx, tried: true}
		c, err := Sort(ctx, Query{Order: sorted, MaxBytes: tt.maxBytes, Memory: small}, read)
		if tt.maxBytes > 0 && c.NameBytes() > 3*tt.maxBytes {
			t.Errorf("names of %d bytes are kept", c.NameBytes())
		}
		if err == nil {
			err = c.Each(func(e Item) bool {
				want := nameOf(next - next%3 + order[next%3])
				if string(e.Name) != want || e.Kind != workspace.Regular {
					t.Fatalf("number %d of %d is %.10q, not %.10q", next, tt.n, e.Name, want)
				}
				next++
				return tt.maxBytes == 0 || next < 10
			})
		}
		cancel()
		if !errors.Is(err, tt.want) || passes != tt.passes {
			t.Errorf("%+v: %d passes, %v", tt, passes, err)
		}
		if tt.want == nil && tt.maxBytes == 0 && next != tt.n {
			t.Errorf("%d of %d names are listed", next, tt.n)
		}
	}
}
