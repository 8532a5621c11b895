package search

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gander/internal/native/call"
	"gander/internal/native/results"
	"gander/internal/native/section"
	"gander/internal/search/match"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/tooltest"
)

// TestMatchesInLongLine compares all pages of the different matches in long lines with Go's regexp.
func TestMatchesInLongLine(t *testing.T) {
	if testing.Short() {
		t.Skip("sequential, and slow under the race detector")
	}
	var object strings.Builder
	for i := range 16_000 {
		fmt.Fprintf(&object, `"key%d":"välue",`, i)
	}
	root := t.TempDir()
	for name, text := range map[string]string{
		"object.json": `{` + object.String() + `}`,
		"one":         strings.Repeat("-", 70_000) + "<" + strings.Repeat("x", 20_000) + "> b c",
	} {
		tooltest.Put(t, root, name, text+"\n")
		c := nativetest.Over(t, Tool, call.DefaultSettings(), root)
		for _, pattern := range []string{
			`"key\d+"`, `"key1"|"key15999"`, `<x+>`, `zz|b$`, `zz|}$|c$`, `key[^:]*1"`, `é|ü`, `^.`,
			`(?:9.*x)?b`,
		} {
			var want listedMatches
			want.addFile(name, text, pattern)
			args := map[string]any{"pattern": pattern, "path": name, "output": "matches", "limit": 7000}
			if len(want.all) == 0 {
				raw := fmt.Sprintf(`{"pattern":%q,"path":%q,"output":"matches"}`, pattern, name)
				if got := tooltest.Output(c, raw, -1); !strings.HasPrefix(got, "no matched text in") {
					t.Errorf("%s in %s: got %.100s", pattern, name, got)
				}
				continue
			}
			got := parseMatches(t, tooltest.Pages(c, args, func() int { return -1 }))
			for i, l := range want.all[:min(len(want.all), len(got))] {
				if isShown(l.Text, got[i].Text) {
					got[i].Text = l.Text
				}
			}
			if !slices.Equal(got, want.all) {
				t.Errorf("%s in %s: got %d matches, want %d", pattern, name, len(got), len(want.all))
			}
		}
	}
}

// TestExcerptsOfBytes checks that an excerpt of text that is not UTF-8 has the whole match.
func TestExcerptsOfBytes(t *testing.T) {
	root := t.TempDir()
	tooltest.Put(t, root, "f", "match"+strings.Repeat("\x80", 30_000)+"\n")
	c := nativetest.Over(t, Tool, call.DefaultSettings(), root)
	got := tooltest.Output(c, `{"pattern":"match"}`, -1)
	if !strings.Contains(got, "match\ufffd\ufffd") {
		t.Errorf("got %.200s", got)
	}
}

