package native

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gander/internal/testkit/tooltest"
	"gander/tool"
)

func TestFind(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no file names with line feeds")
	}
	base := t.TempDir()
	root, other := filepath.Join(base, "home", "repo"), filepath.Join(base, "other")
	write(t, root, "src/main.go", "src/a:1", "src/a", "a b.txt", "~x", "at@", "new\nline",
		`new\nline`, "src/sub/")
	write(t, other, "x/y.txt")
	write(t, base, "outside.txt")
	for link, to := range map[string]string{
		"link": "src/main.go", "dir": "src",
		"out": "../../outside.txt", "gone": "nowhere", "loop": "loop", "again": "link",
	} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Skip("no symlinks: ", err)
		}
	}
	f := &files{workspace: tooltest.Workspace(t, []string{"**/*.pem", "secret/**"}, root,
		other), settings: Settings{Home: filepath.Join(base, "home")}}
	write(t, root, "secret/x", "k.pem")
	for link, want := range map[string]string{
		"link": "src/main.go", "again": "src/main.go", "dir": "src/", "out": "", "gone": "", "loop": "",
	} {
		at, err := f.locate(link)
		if got := f.linkTarget(at); err != nil || got != want {
			t.Errorf("%s leads to %q, %v, want %q", link, got, err, want)
		}
	}
	outside := " is outside the workspace; give a path relative to " + root +
		", or an absolute one in " + other
	for given, want := range map[string]string{
		"":                                   ".",
		".":                                  ".",
		"./":                                 ".",
		root:                                 ".",
		root + "/":                           ".",
		"src":                                "src",
		"./src//main.go":                     "src/main.go",
		"src/main.go/":                       "src/main.go",
		"nowhere/../src/main.go":             "src/main.go",
		"link/../a b.txt":                    "a b.txt",
		root + "/src/../src/main.go":         "src/main.go",
		"file://" + root + "/a%20b.txt":      "a b.txt",
		"file://localhost" + root + "/src":   "src",
		"~":                                  "home is outside, so .",
		"~/repo/src/main.go":                 "src/main.go",
		"~/src/main.go":                      "src/main.go",
		"~x":                                 "~x",
		"src/main.go:12":                     "src/main.go 12",
		"src/main.go:12:5":                   "src/main.go 12 5",
		"./src/main.go:12:5":                 "src/main.go 12 5",
		root + "/src/main.go:12":             "src/main.go 12",
		"file://" + root + "/src/main.go:12": "src/main.go 12",
		"src/a:1":                            "src/a:1",
		"src/a:1:2":                          "src/a:1 2",
		"src/a:2":                            "src/a 2",
		"link@":                              "link",
		"at@":                                "at@",
		`new\nline`:                          `new\nline`,
		"new\nline":                          `new\nline`,
		`new\\nline`:                         `new\\nline`,
		`src\main.go`:                        "src/main.go",
		`src\main.go:3`:                      "src/main.go 3",
		"link":                               "link",
		"dir/main.go":                        "dir/main.go",
		"out":                                "out cannot be followed",
		"gone":                               "gone cannot be followed",
		"loop":                               "loop cannot be followed",
		other:                                other,
		other + "/x/y.txt":                   other + "/x/y.txt",
		"../../other/x":                      other + "/x",
		"k.pem":                              "k.pem",

		"src/mian.go":    "there is no src/mian.go; did you mean src/main.go?",
		"src/mian.go:12": "there is no src/mian.go:12; did you mean src/main.go?",
		"scr/main.go":    "there is no scr/main.go, because there is no scr; did you mean src?",
		"src/main.go/x":  "there is no src/main.go/x; src/main.go is a file",
		"src/zzz": `there is no src/zzz; list_dir path="src" shows what is there, ` +
			`find_files pattern="zzz" looks everywhere`,
		"new\nlien":       `there is no new\nlien; did you mean new\nline, new\\nline?`,
		"/etc/passwd":     "/etc/passwd" + outside,
		"/src/main.go":    "/src/main.go" + outside,
		"../outside.txt":  "../outside.txt" + outside,
		"a\x00b":          "a path must not contain a NUL character",
		"secret/x":        "secret/x: denied by pattern secret/**",
		"secret/x/../../": ".",
	} {
		if given == "~" {
			want = "."
		}
		got := ""
		found, err := f.newCall(t).find(given)
		var failure *tool.Error
		switch {
		case errors.As(err, &failure):
			got = failure.Message
		case err != nil:
			t.Fatal(err)
		default:
			got = f.show(found.location)
			for _, n := range []int{found.span.line, found.span.column} {
				if n > 0 {
					got += " " + number(n)
				}
			}
			if found.linkErr != nil {
				got += " cannot be followed"
			}
		}
		if got != want {
			t.Errorf("%q\n got %s\nwant %s", given, got, want)
		}
	}
}

// TestNestedRoots checks that a path in the first root is relative to it, even if found through
// another root.
func TestNestedRoots(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of Unix")
	}
	outer := t.TempDir()
	write(t, outer, "in/x", "y")
	f := &files{workspace: tooltest.Workspace(t, nil, filepath.Join(outer, "in"), outer)}
	for rel, want := range map[string]string{
		".": outer, "y": outer + "/y", "in/x": "x",
		"in": outer + "/in",
	} {
		if got := f.showPath(1, rel); got != want {
			t.Errorf("%s: got %s, want %s", rel, got, want)
		}
		if _, err := f.newCall(t).find(f.showPath(1, rel)); err != nil {
			t.Error(err)
		}
	}
}

func TestLiterals(t *testing.T) {
	for _, tt := range []struct{ given, exact, windows string }{
		{"src/a.txt", "src/a.txt", "src/a.txt"},
		{`src\x41.txt`, `srcA.txt src\x41.txt`, `src\x41.txt srcA.txt`},
		{`src\a.txt`, "src\a.txt src\\a.txt", "src\\a.txt src\a.txt"},
		{`src\q.txt`, `src\q.txt`, `src\q.txt`},
	} {
		exact := strings.Join(literals(tt.given, false), " ")
		windows := strings.Join(literals(tt.given, true), " ")
		if exact != tt.exact || windows != tt.windows {
			t.Errorf("%q: %q and on Windows %q", tt.given, exact, windows)
		}
	}
}

// TestSpans checks which path endings select lines. All others are part of the name.
func TestSpans(t *testing.T) {
	for given, want := range map[string]string{
		"a:10-40": "[{a {10 0 40}}]", "a#L10": "[{a {10 0 0}}]", "a#L10-L40": "[{a {10 0 40}}]",
		"a#L10-40": "[{a {10 0 40}}]", "a:5-5": "[{a {5 0 5}}]", "a:7": "[{a {7 0 0}}]",
		"a:-7": "[{a {-7 0 0}}]", "a:7:8": "[{a:7 {8 0 0}} {a {7 8 0}}]",
		"a:0": "[]", "a:0-0": "[]", "a:10-0": "[]", "a:9-5": "[]", "a:-2-3": "[]", "a:5-": "[]",
		"a:+1": "[]", "a:1-+2": "[]", "a:99999999999999999999": "[]",
		"a:1-99999999999999999999": "[]",
		"a#L":                      "[]", "a#L-1": "[]", "a#L0": "[]", "a#L10-L0": "[]", "a#L9-L5": "[]",
		"a#L5-": "[]",
		":1":    "[]", "#L1": "[]", "a": "[]",
	} {
		if got := fmt.Sprint(cutSpan(given)); got != want {
			t.Errorf("%s: got %s, want %s", given, got, want)
		}
	}
}
