package codex

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"gander/internal/testkit/fixture"
)

// A readFileCall holds the arguments of a call. A nil pointer is an absent argument.
type readFileCall struct {
	Path   string       `json:"file_path"`
	Offset *uint64      `json:"offset,omitempty"`
	Limit  *uint64      `json:"limit,omitempty"`
	Mode   string       `json:"mode,omitempty"`
	Block  *indentation `json:"indentation,omitempty"`
}

type indentation struct {
	Anchor   *uint64 `json:"anchor_line,omitempty"`
	Levels   *uint64 `json:"max_levels,omitempty"`
	Siblings *bool   `json:"include_siblings,omitempty"`
	Header   *bool   `json:"include_header,omitempty"`
	MaxLines *uint64 `json:"max_lines,omitempty"`
}

func or[T any](value *T, absent T) T {
	if value == nil {
		return absent
	}
	return *value
}

// referenceLines splits a file into lines, which end in LF or CRLF.
func referenceLines(data []byte) []string {
	var lines []string
	for len(data) > 0 {
		line, rest, ended := bytes.Cut(data, []byte("\n"))
		if ended {
			line = bytes.TrimSuffix(line, []byte("\r"))
		}
		lines, data = append(lines, string(line)), rest
	}
	return lines
}

// referenceFile returns the result, with the whole file in memory.
func referenceFile(data []byte, c readFileCall) string {
	all := referenceLines(data)
	offset, limit, n := or(c.Offset, 1), or(c.Limit, 2000), uint64(len(all))
	if c.Mode != "indentation" {
		if offset > n {
			return "error: offset exceeds file length"
		}
		return numberedLines(all, offset, offset-1+min(limit, n-offset+1))
	}
	block := indentation{}
	if c.Block != nil {
		block = *c.Block
	}
	anchor := or(block.Anchor, offset)
	if anchor > n {
		return "error: anchor_line exceeds file length"
	}
	limit = min(limit, or(block.MaxLines, limit), n)
	if limit == 1 {
		return numberedLines(all, anchor, anchor)
	}
	from, to := referenceBlock(all, anchor, limit, block)
	for from <= to && isBlank(all[from-1]) {
		from++
	}
	for from <= to && isBlank(all[to-1]) {
		to--
	}
	return numberedLines(all, from, to)
}

// referenceBlock returns the numbers of the first and the last line of a block, counted from 1.
func referenceBlock(all []string, anchor, limit uint64, block indentation) (from, to uint64) {
	indents := make([]uint64, len(all)+1)
	for i, line := range all {
		indents[i+1] = indents[i]
		if !isBlank(line) {
			indents[i+1] = indentOf(line)
		}
	}
	floor := uint64(0)
	if levels := or(block.Levels, 4); levels > 0 && levels <= indents[anchor]/4 {
		floor = indents[anchor] - 4*levels
	}
	// takes reports whether a direction takes a line after atFloor lines at the floor.
	takes := func(line uint64, atFloor int, header bool) bool {
		return indents[line] > floor ||
			indents[line] == floor &&
				(or(block.Siblings, false) || atFloor == 0 || header && isCommentLine(all[line-1]))
	}
	from, to = anchor, anchor
	above, below, up, down := true, true, 0, 0
	for (above || below) && to-from+1 < limit {
		if above = above && from > 1 && takes(from-1, up, or(block.Header, false)); above {
			from--
			if indents[from] == floor {
				up++
			}
		}
		if to-from+1 == limit {
			break
		}
		if below = below && to < uint64(len(all)) && takes(to+1, down, false); below {
			to++
			if indents[to] == floor {
				down++
			}
		}
	}
	return from, to
}

func isBlank(line string) bool {
	return strings.TrimFunc(strings.ToValidUTF8(line, "?"), unicode.IsSpace) == ""
}

func isCommentLine(line string) bool {
	text := strings.TrimSpace(line)
	return strings.HasPrefix(text, "#") ||
		strings.HasPrefix(text, "//") || strings.HasPrefix(text, "--")
}

