//go:build unix

package search_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"gander/internal/files/ignore"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/search/match"
	"gander/internal/testkit/fixture"
)

// openHandles returns the number of open files of the process.
func openHandles(t *testing.T) int {
	t.Helper()
	open, err := os.ReadDir("/dev/fd")
	if err != nil {
		t.Skip("this platform does not list open files: ", err)
	}
	return len(open)
}

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

func open(t *testing.T, root string, o workspace.Options) (*workspace.Workspace, workspace.Location) {
	t.Helper()
	w, err := workspace.Open(o, root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	start, err := w.Find(root)
	if err != nil {
		t.Fatal(err)
	}
	return w, start
}

// results returns the results of a search as text, and calls each, unless nil, with every result.
func results(t *testing.T, root, at, pattern string, o search.Options, each func(search.Result)) string {
	t.Helper()
	w, start := open(t, root, workspace.Options{Deny: []string{"**/*.pem"}})
	if at != "" {
		start = start.Join(at)
	}
	var b strings.Builder
	for r, err := range search.Search(t.Context(), w, start, mustCompile(t, pattern), o) {
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

// TestChanges replaces and removes entries after they were listed. They must not be followed or
// read, and must not end the search.
func TestChanges(t *testing.T) {
	outside := fixture.Make(t, "secret")
	root := fixture.Make(t, "a", "b", "c", "d", "dir/x", "e", "k.pem", "z")
	first := true
	totals := new(search.Totals)
	got := results(t, root, "", ".", search.Options{Totals: totals}, func(search.Result) {
		if !first {
			return
		}
		first = false
		for _, name := range []string{"b", "c", "d", "dir/x", "dir"} {
			if err := os.Remove(root + "/" + name); err != nil {
				t.Fatal(err)
			}
		}
		err := errors.Join(unix.Mkfifo(root+"/b", 0o600), os.Symlink(outside+"/secret", root+"/c"), os.Symlink(outside, root+"/dir"), os.Chmod(root+"/e", 0))
		if err != nil {
			t.Fatal(err)
		}
	})
	want := "a\n1:a\ne: permission denied\nz\n1:z\n"
	unreadable := 1
	if os.Getuid() == 0 {
		want, unreadable = strings.Replace(want, "e: permission denied\n", "e\n1:e\n", 1), 0
	}
	if got != want {
		t.Errorf("yielded\n%snot\n%s", got, want)
	}
	if n := totals.Unreadable; n != unreadable || !maps.Equal(totals.Denied(), map[string]int{"**/*.pem": 1}) {
		t.Errorf("%d are unreadable, denied: %v", n, totals.Denied())
	}
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
	results(t, root, "", "x", search.Options{}, func(r search.Result) {
		if r.Line.Number > 0 {
			lines++
			if _, err := f.WriteString("x\nx\n"); err != nil {
				t.Fatal(err)
			}
		}
	})
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
	w, start := open(t, fixture.Make(t, entries...), workspace.Options{})
	totals, taken := new(search.Totals), 0
	o := search.Options{Output: search.Names, Totals: totals, Workers: -1}
	for range search.Search(t.Context(), w, start, mustCompile(t, "f"), o) {
		if taken++; taken == 3 {
			break
		}
	}
	if totals.Searched != 3 {
		t.Errorf("searched %d files for 3 results", totals.Searched)
	}
}

// TestCancelled checks that a cancelled search yields only the error of its context.
func TestCancelled(t *testing.T) {
	root := fixture.Make(t, "a", "b")
	w, start := open(t, root, workspace.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, workers := range []int{-1, 1, 8} {
		var last error
		for r, err := range search.Search(ctx, w, start, mustCompile(t, "."), search.Options{Workers: workers}.Eager()) {
			if err == nil {
				t.Errorf("%d workers: yielded %v", workers, r)
			}
			last = err
		}
		if !errors.Is(last, context.Canceled) {
			t.Errorf("%d workers: %v", workers, last)
		}
	}
}

// TestNamed checks that a file at the start is searched even if it is hidden or ignored, and beyond
// a NUL.
func TestNamed(t *testing.T) {
	root := fixture.Make(t, ".git/", ".hidden", "dir/in/file", "pipe|", "to-hidden => .hidden", "out => /etc/passwd")
	write(t, root+"/.gitignore", "dir/\n.hidden\nbinary\nlate\n")
	write(t, root+"/binary", "x one\n\x00 x two\nx three\n")
	write(t, root+"/late", strings.Repeat("x one\n", 20_000)+"\x00\nx two\n")
	scope := search.Scope{Ignore: ignore.Options{Git: true}}
	for at, want := range map[string]string{
		".hidden": "\n1:.hidden\n", "to-hidden": "\n1:.hidden\n", "binary": " is binary\n", "dir/in": "file\n1:dir/in/file\n",
		"dir/in/file": "\n1:dir/in/file\n", "pipe": ": not a regular file\n", "out": ": path is outside the workspace\n", "none": ": no such file or directory\n",
		"": "",
	} {
		if got := results(t, root, at, "x|hidden|file", search.Options{Scope: scope}, nil); got != want {
			t.Errorf("%s: %q, not %q", at, got, want)
		}
	}
	if got := results(t, root, "late", "x", search.Options{}, nil); !strings.HasSuffix(got, "x one\n is binary\n") || strings.Contains(got, "two") {
		t.Errorf("a file with a late NUL ends with %q", got[len(got)-20:])
	}
	if got := results(t, root, "binary", "x", search.Options{Output: search.Counts}, func(r search.Result) {
		if r.Count != 3 {
			t.Errorf("%d lines match", r.Count)
		}
	}); got != " is binary\n" {
		t.Errorf("counts: %q", got)
	}
}

// TestLongLines checks matches at various positions of a long line, and the yielded part of the
// line.
func TestLongLines(t *testing.T) {
	root := fixture.Make(t)
	const length = 300_000
	for _, at := range []int{0, 16_380, 16_384, 65_530, 65_536, 131_072, length - 3} {
		line := strings.Repeat("-", at) + "xyz" + strings.Repeat("-", length-3-at)
		for _, end := range []string{"", "\n", "\nlast"} {
			write(t, root+"/f", "first\n"+line+end)
			var long search.Line
			got := results(t, root, "", "xyz", search.Options{Before: 1, After: 1}, func(r search.Result) {
				if r.Line.Number == 2 {
					long = r.Line
				}
			})
			if !strings.HasPrefix(got, "f\n1:first\n2:") || strings.Contains(got, "3:last") != (end == "\nlast") {
				t.Errorf("a match at %d: yielded %q", at, got)
			}
			if long.Length != length || long.Offset != 6 || !strings.HasPrefix(line[long.Start:], string(long.Text)) || len(long.Text) < 1000 {
				t.Errorf("a match at %d: a line of %d bytes at %d, of which %d are yielded", at, long.Length, long.Offset, len(long.Text))
			}
			if spans := long.Spans(nil); len(spans) != 1 || int(long.Start)+spans[0].Start != at {
				t.Errorf("a match at %d: spans %v of what begins at %d", at, spans, long.Start)
			}
		}
	}
}

func TestBadGlobs(t *testing.T) {
	for _, glob := range []string{"[", "", "!", "a//b", "{a"} {
		if err := (search.Scope{Globs: []string{glob}}).Check(t.Context()); err == nil {
			t.Errorf("%q is taken", glob)
		}
	}
	if got := results(t, fixture.Make(t, "f"), "", ".", search.Options{Scope: search.Scope{Globs: []string{"["}}}, nil); !strings.HasPrefix(got, `: glob "["`) {
		t.Error(got)
	}
}

// TestFindGlobs checks that a pattern with a special character is a glob, and any other a part of
// the path.
func TestFindGlobs(t *testing.T) {
	root := fixture.Make(t, "a.go", "d/", "d/a.go", "d/e/", "d/e/a.go", "d/e/B.go", "[x]/")
	w, start := open(t, root, workspace.Options{})
	for pattern, want := range map[string]string{
		"*.go": "a.go d/a.go d/e/B.go d/e/a.go", "/*.go": "a.go", "d/*.go": "d/a.go", "d/**": "d/a.go d/e d/e/B.go d/e/a.go", "[de]/": "d d/e",
		"b.G": "d/e/B.go", "E/": "d/e/B.go d/e/a.go", `\[x\]`: "[x]", "{a,B}.go": "a.go d/a.go d/e/B.go d/e/a.go",
	} {
		for _, order := range []walk.Order{walk.PreOrder, walk.NewestFirst} {
			var found []string
			totals := new(search.Totals)
			for e, err := range search.Find(t.Context(), w, start, search.FindOptions{Scope: search.Scope{Order: order}, Pattern: pattern, Totals: totals}) {
				if err != nil {
					t.Fatal(err)
				}
				found = append(found, e.Path())
			}
			slices.Sort(found)
			if got := strings.Join(found, " "); got != want || totals.Listed != len(found) {
				t.Errorf("%s: found %s, counted %d, not %s", pattern, got, totals.Listed, want)
			}
		}
	}
}
