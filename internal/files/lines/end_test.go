package lines

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// randomFile returns a file of short lines.
func randomFile(r *rand.Rand) string {
	pieces := []string{"\n", "\n", "\r\n", "\r", "a", "bc", "é", "漢字", "\xff", "😀"}
	var b strings.Builder
	for range r.IntN(60) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// TestFromTheEnd compares SeekEnd, Count and Part on random files, read in small blocks, with
// split.
func TestFromTheEnd(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		data := randomFile(r)
		want := split(data)
		index := new(Index)
		o := Options{Keep: r.IntN(4), Index: index}
		c := newCursor(strings.NewReader(data), o, 1+r.IntN(8), 8, 4)
		if r.IntN(2) == 0 && len(want) > 0 {
			if err := c.Seek(t.Context(), 1+r.IntN(len(want))); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			if n, err := c.Count(t.Context()); n != len(want) || err != nil {
				t.Fatalf("%q: Count = %d, %v; want %d", data, n, err, len(want))
			}
		}
		n := r.IntN(len(want) + 3)
		if err := c.SeekEnd(t.Context(), int64(len(data)), n); err != nil {
			t.Fatalf("%q: SeekEnd(%d): %v", data, n, err)
		}
		for i := max(len(want)-n, 0); i < len(want); i++ {
			line, err := c.Next(t.Context())
			if err != nil || line.Number != i-len(want) {
				t.Fatalf("%q: after SeekEnd(%d): line %d, %v; want %d",
					data, n, line.Number, err, i-len(want))
			}
			if got := partsOf(t, c, line, r); got != want[i] {
				t.Fatalf("%q: the parts of line %d are %q, want %q", data, i+1, got, want[i])
			}
		}
		if line, err := c.Next(t.Context()); err != io.EOF {
			t.Fatalf("%q: after the last line: %d, %v", data, line.Number, err)
		}
	}
}

// partsOf reads a line in parts.
func partsOf(t *testing.T, c *Cursor, l Line, r *rand.Rand) string {
	t.Helper()
	var all []byte
	for {
		b, err := c.Part(t.Context(), l, int64(len(all)), utf8.UTFMax+r.IntN(8))
		if err != nil {
			t.Fatal(err)
		}
		if len(b) == 0 {
			return string(all)
		}
		all = append(all, b...)
	}
}

// TestCountIsRecorded checks that a second Count does not read the file.
func TestCountIsRecorded(t *testing.T) {
	index := new(Index)
	file := strings.NewReader("a\nb")
	if n, err := New(file, Options{Index: index}).Count(t.Context()); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	if n, err := New(failing{}, Options{Index: index}).Count(t.Context()); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	if _, err := New(failing{}, Options{}).Count(t.Context()); err == nil {
		t.Error("a file that cannot be read has lines")
	}
	if err := New(failing{}, Options{}).SeekEnd(t.Context(), 10, 1); err == nil {
		t.Error("a file that cannot be read has an end")
	}
}

type failing struct{}

func (failing) ReadAt([]byte, int64) (int, error) { return 0, fmt.Errorf("failing") }
