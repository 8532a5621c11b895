//go:build unix

package library

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// listed returns a listing as lines: the path, a mark for its type, and the kind of its error.
func listed(listing iter.Seq2[gander.Entry, error]) []string {
	var lines []string
	for e, err := range listing {
		line := e.Path
		switch {
		case e == gander.Entry{}:
		case e.IsDir():
			line += "/"
		case e.Type() == fs.ModeSymlink:
			line += "@"
		case e.Type() == fs.ModeIrregular:
			line += "?"
		}
		var failure *tool.Error
		if errors.As(err, &failure) {
			line += " " + string(failure.Kind)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestList(t *testing.T) {
	root := fixture.Make(t, "a/x", "a-b", "a.txt", "a0/deep/er", "secret/key", "out => /etc", "in => a", "pipe|", "b\xff")
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Sandbox: gander.Sandbox{Deny: []string{"secret"}}})
	dirs := func(e gander.Entry) bool { return e.IsDir() }
	for _, c := range []struct {
		name, dir string
		options   gander.ListOptions
		want      []string
	}{
		{"the zero value", ".", gander.ListOptions{}, []string{"a/", "a-b", "a.txt", "a0/", "b\xff", "in@", "out@", "pipe?", "secret/"}},
		{"depth first", root, gander.ListOptions{Depth: -1}, []string{"a/", "a/x", "a-b", "a.txt", "a0/", "a0/deep/", "a0/deep/er", "b\xff", "in@", "out@", "pipe?", "secret/ denied"}},
		{"directories first", ".", gander.ListOptions{Depth: 2, Order: gander.DirectoriesFirst}, []string{"a/", "a/x", "a0/", "a0/deep/", "secret/ denied", "a-b", "a.txt", "b\xff", "in@", "out@", "pipe?"}},
		{"by path", ".", gander.ListOptions{Depth: -1, Order: gander.PathOrder}, []string{"a/", "a-b", "a.txt", "a/x", "a0/", "a0/deep/", "a0/deep/er", "b\xff", "in@", "out@", "pipe?", "secret/", "secret/ denied"}},
		{"limit", ".", gander.ListOptions{Depth: -1, Limit: 3}, []string{"a/", "a/x", "a-b"}},
		{"filter", ".", gander.ListOptions{Depth: -1, Keep: dirs}, []string{"a/", "a0/", "a0/deep/", "secret/ denied"}},
		{"filter and limit", ".", gander.ListOptions{Depth: -1, Keep: dirs, Limit: 2}, []string{"a/", "a0/"}},
		{"filter keeps from entering", ".", gander.ListOptions{Depth: -1, Keep: func(e gander.Entry) bool { return !e.IsDir() || e.Name() == "a" }}, []string{"a/", "a/x", "a-b", "a.txt", "b\xff", "in@", "out@", "pipe?"}},
		{"through a link", "in", gander.ListOptions{}, []string{"x"}},
		{"a directory below", "a0", gander.ListOptions{Depth: -1}, []string{"deep/", "deep/er"}},

		{"missing", "none", gander.ListOptions{}, []string{" not_found"}},
		{"a file", "a.txt", gander.ListOptions{}, []string{" not_a_directory"}},
		{"outside", "/etc", gander.ListOptions{}, []string{" outside"}},
		{"outside by a link", "out", gander.ListOptions{}, []string{" outside"}},
		{"denied", "secret", gander.ListOptions{}, []string{" denied"}},
		{"no path", "a\x00", gander.ListOptions{}, []string{" bad_arguments"}},
	} {
		if diff := cmp.Diff(c.want, listed(toolset.List(t.Context(), c.dir, c.options))); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
	}
}

func TestListErrors(t *testing.T) {
	root := fixture.Make(t, "d/a")
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}})
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	for _, c := range []struct {
		ctx  context.Context
		dir  string
		want error
		kind tool.Kind
	}{
		{t.Context(), "none", fs.ErrNotExist, tool.NotFound},
		{t.Context(), "..", tool.ErrOutside, tool.Outside},
		{cancelled, ".", context.Canceled, tool.Cancelled},
		{late, ".", context.DeadlineExceeded, tool.Timeout},
	} {
		n := 0
		for e, err := range toolset.List(c.ctx, c.dir, gander.ListOptions{}) {
			var failure *tool.Error
			_, noInfo := e.Info()
			if n++; e != (gander.Entry{}) || noInfo == nil || !errors.Is(err, c.want) || !errors.As(err, &failure) || failure.Kind != c.kind {
				t.Errorf("%s: got %v, %v", c.dir, e, err)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d entries", c.dir, n)
		}
	}
}

