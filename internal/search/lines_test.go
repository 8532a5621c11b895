package search_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gander/internal/search"
	"gander/internal/testkit/fixture"
)

// TestLines compares lines at the boundaries of buffers and of blocks, with context, with the
// content split at line feeds.
func TestLines(t *testing.T) {
	root := fixture.Make(t)
	tr := open(t, root).at("f")
	check := func(content string, o search.Options) {
		t.Helper()
		write(t, root+"/f", content)
		var got []string
		for r := range tr.results("ab", o) {
			if l := r.Line; l.Number > 0 {
				got = append(got, describeLine(l.Number, l.Offset, l.Length, l.Context, l.Text))
			}
		}
		text := strings.TrimPrefix(content, "\xef\xbb\xbf")
		if d := difference(got, splitLines([]byte(text), o.Before, o.After)); d != "" {
			t.Fatal(d)
		}
	}
	const buffer = 64 << 10
	step := 1
	if testing.Short() {
		step = 5
	}
	for at := 0; at < 12; at += step {
		for _, filler := range []string{"filler\n", "-"} {
			for i, data := range []string{"x ab\nab", "\n\nab\r\n\n", strings.Repeat("a", 5000) + "b"} {
				content := strings.Repeat(filler, buffer)[:buffer-at]
				content += strings.Repeat(data, (buffer+100)/len(data)+1)
				check(content, search.Options{Before: i + at%3, After: at % 4})
			}
		}
	}
	firstLine := strings.Repeat("-", 3<<19) + "\nab\n" // longer than a block, so that context reaches it
	content := string(largeText(rand.New(rand.NewPCG(1, 8)), 5<<20))
	for _, workers := range []int{-1, 2} {
		for _, around := range [][2]int{{0, 0}, {3, 2}, {40, 0}, {0, 40}} {
			o := search.Options{Before: around[0], After: around[1], Workers: workers}
			check(content, o.Eager())
			check("\xef\xbb\xbf"+content, o.Eager())
			check("\xef\xbb\xbf"+firstLine+content, o.Eager())
		}
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
