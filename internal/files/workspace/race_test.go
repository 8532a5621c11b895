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
// outside and back. Nothing outside may be read.
func TestRace(t *testing.T) {
	onEach(t, func(t *testing.T, b backend) {
		root := fixture.Make(t,
			"w/dir/leaf", "w/dir/sub/leaf", "w/dir.other => ../out", "w/file", "w/fifo|", "w/leaf", "w/pipe|", "w/link => dir/sub",
			"w/moving/sub/leaf", "w/moving/leaf", "out/leaf", "out/sub/leaf", "out/outside", "out/sub/outside", "out/moving/",
		)
		race(t, mustOpen(t, b, Options{}, root+"/w"), []func() error{
			func() error {
				dir, link, away := root+"/w/dir", root+"/w/dir.other", root+"/w/dir.away"
				return rename(dir, away, link, dir, dir, link, away, dir)
			},
			func() error {
				sub, away := root+"/w/moving/sub", root+"/out/moving/sub"
				return rename(sub, away, away, sub)
			},
			func() error {
				return errors.Join(replace(root+"/w/leaf", "../out/leaf", os.Symlink), replace(root+"/w/leaf", root+"/w/file", os.Link))
			},
			func() error {
				return errors.Join(replace(root+"/w/pipe", root+"/w/fifo", os.Link), replace(root+"/w/pipe", root+"/w/file", os.Link))
			},
		}, readPaths, readPipe, readDirectory, readAttributes)
	})
}

// TestRaceDeny reads while files and directories are exchanged for links to denied ones. Nothing
// denied may be opened, by path or from an open directory.
func TestRaceDeny(t *testing.T) {
	onEach(t, func(t *testing.T, b backend) {
		root := fixture.Make(t, "w/file", "w/leaf", "w/dir/key", "w/dir/sub/key", "w/dir.other => secret", "w/secret/key", "w/secret/sub/key", "w/secret/denied")
		race(t, mustOpen(t, b, Options{Deny: []string{"secret", "**/*.pem"}}, root+"/w"), []func() error{
			func() error {
				return errors.Join(replace(root+"/w/leaf", "secret/key", os.Symlink), replace(root+"/w/leaf", root+"/w/file", os.Link))
			},
			func() error {
				dir, link, away := root+"/w/dir", root+"/w/dir.other", root+"/w/dir.away"
				return rename(dir, away, link, dir, dir, link, away, dir)
			},
		}, readAllowed, readAllowed)
	})
}

// race repeats all changes and reads concurrently, and fails if nothing was ever read.
// GANDER_RACE sets how long it takes, for example "30s".
func race(t *testing.T, w *Workspace, changes []func() error, reads ...func(*testing.T, *Workspace) bool) {
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
	var rounds, answers atomic.Int64
	for _, read := range reads {
		all.Go(func() {
			for !over.Load() && !t.Failed() {
				rounds.Add(1)
				if read(t, w) {
					answers.Add(1)
				}
			}
		})
	}
	all.Wait()
	t.Logf("%d of %d rounds read something", answers.Load(), rounds.Load())
	if answers.Load() == 0 {
		t.Error("nothing was ever read")
	}
}

// readAllowed reads files by their paths and from open directories, and reports whether it could
// read any.
func readAllowed(t *testing.T, w *Workspace) (read bool) {
	check := func(path, content string, err error) {
		if err == nil && strings.HasPrefix(content, "w/secret") {
			t.Errorf("%s: read %q, which is denied", path, content)
		}
		read = read || err == nil
	}
	for _, path := range []string{"leaf", "dir/key", "dir/sub/key"} {
		content, err := lookFile(w, path)
		check(path, content, err)
	}
	top, err := find(w, "")
	if err != nil {
		t.Error(err)
		return false
	}
	defer top.Close()
	if f, err := top.File("leaf", Regular); err == nil {
		content, err := contentOf(f)
		check("the entry leaf", content, err)
	}
	for _, open := range []func() (*Dir, error){
		func() (*Dir, error) { return find(w, "dir") },
		func() (*Dir, error) { return top.Open("dir") },
	} {
		d, err := open()
		if err != nil {
			continue
		}
		if names, _ := namesOf(d); slices.Contains(names, "denied") {
			t.Errorf("listed a denied directory: %q", names)
		}
		if f, err := d.File("key", Regular); err == nil {
			content, err := contentOf(f)
			check("the entry dir/key", content, err)
		}
		_ = d.Close()
	}
	return read
}

