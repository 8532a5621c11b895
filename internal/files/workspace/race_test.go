//go:build unix

package workspace

import (
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gander/internal/testkit/fixture"
)

// TestRace reads while directories and files are exchanged for links outside and FIFOs, and moved
// outside and back. No outside content may be read.
func TestRace(t *testing.T) {
	onEach(t, func(t *testing.T, b backend) {
		root := fixture.Make(t,
			"w/dir/leaf", "w/dir/sub/leaf", "w/dir.other => ../out", "w/file", "w/fifo|", "w/leaf",
			"w/pipe|", "w/link => dir/sub", "w/moving/sub/leaf", "w/moving/leaf",
			"out/leaf", "out/sub/leaf", "out/marked", "out/sub/marked", "out/moving/",
		)
		race(t, mustOpen(t, b, Options{}, root+"/w"), []func() error{
			exchange(root+"/w/dir", root+"/w/dir.other"),
			func() error {
				sub, away := root+"/w/moving/sub", root+"/out/moving/sub"
				return errors.Join(os.Rename(sub, away), os.Rename(away, sub))
			},
			alternate(root+"/w/leaf", root+"/w/file", "../out/leaf", os.Symlink),
			alternate(root+"/w/pipe", root+"/w/file", root+"/w/fifo", os.Link),
		})
	})
}

// TestRaceDeny reads while files and directories are exchanged for links to denied entries. No
// denied entry may be opened, by path or from an open directory.
func TestRaceDeny(t *testing.T) {
	onEach(t, func(t *testing.T, b backend) {
		root := fixture.Make(t,
			"w/file", "w/leaf", "w/dir/leaf", "w/dir/sub/leaf", "w/dir.other => secret", "w/pipe|",
			"w/secret/leaf", "w/secret/sub/leaf", "w/secret/marked",
		)
		o := Options{Deny: []string{"secret", "**/*.pem"}}
		race(t, mustOpen(t, b, o, root+"/w"), []func() error{
			exchange(root+"/w/dir", root+"/w/dir.other"),
			alternate(root+"/w/leaf", root+"/w/file", "secret/leaf", os.Symlink),
		})
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

// race repeats all changes concurrently while it reads by paths and from directories. It fails if
// every read fails. GANDER_RACE sets the duration, for example "30s".
func race(t *testing.T, w *Workspace, changes []func() error) {
	t.Helper()
	duration := 700 * time.Millisecond
	if s := os.Getenv("GANDER_RACE"); s != "" {
		var err error
		if duration, err = time.ParseDuration(s); err != nil {
			t.Fatal(err)
		}
	}
	var over atomic.Bool
	time.AfterFunc(duration, func() { over.Store(true) })
	var all sync.WaitGroup
	for _, change := range changes {
		all.Go(func() {
			for !over.Load() {
				if err := change(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for _, read := range []func(*testing.T, *Workspace) int{readPaths, readDirectories, readPipe} {
		all.Go(func() {
			results := 0
			for !over.Load() && !t.Failed() {
				results += read(t, w)
			}
			if results == 0 {
				t.Error("nothing was ever read")
			}
		})
	}
	all.Wait()
}

// checkContent checks the content of a file, which is its path in the fixture, and returns 1 if it
// was read.
func checkContent(t *testing.T, path, content string, err error) int {
	t.Helper()
	if err != nil {
		return 0
	}
	if !strings.HasPrefix(content, "w/") || strings.HasPrefix(content, "w/secret") {
		t.Errorf("%s: read %q", path, content)
	}
	return 1
}

// readPaths reads and describes files by their paths, and returns how often it succeeded. Files
// outside and denied files have other sizes.
func readPaths(t *testing.T, w *Workspace) (results int) {
	for path, size := range map[string]int64{
		"leaf": 6, "dir/leaf": 10, "dir/sub/leaf": 14, "link/leaf": 14, "dir/sub/../leaf": 10,
		"moving/sub/../leaf": 13, "moving/sub/../../leaf": 6, "dir/": 0,
	} {
		content, err := lookFile(w, path)
		results += checkContent(t, path, content, err)
		l, err := w.Find(path)
		if err != nil {
			t.Error(err)
		}
		info, err := l.Lstat()
		denied := len(w.deny.rules)+len(w.deny.names) > 0 // denied entries can be described
		if err == nil && info.Kind == Regular && info.Size != size && !denied {
			t.Errorf("%s: described as %v", path, info)
		}
	}
	return results
}

// readDirectories lists directories and opens their entries, also after they were released, and
// returns how many files it read.
func readDirectories(t *testing.T, w *Workspace) (results int) {
	top, err := find(w, "")
	if err != nil {
		t.Error(err)
		return 0
	}
	defer top.Close()
	for _, open := range []func() (*Dir, error){
		func() (*Dir, error) { return find(w, "") },
		func() (*Dir, error) { return find(w, "dir") },
		func() (*Dir, error) { return find(w, "link") },
		func() (*Dir, error) { return find(w, "dir/sub/..") },
		func() (*Dir, error) { return top.Open("dir") },
	} {
		d, err := open()
		if err != nil {
			continue
		}
		for range 2 {
			if names, _ := namesOf(d); slices.Contains(names, "marked") {
				t.Errorf("%s: listed %q", d.Path(), names)
			}
			if f, err := d.File("leaf", Regular); err == nil {
				content, err := contentOf(f)
				results += checkContent(t, d.Path()+"/leaf", content, err)
			}
			d.Release()
		}
		_ = d.Close()
	}
	return results
}

// readPipe opens an entry that alternates between a file and a FIFO. Waiting for a writer of the
// FIFO would time out the test.
func readPipe(t *testing.T, w *Workspace) (results int) {
	l, err := w.Find("pipe")
	if err != nil {
		t.Error(err)
	}
	f, err := l.File()
	switch {
	case errors.Is(err, ErrNotRegular):
		return 1
	case err != nil:
		return 0
	}
	defer f.Close()
	if info, err := f.Info(); err != nil || info.Kind != Regular {
		t.Errorf("opened %v, %v", info, err)
	}
	return 1
}
