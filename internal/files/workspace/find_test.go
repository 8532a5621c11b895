package workspace

import (
	"errors"
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
	checkTrees(t, []tree{
		{
			name:    "one root",
			roots:   `w/proj`,
			entries: `w/proj/f, w/proj/d/g, w/proj_evil/f, w/projx, w/f, w/pro/f`,
			looks: `
				"" = 0:., . = 0:., ./ = 0:., f = w/proj/f, ./d//./g = w/proj/d/g, d = 0:d, d/ = 0:d,
				d// = 0:d, d/. = 0:d, {root}/w/proj = 0:., {root}/w/proj/ = 0:.,
				{root}/w/proj//f = w/proj/f, {root}//w/./proj/d/g = w/proj/d/g,
				{root}/w/proj_evil = !outside, {root}/w/proj_evil/f = !outside,
				{root}/w/projx = !outside, {root}/w/pro = !outside, {root}/w/pro/f = !outside,
				{root}/w = !outside, {root}/w/missing = !outside, / = !outside,
				/etc/passwd = !outside, missing = !missing, missing/f = !missing, f/x = !notdir,
				f/ = !notdir, f/. = !notdir, f/.. = !notdir, ~ = !missing, %2e%2e/f = !missing,
				" f" = !missing, "f " = !missing, "f\x00" = !bad,
				"{root}/w/proj/\x00/f" = !bad, "/outside\x00" = !bad
			`,
		},
		{
			name:    "backslashes and two slashes",
			unix:    true,
			roots:   `w`,
			entries: `w/d/g, f`,
			looks:   `d\g = !missing, ..\f = !missing, //{root}//w/d/g = w/d/g`,
		},
		{
			name:    "a root by a link",
			roots:   `lnk`,
			entries: `real/deep/f, real/f, lnk => real/deep, f, other => real/deep`,
			looks: `
				f = real/deep/f, {root}/lnk/f = real/deep/f, {root}/real/deep/f = real/deep/f,
				{root}/lnk = 0:., {root}/real/deep = 0:., {root}/real = !outside,
				{root}/real/f = !outside, {root}/f = !outside, {root}/lnk/../f = !outside,
				{root}/lnk/../deep/f = real/deep/f, {root}/lnk_/f = !outside,
				{root}/other/f = !outside, {root}/other/../real/deep/f = real/deep/f
			`,
		},
		{
			name:    "several roots",
			roots:   `a, b`,
			entries: `a/f, a/l => ../b/f, b/f, c/f`,
			looks: `
				f = a/f, {root}/a/f = a/f, {root}/b/f = b/f, {root}/b = 1:., {root}/c/f = !outside,
				../b/f = b/f, ../b = 1:., ../b/.. = !outside, ../b/../a/f = a/f, l = b/f @
			`,
		},
		{
			name:    "nested roots, the outer first",
			roots:   `a, a/b`,
			entries: `a/b/f, a/f`,
			looks:   `{root}/a/b = 0:b, {root}/a/b/f = a/b/f, {root}/a/b/../f = a/f`,
		},
		{
			name:    "nested roots, the inner first",
			roots:   `a/b, a`,
			entries: `a/b/f, a/f, a/b/l => ../f`,
			looks: `
				{root}/a/b = 0:., {root}/a = 1:., {root}/a/b/../f = a/f, ../f = a/f, .. = 1:.,
				../.. = !outside, ../b/f = a/b/f, l = a/f @
			`,
		},
		{
			name:    "a root with a slash at its end",
			roots:   `a/`,
			entries: `a/f, ab/f`,
			looks:   `{root}/a/f = a/f, {root}/ab/f = !outside`,
		},
		{
			name:    "one root twice",
			roots:   `a, a`,
			entries: `a/f`,
			looks:   `{root}/a/f = a/f, {root}/a = 0:.`,
		},
	})
	root := fixture.Make(t, "f")
	onEach(t, func(t *testing.T, b backend) {
		w := mustOpen(t, b, Options{}, root)
		results := map[string]error{
			strings.Repeat("./", 2047) + "f": nil,
			strings.Repeat("./", 2048) + "f": syscall.ENAMETOOLONG,
			"/" + strings.Repeat("x", 5000):  syscall.ENAMETOOLONG,
		}
		if runtime.GOOS != "windows" { // which has other errors for such names
			results[strings.Repeat("n", 255)] = fs.ErrNotExist
			results[strings.Repeat("n", 256)] = syscall.ENAMETOOLONG
		}
		for path, want := range results {
			if _, err := lookFile(w, path); !errors.Is(err, want) {
				t.Errorf("%.9s, %d bytes: %v", path, len(path), err)
			}
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

func TestFileSystemRoot(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no directory holds all drives")
	}
	root := fixture.Make(t, "d/f", "up => ../../../../../../../../..", "abs => {root}/d")
	onEach(t, func(t *testing.T, b backend) {
		checkLooks(t, mustOpen(t, b, Options{}, "/"), root, `
			/ = 0:., "" = 0:., .. = 0:., /../.. = 0:., ../../{root}/d/f = d/f, {root}/d/f = d/f,
			{root}/up = 0:. @, {root}/up/{root}/abs/f = d/f
		`)
	})
}

// TestRelativeRoot checks that a root given by a relative path has absolute paths.
func TestRelativeRoot(t *testing.T) {
	root := fixture.Make(t, "w/f", "lnk => w")
	t.Chdir(root + "/w")
	onEach(t, func(t *testing.T, b backend) {
		for _, dir := range []string{".", "", "../w", "../lnk/", "../w/../w/."} {
			w := mustOpen(t, b, Options{}, dir)
			checkLooks(t, w, root, `{root}/w/f = w/f, {root} = !outside`)
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

func TestOpenErrors(t *testing.T) {
	for _, tt := range []struct{ name, dirs, deny, message string }{
		{"no root", "", "", "at least one root"},
		{"a missing root", "a, none", "", "none: "},
		{"a file", "f", "", "f: not a directory"},
		{"a file with a slash", "f/", "", "f/: not a directory"},
		{"a FIFO", "pipe", "", "pipe: not a directory"},
		{"a link to a FIFO", "topipe", "", "topipe: not a directory"},
		{"a dangling link", "dangling", "", "dangling: "},
		{"a loop", "loop", "", "loop: "},
		{"an invalid pattern", "a", "**/x, ../x", `deny pattern "../x": no path has a component ".."`},
		{"a root with a denied name", "a/.ssh", "**/.ssh/**", `"**/.ssh/**"`},
		{"a root below a denied name", "a/.ssh/b", "**/.ssh/**", `"**/.ssh/**"`},
		{"a root with a denied path", "private", "{root}/private", "/private"},
		{"a root below a denied path", "private/sub", "{root}/private/**", "/private/**"},
		{"a root denied in another root", "., private/sub", "private/sub", `"private/sub"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			entries := []string{"f", "a/.ssh/b/", "private/sub/"}
			switch tt.dirs {
			case "pipe", "topipe":
				entries = append(entries, "pipe|", "topipe => pipe")
			case "dangling", "loop":
				entries = append(entries, "loop => loop", "dangling => none")
			}
			root := fixture.Make(t, entries...)
			var dirs []string
			for _, dir := range items(tt.dirs) {
				dirs = append(dirs, root+"/"+dir)
			}
			o := Options{Deny: items(strings.ReplaceAll(tt.deny, "{root}", root))}
			onEach(t, func(t *testing.T, b backend) {
				if w, err := open(native(), b, o, dirs...); err == nil || w != nil ||
					!strings.Contains(err.Error(), tt.message) {
					t.Errorf("got %v, %v; want %q in the error", w, err, tt.message)
				}
			})
		})
	}
}

// TestRootMoves checks that the workspace keeps using a root that is renamed or replaced.
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
			if got, err := w.HasAncestorEntry(0, name); got != want || err != nil {
				t.Errorf("HasAncestorEntry(%q) is %v, %v", name, got, err)
			}
		}
	})
}
