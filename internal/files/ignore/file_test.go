package ignore_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"gander/internal/files/ignore"
)

// A ruleRow is a path and the line of the rules that decides about it, or 0. A path that ends in
// a slash is a directory.
type ruleRow struct {
	rules, path string
	line        int
}

// manual returns the sentences of the gitignore manual as examples, and cases that it leaves open.
func manual() []ruleRow {
	return []ruleRow{
		{"", "a", 0},
		{"\n\n  \n", " ", 0},
		{"# a\na", "# a", 0},
		{"# a\na", "a", 2},
		{`\#a`, "#a", 1},
		{`\!a`, "!a", 1},
		{`\a\b`, "ab", 1},
		{"!", "!", 0},

		{"a ", "a", 1},
		{"a ", "a ", 0},
		{`a\ `, "a ", 1},
		{`a\  `, "a ", 1},
		{`a\\ `, `a\`, 1},
		{" a", " a", 1},
		{" a", "a", 0},
		{"a\t", "a\t", 1},
		{"a\t", "a", 0},
		{"a\r\nb\r", "a", 1},
		{"a\r\nb\r", "b", 2},
		{"a\r\r\n", "a\r", 1},
		{"a\rb\n", "a\rb", 1},
		{"\uFEFFa", "a", 1},
		{"\uFEFF# a", "# a", 0},
		{"a\n\uFEFFb", "b", 0},
		{"a\x00b", "a", 1},

		{"*.o\n!a.o", "a.o", 2},
		{"*.o\n!a.o", "b.o", 1},
		{"!a.o\n*.o", "a.o", 2},
		{"a\n!a\na", "a", 3},
		{"d/\n!d/f", "d/f", 1},
		{"d/*\n!d/f", "d/f", 2},
		{"/*\n!/foo\n/foo/*\n!/foo/bar", "foo/bar", 4},
		{"/*\n!/foo\n/foo/*\n!/foo/bar", "foo/baz", 3},
		{"/*\n!/foo\n/foo/*\n!/foo/bar", "bar", 1},

		{"a/", "a/", 1},
		{"a/", "a", 0},
		{"a/", "x/a/", 1},
		{"a/", "a/b/c", 1},
		{"a\n!a/", "a/", 2},
		{"a\n!a/", "a", 1},
		{"/a", "a", 1},
		{"/a", "x/a", 0},
		{"a/b", "a/b", 1},
		{"a/b", "x/a/b", 0},
		{"a/b/", "a/b/", 1},
		{"/", "a/", 0},
		{"//a", "a", 0},
		{"../a", "a", 0},
		{"./a", "a", 0},

		{"foo/*", "foo/a.json", 1},
		{"foo/*", "foo/bar/", 1},
		{"foo/*", "foo/", 0},
		{"foo/*.c", "foo/bar/a.c", 0},
		{"a*b", "x/ab", 1},
		{"/a?b", "a/b", 0},
		{"/a?b", "axb", 1},
		{"a[/]b", "a/b", 0},
		{"?", "é", 0},
		{"??", "é", 1},
		{"*", ".a", 1},
		{"A", "a", 0},
		{"*edcba\n*dcba\n*cba\n*ba\n*a\n!*fedcba", "a", 5},

		{"**/foo", "foo", 1},
		{"**/foo", "a/b/foo", 1},
		{"**/foo/bar", "a/foo/bar", 1},
		{"**/foo/bar", "a/foo/b/bar", 0},
		{"abc/**", "abc/x/y", 1},
		{"abc/**", "abc/", 0},
		{"a/**/b", "a/b", 1},
		{"a/**/b", "a/x/y/b", 1},
		{"a/**/b", "a/xb", 0},
		{"a/**/**/b", "a/b", 1},
		{"a**b/c", "a/b/c", 0},
		{"foo**/bar", "foobar", 1}, // matching begins after the literal beginning
		{"foo?**/bar", "foox/y/bar", 0},
		{`a/**\/b`, "a/x/b", 1},
		{`a/**\/b`, "a/x/y/b", 1},
		{`a/**\/b`, "a/b", 0},
		{"**/a/*/b/**/c", "a/b/c/a/x/b/y/c", 1},

		{"[a-c]", "b", 1},
		{"[!a-c]", "b", 0},
		{"[^a-c]", "d", 1},
		{"[]a]", "]", 1},
		{"[!]a]", "]", 0},
		{"[a-]", "-", 1},
		{`[\]]`, "]", 1},
		{`[a\-c]`, "b", 0},
		{"[[:digit:]x]", "7", 1},
		{"[a[:digit:]-z]", "q", 0},
		{"[[:upper]", ":", 1},
		{"[[:none:]]", "n", 0},
		{"[[:]", "[", 1},
		{"[[::]", "[", 0},
		{"[a", "[a", 0},
		{"[!a", "b", 0},
		{`a\`, `a\`, 0},
		{`a\/`, "a/", 0},

		{"x" + strings.Repeat("*", 4096), "x", 0},
		{"x" + strings.Repeat("*", 4095), "x", 1},
	}
}

func TestRules(t *testing.T) {
	for _, row := range manual() {
		path, isDir := strings.CutSuffix(row.path, "/")
		got := ignore.MatchPath(path, isDir, ignore.Parse("f", "", row.rules)).String()
		want := ""
		if row.line > 0 {
			want = fmt.Sprintf("f:%d:", row.line)
		}
		if !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q on %q: %q, want %q", row.path, row.rules, got, want)
		}
	}
}

// TestMatchCancelled checks that matching hostile rules ends soon after the context, without a
// verdict.
func TestMatchCancelled(t *testing.T) {
	name := strings.Repeat("a", 200)
	rules := ignore.Parse("f", "", "a?*\n"+strings.Repeat("*a*a*b*a\n", 10_000))
	ctx, cancel := context.WithCancel(t.Context())
	dir := ignore.InMemory(ctx, "", rules)
	if m := dir.MatchName(name, false); m.String() != "f:1:a?*" {
		t.Errorf("got %q, want line 1", m)
	}
	cancel()
	if m := dir.MatchName(name, false); m.Verdict != ignore.None {
		t.Errorf("after the context: %q", m)
	}
}

func TestMatchAllocatesNothing(t *testing.T) {
	dir := ignore.InMemory(t.Context(), "src/deep",
		ignore.Parse("f", "", usualRules),
		ignore.Parse("g", "src/deep", usualRules))
	if n := testing.AllocsPerRun(100, func() {
		for _, name := range usualNames {
			dir.MatchName(name, false)
		}
	}); n != 0 {
		t.Errorf("%v allocations for %d names", n, len(usualNames))
	}
}
