package search_test

import (
	"bytes"
	"fmt"
	"os"
	"testing"

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
	tr := open(f, root).at("f")
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
		tr.t = t
		checkLines(tr, content, o)
	})
}

// checkLines compares the lines found in a file with the lines of its content.
func checkLines(tr tree, content []byte, o search.Options) {
	var got []string
	for r := range tr.results("ab", o) {
		if l := r.Line; l.Number > 0 {
			got = append(got, describeLine(l.Number, l.Offset, l.Length, l.Context, l.Text))
		}
	}
	if d := difference(got, splitLines(content, o.Before, o.After)); d != "" {
		tr.t.Fatal(d)
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

func describeLine(number int, offset, length int64, context bool, text []byte) string {
	if length > 16<<10 {
		text = nil // it need not be whole
	}
	return fmt.Sprintf("%d at %d, %d long, context: %v, %.100q", number, offset, length, context, text)
}

// splitLines describes the lines of content that have "ab", and those around them.
func splitLines(content []byte, before, after int) (described []string) {
	lines := bytes.Split(bytes.TrimSuffix(content, []byte("\n")), []byte("\n"))
	shown := make([]bool, len(lines))
	for i, line := range lines {
		if bytes.Contains(line, []byte("ab")) {
			for j := max(i-before, 0); j <= min(i+after, len(lines)-1); j++ {
				shown[j] = true
			}
		}
	}
	offset := int64(0)
	for i, line := range lines {
		if shown[i] {
			context := !bytes.Contains(line, []byte("ab"))
			length := int64(len(line))
			described = append(described, describeLine(i+1, offset, length, context, line))
		}
		offset += int64(len(line)) + 1
	}
	return described
}
