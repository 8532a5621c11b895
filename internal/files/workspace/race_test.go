//go:build unix

package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gander/internal/testkit/fixture"
)

// TestRace reads by paths and from directories while entries are exchanged for links outside, links
// to denied entries and FIFOs, or moved outside and back. Nothing outside may be read or described,
// and nothing denied may be read. Waiting for a writer of the FIFO would time out the test.
func TestRace(t *testing.T) {
	const outside = "outside-the-workspace" // longer than the content of any file inside
	onEach(t, func(t *testing.T, b backend) {
		root := fixture.Make(t,
			"w/dir/leaf", "w/dir/sub/leaf", "w/dir.other => ../"+outside, "w/link => dir/sub",
			"w/open/leaf", "w/open/sub/leaf", "w/open.other => secret", "w/secret/leaf",
			"w/secret/sub/leaf", "w/secret/marked", "w/moving/sub/leaf", "w/moving/leaf",
			"w/file", "w/fifo|", "w/pipe|", "w/leaf", "w/alias",
			outside+"/leaf", outside+"/sub/leaf", outside+"/marked", outside+"/sub/marked",
		)
		w := mustOpen(t, b, Options{Deny: []string{"secret", "**/*.pem"}}, root+"/w")
		var over atomic.Bool
		time.AfterFunc(700*time.Millisecond, func() { over.Store(true) })
		var all sync.WaitGroup
		for _, change := range []func() error{
			exchange(root+"/w/dir", root+"/w/dir.other"),
			exchange(root+"/w/open", root+"/w/open.other"),
			func() error {
				sub, away := root+"/w/moving/sub", root+"/"+outside+"/moved"
				return errors.Join(os.Rename(sub, away), os.Rename(away, sub))
			},
			alternate(root+"/w/leaf", root+"/w/file", "../"+outside+"/leaf", os.Symlink),
			alternate(root+"/w/alias", root+"/w/file", "secret/leaf", os.Symlink),
			alternate(root+"/w/pipe", root+"/w/file", root+"/w/fifo", os.Link),
		} {
			all.Go(func() {
				for !over.Load() && !t.Failed() {
					if err := change(); err != nil {
						t.Error(err)
					}
				}
			})
		}
		for _, read := range []func(*testing.T, *Workspace, int64) int{readPaths, readDirectories} {
			all.Go(func() {
				results := 0
				for !over.Load() && !t.Failed() {
					results += read(t, w, int64(len(outside)))
				}
				if results == 0 {
					t.Error("nothing was ever read")
				}
			})
		}
		all.Wait()
	})
}

// exchange returns a function that renames link to dir and back.
func exchange(dir, link string) func() error {
	away := dir + ".away"
	return func() error {
		return errors.Join(os.Rename(dir, away), os.Rename(link, dir),
			os.Rename(dir, link), os.Rename(away, dir))
	}
}

// alternate returns a function that atomically replaces the entry at path, first by a link to other
// created with link, then by a hard link to file.
func alternate(path, file, other string, link func(target, path string) error) func() error {
	return func() error {
		return errors.Join(
			link(other, path+".new"), os.Rename(path+".new", path),
			os.Link(file, path+".new"), os.Rename(path+".new", path),
		)
	}
}

// checkFile checks the content of a file, which is its path in the fixture, and returns 1 if it was
// read.
func checkFile(t *testing.T, path string, f *File, err error) int {
	t.Helper()
	if err != nil {
		return 0
	}
	if info, err := f.Info(); err != nil || info.Kind != Regular {
		t.Errorf("%s: opened %v, %v", path, info, err)
	}
	content, err := contentOf(f)
	if err != nil {
		return 0
	}
	if !strings.HasPrefix(content, "w/") || strings.HasPrefix(content, "w/secret") {
		t.Errorf("%s: read %q", path, content)
	}
	return 1
}

// readPaths reads and describes files by their paths, and returns how often it succeeded. No file
// inside is as long as limit.
func readPaths(t *testing.T, w *Workspace, limit int64) (results int) {
	for path := range strings.FieldsSeq("leaf dir/leaf dir/sub/leaf link/leaf dir/sub/../leaf " +
		"open/leaf open/sub/leaf moving/sub/../leaf moving/sub/../../leaf alias pipe") {
		l := Must(w.Find(context.Background(), path))
		f, err := l.File()
		results += checkFile(t, path, f, err)
		info, err := l.Lstat()
		if err == nil && info.Kind == Regular && info.Size >= limit {
			t.Errorf("%s: described as %v", path, info)
		}
	}
	return results
}

// readDirectories lists directories and opens their entries, also after they were released, and
// returns how many files it read.
func readDirectories(t *testing.T, w *Workspace, _ int64) (results int) {
	top := Must(find(w, ""))
	defer top.Close()
	for path := range strings.FieldsSeq(". dir open link dir/sub/.. top:dir top:open") {
		open := func() (*Dir, error) { return find(w, path) }
		if name, inTop := strings.CutPrefix(path, "top:"); inTop {
			open = func() (*Dir, error) { return top.Open(name) }
		}
		d, err := open()
		if err != nil {
			continue
		}
		for range 2 {
			if names, _ := namesOf(d); slices.Contains(names, "marked") {
				t.Errorf("%s: listed %q", d.Path(), names)
			}
			for _, name := range []string{"leaf", "pipe"} {
				f, err := d.File(name, Regular)
				results += checkFile(t, d.Path()+"/"+name, f, err)
			}
			d.Release()
		}
		_ = d.Close()
	}
	return results
}

// TestReplacedLink replaces a symlink before its target is read. The calls must find the entry that
// is there now, and none may say that a regular file is not regular.
func TestReplacedLink(t *testing.T) {
	onEach(t, func(t *testing.T, b backend) {
		for name, use := range map[string]func(Location) error{
			"Stat":    func(l Location) error { return ignoring(l.Stat()) },
			"Details": func(l Location) error { return ignoring(l.Details()) },
			"Resolve": func(l Location) error { return ignoring(l.Resolve()) },
			"File":    func(l Location) error { return closed(l.File()) },
			"Dir":     func(l Location) error { return closed(l.Dir()) },
		} {
			root := fixture.Make(t, "file", "dir/", "l => none")
			replacement := root + "/file"
			if name == "Dir" {
				replacement = root + "/dir"
			}
			w := Must(open(native(), hooked(b, func(call, _ string) error {
				if call != "readlink" {
					return nil
				}
				return errors.Join(os.Remove(root+"/l"), os.Rename(replacement, root+"/l"))
			}), Options{}, root))
			defer w.Close()
			if err := use(Must(w.Find(t.Context(), "l"))); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// TestVanishedLink removes a symlink before its target is read.
func TestVanishedLink(t *testing.T) {
	onEach(t, func(t *testing.T, b backend) {
		root := fixture.Make(t, "l => none")
		w := Must(open(native(), hooked(b, func(call, _ string) error {
			if call != "readlink" {
				return nil
			}
			return os.Remove(root + "/l")
		}), Options{}, root))
		defer w.Close()
		if info, err := Must(w.Find(t.Context(), "l")).Stat(); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("got %v, %v", info, err)
		}
	})
}