// rename renames in steps of two paths each.
func rename(paths ...string) error {
	var err error
	for i := 0; i < len(paths); i += 2 {
		err = errors.Join(err, os.Rename(paths[i], paths[i+1]))
	}
	return err
}

// replace replaces the file at path in one step by what make makes of target.
func replace(path, target string, make func(target, path string) error) error {
	return errors.Join(make(target, path+".new"), os.Rename(path+".new", path))
}

// readPaths reads files by their paths and reports whether it could read any.
func readPaths(t *testing.T, w *Workspace) (met bool) {
	for _, path := range []string{"dir/leaf", "dir/sub/leaf", "leaf", "link/leaf", "dir/sub/../leaf", "moving/sub/../leaf", "moving/sub/../../leaf", "dir/"} {
		content, err := lookFile(w, path)
		if err == nil && !strings.HasPrefix(content, "w/") {
			t.Errorf("%s: read %q", path, content)
		}
		met = met || err == nil
	}
	return met
}

// readPipe opens an entry that is a file at one moment and a FIFO at the next. Waiting for a writer
// of the FIFO would time out the test.
func readPipe(t *testing.T, w *Workspace) (met bool) {
	for range 20 {
		p, err := w.Find("pipe")
		if err != nil {
			t.Error(err)
			return false
		}
		f, err := p.File()
		if err != nil {
			continue
		}
		met = true
		if info, err := f.Info(); err != nil || info.Kind != Regular {
			t.Errorf("opened %v, %v", info, err)
		}
		_ = f.Close()
	}
	return met
}

// readDirectory lists directories and opens their entries.
func readDirectory(t *testing.T, w *Workspace) (met bool) {
	top, err := find(w, "")
	if err != nil {
		t.Error(err)
		return false
	}
	defer top.Close()
	for _, open := range []func() (*Dir, error){
		func() (*Dir, error) { return find(w, "dir") },
		func() (*Dir, error) { return find(w, "link") },
		func() (*Dir, error) { return find(w, "dir/sub/..") },
		func() (*Dir, error) { return top.Open("dir") },
	} {
		d, err := open()
		if err != nil {
			continue
		}
		met = true
		for range 2 {
			names, _ := namesOf(d)
			for _, name := range names {
				if strings.HasPrefix(name, "outside") {
					t.Errorf("listed %q", names)
				}
			}
			if f, err := d.File("leaf", Regular); err == nil {
				if content, err := contentOf(f); err == nil && !strings.HasPrefix(content, "w/") {
					t.Errorf("read %q in a directory", content)
				}
			}
			d.Release()
		}
		_ = d.Close()
	}
	return met
}

// readAttributes checks sizes. Each file is as long as its path in the fixture, so those outside
// are longer.
func readAttributes(t *testing.T, w *Workspace) (met bool) {
	top, err := find(w, "")
	if err != nil {
		t.Error(err)
		return false
	}
	defer top.Close()
	for path, size := range map[string]int64{"dir/leaf": 10, "leaf": 6, "dir/sub/leaf": 14, "link/leaf": 14} {
		p, err := w.Find(path)
		if err != nil {
			t.Error(err)
			return false
		}
		for _, look := range []func() (Info, error){p.Stat, p.Lstat, func() (Info, error) { return top.Stat(path) }} {
			info, err := look()
			if err == nil && info.Kind == Regular && info.Size != size {
				t.Errorf("%s: described as %v", path, info)
			}
			met = met || err == nil && info.Kind == Regular
		}
	}
	return met
}