// TestListEnds: a listing that the caller breaks off leaves no handle open, and its entries still give their information.
func TestListEnds(t *testing.T) {
	root := fixture.Make(t, "d/e/a", "d/e/b", "d/f")
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}})
	before := handles(t)
	var entries []gander.Entry
	for range 50 {
		for e, err := range toolset.List(t.Context(), "d", gander.ListOptions{Depth: 2}) {
			if err != nil {
				t.Fatal(err)
			}
			if entries = append(entries, e); e.Depth == 2 {
				break
			}
		}
	}
	if after := handles(t); after != before {
		t.Errorf("%d handles are open, %d before", after, before)
	}
	last := entries[len(entries)-1]
	if info, err := last.Info(); err != nil || last.Path != "e/a" || info.Name() != "a" || info.Size() != int64(len("d/e/a")) || !info.Mode().IsRegular() {
		t.Errorf("%s: %v, %v", last.Path, info, err)
	}
	if err := os.RemoveAll(filepath.Join(root, "d")); err != nil {
		t.Fatal(err)
	}
	if _, err := last.Info(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a removed entry: %v", err)
	}
}

// handles returns the number of file handles of this process.
func handles(t *testing.T) int {
	t.Helper()
	names, err := os.ReadDir("/dev/fd")
	if err != nil {
		t.Skip("this platform does not tell which files are open: ", err)
	}
	return len(names)
}

