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
	c := newEnvironment(tooltest.Workspace(t, nil, t.TempDir())).newCall(t)
	location, err := c.locate("f.go")
	if err != nil {
		t.Fatal(err)
	}
	const n = 300
	text := many(n, func(i int) string { return "func f" + strings.Repeat("o", 2000) })
	found, missing := 0, 0
	for reads := range 40 {
		r := c.newLineReader(location, &shrinking{text, reads}, lines.NewIndex(), nil)
		around, at, err := r.linesAround(n, maxBlock)
		r.cursor.Close()
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

// TestFences reads blocks of Markdown in and after blocks of code, also far below their fences.
func TestFences(t *testing.T) {
	root := t.TempDir()
	x := func(n int) string { return strings.Repeat("x\n", n) }
	put(t, root, "far.md", "```\n"+x(150)+"```\n"+x(50)+"# A\n\n"+x(12)+"# B\nx\n")
	put(t, root, "code.md", "# A\n```\n"+strings.Repeat("# no\n", 300)+"```\n"+x(20)+"# B\n")
	put(t, root, "kinds.md", "# A\n```\n~~~\n# no\n```\ntext\n# B\nx\n")
	put(t, root, "long.md", "# A\n````md\n```\n# no\n```\n````\ntext\n# B\nx\n")
	put(t, root, "info.md", "# A\n```\n```go\n# no\n``` \ntext\n# B\nx\n")
	put(t, root, "inline.md", "# A\n```x```\ntext\n# B\nx\n")
	put(t, root, "indented.md", "# A\n\n    # no\n    make\n\ntext\n# B\nx\n")
	put(t, root, "large.md", "# A\n```\n"+x(countedBytes/2)+"```\ntext\n")
	c := toolOf(t, DefaultSettings(), "read_file", root)
	for _, tt := range []struct{ path, want string }{
		{"far.md:212", "lines 203-216 of 218, the block around line 212"},
		{"far.md:218", "lines 217-218 of 218, the block around line 218"},
		{"code.md:302", "lines 252-324 of 324, because no block of at most 200 lines is around line 302"},
		{"kinds.md:6", "lines 1-6 of 8, the block around line 6"},
		{"long.md:7", "lines 1-7 of 9, the block around line 7"},
		{"info.md:6", "lines 1-6 of 8, the block around line 6"},
		{"indented.md:6", "lines 1-6 of 8, the block around line 6"},
		{"inline.md:5", "lines 4-5 of 5, the block around line 5"},
		{"large.md:5", "lines 1-200 of at least 201, because blocks are not looked for in Markdown of " +
			"more than 4,194,304 bytes"},
	} {
		got, _, _ := strings.Cut(output(c, fmt.Sprintf(`{"path":%q,"block":true}`, tt.path), -1), "\n")
		_, got, _ = strings.Cut(got, ": ")
		if got != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.path, got, tt.want)
		}
	}
}

// TestDirectives checks that directives of C above a function are not part of its block, as comments
// are.
func TestDirectives(t *testing.T) {
	root := t.TempDir()
	body := "int f(void) {\n" + strings.Repeat("\tx();\n", 12) + "}\n"
	put(t, root, "a.c", "#include <a.h>\n#define A 1\n// f is one.\n"+body)
	put(t, root, "a.rs", "x\n\n#[test]\nfn f() {\n"+strings.Repeat("\tx();\n", 12)+"}\n")
	c := toolOf(t, DefaultSettings(), "read_file", root)
	for path, want := range map[string]string{
		"a.c:10": "a.c: lines 3-17 of 17, the block around line 10",
		"a.rs:8": "a.rs: lines 3-17 of 17, the block around line 8",
	} {
		got, _, _ := strings.Cut(output(c, fmt.Sprintf(`{"path":%q,"block":true}`, path), -1), "\n")
		if got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
