package lookup

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"gander/internal/files/workspace"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
)

// TestMissingNextTo looks for missing files behind a broken link and in a second root.
func TestMissingNextTo(t *testing.T) {
	if testing.Short() {
		t.Skip("Wine describes broken links as missing files")
	}
	base := t.TempDir()
	root, second := filepath.Join(base, "first"), filepath.Join(base, "second")
	tooltest.Write(t, root, "a/x.go")
	tooltest.Write(t, second, "b/y.go")
	if err := os.Symlink("nowhere", filepath.Join(root, "a", "broken")); err != nil {
		t.Skip("no symlinks: ", err)
	}
	w := tooltest.Workspace(t, nil, root, second)
	shown := filepath.ToSlash(second)
	for given, want := range map[string]string{
		"a/broken/x":          "no a/broken/x, because a/broken is a link that cannot be followed",
		"a/broken/x.go":       "there is no a/broken/x.go; did you mean a/x.go?",
		second + "/c/y.go":    "; did you mean " + shown + "/b/y.go?",
		second + "/c/nothing": `find_files pattern="nothing" path="` + shown + `" looks everywhere`,
	} {
		_, err := newPaths(t, w).Find(t.Context(), given)
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", given, err, want)
		}
	}
}

// TestSurveyIsBounded makes calls in a tree that is too large for the rest of their surveys. No
// file is suggested, because another may have the name.
func TestSurveyIsBounded(t *testing.T) {
	root := t.TempDir()
	tooltest.Write(t, root, "a/b/x.go")
	for i := range 20 {
		tooltest.Write(t, root, fmt.Sprintf("d%d/", i))
	}
	w := tooltest.Workspace(t, nil, root)
	c := newPaths(t, w)
	c.Surveyed.Entries = MaxSurveyed - 10*EnteredCost
	for range 3 {
		_, err := c.Find(t.Context(), "b/x.go")
		if err == nil || strings.Contains(err.Error(), "did you mean") {
			t.Errorf("got %v", err)
		}
	}
	if c.Surveyed.Entries > MaxSurveyed+3*EnteredCost {
		t.Errorf("the surveys have listed %d entries", c.Surveyed.Entries-MaxSurveyed)
	}
}

// respell returns a name as someone else could write it: composed or not, in other letters, and
// with other spaces and quotation marks.
func respell(r *rand.Rand, name string) string {
	if r.IntN(2) == 0 {
		name = norm.NFD.String(name)
	} else {
		name = norm.NFC.String(name)
	}
	if r.IntN(3) == 0 {
		name = strings.ToUpper(name)
	}
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	var b strings.Builder
	for _, c := range name {
		switch c {
		case ' ', '\u00a0', '\u202f':
			b.WriteString(pick(" ", "\u00a0", "\u202f"))
		case '\'', '’', '‘':
			b.WriteString(pick("'", "’", "‘"))
		case '"', '“', '”':
			b.WriteString(pick("“", "”"))
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// TestAlike finds files by names that only one file can mean, in any spelling. A name that two
// files can mean finds neither, and a denied file is found by none.
func TestAlike(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the system itself finds names in other case")
	}
	root := t.TempDir()
	names := []string{
		"Résumé d’été.txt", "Shot at 1.01.11\u202fAM.png", "naïve “quoted” façade.md", "Ordner/Größe.txt",
		"sub dir\u00a0x/crème brûlée.go",
	}
	tooltest.Write(t, root, append(names, "twice", "TWICE", "clé secrète.pem", "Čas/a")...)
	w := tooltest.Workspace(t, []string{"clé*"}, root)
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		name := names[r.IntN(len(names))]
		spelled := respell(r, name)
		found, err := newPaths(t, w).Find(t.Context(), spelled)
		if err != nil || found.Location.Path() != name {
			t.Fatalf("%q: %q, %v", spelled, found.Location.Path(), err)
		}
		if isSame := spelled == name; isSame != (found.AlikeClause() == "") {
			t.Errorf("%q: the clause is %q", spelled, found.AlikeClause())
		}
		secret := respell(r, "clé secrète.pem")
		if found, err := newPaths(t, w).Find(t.Context(), secret); err == nil {
			if f, err := found.Location.File(); err == nil {
				f.Close()
				t.Errorf("%q: a denied file is opened", secret)
			}
		}
	}
	for _, given := range []string{"Twice", "none"} {
		if found, err := newPaths(t, w).Find(t.Context(), given); err == nil {
			t.Errorf("%s: found %s", given, found.Location.Path())
		}
	}
}

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
