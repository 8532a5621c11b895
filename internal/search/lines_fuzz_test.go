//go:build unix

package search_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/search"
)

// FuzzLines compares lines at buffer boundaries with the content split at line feeds.
func FuzzLines(f *testing.F) {
	for at := range uint16(12) {
		f.Add([]byte("x ab\nab"), at, true, uint8(1), uint8(1))
		f.Add([]byte("\n\nab\r\n\n"), at, false, uint8(2), uint8(0))
	}
	f.Add([]byte("ab"), uint16(0), false, uint8(0), uint8(0))
	f.Add(bytes.Repeat([]byte("abcdefg\n"), 300), uint16(1200), true, uint8(9), uint8(3))
	f.Add(bytes.Repeat([]byte("a"), 5000), uint16(9), false, uint8(3), uint8(3))
	root := f.TempDir()
	w, err := workspace.Open(workspace.Options{}, root)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = w.Close() })
	start, err := w.Find(root + "/f")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte, at uint16, short bool, before, after uint8) {
		if bytes.IndexByte(data, 0) >= 0 || len(data) == 0 {
			t.Skip()
		}
		const border = 64 << 10
		filler := border - int(at)%(len(data)+1)
		if filler < 0 {
			t.Skip()
		}
		var content []byte
		if short {
			content = bytes.Repeat([]byte("filler\n"), filler/7+1)[:filler]
		} else {
			content = bytes.Repeat([]byte("-"), filler)
		}
		for len(content) < 2*border+100 {
			content = append(content, data...)
		}
		if err := os.WriteFile(root+"/f", content, 0o600); err != nil {
			t.Fatal(err)
		}
		o := search.Options{Before: int(before % 16), After: int(after % 16)}
		checkLines(t, w, start, content, o)
	})
}

// checkLines compares the lines found in the file at start with the lines of its content.
func checkLines(
	t *testing.T, w *workspace.Workspace, start workspace.Location, content []byte, o search.Options,
) {
	t.Helper()
	var got []string
	for r, err := range search.Search(t.Context(), w, start, mustCompile(t, "ab"), o) {
		if err != nil {
			t.Fatal(err)
		}
		if l := r.Line; l.Number > 0 {
			got = append(got, describeLine(l.Number, l.Offset, l.Length, l.Context, l.Text))
		}
	}
	if d := difference(got, splitLines(content, o.Before, o.After)); d != "" {
		t.Fatal(d)
	}
}

// difference describes the first difference between two lists, if any.
func difference(got, want []string) string {
	for i := range max(len(got), len(want)) {
		g, w := "none", "none"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			return fmt.Sprintf("result %d of %d is\n%.300s\nnot, of %d,\n%.300s",
				i, len(got), g, len(want), w)
		}
	}
	return ""
}

func describeLine(number int, offset, length int64, isContext bool, text []byte) string {
	if length > 16<<10 {
		text = nil // it need not be whole
	}
	return fmt.Sprintf("%d at %d, %d long, context: %v, %.100q", number, offset, length, isContext, text)
}

// splitLines describes the lines of content that have "ab", and those around them.
func splitLines(content []byte, before, after int) (described []string) {
	lines := strings.Split(string(content), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	last, offsets := -1, make([]int64, len(lines))
	for i := range lines[1:] {
		offsets[i+1] = offsets[i] + int64(len(lines[i])) + 1
	}
	add := func(i int) {
		isContext := !strings.Contains(lines[i], "ab")
		text := []byte(lines[i])
		line := describeLine(i+1, offsets[i], int64(len(text)), isContext, text)
		described = append(described, line)
		last = i
	}
	var matches []int
	for i, line := range lines {
		if strings.Contains(line, "ab") {
			matches = append(matches, i)
		}
	}
	for n, i := range matches {
		for j := max(i-before, last+1); j <= i; j++ {
			add(j)
		}
		end := min(i+after, len(lines)-1)
		if n+1 < len(matches) {
			end = min(end, matches[n+1]-1)
		}
		for j := last + 1; j <= end; j++ {
			add(j)
		}
	}
	return described
}
