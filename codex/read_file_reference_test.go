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

type object map[string]any

// number returns a number under a key.
func (o object) number(key string, absent uint64) uint64 {
	if n, ok := o[key].(uint64); ok {
		return n
	}
	return absent
}

// referenceLines splits a file into lines, which end in LF or CRLF.
func referenceLines(data []byte) []string {
	lines := strings.SplitAfter(string(data), "\n")
	for i, line := range lines {
		if text, ended := strings.CutSuffix(line, "\n"); ended {
			lines[i] = strings.TrimSuffix(text, "\r")
		}
	}
	if last := len(lines) - 1; lines[last] == "" {
		return lines[:last]
	}
	return lines
}

// referenceFile returns the result, with the whole file in memory.
func referenceFile(data []byte, args object) string {
	all := referenceLines(data)
	offset, limit, n := args.number("offset", 1), args.number("limit", 2000), uint64(len(all))
	if args["mode"] != "indentation" {
		if offset > n {
			return "error: offset exceeds file length"
		}
		return numberedLines(all, offset, offset-1+min(limit, n-offset+1))
	}
	block, _ := args["indentation"].(object)
	anchor := block.number("anchor_line", offset)
	if anchor > n {
		return "error: anchor_line exceeds file length"
	}
	limit = min(limit, block.number("max_lines", limit), n)
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
func referenceBlock(all []string, anchor, limit uint64, block object) (from, to uint64) {
	indents := make([]uint64, len(all)+1)
	for i, line := range all {
		indents[i+1] = indents[i]
		if margin := line[:len(line)-len(strings.TrimLeft(line, " \t"))]; !isBlank(line) {
			indents[i+1] = uint64(strings.Count(margin, " ") + 4*strings.Count(margin, "\t"))
		}
	}
	floor := uint64(0)
	if levels := block.number("max_levels", 4); levels > 0 && levels <= indents[anchor]/4 {
		floor = indents[anchor] - 4*levels
	}
	comment := func(line string) bool {
		text := strings.TrimSpace(line)
		return strings.HasPrefix(text, "#") ||
			strings.HasPrefix(text, "//") || strings.HasPrefix(text, "--")
	}
	// takes reports whether a direction takes a line. It counts lines at the floor.
	takes := func(line uint64, atFloor *int, header bool) bool {
		if indents[line] == floor {
			*atFloor++
		}
		return indents[line] > floor || indents[line] == floor &&
			(block["include_siblings"] == true || *atFloor == 1 || header && comment(all[line-1]))
	}
	from, to = anchor, anchor
	above, below, up, down := true, true, 0, 0
	header := block["include_header"] == true
	for (above || below) && to-from+1 < limit {
		if above = above && from > 1 && takes(from-1, &up, header); above {
			from--
		}
		if to-from+1 == limit {
			break
		}
		if below = below && to < uint64(len(all)) && takes(to+1, &down, false); below {
			to++
		}
	}
	return from, to
}

func isBlank(line string) bool {
	return strings.TrimFunc(strings.ToValidUTF8(line, "?"), unicode.IsSpace) == ""
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

func checkFile(t *testing.T, r *rand.Rand, read *readFile, path string, data []byte) {
	t.Helper()
	lines := bytes.Count(data, []byte("\n")) + 1
	set := func(o object, key string, limit int) {
		if r.IntN(3) > 0 {
			o[key] = 1 + r.Uint64N(uint64(limit))
			if r.IntN(30) == 0 {
				o[key] = uint64(1<<(20+r.IntN(44))) - r.Uint64N(2)
			}
		}
	}
	args := object{"file_path": path}
	set(args, "offset", lines+2)
	set(args, "limit", lines+2)
	if r.IntN(5) > 0 {
		block := object{}
		set(block, "anchor_line", lines+2)
		set(block, "max_lines", lines+1)
		for _, key := range []string{"include_siblings", "include_header"} {
			if r.IntN(3) > 0 {
				block[key] = r.IntN(2) == 0
			}
		}
		if r.IntN(3) > 0 {
			block["max_levels"] = r.Uint64N(6)
		}
		args["mode"], args["indentation"] = "indentation", block
	}
	raw, err := json.Marshal(args)
	fixture.Must(t, err)
	if got, want := output(t, read, string(raw)), referenceFile(data, args); got != want {
		t.Fatalf("%s of %q\ngot\n%s\nwant\n%s", raw, data, got, want)
	}
}

// FuzzReadFileReference compares both modes with the reference, on a random file if data is empty.
func FuzzReadFileReference(f *testing.F) {
	root := f.TempDir()
	read, path := newRead(open(f, root)), filepath.Join(root, "f")
	for seed := range uint64(300) {
		f.Add([]byte(nil), seed)
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 4))
		if len(data) == 0 {
			data = randomText(r, r.IntN(60))
		}
		fixture.Must(t, os.WriteFile(path, data, 0o644))
		for range 20 {
			checkFile(t, r, read, path, data)
		}
	})
}
