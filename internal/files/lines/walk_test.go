package lines

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

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

// walk calls the methods of a cursor that script determines and compares the results with split.
func walk(
	t *testing.T, data string, script []byte, keep, first, full, piece int, index *Index,
) {
	want := split(data)
	c := newCursor(strings.NewReader(data), Options{Keep: keep, Index: index}, first, full, piece)
	ctx := t.Context()
	at, saved, mark := 0, 0, c.Position()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%q, keep %d, blocks %d to %d, pieces %d, script %v: %s",
			data, keep, first, full, piece, script, fmt.Sprintf(format, args...))
	}
	kept := func(s string) string { return s[:min(len(s), max(keep, 0))] }
	check := func(line Line, err error, i int) bool {
		t.Helper()
		if i < 0 || i >= len(want) {
			if err != io.EOF {
				fail("line %d of %d = %d %q, %v", i+1, len(want), line.Number, line.Text, err)
			}
			return false
		}
		if err != nil || line.Number != i+1 || string(line.Text) != kept(want[i]) {
			fail("line %d = %d %q, %v; want %q", i+1, line.Number, line.Text, err, want[i])
		}
		width, text, err := c.Indent(ctx, line, 4)
		wide, rest := indent(want[i])
		if err != nil || width != wide || string(text) != kept(rest) {
			fail("indent of line %d = %d %q, %v; want %d %q", i+1, width, text, err, wide, rest)
		}
		return true
	}
	for _, op := range script {
		switch op % 8 {
		case 0, 1, 2:
			line, err := c.Next(ctx)
			if check(line, err, at) {
				at++
			}
		case 3, 4, 5:
			line, err := c.Prev(ctx)
			if check(line, err, at-1) {
				at--
			}
		case 6:
			n := int(op)/8 + 1
			err := c.Seek(ctx, n)
			if (err == nil) != (n <= len(want)) || err != nil && err != io.EOF {
				fail("Seek(%d) = %v", n, err)
			}
			if err == nil {
				at = n - 1
			}
		case 7:
			if op&8 == 0 {
				saved, mark = at, c.Position()
			} else {
				c.Move(mark)
				at = saved
			}
		}
	}
}

func FuzzWalk(f *testing.F) {
	f.Add("one\r\ntwo\n\n\tthree", []byte{0, 0, 3, 14, 0, 0, 0, 3, 3, 3, 3}, 3, 1, 4, 2)
	f.Add("\r\n\r\r\n \t\u3000\n\xe3\x80", []byte{6, 0, 0, 0, 0, 0, 3, 3, 3, 7, 3, 15, 3}, 2, 2, 2, 3)
	f.Add("", []byte{0, 3, 6}, 0, 1, 1, 1)
	f.Fuzz(func(t *testing.T, data string, script []byte, keep, first, full, piece int) {
		within := func(n, most int) int { return 1 + int(uint(n)%uint(most)) }
		first, piece = within(first, 64), within(piece, 64)
		full = first * within(full, 8)
		walk(t, data, script, keep%64, first, full, piece, nil)
		walk(t, data, script, keep%64, first, full, piece, &Index{stride: int64(piece)})
	})
}

func TestRandomWalks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{
		"\n", "\n", "\r\n", "\r", " ", "\t", "a", "bc", "#", "\u00a0", "\u3000", "\x80", "\xe3\x80", "😀",
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
		piece := 1 + r.IntN(full)
		index := &Index{stride: int64(piece)}
		if r.IntN(2) == 0 {
			index = nil
		}
		walk(t, data.String(), script, r.IntN(8), first, full, piece, index)
	}
}
