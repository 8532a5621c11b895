package library

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"

	"github.com/google/go-cmp/cmp"
)

// skipMissing skips the test if an element of path is missing, because the system does not have
// such an entry.
func skipMissing(t *testing.T, path string, missing []string) {
	t.Helper()
	for name := range strings.SplitSeq(path, "/") {
		if slices.Contains(missing, name) {
			t.Skipf("this system has no such symlink, FIFO or socket: %s", name)
		}
	}
}

func TestFS(t *testing.T) {
	root, missing := fixture.MakePossible(t,
		"a/x", "a/y/z", "b", "in => a", "a/up => ../b", "empty/")
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}})
	for dir, expected := range map[string][]string{
		".": {"a/x", "a/y/z", "b", "in", "empty"}, root: {"b"}, "a": {"x", "y/z", "up"},
		"in": {"x"}, "empty": nil,
	} {
		t.Run(dir, func(t *testing.T) {
			skipMissing(t, dir, missing)
			expected := slices.DeleteFunc(expected, func(name string) bool {
				return slices.Contains(missing, filepath.Base(name))
			})
			files, err := toolset.Sub(dir)
			testkit.Must(t, err)
			if err := fstest.TestFS(files, expected...); err != nil {
				t.Error(err)
			}
		})
	}
	for dir, want := range map[string]error{
		"none": fs.ErrNotExist, "/etc": tool.ErrOutside, "..": tool.ErrOutside,
	} {
		var failure *tool.Error
		files, err := toolset.Sub(dir)
		if files != nil || !errors.Is(err, want) || !errors.As(err, &failure) {
			t.Errorf("%s: %v, %v", dir, files, err)
		}
	}
}

// TestFSAsDirFS compares FS with [os.DirFS] on a tree without forbidden files.
func TestFSAsDirFS(t *testing.T) {
	toolset := testkit.Open(t, gander.Options{Roots: []string{"../../testdata/sample"}})
	files := toolset.FS()
	walk := func(files fs.FS) (lines []string) {
		err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				lines = append(lines, fmt.Sprint(path, d.IsDir(), err))
				return err
			}
			data, err := fs.ReadFile(files, path)
			info, statErr := fs.Stat(files, path)
			target, linkErr := fs.ReadLink(files, path)
			lines = append(lines, fmt.Sprintf("%s %v %q %v %d %v %v %q %v", path, d.Type(), data, err,
				info.Size(), info.ModTime(), statErr, target, linkErr == nil))
			return nil
		})
		testkit.Must(t, err)
		return lines
	}
	if diff := cmp.Diff(walk(os.DirFS("../../testdata/sample")), walk(files)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestFSClosed checks that the file system of a closed toolset has all methods, and that they fail.
func TestFSClosed(t *testing.T) {
	toolset := testkit.Open(t, gander.Options{Roots: []string{t.TempDir()}})
	testkit.Must(t, toolset.Close())
	files := toolset.FS()
	_, openErr := files.Open("a")
	_, statErr := files.(fs.StatFS).Stat("a")
	_, readDirErr := files.(fs.ReadDirFS).ReadDir("a")
	_, readLinkErr := files.(fs.ReadLinkFS).ReadLink("a")
	_, lstatErr := files.(fs.ReadLinkFS).Lstat("a")
	for _, err := range []error{openErr, statErr, readDirErr, readLinkErr, lstatErr} {
		failure, ok := errors.AsType[*fs.PathError](err)
		if !ok || failure.Path != "a" || !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%v, want a path error that wraps %v", err, fs.ErrClosed)
		}
	}
}

// TestFSConfined checks that FS rejects paths outside the workspace and special files.
func TestFSConfined(t *testing.T) {
	tree := []string{
		"w/a", "w/d/", "w/.ssh/id", "w/pipe|", "w/socket=", "w/etc => /etc",
		"w/passwd => /etc/passwd", "w/up => ..", "w/d/sibling => ../../s", "w/loop => loop",
		"w/alias => .ssh/id", "w/absolute => {root}/w/a", "s",
	}
	if runtime.GOOS != "windows" { // which would replace the byte in the name
		tree = append(tree, "w/bad\xff")
	}
	root, missing := fixture.MakePossible(t, tree...)
	toolset := testkit.Open(t, gander.Options{Roots: []string{filepath.Join(root, "w")}})
	files := toolset.FS()
	for name, want := range map[string]error{
		"etc": tool.ErrOutside, "etc/passwd": tool.ErrOutside, "passwd": tool.ErrOutside,
		"up": tool.ErrOutside, "up/s": tool.ErrOutside, "up/none": tool.ErrOutside,
		"d/sibling": tool.ErrOutside,
		".ssh":      fs.ErrPermission, ".ssh/id": fs.ErrPermission, "alias": fs.ErrPermission,
		"none": fs.ErrNotExist, "a/b": nil, "loop": nil, "pipe": nil, "socket": nil,
		"..": fs.ErrInvalid, "/etc": fs.ErrInvalid, "a/": fs.ErrInvalid, "d/../a": fs.ErrInvalid,
		"": fs.ErrInvalid, "a\x00": fs.ErrInvalid, "bad\xff": fs.ErrInvalid,
	} {
		t.Run(name, func(t *testing.T) {
			if want != fs.ErrInvalid {
				skipMissing(t, name, missing)
			}
			f, err := files.Open(name)
			var failure *fs.PathError
			if err == nil || f != nil || !errors.As(err, &failure) || failure.Path != name ||
				want != nil && !errors.Is(err, want) {
				t.Errorf("%q: opened %v, %v", name, f, err)
			}
			if err != nil && strings.Contains(err.Error(), root) {
				t.Errorf("%q: the error names the directory: %v", name, err)
			}
		})
	}
	for _, name := range []string{"a", "absolute"} {
		t.Run(name, func(t *testing.T) {
			skipMissing(t, name, missing)
			if data, err := fs.ReadFile(files, name); err != nil || string(data) != "w/a" {
				t.Errorf("%q, %v", data, err)
			}
		})
	}
	var names []string
	entries, err := fs.ReadDir(files, ".")
	for _, e := range entries {
		names = append(names, e.Type().String()[:1]+e.Name())
	}
	want := strings.Fields("d.ssh -a Labsolute Lalias dd Letc Lloop Lpasswd ?pipe ?socket Lup")
	want = slices.DeleteFunc(want, func(entry string) bool {
		return slices.Contains(missing, entry[1:])
	})
	if diff := cmp.Diff(want, names); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
}

// TestFSFiles checks that files support Seek and http.FileServer, and return an error after Close.
func TestFSFiles(t *testing.T) {
	root := fixture.Make(t, "abcdef", "d/")
	files := testkit.Open(t, gander.Options{Roots: []string{root}}).FS()
	f, err := files.Open("abcdef")
	testkit.Must(t, err)
	seeker := f.(io.ReadSeeker)
	for _, c := range []struct {
		offset int64
		whence int
		at     int64
		rest   string
	}{
		{2, io.SeekStart, 2, "cdef"},
		{-1, io.SeekEnd, 5, "f"},
		{-2, io.SeekCurrent, 4, "ef"},
		{9, io.SeekStart, 9, ""},
	} {
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
	testkit.Must(t, err)
	for _, file := range []fs.File{f, d} {
		testkit.Must(t, file.Close())
		_, statErr := file.Stat()
		_, readErr := file.Read(make([]byte, 1))
		for _, err := range []error{file.Close(), statErr, readErr} {
			if !errors.Is(err, fs.ErrClosed) {
				t.Errorf("a closed file: %v", err)
			}
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