// TestListAsWalked: List finds the entries and information that filepath.WalkDir finds.
func TestListAsWalked(t *testing.T) {
	toolset := testkit.Open(t, gander.Options{Roots: []string{"../../internal"}})
	var want, got []string
	err := filepath.WalkDir("../../internal", func(path string, d fs.DirEntry, err error) error {
		if rel, _ := filepath.Rel("../../internal", path); rel != "." && err == nil {
			info, err := d.Info()
			if err != nil {
				return err
			}
			want = append(want, fmt.Sprint(filepath.ToSlash(rel), d.Type(), info.Size(), info.ModTime()))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range toolset.List(t.Context(), ".", gander.ListOptions{Depth: -1}) {
		if err != nil {
			t.Fatal(err)
		}
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(e.Path, e.Type(), info.Size(), info.ModTime()))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestFS(t *testing.T) {
	root := fixture.Make(t, "a/x", "a/y/z", "b", "in => a", "a/up => ../b", "empty/")
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}})
	for dir, expected := range map[string][]string{
		".": {"a/x", "a/y/z", "b", "in", "empty"}, root: {"b"}, "a": {"x", "y/z", "up"}, "in": {"x"}, "empty": nil,
	} {
		files, err := toolset.FS(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := fstest.TestFS(files, expected...); err != nil {
			t.Errorf("%s: %v", dir, err)
		}
	}
	for dir, want := range map[string]error{"none": fs.ErrNotExist, "/etc": tool.ErrOutside, "..": tool.ErrOutside} {
		var failure *tool.Error
		if files, err := toolset.FS(dir); files != nil || !errors.Is(err, want) || !errors.As(err, &failure) {
			t.Errorf("%s: %v, %v", dir, files, err)
		}
	}
}

// TestFSAsDirFS: where nothing is forbidden, FS gives what [os.DirFS] gives.
func TestFSAsDirFS(t *testing.T) {
	toolset := testkit.Open(t, gander.Options{Roots: []string{"../../testdata/sample"}})
	files, err := toolset.FS(".")
	if err != nil {
		t.Fatal(err)
	}
	walk := func(files fs.FS) (lines []string) {
		err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				lines = append(lines, fmt.Sprint(path, d.IsDir(), err))
				return err
			}
			data, err := fs.ReadFile(files, path)
			info, statErr := fs.Stat(files, path)
			target, linkErr := fs.ReadLink(files, path)
			isLink := linkErr == nil
			lines = append(lines, fmt.Sprintf("%s %v %q %v %d %v %v %q %v", path, d.Type(), data, err, info.Size(), info.ModTime(), statErr, target, isLink))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return lines
	}
	if diff := cmp.Diff(walk(os.DirFS("../../testdata/sample")), walk(files)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestFSConfined: no name leads out of the workspace, and no special file is opened.
func TestFSConfined(t *testing.T) {
	root := fixture.Make(t, "w/a", "w/d/", "w/.ssh/id", "w/pipe|", "w/socket=", "w/etc => /etc", "w/passwd => /etc/passwd", "w/up => ..", "w/d/sibling => ../../s", "w/loop => loop", "w/alias => .ssh/id", "w/absolute => {root}/w/a", "s")
	if err := os.WriteFile(filepath.Join(root, "w", "bad\xff"), nil, 0o600); err != nil {
		t.Skip("this file system has only names in UTF-8: ", err)
	}
	toolset := testkit.Open(t, gander.Options{Roots: []string{filepath.Join(root, "w")}})
	files, err := toolset.FS(".")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{
		"etc": tool.ErrOutside, "etc/passwd": tool.ErrOutside, "passwd": tool.ErrOutside, "up": tool.ErrOutside, "up/s": tool.ErrOutside, "up/none": tool.ErrOutside, "d/sibling": tool.ErrOutside,
		".ssh": fs.ErrPermission, ".ssh/id": fs.ErrPermission, "alias": fs.ErrPermission,
		"none": fs.ErrNotExist, "a/b": nil, "loop": nil, "pipe": nil, "socket": nil,
		"..": fs.ErrInvalid, "/etc": fs.ErrInvalid, "a/": fs.ErrInvalid, "d/../a": fs.ErrInvalid, "": fs.ErrInvalid, "a\x00": fs.ErrInvalid, "bad\xff": fs.ErrInvalid,
	} {
		f, err := files.Open(name)
		var failure *fs.PathError
		if err == nil || f != nil || !errors.As(err, &failure) || failure.Path != name || want != nil && !errors.Is(err, want) {
			t.Errorf("%q: opened %v, %v", name, f, err)
		}
		if err != nil && strings.Contains(err.Error(), root) {
			t.Errorf("%q: the error names the directory: %v", name, err)
		}
	}
	for _, name := range []string{"a", "absolute"} {
		if data, err := fs.ReadFile(files, name); err != nil || string(data) != "w/a" {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	var names []string
	entries, err := fs.ReadDir(files, ".")
	for _, e := range entries {
		names = append(names, e.Type().String()[:1]+e.Name())
	}
	want := []string{"d.ssh", "-a", "Labsolute", "Lalias", "dd", "Letc", "Lloop", "Lpasswd", "?pipe", "?socket", "Lup"}
	if diff := cmp.Diff(want, names); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
}

// TestFSFiles: files can be sought in and served over HTTP, and cannot be used after they are closed.
func TestFSFiles(t *testing.T) {
	root := fixture.Make(t, "abcdef", "d/")
	files, err := testkit.Open(t, gander.Options{Roots: []string{root}}).FS(".")
	if err != nil {
		t.Fatal(err)
	}
	f, err := files.Open("abcdef")
	if err != nil {
		t.Fatal(err)
	}
	seeker := f.(io.ReadSeeker)
	for _, c := range []struct {
		offset int64
		whence int
		at     int64
		rest   string
	}{{2, io.SeekStart, 2, "cdef"}, {-1, io.SeekEnd, 5, "f"}, {-2, io.SeekCurrent, 4, "ef"}, {9, io.SeekStart, 9, ""}} {
		at, err := seeker.Seek(c.offset, c.whence)
		rest, readErr := io.ReadAll(f)
		if at != c.at || string(rest) != c.rest || err != nil || readErr != nil {
			t.Errorf("%v: at %d %q, %v, %v", c, at, rest, err, readErr)
		}
	}
	for _, whence := range []int{io.SeekStart, 7} {
		if _, err := seeker.Seek(-1, whence); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("a seek to nowhere: %v", err)
		}
	}
	d, err := files.Open("d")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []fs.File{f, d} {
		if err := file.Close(); err != nil {
			t.Error(err)
		}
		_, statErr := file.Stat()
		_, readErr := file.Read(make([]byte, 1))
		if err := file.Close(); err == nil || statErr == nil || readErr == nil {
			t.Errorf("a closed file: close %v, stat %v, read %v", err, statErr, readErr)
		}
	}
	if entries, err := d.(fs.ReadDirFile).ReadDir(-1); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a closed directory: %v, %v", entries, err)
	}
	response := httptest.NewRecorder()
	request := httptest.NewRequest(http.MethodGet, "/abcdef", nil)
	request.Header.Set("Range", "bytes=1-2")
	http.FileServerFS(files).ServeHTTP(response, request)
	if got := response.Body.String(); got != "bc" {
		t.Errorf("over HTTP: %q", got)
	}
}
