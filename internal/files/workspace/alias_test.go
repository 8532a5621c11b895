//go:build unix

package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
)

// TestAlias checks absolute paths that reach a root through symlinks outside.
func TestAlias(t *testing.T) {
	top := fixture.Make(t,
		"real/f", "real/sub/g", "real/link => sub/g", "real/dir => sub", "real/up => ..", "second/h",
		"out/x", "out/way => {root}/real", "out/deep/",
		"alias => {root}/real", "relative => out/../real", "chain => alias", "inner => {root}/real/sub",
		"slash => real/", "file => real/f", "toway => out/way",
		"tolink => real/link", "other => second", "dots => out/none/../../real", "outward => out",
		"gone => none", "loop => loop", "ping => pong", "pong => ping",
		"pipe|", "proc => /proc/self/cwd", "above => .", "parent => ..")
	w := mustOpen(t, nativeBackend(), Options{}, top+"/real", top+"/second")
	for _, item := range items(`
		alias/f = real/f, alias/sub/g = real/sub/g, relative/f = real/f, chain/f = real/f,
		inner/g = real/sub/g, slash/f = real/f, file = real/f, toway/f = real/f,
		out/way/f = real/f, tolink = real/sub/g, other/h = second/h, above/real/f = real/f,
		above/alias/f = real/f, alias//sub/./g = real/sub/g, alias/dir/g = real/sub/g,
		alias/dir/../f = real/f, alias/../second/h = second/h, inner/../f = real/f,
		none/../alias/f = real/f, out/../alias/f = real/f, outward/../alias/f = real/f,
		pipe/../alias/f = real/f, loop/../../{base}/alias/f = real/f, alias/none = !missing,
		alias/f/x = !notdir, alias/f/ = !notdir, alias/sub = !isdir, alias = !isdir,
		alias/up/out/x = !outside, alias/up/alias/f = !outside, alias/../out/x = !outside,
		alias/../alias/f = !outside, out = !outside, out/x = !outside, out/none = !outside,
		outward = !outside, outward/x = !outside, outward/none = !outside, gone = !outside,
		gone/x = !outside, loop = !outside, ping/x = !outside, pipe = !outside,
		pipe/x = !outside, proc = !outside, proc/alias.go = !outside, dots/f = !outside,
		parent = !outside, parent/none = !outside, above = !outside,  = !outside,
		real2 = !outside
	`) {
		path, want, _ := strings.Cut(strings.ReplaceAll(item, "{base}", filepath.Base(top)), " = ")
		if got := readAt(w, top+"/"+strings.Trim(path, `"`)); got != want {
			t.Errorf("%s: %s, not %s", path, got, want)
		}
	}
}

// TestAliasOfNestedRoots checks that a path through a symlink belongs to the same root as the path
// without it.
func TestAliasOfNestedRoots(t *testing.T) {
	top := fixture.Make(t, "w/in/f", "alias => w", "inner => w/in")
	w := mustOpen(t, nativeBackend(), Options{}, top+"/w/in", top+"/w")
	for path, want := range map[string]int{"alias/in/f": 0, "inner/f": 0, "alias/in": 0, "alias": 1} {
		p, err := w.Find(top + "/" + path)
		if err != nil || p.root.index != want {
			t.Errorf("%s: %v, root %d, not %d", path, err, p.root.index, want)
		}
	}
}

func TestAliasAndDenyPatterns(t *testing.T) {
	top := fixture.Make(t, "w/secret/f", "alias => w", "inner => w/secret", "file => w/secret/f")
	w := mustOpen(t, nativeBackend(), Options{Deny: []string{"secret/**"}}, top+"/w")
	for _, path := range []string{"alias/secret/f", "inner/f", "file"} {
		if got := readAt(w, top+"/"+path); got != "!denied" {
			t.Errorf("%s: %s", path, got)
		}
	}
}

// TestAliasOnAnotherFileSystem checks that only file systems of roots and of directories above them
// are entered.
func TestAliasOnAnotherFileSystem(t *testing.T) {
	top := fixture.Make(t, "w/f")
	t.Chdir(top)
	if _, err := os.Readlink("/proc/self/cwd"); err != nil {
		t.Skip("there is no /proc here: ", err)
	}
	w := mustOpen(t, nativeBackend(), Options{}, top+"/w")
	for _, path := range []string{
		"/proc/self/cwd/w/f", "/proc/self/cwd/none", "/proc/self/root" + top + "/w/f", "/proc/none",
	} {
		if got := readAt(w, path); got != "!outside" {
			t.Errorf("%s: %s", path, got)
		}
	}
}

// TestAliasIsBounded checks the limits on directories and symlinks outside.
func TestAliasIsBounded(t *testing.T) {
	const around = "out/../"
	entries := []string{"w/f", "out/x", "l0 => w", "far => " + strings.Repeat(around, 500) + "out"}
	for i := range maxLinks + 1 {
		entries = append(entries, fmt.Sprintf("l%d => l%d", i+1, i))
	}
	top := fixture.Make(t, entries...)
	w := mustOpen(t, nativeBackend(), Options{}, top+"/w")
	for path, want := range map[string]string{
		"l39/f":                                 "w/f",
		"l40/f":                                 "!outside",
		strings.Repeat("far/../", 10) + "l0/f":  "w/f",
		strings.Repeat("far/../", 100) + "l0/f": "!outside", // more directories than are inspected
		strings.Repeat("out/../", (maxPath-len(top)-10)/7) + "l0/f":  "w/f",
		strings.Repeat("none/../", (maxPath-len(top)-10)/8) + "l0/f": "w/f",
	} {
		if got := readAt(w, top+"/"+path); got != want {
			t.Errorf("%.20s: %s, not %s", path, got, want)
		}
	}
}

// readAt returns the content of the file at path, or the short form of an error.
func readAt(w *Workspace, path string) string {
	content, err := lookFile(w, path)
	if err != nil {
		return word(err)
	}
	return content
}
