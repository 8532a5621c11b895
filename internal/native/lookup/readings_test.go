package lookup

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
)

// TestReadingOrder checks which of two existing files a path names. A path of a result names the
// file that the result was about; any other path names the file of that name.
func TestReadingOrder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a backslash is a separator")
	}
	root := fixture.Make(t, `aA`, `a\x41`, "b\nb", `b\nb`, `c\\c`, `c\c`, "d d", `d\x20d`, `e\x2`,
		"[m]", `\x5bm]`)
	w := tooltest.Workspace(t, nil, root)
	for given, want := range map[string]string{
		`a\x41`: `a\x41`, `b\nb`: "b\nb", `b\\nb`: `b\nb`, `c\\c`: `c\c`, `c\\\\c`: `c\\c`,
		`d\x20d`: `d\x20d`, `e\x2`: `e\x2`, `a\u0041`: "aA", `./a\x41`: `a\x41`, `\x5bm]`: "[m]",
	} {
		found, err := newPaths(t, w).Find(t.Context(), given)
		if err != nil || found.Location.Path() != want {
			t.Errorf("%q: %q, %v, want %q", given, found.Location.Path(), err, want)
		}
	}
}

func TestLiterals(t *testing.T) {
	for _, tt := range []struct{ given, exact, windows string }{
		{"src/a.txt", "src/a.txt", "src/a.txt"},
		{`src\x41.txt`, `src\x41.txt srcA.txt`, `src\x41.txt srcA.txt`},
		{`src\n.txt`, "src\n.txt src\\n.txt", "src\\n.txt src\n.txt"},
		{`src\q.txt`, `src\q.txt`, `src\q.txt`},
	} {
		exact := strings.Join(literals(tt.given, false), " ")
		windows := strings.Join(literals(tt.given, true), " ")
		if exact != tt.exact || windows != tt.windows {
			t.Errorf("%q: %q and on Windows %q", tt.given, exact, windows)
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
	tooltest.Write(t, outer, "in/x", "y")
	w := tooltest.Workspace(t, nil, filepath.Join(outer, "in"), outer)
	for rel, want := range map[string]string{
		".": outer, "y": outer + "/y", "in/x": "x", "in": outer + "/in",
	} {
		got := newPaths(t, w).RawPath(1, rel)
		if _, err := newPaths(t, w).Find(t.Context(), got); err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", rel, got, err, want)
		}
	}
}

// newPaths returns the paths of a call without a home.
func newPaths(t *testing.T, w *workspace.Workspace) *Paths {
	return &Paths{Workspace: w}
}