// TestShrunkLine checks that a match in a line that has become shorter is shown as far as it is
// still there.
func TestShrunkLine(t *testing.T) {
	root := t.TempDir()
	tooltest.Put(t, root, "f",
		"begin"+strings.Repeat("-", 70_000)+"<"+strings.Repeat("x", 20_000)+">\n")
	e := nativetest.Environment(tooltest.Workspace(t, nil, root))
	c := e.NewCall("")
	start, err := c.Paths.Find(t.Context(), "f")
	if err != nil {
		t.Fatal(err)
	}
	matcher, err := match.Compile(t.Context(), "begin", match.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &textSearch{report: results.New(c, "f", start, "", &section.Page{}), maxLine: longLine}
	s.request.matcher = matcher
	for found, err := range s.results(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if found.Line.Number == 0 {
			continue
		}
		if err := os.Truncate(filepath.Join(root, "f"), 70_015); err != nil {
			t.Skip("an open file cannot be cut here: ", err)
		}
		shown, err := s.matchExcerpt(t.Context(), match.Span{Start: 70_005, End: 90_007})
		want := "<xxxxxxxxx [match cut at 10 of 20,002 bytes; "
		if err != nil || !strings.HasPrefix(shown.text, want) {
			t.Errorf("got %q, %v, want %q", shown.text, err, want)
		}
		return
	}
	t.Error("no line")
}

// TestExcerpts checks that the excerpt of a long line shows the first match, and that the path in
// its marker leads there.
func TestExcerpts(t *testing.T) {
	root := t.TempDir()
	hint := regexp.MustCompile(` \[bytes ([\d,]+)-[\d,]+ of ([\d,]+); read_file path="(f:2:\d+)"\]$`)
	for _, encode := range []func(string) string{
		func(text string) string { return text },
		func(text string) string { return "\xef\xbb\xbf" + text },
		func(text string) string { return tooltest.UTF16(binary.LittleEndian, text) },
	} {
		for _, at := range []int{0, 300, 5_000, 65_530, 200_000, 299_990} {
			line := strings.Repeat("é", at/2) + "<" + strings.Repeat("x", 20_000) + ">"
			line += strings.Repeat("-", max(300_000-len(line), 0))
			tooltest.Put(t, root, "f", encode("first\n"+line+"\n"))
			search := nativetest.Over(t, Tool, call.DefaultSettings(), root)
			shown := strings.Split(tooltest.Output(search, `{"pattern":"<x+>","path":"f","context":0}`, -1),
				"\n")
			text := strings.TrimPrefix(shown[len(shown)-1], "2\t")
			marker := hint.FindStringSubmatch(text)
			if marker == nil || !strings.Contains(text, "<xxx") || !utf8.ValidString(text) {
				t.Errorf("a match at %d: %.200s", at, text)
				continue
			}
			excerpt := strings.TrimSuffix(text, marker[0])
			read := nativetest.Over(t, readTool, call.DefaultSettings(), root)
			page := tooltest.Output(read, fmt.Sprintf(`{"path":%q,"limit":1}`, marker[3]), -1)
			if _, body, _ := strings.Cut(page, "\n2"); !strings.HasPrefix(body[1:], excerpt) {
				t.Errorf("a match at %d: %s leads to %.300s\nnot %s", at, marker[3], page, excerpt)
			}
		}
	}
}

// TestTotals checks that a search continues counting when its page is full, up to a bound in files,
// bytes, matches and entries.
func TestTotals(t *testing.T) {
	if testing.Short() {
		t.Skip("searches thousands of files many times, which takes a minute under Wine")
	}
	root, limit := t.TempDir(), maxCounted
	tooltest.Write(t, root, "few/")
	for i := range limit.files + 200 {
		tooltest.Put(t, root, fmt.Sprintf("few/%04d", i), "few\n")
	}
	tooltest.Put(t, root, "many",
		tooltest.Many(limit.results+100, func(i int) string { return fmt.Sprint("some ", i) }))
	wide := slices.Repeat([]string{strings.Repeat("-", 1<<20-1) + "\n"}, int(limit.size>>20)+4)
	tooltest.Put(t, root, "wide", "wide\nwide\n"+strings.Join(wide, "")+"wide\n")
	numbers := strings.Fields(tooltest.Many(limit.results+200,
		func(i int) string { return fmt.Sprint("in", i) }))
	tooltest.Put(t, root, "line", strings.Join(numbers, " ")+"wide wide"+
		strings.Repeat("-", int(limit.size)+1<<20)+"wide\n")
	c := nativetest.Over(t, Tool, call.DefaultSettings(), root)
	for args, want := range map[string]string{
		`{"pattern":"few","path":"few"}`: "lines 1-100 of at least " +
			"2,100",
		`{"pattern":"few","path":"few","offset":250}`: "lines 250-349 of 2,200",
		`{"pattern":"few","path":"few","output":"files"}`: "files 1-100 of at least " +
			"2,100",
		`{"pattern":"few","path":"few","glob":"0*"}`: "lines 1-100 of 1,000",
		`{"pattern":"some"}`: "lines 1-100 of at least " +
			"50,100",
		`{"pattern":"some","output":"matches"}`: "texts 1-100 of at least " +
			"50,100",
		`{"pattern":"some .*","output":"matches"}`: "texts 1-100 of at least " +
			"50,100",
		`{"pattern":"some ..","output":"matches","limit":3}`:              "texts 1-3 of at least 50,004",
		`{"pattern":"wide.?","limit":1,"output":"matches","path":"line"}`: "texts 1-1 of at least 2",
		`{"pattern":"in","path":"line","output":"matches"}`:               "texts 1-100 of at least 50,101",
		`{"pattern":"in\\d+","path":"line","output":"matches"}`: "texts 1-100 of at least " +
			"50,101",
		`{"pattern":"wide.?","path":"line","offset":2,"output":"matches"}`: "texts 2-3 of 3",
	} {
		heading, _, _ := strings.Cut(tooltest.Output(c, args, -1), "\n")
		got, _, _ := strings.Cut(heading, "; continue")
		got = strings.NewReplacer("matching ", "", "matched ", "", " in 1 file", "").Replace(got)
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", args, got, want)
		}
	}
	s := textSearch{report: &results.Report{
		Page: &section.Page{Closed: true},
		Call: &call.Call{PathCount: 1},
	}}
	s.report.Totals.Listed = 10
	s.limitCounting() // from here on
	s.report.Totals.Listed += limit.entries - 1
	going := s.progress(0, false)
	s.report.Totals.Listed++
	if !going || s.progress(0, false) {
		t.Errorf("%d entries do not end the search", limit.entries)
	}
}
