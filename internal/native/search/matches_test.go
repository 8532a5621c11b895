package search

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"gander/internal/native/call"
	"gander/internal/native/wording"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/tooltest"
)

// A listed is an entry of the output "matches".
type listed struct {
	path         string
	Line, Column int // the column is 0 if it is not shown
	Text         string
}

// listedMatches collects the matches in files.
type listedMatches struct {
	all          []listed
	start, runes int // of the last match: its offset in its line, and the characters before it
}

// add adds a match that begins at an offset in a line.
func (d *listedMatches) add(path string, number int, line string, start, end int64) {
	l := listed{path: path, Line: number, Text: line[start:end]}
	if last := len(d.all) - 1; last < 0 || d.all[last].path != path || d.all[last].Line != number {
		d.start, d.runes = 0, 0
	}
	d.runes += utf8.RuneCountInString(line[d.start:start])
	d.start = int(start)
	if len(line) > longLine {
		l.Column = d.runes + 1
	}
	d.all = append(d.all, l)
}

// addFile adds the matches of a pattern in a file.
func (d *listedMatches) addFile(path, content, pattern string) {
	expression := regexp.MustCompile(pattern)
	for i, line := range strings.Split(strings.TrimSuffix(content, "\n"), "\n") {
		for _, span := range expression.FindAllStringIndex(line, -1) {
			d.add(path, i+1, line, int64(span[0]), int64(span[1]))
		}
	}
}

// isListed reports whether an entry is the wanted one. Under a small budget, matches in shorter
// lines have columns, too.
func isListed(got, want listed) bool {
	if want.Column == 0 {
		got.Column = 0
	}
	return got == want
}

// isShown reports whether a match is shown as a text, whole or cut.
func isShown(match, text string) bool {
	text, _, cut := strings.Cut(text, " [match cut at ")
	if !cut {
		return text == toValidUTF8([]byte(match))
	}
	n := longLine
	for match[n]&0xC0 == 0x80 {
		n--
	}
	return text == toValidUTF8([]byte(match[:n]))
}

var label = regexp.MustCompile(`^(\d+)(?::(\d+))?\t`)

// parseMatches returns the entries of the lines of a result without its heading.
func parseMatches(t *testing.T, lines []string) (all []listed) {
	t.Helper()
	path := ""
	for _, line := range lines {
		m := label.FindStringSubmatch(line)
		switch {
		case line == "":
		case m == nil:
			path = line
		default:
			l := listed{path: path, Text: strings.TrimPrefix(line, m[0])}
			l.Line, _ = strconv.Atoi(m[1])
			l.Column, _ = strconv.Atoi(m[2])
			all = append(all, l)
		}
	}
	return all
}

// TestMatches checks that the output "matches" lists each match with its place, and that pages of
// any size divide this list.
func TestMatches(t *testing.T) {
	seeds := 3
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		root := t.TempDir()
		const pattern = `[a-z]\w*( \(\d matches\)| x\d)?|é+`
		var want listedMatches
		files := 0
		for i := range 12 {
			var b strings.Builder
			for range r.IntN(60) {
				words := strings.Fields("alpha beta gamma é éé a b 12 x2 -- B! 7")
				for range r.IntN(6) {
					b.WriteString(words[r.IntN(len(words))] + " ")
				}
				switch r.IntN(20) {
				case 0:
					b.WriteString("beta (2 matches) beta x2 ")
				case 1:
					for i := range r.IntN(500) {
						fmt.Fprintf(&b, "é%d z%d ", i, r.IntN(50))
					}
				}
				b.WriteByte('\n')
			}
			name := fmt.Sprintf("f%02d", i)
			tooltest.Put(t, root, name, b.String())
			before := len(want.all)
			want.addFile(name, b.String(), pattern)
			files += min(len(want.all)-before, 1)
		}
		e := nativetest.Environment(tooltest.Workspace(t, nil, root))
		e.Settings.MaxChars = 0
		c := nativetest.Caller(t, Tool(e))
		args := map[string]any{"pattern": pattern, "output": "matches"}
		for i, budget := range []func() int{func() int { return 1 << 30 }, tooltest.RandomBudget(r)} {
			args["offset"], args["limit"] = 1, []int{1 << 30, 20 + r.IntN(80)}[i]
			got := parseMatches(t, tooltest.Pages(c, args, budget))
			if !slices.EqualFunc(got, want.all, isListed) {
				t.Errorf("seed %d: %d entries, want %d\n%.5000v\n%.5000v", seed, len(got), len(want.all),
					got, want.all)
			}
		}
		all := fmt.Sprintf(`{"pattern":%q,"output":"matches","limit":1000000}`, pattern)
		heading, _, _ := strings.Cut(tooltest.Output(c, all, 1<<30), "\n")
		if want := fmt.Sprintf("%s in %s", wording.Counted(len(want.all), "matched text"),
			wording.Counted(files, "file")); heading != want {
			t.Errorf("seed %d: %q, want %q", seed, heading, want)
		}
	}
}

// TestCountsStop checks that the heading of a page says so when counting has stopped.
func TestCountsStop(t *testing.T) {
	root := t.TempDir()
	tooltest.Put(t, root, "a", "<a> <b>\n")
	tooltest.Put(t, root, "b", strings.Repeat("<c> ", 2*maxCounted.results)+"\n")
	c := nativetest.Over(t, Tool, call.DefaultSettings(), root)
	const want = "matched texts 1-2 of at least 50,003; continue with offset=3\n" +
		"a\n1\t<a>\n1\t<b>\n[continue with offset=3]"
	if got := tooltest.Output(c, `{"pattern":"<.>","output":"matches","limit":2}`, -1); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestMatchPlaces checks that the place of a match in a long line leads to it.
func TestMatchPlaces(t *testing.T) {
	root := t.TempDir()
	var b strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&b, "é%d=ü;", i)
	}
	for _, encode := range []func(string) string{
		func(text string) string { return text },
		func(text string) string { return "\xef\xbb\xbf" + text },
		func(text string) string { return tooltest.UTF16(binary.LittleEndian, text) },
	} {
		tooltest.Put(t, root, "f", encode("first\n"+b.String()+"\n"))
		search := nativetest.Over(t, Tool, call.DefaultSettings(), root)
		read := nativetest.Over(t, readTool, call.DefaultSettings(), root)
		shown := tooltest.Output(search, `{"pattern":"é\\d*9999=","output":"matches","path":"f"}`, -1)
		all := parseMatches(t, strings.Split(shown, "\n")[1:])
		for _, l := range all {
			page := tooltest.Output(read, fmt.Sprintf(`{"path":"f:%d:%d"}`, l.Line, l.Column), -1)
			if _, body, _ := strings.Cut(page, "\n2\t"); !strings.HasPrefix(body, l.Text) {
				t.Errorf("%v leads to %.200s", l, page)
			}
		}
		if len(all) != 3 {
			t.Errorf("%d matches: %s", len(all), shown)
		}
	}
}
