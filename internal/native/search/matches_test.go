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
	"gander/internal/testkit/tooltest"
)

// A listed is an entry of the output "matches".
type listed struct {
	path         string
	Line, Column int // the column is 0 if it is not shown
	Text         string
	count        int
	orMore       bool
}

// different collects the different matches in each file.
type different struct {
	all []listed
	at  map[[2]string]int
}

// add adds a match that begins at an offset in a line.
func (d *different) add(path string, number int, line string, start, end int64) {
	text := line[start:end]
	if n, ok := d.at[[2]string{path, text}]; ok {
		d.all[n].count++
		return
	}
	if d.at == nil {
		d.at = map[[2]string]int{}
	}
	d.at[[2]string{path, text}] = len(d.all)
	l := listed{path: path, Line: number, Text: text, count: 1}
	if len(line) > longLine {
		l.Column = utf8.RuneCountInString(line[:start]) + 1
	}
	d.all = append(d.all, l)
}

// addFile adds the matches of a pattern in a file.
func (d *different) addFile(path, content, pattern string) {
	expression := regexp.MustCompile(pattern)
	for i, line := range strings.Split(strings.TrimSuffix(content, "\n"), "\n") {
		for _, span := range expression.FindAllStringIndex(line, -1) {
			d.add(path, i+1, line, int64(span[0]), int64(span[1]))
		}
	}
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

var label = regexp.MustCompile(`^(\d+)(?::(\d+))?(?: x(\d+)( or more)?)?\t`)

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
			l := listed{path: path, Text: strings.TrimPrefix(line, m[0]), count: 1}
			l.Line, _ = strconv.Atoi(m[1])
			l.Column, _ = strconv.Atoi(m[2])
			if m[3] != "" {
				l.count, _ = strconv.Atoi(m[3])
			}
			l.orMore = m[4] != ""
			all = append(all, l)
		}
	}
	return all
}

// TestDifferentMatches checks that the output "matches" lists each text once for a file, with the
// place of the first match and the number of matches, and that pages of any size divide this list.
func TestDifferentMatches(t *testing.T) {
	seeds := 4
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		root := t.TempDir()
		const pattern = `[a-z]\w*( \(\d matches\)| x\d)?|é+`
		var want different
		matches, files := 0, 0
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
					for i := range r.IntN(1500) {
						fmt.Fprintf(&b, "é%d z%d ", i, r.IntN(50))
					}
				}
				b.WriteByte('\n')
			}
			name := fmt.Sprintf("f%02d", i)
			tooltest.Put(t, root, name, b.String())
			before := len(want.all)
			want.addFile(name, b.String(), pattern)
			for _, l := range want.all[before:] {
				matches += l.count
			}
			files += min(len(want.all)-before, 1)
		}
		e := newEnvironment(tooltest.Workspace(t, nil, root))
		e.Settings.MaxChars = 0
		c := toolIn(t, e)
		args := map[string]any{"pattern": pattern, "output": "matches"}
		for i, budget := range []func() int{func() int { return 1 << 30 }, tooltest.RandomBudget(r)} {
			args["offset"], args["limit"] = 1, []int{1 << 30, 20 + r.IntN(80)}[i]
			if got := parseMatches(t, tooltest.Pages(c, args, budget)); !slices.Equal(got, want.all) {
				t.Errorf("seed %d: %d entries, want %d\n%.5000v\n%.5000v", seed, len(got), len(want.all),
					got, want.all)
			}
		}
		all := fmt.Sprintf(`{"pattern":%q,"output":"matches","limit":1000000}`, pattern)
		heading, _, _ := strings.Cut(tooltest.Output(c, all, 1<<30), "\n")
		if want := fmt.Sprintf("%s of %s in %s", wording.Counted(len(want.all), "matched text"),
			wording.Counted(matches, "match"), wording.Counted(files, "file")); heading != want {
			t.Errorf("seed %d: %q, want %q", seed, heading, want)
		}
	}
}

