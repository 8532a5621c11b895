package workspace

import (
	"errors"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"gander/internal/testkit/fixture"
)

// A subject is a directory or file that values are cached of.
type subject struct {
	name  string
	path  string // of it, in a fixture of "d/f", "d/sub/f" and "other/f"
	entry func(t *testing.T, w *Workspace) *CacheEntry
	keeps func(magic int64) bool
}

func subjects() []subject {
	return []subject{
		{"directory", "d", func(t *testing.T, w *Workspace) *CacheEntry {
			r, err := mustFind(t, w, "d").CacheEntry("order", 0)
			if err != nil {
				t.Fatal(err)
			}
			return &r
		}, keepsDirectories},
		{"file", "d/f", func(t *testing.T, w *Workspace) *CacheEntry {
			r := mustFile(t, w, "d/f").CacheEntry("lines")
			return &r
		}, keepsFiles},
	}
}

func mustFile(t *testing.T, w *Workspace, path string) *File {
	t.Helper()
	p, err := w.Find(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := p.File()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// kept reports the result of keeps for the file system at path.
func kept(t *testing.T, path string, keeps func(int64) bool) bool {
	t.Helper()
	var fs unix.Statfs_t
	if err := unix.Statfs(path, &fs); err != nil {
		t.Fatal(err)
	}
	return keeps(int64(fs.Type))
}

// tick is longer than the granularity of file systems' clocks here: a change a tick later gives
// another version.
const tick = 25 * time.Millisecond

// withCache opens a workspace with a cache that takes a version for stable after a tick.
func withCache(t *testing.T, root string) *Workspace {
	t.Helper()
	w := mustOpen(t, nativeBackend(), Options{CacheBytes: 1000}, root)
	w.cache.now = func() time.Time { return time.Now().Add(stableAge - tick) }
	return w
}

// TestCacheEntry checks that a cached value is used only while its file or directory is unchanged.
func TestCacheEntry(t *testing.T) {
	touch := func(path string) error {
		info, err := os.Stat(path)
		return errors.Join(err, os.Chtimes(path, time.Now(), info.ModTime()))
	}
	write := func(path string) error { return os.WriteFile(path, []byte("f/d"), 0o644) }
	back := func(path string, change func(string) error) error {
		info, err := os.Stat(path)
		return errors.Join(err, change(path), os.Chtimes(path, time.Time{}, info.ModTime()))
	}
	for _, tt := range []struct {
		subject, name string
		change        func(root string) error
		used          bool
	}{
		{"directory", "nothing", func(string) error { return nil }, true},
		{"directory", "a file read", func(root string) error { _, err := os.ReadFile(root + "/d/f"); return err }, true},
		{"directory", "a file's content", func(root string) error { return write(root + "/d/f") }, true},
		{"directory", "a subdirectory's entries", func(root string) error { return os.Remove(root + "/d/sub/f") }, true},
		{"directory", "an entry more", func(root string) error { return write(root + "/d/g") }, false},
		{"directory", "an entry less", func(root string) error { return os.Remove(root + "/d/f") }, false},
		{"directory", "another name", func(root string) error { return os.Rename(root+"/d/f", root+"/d/g") }, false},
		{"directory", "another kind", func(root string) error {
			return errors.Join(os.Remove(root+"/d/f"), os.Mkdir(root+"/d/f", 0o755))
		}, false},
		{"directory", "another entry, with the old time", func(root string) error {
			return back(root+"/d", func(path string) error { return os.Rename(path+"/f", path+"/g") })
		}, false},
		{"directory", "another directory", func(root string) error {
			return errors.Join(os.Rename(root+"/d", root+"/e"), os.Rename(root+"/other", root+"/d"))
		}, false},
		{"directory", "its permissions", func(root string) error { return os.Chmod(root+"/d", 0o700) }, false},
		{"file", "nothing", func(string) error { return nil }, true},
		{"file", "its content", func(root string) error { return write(root + "/d/f") }, false},
		{"file", "its content, with the old time", func(root string) error { return back(root+"/d/f", write) }, false},
		{"file", "its size", func(root string) error { return os.Truncate(root+"/d/f", 1) }, false},
		{"file", "another file", func(root string) error { return os.Rename(root+"/other/f", root+"/d/f") }, false},
		{"file", "its times", func(root string) error { return touch(root + "/d/f") }, false},
	} {
		for _, s := range subjects() {
			if s.name != tt.subject {
				continue
			}
			t.Run(s.name+", "+tt.name, func(t *testing.T) {
				t.Parallel() // they wait most of the time
				root := fixture.Make(t, "d/f", "d/sub/f", "other/f")
				keeps := kept(t, root, s.keeps)
				w := withCache(t, root)
				time.Sleep(2 * tick)
				s.entry(t, w).Store("value", 1)
				if err := tt.change(root); err != nil {
					t.Fatal(err)
				}
				if used := s.entry(t, w).Value() != nil; used != (tt.used && keeps) {
					t.Errorf("used: %v", used)
				}
				time.Sleep(2 * tick)
				r := s.entry(t, w)
				if used := r.Value() != nil; used != (tt.used && keeps) || r.Valid() != keeps {
					t.Errorf("used later: %v; valid: %v", used, r.Valid())
				}
			})
		}
	}
}

// TestStore checks that nothing is cached of a file that may have changed while it was read, or
// that may still change without a new version.
func TestStore(t *testing.T) {
	for _, s := range subjects() {
		made := time.Now()
		root := fixture.Make(t, "d/f", "d/sub/f", "other/f")
		if !kept(t, root, s.keeps) {
			t.Logf("%s: this file system keeps no versions of it", s.name)
			continue
		}
		w := withCache(t, root)
		r := s.entry(t, w)
		r.Store("fresh", 1)
		if time.Since(made) >= tick {
			t.Logf("%s: the machine is too slow to read it before it has settled", s.name)
			continue
		}
		if r.Valid() || r.Value() != nil || w.cache.used > 0 {
			t.Errorf("%s: something is cached although it has only just changed", s.name)
		}
		time.Sleep(2 * tick)
		if r = s.entry(t, w); !r.Valid() || r.Value() != nil {
			t.Errorf("%s: valid: %v, has cached %v before anything was kept", s.name, r.Valid(), r.Value())
		}
		if err := os.Chmod(root+"/"+s.path, 0o700); err != nil {
			t.Fatal(err)
		}
		r.Store("stale", 1)
		if r.Valid() || w.cache.used > 0 {
			t.Errorf("%s: something is cached although it has changed meanwhile", s.name)
		}
		time.Sleep(2 * tick)
		s.entry(t, w).Store("settled", 1)
		if got := s.entry(t, w).Value(); got != "settled" {
			t.Errorf("%s: has cached %v", s.name, got)
		}
		w.cache.now = func() time.Time { return time.Now().Add(time.Hour) } // a clock that is wrong
		r = s.entry(t, w)
		time.Sleep(2 * tick)
		if err := os.Chmod(root+"/"+s.path, 0o755); err != nil {
			t.Fatal(err)
		}
		r.Store("stale", 1)
		if got := s.entry(t, w).Value(); got != nil || r.Valid() {
			t.Errorf("%s: has cached %v although it has changed meanwhile", s.name, got)
		}
		time.Sleep(2 * tick)
		w.cache.now = func() time.Time { return time.Now().Add(stableAge - tick) }
		s.entry(t, w).Store("settled", 1)
		w.cache.now = time.Now
		if got := s.entry(t, w).Value(); got != nil {
			t.Errorf("%s: uses %v although it has only just changed", s.name, got)
		}
	}
}

// TestCacheKeys checks that values are distinguished by file and name.
func TestCacheKeys(t *testing.T) {
	root := fixture.Make(t, "a/f", "b/f")
	if !kept(t, root, keepsDirectories) {
		t.Skip("this file system keeps no versions")
	}
	w := withCache(t, root)
	time.Sleep(2 * tick)
	entry := func(dir, what string) *CacheEntry {
		r, err := mustFind(t, w, dir).CacheEntry(what, 0)
		if err != nil {
			t.Fatal(err)
		}
		return &r
	}
	entry("a", "order").Store("order of a", 1)
	entry("a", "other").Store("other of a", 1)
	entry("b", "order").Store("order of b", 1)
	for _, tt := range []struct {
		dir, what string
		want      any
	}{{"a", "order", "order of a"}, {"a", "other", "other of a"}, {"b", "order", "order of b"}, {"b", "other", nil}} {
		if got := entry(tt.dir, tt.what).Value(); got != tt.want {
			t.Errorf("%s of %s: %v, want %v", tt.what, tt.dir, got, tt.want)
		}
	}
	entry("b", "large").Store("large", 999)
	if entry("a", "order").Value() != nil || entry("b", "order").Value() != "order of b" || entry("b", "large").Value() != "large" {
		t.Errorf("over its budget, the least recently used value is not dropped")
	}
	entry("b", "order").Store("much too large", 1001)
	if got := entry("b", "order").Value(); got != nil {
		t.Errorf("has cached %v beyond its budget", got)
	}
}

// TestNothingCached checks that nothing is cached without a budget, by the root backend, or on
// other file systems.
func TestNothingCached(t *testing.T) {
	root := fixture.Make(t, "d/f")
	for _, tt := range []struct {
		name string
		w    *Workspace
		path string
	}{
		{"no budget", mustOpen(t, nativeBackend(), Options{}, root), "d"},
		{"root backend", mustOpen(t, rootBackend{}, Options{CacheBytes: 1000}, root), "d"},
		{"/proc", mustOpen(t, nativeBackend(), Options{CacheBytes: 1000}, "/proc"), "sys/kernel"},
	} {
		if tt.w.cache != nil {
			tt.w.cache.now = func() time.Time { return time.Now().Add(time.Hour) }
		}
		for range 2 {
			r, err := mustFind(t, tt.w, tt.path).CacheEntry("order", 0)
			if err != nil {
				t.Fatal(err)
			}
			if r.Value() != nil || r.Valid() {
				t.Errorf("%s: %v is cached, valid: %v", tt.name, r.Value(), r.Valid())
			}
			r.Store("value", 1)
		}
	}
	for _, magic := range []int64{unix.NFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.FUSE_SUPER_MAGIC, unix.V9FS_MAGIC, unix.CEPH_SUPER_MAGIC, unix.MSDOS_SUPER_MAGIC, unix.OVERLAYFS_SUPER_MAGIC} {
		if keepsFiles(magic) || keepsDirectories(magic) {
			t.Errorf("the file system %#x is trusted", magic)
		}
	}
}
