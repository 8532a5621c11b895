package native

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"gander/internal/files/lines"
	"gander/internal/testkit/tooltest"
)

// TestBlockHasItsLine reads the block around each line of random files, with several limits. The
// block has that line, blank or not.
func TestBlockHasItsLine(t *testing.T) {
	if testing.Short() {
		t.Skip("makes thousands of calls")
	}
	r := rand.New(rand.NewPCG(4, 4))
	for range 20 {
		root := t.TempDir()
		count := 1 + r.IntN(60)
		var text strings.Builder
		for range count {
			indent := strings.Repeat("\t", r.IntN(4))
			line := []string{"", "", "func f() {", "}", "// comment", "# Heading", "x"}[r.IntN(7)]
			text.WriteString(indent + line + strings.Repeat("\n", 1))
		}
		name := []string{"f.go", "f.md"}[r.IntN(2)]
		put(t, root, name, text.String())
		tool := toolOf(t, DefaultSettings(), "read_file", root)
		for line := range count {
			for _, limit := range []string{"", `,"limit":1`, `,"limit":3`, `,"limit":20`} {
				args := fmt.Sprintf(`{"path":%q,"block":%d%s}`, name, line+1, limit)
				got := output(tool, args, -1)
				if !strings.Contains(got, fmt.Sprintf("\n%d\t", line+1)) {
					t.Fatalf("%s: line %d is missing in\n%s\n%s", args, line+1, got, text.String())
				}
			}
		}
	}
}

// TestDefinitions searches for each line of random files. A line that begins a definition is exactly
// one of the file, and it is above all other lines.
func TestDefinitions(t *testing.T) {
	if testing.Short() {
		t.Skip("makes thousands of calls")
	}
	r := rand.New(rand.NewPCG(5, 5))
	shown := 0
	for range 20 {
		root := t.TempDir()
		all := []string{""}
		for i := range 60 {
			kind := []string{
				"func f%02d() {", "type t%02d struct {", "if x%02d {", "} // %02d", "x%02d", "# H%02d",
			}[r.IntN(6)]
			all = append(all, strings.Repeat("\t", r.IntN(4))+fmt.Sprintf(kind, i))
		}
		name := []string{"f.go", "f.md"}[r.IntN(2)]
		put(t, root, name, strings.Join(all[1:], "\n"))
		tool := toolOf(t, DefaultSettings(), "search_text", root)
		for _, line := range all[1:] {
			got := output(tool, fmt.Sprintf(`{"pattern":%q,"literal":true}`, line), -1)
			before, after, ok := strings.Cut(got, "=\t")
			if !ok {
				continue
			}
			shown++
			text, below, _ := strings.Cut(after, "\n")
			number, err := strconv.Atoi(before[strings.LastIndex(before, "\n")+1:])
			next, err2 := strconv.Atoi(below[:strings.IndexAny(below, "-\t")])
			if err != nil || err2 != nil || text != all[number] || next <= number ||
				strings.Contains(below, "=\t") {
				t.Fatalf("%s: %s", line, got)
			}
		}
	}
	if shown < 100 {
		t.Errorf("%d results have a definition", shown)
	}
}

// A shrinking text is empty after a number of reads.
type shrinking struct {
	text  string
	reads int
}

func (s *shrinking) ReadAt(b []byte, offset int64) (int, error) {
	if s.reads == 0 {
		return 0, io.EOF
	}
	s.reads--
	return strings.NewReader(s.text).ReadAt(b, offset)
}

// TestBlockOfShorterFile looks for the block around the last line of a file that another program
// empties meanwhile. Either the line is among those around it, or it is missing.
func TestBlockOfShorterFile(t *testing.T) {
	c := newFiles(tooltest.Workspace(t, nil, t.TempDir())).newCall(t)
	location, err := c.locate("f.go")
	if err != nil {
		t.Fatal(err)
	}
	const n = 300
	text := many(n, func(i int) string { return "func f" + strings.Repeat("o", 2000) })
	found, missing := 0, 0
	for reads := range 40 {
		x := &textFile{call: c, location: location}
		x.openText(&shrinking{text, reads}, lines.NewIndex())
		around, at, err := x.linesAround(n, maxBlock)
		x.cursor.Close()
		switch {
		case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF):
			missing++
		case err != nil || at >= len(around) || around[at].number != n:
			t.Errorf("after %d reads: %d of %d lines, %v", reads, at, len(around), err)
		default:
			found++
		}
	}
	if found == 0 || missing == 0 {
		t.Errorf("found %d times, missing %d times", found, missing)
	}
}
