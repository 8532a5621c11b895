package pattern_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"gander/internal/files/pattern"
	"gander/internal/files/text"
	"gander/internal/testkit"
	"gander/internal/testkit/tooltest"
)

// match reports whether a pattern matches a path.
func match(t *testing.T, s pattern.Syntax, glob string, fold bool, path string) bool {
	t.Helper()
	p, err := pattern.NewCompiler(t.Context()).Compile(s, glob, fold)
	if err != nil {
		t.Fatalf("%q: %v", glob, err)
	}
	return pattern.Match(new(pattern.Work), p, path)
}

// TestMatch checks files whose lines have fields separated by tabs: a pattern, paths that it
// matches, paths that it does not match, and "fold" if case is ignored. The paths of minimatch.txt
// are from the npm package minimatch 10.2.6 with the option dot. Most of its patterns are random,
// without the documented differences.
func TestMatch(t *testing.T) {
	for file, syntax := range map[string]pattern.Syntax{
		"path.txt": pattern.Path, "minimatch.txt": pattern.Minimatch,
	} {
		data, err := os.ReadFile("testdata/" + file)
		testkit.Must(t, err)
		for line := range strings.Lines(string(data)) {
			fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			fold := len(fields) > 3
			for i, paths := range fields[1:3] {
				for path := range strings.FieldsSeq(paths) {
					if fold {
						path = text.Fold(path)
					}
					if got := match(t, syntax, fields[0], fold, path); got != (i == 0) {
						t.Errorf("%s: %q and %q: got %v", file, fields[0], path, got)
					}
				}
			}
		}
	}
	if !match(t, pattern.Path, "?", false, "\xff") {
		t.Error("a byte that is not UTF-8 is no unit")
	}
}

func TestErrors(t *testing.T) {
	check := func(s pattern.Syntax, glob, want string) {
		t.Helper()
		_, err := pattern.NewCompiler(t.Context()).Compile(s, glob, false)
		if got := fmt.Sprint(err); got != want {
			t.Errorf("%.100q\ngot  %s\nwant %s", glob, got, want)
		}
	}
	syntaxes := map[string]pattern.Syntax{"path": pattern.Path, "minimatch": pattern.Minimatch}
	for heading, globs := range tooltest.Rows(t, "errors.txt") {
		syntax, want, _ := strings.Cut(heading, " ")
		for glob := range strings.SplitSeq(globs, "\n") {
			check(syntaxes[syntax], glob, want)
		}
	}
	check(pattern.Path, "", "it is empty")
	check(pattern.Path, "a\x00", "it contains a NUL")
	check(pattern.Path, strings.Repeat("a", 4097), "it is longer than 4096 bytes")
	check(pattern.Path, strings.Repeat("{a,b}", 30), pattern.ErrTooLarge.Error())
	check(pattern.Path, strings.Repeat("{,}", 500), pattern.ErrTooLarge.Error())
}

func TestMatchAllocatesNothing(t *testing.T) {
	c := pattern.NewCompiler(t.Context())
	p, err := c.Compile(pattern.Path, "**/{.ssh,*.[pk]em}/**", false)
	testkit.Must(t, err)
	if n := testing.AllocsPerRun(100, func() {
		pattern.Match(new(pattern.Work), p, "home/user/project/src/main.go")
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestSlashed(t *testing.T) {
	for glob, want := range map[string]string{
		`sec\**`: "sec/**", `**\*.pem`: "**/*.pem", `src\a\b.go`: "src/a/b.go",
		`\\srv\share`: "//srv/share",
		`a\[b\]`:      `a\[b\]`, `\!a`: `\!a`, `a\!b`: "a/!b", `{a\,b,c\d}`: `{a\,b,c/d}`, `a\,b`: "a/,b",
		`[\]]\x`: `[\]]/x`, `a\`: "a/", `a[\b`: `a[/b`, `\{a\}`: `\{a\}`,
	} {
		if got := pattern.Slashed(glob); got != want {
			t.Errorf("%s: got %s, want %s", glob, got, want)
		}
	}
}