// TestManyDifferentMatches checks the matches of a file after the number that is listed once.
func TestManyDifferentMatches(t *testing.T) {
	root := t.TempDir()
	text := tooltest.Many(maxDifferent, func(i int) string { return fmt.Sprint("<", i, ">") })
	tooltest.Put(t, root, "a", strings.Repeat(text+"<x>\n<y>\n<x>\n", 2))
	tooltest.Put(t, root, "b", "<y>\n<y>\n")
	e := newEnvironment(tooltest.Workspace(t, nil, root))
	e.Settings.MaxChars = 0
	var want []listed
	for i := range maxDifferent {
		want = append(want, listed{path: "a", Line: i + 1, Text: fmt.Sprint("<", i, ">"), count: 2})
	}
	for i, text := range []string{"<x>", "<y>", "<x>"} {
		want = append(want, listed{path: "a", Line: maxDifferent + i + 1, Text: text, count: 1})
	}
	for i, text := range []string{"<x>", "<y>", "<x>"} {
		want = append(want, listed{path: "a", Line: 2*maxDifferent + i + 4, Text: text, count: 1})
	}
	want = append(want, listed{path: "b", Line: 1, Text: "<y>", count: 2})
	c := toolIn(t, e)
	for _, limit := range []int{1 << 30, 1009} {
		args := map[string]any{"pattern": "<.*>", "output": "matches", "offset": 1, "limit": limit}
		got := parseMatches(t, tooltest.Pages(c, args, func() int { return -1 }))
		if !slices.Equal(got, want) {
			t.Errorf("limit %d: %d entries, want %d", limit, len(got), len(want))
		}
	}
	heading, _, _ := strings.Cut(tooltest.Output(c, `{"pattern":"<.*>","output":"matches"}`, -1), "\n")
	const note = "; after the first 5,000 different texts of a file, others can be repeated"
	if !strings.Contains(heading, note) {
		t.Error(heading)
	}
}

// TestLongMatches checks that matches that differ only in a carriage return at the end are the
// same.
func TestLongMatches(t *testing.T) {
	root := t.TempDir()
	c := toolOf(t, call.DefaultSettings(), root)
	for _, size := range []int{10, 1000, 2 * windowBytes} {
		text := strings.Repeat("a", size)
		tooltest.Put(t, root, "f", text+"\r\n"+text+"\n")
		heading, _, _ := strings.Cut(tooltest.Output(c, `{"pattern":"a+\\r?","output":"matches"}`, -1),
			"\n")
		if want := "1 matched text of 2 matches in 1 file"; heading != want {
			t.Errorf("%d bytes: %s", size, heading)
		}
	}
}

// TestCountsStop checks that the counts of a page say so when counting has stopped.
func TestCountsStop(t *testing.T) {
	root := t.TempDir()
	tooltest.Put(t, root, "a", "<a> <b> <a>\n")
	tooltest.Put(t, root, "b", "<a> <b> <b> <c>"+strings.Repeat(" <c>", 2*maxCounted.results)+" <b>\n")
	c := toolOf(t, call.DefaultSettings(), root)
	for limit, want := range map[int]string{
		2: "matched texts 1-2 of at least 5; continue with offset=3\n" +
			"a\n1 x2\t<a>\n1\t<b>\n[continue with offset=3]",
		4: "matched texts 1-4 of at least 5; continue with offset=5\n" +
			"a\n1 x2\t<a>\n1\t<b>\n\n" +
			"b\n1:1 x1 or more\t<a>\n1:5 x2 or more\t<b>\n[continue with offset=5]",
		5: "5 matched texts of 100,008 matches in 2 files\n" +
			"a\n1 x2\t<a>\n1\t<b>\n\n" +
			"b\n1:1\t<a>\n1:5 x3\t<b>\n1:13 x100001\t<c>",
	} {
		args := fmt.Sprintf(`{"pattern":"<.>","output":"matches","limit":%d}`, limit)
		if got := tooltest.Output(c, args, -1); got != want {
			t.Errorf("limit %d:\n%s\nwant\n%s", limit, got, want)
		}
	}
}

// TestCountsOfSearchedFile checks that a file's counts are exact if the counting stops after it.
func TestCountsOfSearchedFile(t *testing.T) {
	root := t.TempDir()
	tooltest.Put(t, root, "a.txt", "foo foo bar\n")
	for i := range maxCounted.files + 10 {
		tooltest.Put(t, root, fmt.Sprintf("b/%d", i), "x\n")
	}
	c := toolOf(t, call.DefaultSettings(), root)
	got := tooltest.Output(c, `{"pattern":"foo|bar","output":"matches","limit":1}`, -1)
	want := "matched texts 1-1 of at least 2; continue with offset=2\n" +
		"a.txt\n1 x2\tfoo\n[continue with offset=2]"
	if got != want {
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
		search := toolOf(t, call.DefaultSettings(), root)
		read := readerOf(t, call.DefaultSettings(), root)
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
