package workspace

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"gander/internal/testkit/fixture"
)

func TestFind(t *testing.T) {
	checkTrees(t, "find")
	root := fixture.Make(t, "f")
	onEach(t, func(t *testing.T, b backend) {
		w := mustOpen(t, b, Options{}, root)
		checkFiles(t, w, map[error][]string{
			nil:                  {strings.Repeat("./", 2047) + "f"},
			syscall.ENAMETOOLONG: {strings.Repeat("./", 2048) + "f", "/" + strings.Repeat("x", 5000)},
		})
		if runtime.GOOS != "windows" { // which has other errors for such names
			checkFiles(t, w, map[error][]string{
				fs.ErrNotExist: {strings.Repeat("n", 255)}, syscall.ENAMETOOLONG: {strings.Repeat("n", 256)},
			})
		}
	})
}

// TestNarrowSpellings checks the absolute paths of a narrowed root: below both paths of the root
// that contains it, and through a symlink that it was specified by.
func TestNarrowSpellings(t *testing.T) {
	top := fixture.Make(t, "real/d/f", "real/link => d", "root => real", "other => real")
	onEach(t, func(t *testing.T, b backend) {
		w := mustOpen(t, b, Options{}, top+"/root")
		for dir, spellings := range map[string]string{
			"real/d": "real/d root/d", "root/d": "real/d root/d",
			"root/link": "real/d root/link real/link",
		} {
			narrow := Must(w.Narrow(top + "/" + dir))
			for spelling := range strings.FieldsSeq(spellings + " other/d") {
				want := "real/d/f"
				if spelling == "other/d" {
					want = "!outside"
				}
				if got := readAt(narrow, top+"/"+spelling+"/f"); got != want {
					t.Errorf("narrowed to %s: %s: got %s, want %s", dir, spelling, got, want)
				}
			}
			_ = narrow.Close()
		}
	})
}

// TestRelativeRoot checks that a root given by a relative path has absolute paths.
func TestRelativeRoot(t *testing.T) {
	root := fixture.Make(t, "w/f", "lnk => w")
	t.Chdir(root + "/w")
	onEach(t, func(t *testing.T, b backend) {
		for _, dir := range []string{".", "", "../w", "../lnk/", "../w/../w/."} {
			checkLooks(t, mustOpen(t, b, Options{}, dir), root, `{root}/w/f = w/f, {root} = !outside`)
		}
	})
}

func TestRoots(t *testing.T) {
	root := fixture.Make(t, "a/", "l => a")
	onEach(t, func(t *testing.T, b backend) {
		w := mustOpen(t, b, Options{}, root+"/l/", root+"/a/../a", root+"/l", root+"/a/")
		l, a := filepath.Join(root, "l"), filepath.Join(root, "a")
		for _, tt := range []struct{ got, want []string }{
			{w.Roots(), []string{l, a}},
			{w.Resolved(), []string{a, a}},
			{w.Spellings(), []string{l, a, a, l, a, a}},
		} {
			if !slices.Equal(tt.got, tt.want) {
				t.Errorf("the roots are %q, want %q", tt.got, tt.want)
			}
		}
	})
}

func TestOpenErrors(t *testing.T) { checkTrees(t, "open") }

// TestRootMoves checks that the workspace keeps using a renamed or replaced root.
func TestRootMoves(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a directory with open directories below it cannot be renamed")
	}
	onEach(t, func(t *testing.T, b backend) {
		root := fixture.Make(
			t, "w/f", "w/d/g", "w/abs => {root}/w/f", "w/up => ../w/d", "other/f", "other/d/g",
		)
		w := mustOpen(t, b, Options{}, root+"/w")
		d := mustFind(t, w, "d")
		for _, step := range [][2]string{{"w", "moved"}, {"other", "w"}} {
			if err := os.Rename(filepath.Join(root, step[0]), filepath.Join(root, step[1])); err != nil {
				t.Fatal(err)
			}
			checkLooks(t, w, root, `
			f = w/f, {root}/w/d/g = w/d/g, {root}/moved/f = !outside, {root}/other/f = !outside,
			abs = w/f @, up/g = w/d/g
		`)
			d.Release()
			f := Must(d.File("g", Unknown))
			if content, err := contentOf(f); err != nil || content != "w/d/g" {
				t.Errorf("the open directory's file holds %q, %v", content, err)
			}
		}
	})
}

func TestHasAncestorEntry(t *testing.T) {
	onEach(t, func(t *testing.T, b backend) {
		entries := []string{"a/dir/", "a/b/c/file", "second/only", "a/b/c/d/below"}
		if runtime.GOOS != "windows" {
			entries = append(entries, "a/b/c/dangling => none", "a/b/pipe|")
		}
		root := fixture.Make(t, entries...)
		w := mustOpen(t, b, Options{}, root+"/a/b/c", root+"/second")
		unix := len(entries) > 4
		for name, want := range map[string]bool{
			"file": true, "dangling": unix, "pipe": unix, "dir": true, "only": false, "below": false,
			"none-" + filepath.Base(root): false,
		} {
			if got, err := w.HasAncestorEntry(context.Background(), 0, name); got != want || err != nil {
				t.Errorf("HasAncestorEntry(%q) is %v, %v", name, got, err)
			}
		}
	})
}