func indentOf(line string) uint64 {
	margin := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	return uint64(strings.Count(margin, " ") + 4*strings.Count(margin, "\t"))
}

func numberedLines(all []string, from, to uint64) string {
	var shown []string
	for n := from; n <= to; n++ {
		shown = append(shown, fmt.Sprintf("L%d: %s", n, first500(fixture.Lossy(all[n-1]))))
	}
	return strings.Join(shown, "\n")
}

// randomText returns a random program with unusual white space, long lines and ill-formed UTF-8.
func randomText(r *rand.Rand, lines int) []byte {
	margins := []string{
		"", " ", "    ", "    ", "\t", "        ", "  \t", "\t\t", "            ", " \u00a0 ",
	}
	contents := []string{
		"x", "if x {", "}", "", "", "# c", "// c", "-- c", "/* c", "-", "\u3000", "\u0085\v", "\x1c",
		"\ufeff", "漢字", "\xff", "\xe6\xbc", " \r", "\r", "a\rb", "\u2028", "\xc2",
	}
	var text bytes.Buffer
	depth := 0
	for range lines {
		if r.IntN(3) == 0 {
			text.WriteString(margins[r.IntN(len(margins))])
		} else { // most files are indented consistently
			depth = max(0, min(8, depth+r.IntN(3)-1))
			text.WriteString(strings.Repeat("    ", depth))
		}
		content := contents[r.IntN(len(contents))]
		if r.IntN(20) == 0 {
			content = strings.Repeat(content, r.IntN(700))
		}
		text.WriteString(content)
		text.WriteString([]string{"\n", "\n", "\n", "\r\n", "\r\r\n"}[r.IntN(5)])
	}
	if r.IntN(3) == 0 {
		text.Truncate(max(0, text.Len()-1-r.IntN(3)))
	}
	return text.Bytes()
}

func randomCall(r *rand.Rand, path string, lines int) readFileCall {
	number := func(limit int) *uint64 {
		if r.IntN(3) == 0 {
			return nil
		}
		n := 1 + r.Uint64N(uint64(limit))
		if r.IntN(30) == 0 {
			n = 1<<(20+r.IntN(44)) - r.Uint64N(2)
		}
		return &n
	}
	flag := func() *bool { return []*bool{nil, new(true), new(false)}[r.IntN(3)] }
	c := readFileCall{Path: path, Offset: number(lines + 2), Limit: number(lines + 2)}
	c.Mode = []string{"", "slice", "indentation"}[r.IntN(3)]
	if r.IntN(4) > 0 {
		c.Mode = "indentation"
		levels := number(5)
		if levels != nil {
			*levels--
		}
		c.Block = &indentation{number(lines + 2), levels, flag(), flag(), number(lines + 1)}
	}
	return c
}

func checkFile(t *testing.T, read *ReadFile, data []byte, c readFileCall) {
	t.Helper()
	args, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := output(t, read, string(args)), referenceFile(data, c); got != want {
		t.Fatalf("%s of %q\ngot\n%s\nwant\n%s", args, data, got, want)
	}
}

// TestReadFileReference compares both modes on random files with the reference.
func TestReadFileReference(t *testing.T) {
	root := t.TempDir()
	read := readFile(open(t, root))
	path := filepath.Join(root, "f")
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 4))
		lines := r.IntN(60)
		data := randomText(r, lines)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			checkFile(t, read, data, randomCall(r, path, lines))
		}
	}
}

func FuzzReadFileReference(f *testing.F) {
	f.Add([]byte("a:\n    b\n\n    # c\n  d\r\n\te\xff"), uint64(1))
	f.Add([]byte("\n \n\u3000\nx"), uint64(7))
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		root := t.TempDir()
		path := filepath.Join(root, "f")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(seed, 5))
		n := bytes.Count(data, []byte("\n")) + 1
		checkFile(t, readFile(open(t, root)), data, randomCall(r, path, n))
	})
}
