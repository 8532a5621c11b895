package ignore_test

import (
	"context"
	"path"
	"strings"
	"testing"

	"gander/internal/files/ignore"
)

// A ruleRow says which line of the rules decides about a path, 0 meaning none. A path that ends in
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
		{"foo**/bar", "foobar", 1}, // as in git: matching begins after the literal beginning, so the stars are a whole component
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
		if got := ignore.MatchPath(path, isDir, ignore.Parse("f", "", []byte(row.rules))); got.Line != row.line {
			t.Errorf("%q on %q: line %d, want %d", row.path, row.rules, got.Line, row.line)
		}
	}
}

func TestPrecedence(t *testing.T) {
	root := []*ignore.File{ignore.Parse("root", "", []byte("*.o\n/b\n"))}
	full := append(root[:1:1],
		ignore.Parse("a", "a", []byte("!x.o\n/b\n")),
		ignore.Parse("none", "a", []byte("# nothing\n")),
		ignore.Parse("a/b", "a/b", []byte("!*\n")))
	for _, c := range []struct {
		files []*ignore.File
		path  string
		want  string
	}{
		{nil, "x.o", ""},
		{root, "x.o", "root:1:*.o"},
		{root, "a/x.o", "root:1:*.o"},
		{full, "x.o", "root:1:*.o"},
		{full, "a/x.o", "a:1:!x.o"},
		{full, "a/y.o", "root:1:*.o"},
		{full, "aa/x.o", "root:1:*.o"},
		{full, "b", "root:2:/b"},
		{full, "a/b/", "a:2:/b"},
		{full, "a/b/x.o", "a:2:/b"}, // a file in an ignored directory has no effect
		{full, "a/c/b", ""},
		{[]*ignore.File{ignore.Parse("f", "", []byte("*"))}, "", ""},
	} {
		path, isDir := strings.CutSuffix(c.path, "/")
		if got := ignore.MatchPath(path, isDir, c.files...).String(); got != c.want {
			t.Errorf("%q: %q, want %q", c.path, got, c.want)
		}
	}
}

// TestEnter checks that entering directories one by one, each with its own file, gives the same
// verdicts as having all files from the start.
func TestEnter(t *testing.T) {
	own := map[string]*ignore.File{}
	var all []*ignore.File
	for _, f := range []struct{ dir, rules string }{{"", "*.o\n/b\nc/\n"}, {"a", "!x.o\n/b\n*.d\n"}, {"a/b", "!*\n"}, {"a/c", "y\n"}, {"d/a", "# nothing\n"}} {
		own[f.dir] = ignore.Parse(f.dir, f.dir, []byte(f.rules))
		all = append(all, own[f.dir])
	}
	views := map[string]*ignore.Chain{"": ignore.InMemory(t.Context(), "", own[""])}
	for _, dir := range []string{"a", "d", "a/b", "a/e", "d/a", "a/c", "a/b/c", "d/a/b"} {
		above, name := path.Split(dir)
		var err error
		if views[dir], err = views[strings.TrimSuffix(above, "/")].Enter(name, nil); err != nil {
			t.Fatal(err)
		}
		views[dir].Push(own[dir])
	}
	for dir, view := range views {
		for _, name := range []string{"a", "b", "c", "x.o", "y.o", "y", "z.d"} {
			for _, isDir := range []bool{false, true} {
				if got, want := view.MatchName(name, isDir), ignore.InMemory(t.Context(), dir, all...).MatchName(name, isDir); got != want {
					t.Errorf("%q in %q: %q, want %q", name, dir, got, want)
				}
			}
		}
	}
}

// TestHostilePatterns has patterns on which a matcher that tries every way to divide a text among
// the stars would not return.
func TestHostilePatterns(t *testing.T) {
	const n = 250
	names := strings.Repeat("a", n)
	segments := strings.Repeat("a/", n) + "a"
	for _, c := range []struct{ pattern, path string }{
		{strings.Repeat("*a", n/2) + "b", names},
		{strings.Repeat("a*", n/2) + "b", names},
		{strings.Repeat("*a?", n/4) + "*b", names},
		{strings.Repeat("*[a-z]", n/2) + "b", names},
		{"*[" + strings.Repeat("[:", 2000) + "a]b", names},
		{"/" + strings.Repeat("**/", n) + "b", segments},
		{"/" + strings.Repeat("**/a/", n/3) + "b", segments},
		{"/" + strings.Repeat("**/a*/*a/", n/4) + "b", segments},
		{"/" + strings.Repeat(`**\/`, n/2) + "b", segments},
		{"/" + strings.Repeat("*/", n) + "b", segments},
	} {
		if m := ignore.MatchPath(c.path, false, ignore.Parse("f", "", []byte(c.pattern))); m.Verdict != ignore.None {
			t.Errorf("%q matches", c.pattern)
		}
		wider := ignore.Parse("f", "", []byte(c.pattern[:len(c.pattern)-1]+"*"))
		if m := ignore.MatchPath(c.path, false, wider); m.Verdict != ignore.Ignore {
			t.Errorf("%q with a star at the end does not match", c.pattern)
		}
	}
}

// TestMatchCancelled checks that matching hostile rules ends soon after the context, without a
// verdict.
func TestMatchCancelled(t *testing.T) {
	name := strings.Repeat("a", 200)
	rules := ignore.Parse("f", "", []byte("a?*\n"+strings.Repeat("*a*a*b*a\n", 10_000)))
	ctx, cancel := context.WithCancel(t.Context())
	dir := ignore.InMemory(ctx, "", rules)
	if m := dir.MatchName(name, false); m.Line != 1 {
		t.Errorf("got %q, want line 1", m)
	}
	cancel()
	if m := dir.MatchName(name, false); m.Verdict != ignore.None {
		t.Errorf("after the context: %q", m)
	}
}

func TestMatchAllocatesNothing(t *testing.T) {
	dir := ignore.InMemory(t.Context(), "src/deep",
		ignore.Parse("f", "", []byte(usualRules)),
		ignore.Parse("g", "src/deep", []byte(usualRules)))
	if n := testing.AllocsPerRun(100, func() {
		for _, name := range usualNames {
			dir.MatchName(name, false)
		}
	}); n != 0 {
		t.Errorf("%v allocations for %d names", n, len(usualNames))
	}
}
