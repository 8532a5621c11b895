package search_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/search/match"
	"gander/internal/testkit/fixture"
)

func mustCompile(t testing.TB, pattern string) *match.Matcher {
	t.Helper()
	m, err := match.Compile(t.Context(), pattern, match.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A tree is a directory to search.
type tree struct {
	t     testing.TB
	ctx   context.Context
	w     *workspace.Workspace
	start workspace.Location
}

func open(t testing.TB, root string) tree {
	t.Helper()
	w, err := workspace.Open(workspace.Options{Deny: []string{"**/*.pem"}}, root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	start, err := w.Find(context.Background(), root)
	if err != nil {
		t.Fatal(err)
	}
	return tree{t, t.Context(), w, start}
}

// at returns the tree below a path, or the file there.
func (tr tree) at(path string) tree {
	if path != "" {
		tr.start = tr.start.Join(path)
	}
	return tr
}

func (tr tree) search(
	ctx context.Context, pattern string, o search.Options,
) iter.Seq2[search.Result, error] {
	return search.Search(ctx, tr.w, tr.start, mustCompile(tr.t, pattern), o)
}

// results yields the results of a search, which must not fail.
func (tr tree) results(pattern string, o search.Options) iter.Seq[search.Result] {
	return func(yield func(search.Result) bool) {
		for r, err := range tr.search(tr.ctx, pattern, o) {
			if err != nil {
				tr.t.Fatal(err)
			}
			if !yield(r) {
				return
			}
		}
	}
}

// transcript returns the results of a search as text. It calls each, if not nil, with every result.
func (tr tree) transcript(pattern string, o search.Options, each func(search.Result)) string {
	var b strings.Builder
	for r, err := range tr.search(tr.ctx, pattern, o) {
		switch {
		case err != nil:
			fmt.Fprintf(&b, "%s: %v\n", r.Path, err)
		case r.Line.Number > 0:
			fmt.Fprintf(&b, "%d:%.20s\n", r.Line.Number, r.Line.Text)
		case r.Binary:
			fmt.Fprintf(&b, "%s is binary\n", r.Path)
		default:
			fmt.Fprintf(&b, "%s\n", r.Path)
		}
		if each != nil {
			each(r)
		}
	}
	return b.String()
}

// TestGrowing checks that the search of a growing file ends at its former size.
func TestGrowing(t *testing.T) {
	root := fixture.Make(t)
	write(t, root+"/f", strings.Repeat("x\n", 100_000))
	f, err := os.OpenFile(root+"/f", os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := 0
	for r := range open(t, root).results("x", search.Options{}) {
		if r.Line.Number > 0 {
			lines++
			if _, err := f.WriteString("x\nx\n"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if lines != 100_000 {
		t.Errorf("%d lines", lines)
	}
}

// TestLazy checks that a search opens only the files for the consumed results.
func TestLazy(t *testing.T) {
	var entries []string
	for i := range 1000 {
		entries = append(entries, fmt.Sprintf("d%02d/f%04d", i/100, i))
	}
	totals, taken := new(search.Totals), 0
	o := search.Options{Output: search.Names, Totals: totals, Workers: -1}
	for range open(t, fixture.Make(t, entries...)).results("f", o) {
		if taken++; taken == 3 {
			break
		}
	}
	if totals.Searched != 3 {
		t.Errorf("searched %d files for 3 results", totals.Searched)
	}
}

// spans returns the matches in a line.
func spans(t testing.TB, l search.Line, limit int) (spans []match.Span) {
	t.Helper()
	for s, err := range l.Spans(limit) {
		if err != nil {
			t.Fatal(err)
		}
		spans = append(spans, s)
	}
	return spans
}

// TestLongLines checks matches at various positions of a long line, and the text of the line.
func TestLongLines(t *testing.T) {
	root := fixture.Make(t)
	for _, encode := range encodings() {
		for _, at := range []int{0, 16_380, 16_384, 65_530, 65_536, 131_072, longLength - 3} {
			line := strings.Repeat("-", at) + "xyz" + strings.Repeat("é", (longLength-3-at)/2)
			line += strings.Repeat("-", longLength-len(line))
			for _, end := range []string{"", "\n", "\nlast"} {
				write(t, root+"/f", encode("first\n"+line+end))
				checkLongLine(t, root, line, end)
			}
		}
	}
}

const longLength = 300_000

func checkLongLine(t *testing.T, root, line, end string) {
	t.Helper()
	at := strings.Index(line, "xyz")
	var l search.Line
	var whole []byte
	var matches []match.Span
	o := search.Options{Before: 1, After: 1}
	got := open(t, root).transcript("xyz", o, func(r search.Result) {
		if r.Line.Number == 2 {
			l, whole, matches = r.Line, readLine(t, r.Line), spans(t, r.Line, 2)
		}
	})
	hasLast := strings.Contains(got, "3:last")
	if !strings.HasPrefix(got, "f\n1:first\n2:") || hasLast != (end == "\nlast") {
		t.Errorf("a match at %d: yielded %q", at, got)
	}
	if l.Length != longLength || l.Offset != 6 || !strings.HasPrefix(line, string(l.Text)) {
		t.Errorf("a match at %d: %d bytes at %d, %.20q", at, l.Length, l.Offset, l.Text)
	}
	want := match.Span{Start: int64(at), End: int64(at) + 3}
	if string(whole) != line || len(matches) != 1 || matches[0] != want {
		t.Errorf("a match at %d: %d bytes, matches %v", at, len(whole), matches)
	}
}

// encodings returns functions that write a text as UTF-8, with a byte order mark, and as UTF-16.
func encodings() []func(string) string {
	wide := func(order binary.AppendByteOrder) func(string) string {
		return func(text string) string {
			out := order.AppendUint16(nil, 0xfeff)
			for _, unit := range utf16.Encode([]rune(text)) {
				out = order.AppendUint16(out, unit)
			}
			return string(out)
		}
	}
	return []func(string) string{
		func(text string) string { return text },
		func(text string) string { return "\xef\xbb\xbf" + text },
		wide(binary.LittleEndian), wide(binary.BigEndian),
	}
}

// readLine returns the text of a whole line.
func readLine(t testing.TB, l search.Line) []byte {
	t.Helper()
	r, err := l.Open()
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestBadGlobs(t *testing.T) {
	for _, glob := range []string{"[", "", "!", "a//b", "{a"} {
		if err := (search.Scope{Globs: []string{glob}}).Check(t.Context()); err == nil {
			t.Errorf("%q is accepted", glob)
		}
	}
	o := search.Options{Scope: search.Scope{Globs: []string{"["}}}
	got := open(t, fixture.Make(t, "f")).transcript(".", o, nil)
	if !strings.HasPrefix(got, `: glob "["`) {
		t.Error(got)
	}
}
