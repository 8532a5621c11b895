//go:build unix

package search_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"gander/internal/files/ignore"
	"gander/internal/search"
	"gander/internal/testkit/fixture"
)

// TestChanges replaces and removes entries after they were listed. They must not be followed or
// read, and must not end the search.
func TestChanges(t *testing.T) {
	outside := fixture.Make(t, "secret")
	root := fixture.Make(t, "a", "b", "c", "d", "dir/x", "e", "k.pem", "z")
	first := true
	totals := new(search.Totals)
	o := search.Options{Totals: totals}
	got := open(t, root).transcript(".", o, func(search.Result) {
		if !first {
			return
		}
		first = false
		for _, name := range []string{"b", "c", "d", "dir/x", "dir"} {
			if err := os.Remove(root + "/" + name); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(
			unix.Mkfifo(root+"/b", 0o600), os.Symlink(outside+"/secret", root+"/c"),
			os.Symlink(outside, root+"/dir"), os.Chmod(root+"/e", 0),
		); err != nil {
			t.Fatal(err)
		}
	})
	want := "a\n1:a\ne: permission denied\nz\n1:z\n"
	if os.Getuid() == 0 {
		want = strings.Replace(want, "e: permission denied\n", "e\n1:e\n", 1)
	}
	if got != want {
		t.Errorf("yielded\n%snot\n%s", got, want)
	}
	if !maps.Equal(totals.Denied, map[string]int{"**/*.pem": 1}) {
		t.Errorf("denied: %v", totals.Denied)
	}
}

// TestNamed checks that a file at the start is searched even if it is hidden or ignored, and beyond
// a NUL.
func TestNamed(t *testing.T) {
	root := fixture.Make(t, ".git/", ".hidden", "dir/in/file", "pipe|", "to-hidden => .hidden",
		"out => /etc/passwd")
	write(t, root+"/.gitignore", "dir/\n.hidden\nbinary\nlate\n")
	write(t, root+"/binary", "x one\n\x00 x two\nx three\n")
	write(t, root+"/late", strings.Repeat("x one\n", 20_000)+"\x00\nx two\n")
	tr := open(t, root)
	o := search.Options{Scope: search.Scope{Ignore: ignore.Options{Git: true}}}
	for at, want := range map[string]string{
		".hidden": "\n1:.hidden\n", "to-hidden": "\n1:.hidden\n", "binary": " is binary\n",
		"dir/in": "file\n1:dir/in/file\n", "dir/in/file": "\n1:dir/in/file\n",
		"pipe": ": not a regular file\n", "out": ": path is outside the workspace\n",
		"none": ": no such file or directory\n", "": "",
	} {
		if got := tr.at(at).transcript("x|hidden|file", o, nil); got != want {
			t.Errorf("%s: %q, not %q", at, got, want)
		}
	}
	got := tr.at("late").transcript("x", search.Options{}, nil)
	if !strings.HasSuffix(got, "x one\n is binary\n") || strings.Contains(got, "two") {
		t.Errorf("a file with a late NUL ends with %q", got[len(got)-20:])
	}
	o = search.Options{Output: search.Counts}
	for r := range tr.at("binary").results("x", o) {
		if r.Count != 3 || !r.Binary {
			t.Errorf("counts: %+v", r)
		}
	}
}

// TestManyMatches checks that the matches of a long line are read with the line, not one by one.
func TestManyMatches(t *testing.T) {
	const matches = 20_000
	reads := func() (n int) {
		counters, err := os.ReadFile("/proc/self/io")
		if err != nil {
			t.Skip("this system does not count reads: ", err)
		}
		_, after, _ := strings.Cut(string(counters), "syscr: ")
		if _, err := fmt.Sscan(after, &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	root := fixture.Make(t)
	for _, encode := range encodings() {
		write(t, root+"/f", encode(strings.Repeat("a foo ", matches)))
		before, found := reads(), 0
		for r := range open(t, root).results("foo", search.Options{Workers: -1}) {
			if r.Line.Number == 0 {
				continue
			}
			for span, err := range r.Line.Spans(math.MaxInt) {
				if err != nil {
					t.Fatal(err)
				}
				text, err := r.Line.Open()
				if err != nil {
					t.Fatal(err)
				}
				match := make([]byte, span.End-span.Start)
				if _, err := text.ReadAt(match, span.Start); err != nil || string(match) != "foo" {
					t.Fatalf("%q, %v", match, err)
				}
				found++
			}
		}
		if n := reads() - before; n > matches/10 || found != matches {
			t.Errorf("%d reads for %d matches", n, found)
		}
	}
}
