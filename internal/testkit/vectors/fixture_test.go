//go:build unix

package vectors

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func ptr[T any](v T) *T { return &v }

// mustBuild builds the items for as long as t runs.
func mustBuild(t *testing.T, items ...Item) string {
	t.Helper()
	root, err := Build(t, items)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func lstat(t *testing.T, path string) fs.FileInfo {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func TestBuildFiles(t *testing.T) {
	items := []struct {
		item Item
		name string
		want string
	}{
		{Item{Path: "a.txt", Content: "one\n${ROOT}\n"}, "a.txt", "one\n${ROOT}\n"},
		{Item{Path: "deep/er/b"}, "deep/er/b", ""},
		{Item{Path: "c", ContentB64: []byte("\x00\xff")}, "c", "\x00\xff"},
		{Item{Path: "d", Repeat: &Repeat{Text: "{n}:{n},", From: 9, To: 11}}, "d", "9:9,10:10,11:11,"},
		{Item{PathB64: []byte("foo\xff"), Content: "x"}, "foo\xff", "x"},
		{Item{Path: " \\\n[*?]", Content: "y"}, " \\\n[*?]", "y"},
	}
	var all []Item
	for _, tt := range items {
		tt.item.Type = "file"
		all = append(all, tt.item)
	}
	root := mustBuild(t, all...)
	for _, tt := range items {
		got, err := os.ReadFile(filepath.Join(root, tt.name))
		if err != nil || string(got) != tt.want {
			t.Errorf("%q holds %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
}

func TestBuildKinds(t *testing.T) {
	root := mustBuild(t,
		Item{Path: ".", Type: "dir"},
		Item{Path: "d/e", Type: "dir"},
		Item{Path: "d", Type: "dir"},
		Item{Path: "p/pipe", Type: "fifo"},
		Item{Path: "l/rel", Type: "symlink", Target: "../d"},
		Item{Path: "abs", Type: "symlink", Target: "${ROOT}/d/../nowhere"},
		Item{Path: "raw", Type: "symlink", TargetB64: []byte("x\xff${ROOT}")},
		Item{Path: "l/rel/through", Type: "dir"},
	)
	kinds := map[string]fs.FileMode{
		"d": fs.ModeDir, "d/e": fs.ModeDir, "d/through": fs.ModeDir, "p/pipe": fs.ModeNamedPipe, "abs": fs.ModeSymlink,
	}
	for name, want := range kinds {
		if got := lstat(t, filepath.Join(root, name)).Mode().Type(); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	for name, want := range map[string]string{"l/rel": "../d", "abs": root + "/d/../nowhere", "raw": "x\xff${ROOT}"} {
		if got, err := os.Readlink(filepath.Join(root, name)); err != nil || got != want {
			t.Errorf("%s leads to %q, %v; want %q", name, got, err, want)
		}
	}
}

func TestBuildTimes(t *testing.T) {
	root := mustBuild(t,
		Item{Path: "d", Type: "dir", MtimeMS: ptr[int64](1700000000123)},
		Item{Path: "d/f", Type: "file"},
		Item{Path: "d/f", Type: "touch", MtimeMS: ptr[int64](1)},
		Item{Path: "d/f", Type: "touch", MtimeMS: ptr[int64](-86400001)},
		Item{Path: "own", Type: "symlink", Target: "d/f"},
		Item{Path: "own", Type: "touch", MtimeMS: ptr[int64](4102444800999), NoFollow: true},
		Item{Path: "out", Type: "symlink", Target: "/", MtimeMS: ptr[int64](5), NoFollow: true},
		Item{Path: "g", Type: "file"},
		Item{Path: "to-g", Type: "symlink", Target: "g", MtimeMS: ptr[int64](7)},
		Item{Path: "d/late", Type: "file"},
	)
	for name, want := range map[string]int64{"d": 1700000000123, "d/f": -86400001, "own": 4102444800999, "out": 5, "g": 7} {
		if got := lstat(t, filepath.Join(root, name)).ModTime(); !got.Equal(time.UnixMilli(want)) {
			t.Errorf("%s is of %d ms, want %d", name, got.UnixMilli(), want)
		}
	}
}

func TestBuildModes(t *testing.T) {
	var root string
	t.Run("built", func(t *testing.T) {
		root = mustBuild(t,
			Item{Path: "outer", Type: "dir", Mode: "0000"},
			Item{Path: "outer/inner", Type: "dir", Mode: "0111"},
			Item{Path: "outer/inner/f", Type: "file", Content: "x", Mode: "0440"},
			Item{Path: "listable", Type: "dir", Mode: "0444"},
			Item{Path: "listable/f", Type: "file"},
		)
		for name, want := range map[string]fs.FileMode{"outer": 0, "listable": 0o444} {
			if got := lstat(t, filepath.Join(root, name)).Mode().Perm(); got != want {
				t.Errorf("%s has the mode %o, want %o", name, got, want)
			}
		}
		if err := os.Chmod(filepath.Join(root, "outer"), 0o700); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]fs.FileMode{"outer/inner": 0o111, "outer/inner/f": 0o440} {
			if got := lstat(t, filepath.Join(root, name)).Mode().Perm(); got != want {
				t.Errorf("%s has the mode %o, want %o", name, got, want)
			}
		}
	})
	if _, err := os.Lstat(root); err == nil {
		t.Errorf("%s is still there after its test", root)
	}
}

func TestBuildRoot(t *testing.T) {
	outer := mustBuild(t, Item{Path: "real", Type: "dir"}, Item{Path: "link", Type: "symlink", Target: "real"})
	t.Run("by a link", func(t *testing.T) {
		t.Setenv("TMPDIR", outer+"/link")
		root := mustBuild(t)
		if !strings.HasPrefix(root, outer+"/real/") {
			t.Errorf("the root is %s, want it free of symlinks in %s/real", root, outer)
		}
		if entries, err := os.ReadDir(root); err != nil || len(entries) > 0 {
			t.Errorf("the root of no items holds %v, %v", entries, err)
		}
	})
}

func TestBuildRefusesRepository(t *testing.T) {
	for _, kind := range []string{"dir", "file", "fifo"} {
		repository := mustBuild(t, Item{Path: ".git", Type: kind}, Item{Path: "a/b", Type: "dir"})
		t.Run(kind, func(t *testing.T) {
			t.Setenv("TMPDIR", repository+"/a/b")
			if root, err := Build(t, nil); err == nil || !strings.Contains(err.Error(), "git repository "+repository) {
				t.Errorf("built in %s, %v", root, err)
			}
		})
	}
}

func TestBuildRefuses(t *testing.T) {
	tests := []struct {
		name  string
		items []Item
	}{
		{"unknown type", []Item{{Path: "a", Type: "socket"}}},
		{"no type", []Item{{Path: "a"}}},
		{"no path", []Item{{Type: "file"}}},
		{"absolute path", []Item{{Path: "/tmp/x", Type: "file"}}},
		{"path out of the fixture", []Item{{Path: "../x", Type: "fifo"}}},
		{"path out of the fixture by a link", []Item{{Path: "up", Type: "symlink", Target: ".."}, {Path: "up/x", Type: "file"}}},
		{"fifo out of the fixture by a link", []Item{{Path: "up", Type: "symlink", Target: ".."}, {Path: "up/x", Type: "fifo"}}},
		{"time out of the fixture by a link", []Item{{Path: "up", Type: "symlink", Target: ".."}, {Path: "up", Type: "touch", MtimeMS: ptr[int64](0)}}},
		{"mode out of the fixture by a link", []Item{{Path: "up", Type: "symlink", Target: "..", Mode: "0755"}}},
		{"a file twice", []Item{{Path: "a", Type: "file"}, {Path: "a", Type: "file"}}},
		{"a file in a file", []Item{{Path: "a", Type: "file"}, {Path: "a/b", Type: "file"}}},
		{"touch of nothing", []Item{{Path: "a", Type: "touch", MtimeMS: ptr[int64](0)}}},
		{"touch without a time", []Item{{Path: "a", Type: "file"}, {Path: "a", Type: "touch"}}},
		{"mode that is no mode", []Item{{Path: "a", Type: "file", Mode: "rwx"}}},
		{"mode beyond permissions", []Item{{Path: "a", Type: "file", Mode: "10755"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if root, err := Build(t, tt.items); err == nil {
				t.Errorf("built %s", root)
			}
		})
	}
}
