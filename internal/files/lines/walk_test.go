package lines

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"
)

// newCursor returns a cursor without a pool that reads blocks of first to full bytes. Its index has
// marks at multiples of piece.
func newCursor(file io.ReaderAt, keep, first, full, piece int) *Cursor {
	o := Options{Keep: keep, Index: &Index{stride: int64(piece)}, Pool: new(sync.Pool)}
	c := New(file, o)
	c.file.block, c.file.full = first, full
	return c
}

// eager returns io.EOF together with the last bytes, as io.ReaderAt permits.
type eager struct{ *strings.Reader }

func (f eager) ReadAt(p []byte, offset int64) (int, error) {
	n, err := f.Reader.ReadAt(p, offset)
	if offset+int64(n) == f.Size() {
		err = io.EOF
	}
	return n, err
}

// split defines the lines of a file, for comparison with a cursor.
func split(data string) []string {
	parts := strings.SplitAfter(data, "\n")
	if parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	for i, part := range parts {
		if line, ended := strings.CutSuffix(part, "\n"); ended {
			parts[i] = strings.TrimSuffix(line, "\r")
		}
	}
	return parts
}

// indent defines the result of Indent.
func indent(line string) (width int, text string) {
	for _, b := range []byte(line[:len(line)-len(strings.TrimLeft(line, " \t"))]) {
		width++
		if b == '\t' {
			width += 3
		}
	}
	return width, strings.TrimLeftFunc(line, unicode.IsSpace)
}

// parts reads a line in parts of at most n bytes.
func parts(t *testing.T, c *Cursor, l Line, n int) string {
	t.Helper()
	var all []byte
	for {
		b, err := c.Part(t.Context(), l, int64(len(all)), n)
		if err != nil {
			t.Fatal(err)
		}
		if len(b) == 0 {
			return string(all)
		}
		all = append(all, b...)
	}
}

// walk calls the methods of a cursor that script determines and compares the results with split.
func walk(t *testing.T, data string, script []byte, keep, first, full, piece int) {
	want := split(data)
	var file io.ReaderAt = strings.NewReader(data)
	if len(script)%2 == 0 {
		file = eager{strings.NewReader(data)}
	}
	c := newCursor(file, keep, first, full, piece)
	ctx := t.Context()
	at, saved, mark := 0, 0, c.Position()
	base := 1 // number of the first line
	savedBase := base
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%q, keep %d, blocks %d to %d, pieces %d, script %v: %s",
			data, keep, first, full, piece, script, fmt.Sprintf(format, args...))
	}
	kept := func(s string) string { return s[:min(len(s), keep)] }
	check := func(line Line, err error, i int) bool {
		t.Helper()
		if i < 0 || i >= len(want) {
			if err != io.EOF {
				fail("line %d of %d = %d %q, %v", i+1, len(want), line.Number, line.Text, err)
			}
			return false
		}
		if err != nil || line.Number != base+i || string(line.Text) != kept(want[i]) {
			fail("line %d = %d %q, %v; want %q", i+1, line.Number, line.Text, err, want[i])
		}
		width, text, err := c.Indent(ctx, line, 4)
		wide, rest := indent(want[i])
		if err != nil || width != wide || string(text) != kept(rest) {
			fail("indent of line %d = %d %q, %v; want %d %q", i+1, width, text, err, wide, rest)
		}
		if got := parts(t, c, line, utf8.UTFMax+i%8); got != want[i] {
			fail("the parts of line %d are %q, want %q", i+1, got, want[i])
		}
		return true
	}
	for _, op := range script {
		n := int(op) / 8
		switch op % 8 {
		case 0, 1:
			line, err := c.Next(ctx)
			if check(line, err, at) {
				at++
			}
		case 2, 3:
			line, err := c.Prev(ctx)
			if check(line, err, at-1) {
				at--
			}
		case 4:
			err := c.Seek(ctx, n)
			if (err == nil) != (0 < n && n <= len(want)) || (err == io.EOF) != (n > len(want)) {
				fail("Seek(%d) = %v", n, err)
			}
			if err == nil {
				at, base = n-1, 1
			}
		case 5:
			if err := c.SeekEnd(ctx, int64(len(data)), n); err != nil {
				fail("SeekEnd(%d): %v", n, err)
			}
			at, base = max(len(want)-n, 0), -len(want)
		case 6:
			if n, err := c.Count(ctx); n != len(want) || err != nil {
				fail("Count = %d, %v; want %d", n, err, len(want))
			}
		case 7:
			if op&8 == 0 {
				saved, mark, savedBase = at, c.Position(), base
			} else {
				c.Move(mark)
				at, base = saved, savedBase
			}
		}
	}
}

func FuzzWalk(f *testing.F) {
	f.Add("one\r\ntwo\n\n\tthree", []byte{0, 0, 2, 12, 0, 0, 0, 21, 0, 2, 2, 6}, 3, 1, 4, 2)
	f.Add("\r\n\r\r\n \t\u3000\n\xe3\x80", []byte{4, 0, 0, 0, 0, 0, 2, 2, 2, 7, 2, 15, 2}, 2, 2, 2, 3)
	f.Add("", []byte{0, 2, 4, 5, 6}, 0, 1, 1, 1)
	f.Fuzz(func(t *testing.T, data string, script []byte, keep, first, full, piece int) {
		within := func(n, most int) int { return 1 + int(uint(n)%uint(most)) }
		first = within(first, 64)
		walk(t, data, script, within(keep, 64)-1, first, first*within(full, 8), within(piece, 64))
	})
}

func TestRandomWalks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{
		"\n", "\n", "\n", "\r\n", "\r\n", "\r", "\r", " ", " ", "\t", "\t", "a", "bc", "#", "\u00a0",
		"\u3000", "\x80", "\xe3\x80", "😀", "\v", "\f", "\u0085", "\u1680", "\u2028", "\u200b", "\ufeff",
		"\x1c", "\x00",
	}
	for range 20_000 {
		var data strings.Builder
		for range r.IntN(30) {
			data.WriteString(strings.Repeat(pieces[r.IntN(len(pieces))], 1+r.IntN(1+r.IntN(12))))
		}
		script := make([]byte, r.IntN(40))
		for i := range script {
			script[i] = byte(r.IntN(256))
		}
		first := 1 + r.IntN(9)
		full := first << r.IntN(3)
		walk(t, data.String(), script, r.IntN(8), first, full, 1+r.IntN(full))
	}
}
