package names

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"gander/internal/files/workspace"
)

// A directoryOf stands for a directory with n names in no particular order. It counts how often it
// is read.
type directoryOf struct {
	n      int
	name   func(dst []byte, i int) []byte
	passes int
}

func (d *directoryOf) read(add func([]byte, workspace.EntryKind) bool) error {
	d.passes++
	var name []byte
	for i := range d.n {
		if name = d.name(name[:0], i*7919%d.n); !add(name, workspace.Regular) {
			return nil
		}
	}
	return nil
}

// TestPartitionsAlternate checks entries whose names are ASCII and not ASCII alternately. If
// neither partition can be kept as a whole, the directory is read as often as that takes, and no
// entry is lost.
func TestPartitionsAlternate(t *testing.T) {
	first, rest := [...]string{"é", "e"}, [...]string{strings.Repeat("-", 35), strings.Repeat("-", 240)}
	sizes := []int{0, 1, 2, 7, 1000, 190_000}
	if testing.Short() {
		sizes = sizes[:5]
	}
	for _, n := range sizes {
		d := directoryOf{n: n, name: func(dst []byte, i int) []byte {
			return fmt.Appendf(dst, "%s%06d%s", first[i%2], i/2, rest[i%2])
		}}
		s, err := Collate(t.Context(), DirectoriesFirst, 0, nil, d.read)
		if err != nil {
			t.Fatal(err)
		}
		next := 0
		var want []byte
		err = s.Each(func(e Item) bool {
			want = d.name(want[:0], next)
			if next++; string(e.Name) != string(want) || e.Kind != workspace.Regular {
				t.Fatalf("number %d of %d is %.10q, not %.10q", next, n, e.Name, want)
			}
			return true
		})
		if err != nil || next != n {
			t.Errorf("%d of %d names are listed, %v", next, n, err)
		}
		if want := map[bool]int{false: 1, true: 3}[n > 1000]; d.passes != want {
			t.Errorf("%d names are read %d times, not %d", n, d.passes, want)
		}
	}
}

// TestCollatedBounded checks that for a limited size the directory is read once, and that the limit
// bounds what is kept.
func TestCollatedBounded(t *testing.T) {
	for _, first := range []string{"e", "é"} {
		d := directoryOf{n: 200_000, name: func(dst []byte, i int) []byte { return fmt.Appendf(dst, "%s%06d", first, i) }}
		s, err := Collate(t.Context(), DirectoriesFirst, 10_000, nil, d.read)
		if held := s.NameBytes(); err != nil || held > 20_000 {
			t.Errorf("names of %d bytes are held, %v", held, err)
		}
		var got int
		err = s.Each(func(e Item) bool {
			if want := fmt.Sprintf("%s%06d", first, got); string(e.Name) != want {
				t.Fatalf("number %d is %q", got, e.Name)
			}
			got++
			return got < 1000
		})
		if err != nil || got != 1000 || d.passes != 1 {
			t.Errorf("%d names after %d passes, %v", got, d.passes, err)
		}
	}
}

// TestCollatedErrors checks that an error of the directory in any pass, and the end of the context,
// are returned.
func TestCollatedErrors(t *testing.T) {
	broken := errors.New("broken")
	ctx, cancel := context.WithCancel(t.Context())
	padding := strings.Repeat("x", 4000)
	d := directoryOf{n: 15_000, name: func(dst []byte, i int) []byte { return fmt.Appendf(dst, "%05d%s", i, padding) }} // too much to hold at once
	for _, tt := range []struct {
		read ReadFunc
		want error
	}{
		{func(add func([]byte, workspace.EntryKind) bool) error {
			d.read(add)
			if d.passes > 1 {
				return broken
			}
			return nil
		}, broken},
		{func(add func([]byte, workspace.EntryKind) bool) error { cancel(); return d.read(add) }, context.Canceled},
	} {
		d.passes = 0
		s, err := Collate(ctx, DirectoriesFirst, 0, nil, tt.read)
		if err == nil {
			err = s.Each(func(Item) bool { return true })
		}
		if !errors.Is(err, tt.want) {
			t.Errorf("got %v, want %v", err, tt.want)
		}
	}
}
