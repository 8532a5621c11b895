package workspace

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"gander/internal/testkit/fixture"
)

// tick is longer than the granularity of the file system clocks, so that a change a tick later
// results in another version.
const tick = 25 * time.Millisecond

// SettleAfter sets the minimum age of a stable version to age.
func SettleAfter(w *Workspace, age time.Duration) {
	w.cache.now = func() time.Time { return time.Now().Add(stableAge - age) }
}

// HasCached reports whether w has cached a value with a name that starts with prefix.
func HasCached(w *Workspace, prefix string) bool {
	w.cache.mu.Lock()
	defer w.cache.mu.Unlock()
	for key := range w.cache.items {
		if strings.HasPrefix(key.what, prefix) {
			return true
		}
	}
	return false
}

// Keeps reports whether the file system at path keeps versions of directories and of files.
func Keeps(path string) (directories, files bool) {
	var fs unix.Statfs_t
	if unix.Statfs(path, &fs) != nil {
		return false, false
	}
	magic := int64(fs.Type)
	return slices.Contains(keepingDirectories, magic), slices.Contains(keepingFiles, magic)
}

// A testValue is a value of one byte.
type testValue string

func (testValue) CacheSize() int { return 1 }

// A cacheTest has a workspace whose versions are stable after a tick, with "d/f", "d/sub/f" and
// "other/f".
type cacheTest struct {
	*testing.T
	root string
	w    *Workspace
}

func newCacheTest(t *testing.T) cacheTest {
	root := fixture.Make(t, "d/f", "d/sub/f", "other/f")
	w := mustOpen(t, openNative, Options{CacheBytes: 1000}, root)
	SettleAfter(w, tick)
	return cacheTest{t, root, w}
}

// entry returns an entry for the directory d or the file d/f.
func (t cacheTest) entry(path string) CacheEntry {
	t.Helper()
	l := Must(t.w.Find(context.Background(), path))
	if path == "d/f" {
		f := Must(l.File())
		t.Cleanup(func() { _ = f.Close() })
		return f.CacheEntry("what")
	}
	e := Must(mustFind(t, t.w, path).CacheEntry("what", 0))
	return e
}

// keeps reports whether the file system records versions of the directory d or of the file d/f.
func (t cacheTest) keeps(path string) bool {
	directories, files := Keeps(t.root)
	return path == "d" && directories || path == "d/f" && files
}

// TestCacheEntry checks that a cached value is used only while its file or directory is unchanged.
func TestCacheEntry(t *testing.T) {
	for _, tt := range []struct {
		path, change string
		used         bool
	}{
		{"d", ":", true},
		{"d", "cat d/f", true},
		{"d", "echo x >d/f", true},
		{"d", "rm d/sub/f", true},
		{"d", "echo x >d/g", false},
		{"d", "rm d/f", false},
		{"d", "mv d/f d/g", false},
		{"d", "rm d/f && mkdir d/f", false},
		{"d", "touch -r d t && mv d/f d/g && touch -r t d", false},
		{"d", "mv d e && mv other d", false},
		{"d", "chmod 700 d", false},
		{"d/f", ":", true},
		{"d/f", "echo f/d >d/f", false},
		{"d/f", "touch -r d/f t && printf f/d >d/f && touch -r t d/f", false},
		{"d/f", "printf x >d/f", false},
		{"d/f", "mv other/f d/f", false},
		{"d/f", "touch d/f", false},
	} {
		t.Run(tt.path+", "+tt.change, func(t *testing.T) {
			t.Parallel() // mostly sleeps
			c := newCacheTest(t)
			keeps := c.keeps(tt.path)
			time.Sleep(2 * tick)
			e := c.entry(tt.path)
			e.Store(testValue("value"))
			run(t, c.root, tt.change)
			if e = c.entry(tt.path); (e.Value() != nil) != (tt.used && keeps) {
				t.Errorf("used: %v", e.Value())
			}
			time.Sleep(2 * tick)
			e = c.entry(tt.path)
			if used := e.Value() != nil; used != (tt.used && keeps) || e.Valid() != keeps {
				t.Errorf("used later: %v; valid: %v", used, e.Valid())
			}
		})
	}
}

// TestStore checks that Store does nothing if the file may have changed while it was read, or may
// still change without a new version.
func TestStore(t *testing.T) {
	for _, path := range []string{"d", "d/f"} {
		made := time.Now()
		c := newCacheTest(t)
		if !c.keeps(path) {
			t.Logf("%s: this file system keeps no versions of it", path)
			continue
		}
		check := func(e CacheEntry, when string, valid bool, want any) {
			t.Helper()
			e.Store(testValue("value"))
			if next := c.entry(path); e.Valid() != valid || next.Value() != want {
				t.Errorf("%s, %s: valid: %v; cached: %v", path, when, e.Valid(), next.Value())
			}
		}
		e := c.entry(path)
		e.Store(testValue("value"))
		if time.Since(made) >= tick {
			t.Logf("%s: the machine is too slow to read it before it is stable", path)
			continue
		}
		if e.Valid() || c.w.cache.used > 0 {
			t.Errorf("%s is cached although it has just changed", path)
		}
		time.Sleep(2 * tick)
		e = c.entry(path)
		run(t, c.root, "chmod 700 "+path)
		check(e, "changed meanwhile", false, nil)
		time.Sleep(2 * tick)
		check(c.entry(path), "stable", true, testValue("value"))
		c.w.cache.now = func() time.Time { return time.Now().Add(time.Hour) } // a wrong clock
		e = c.entry(path)
		time.Sleep(2 * tick)
		run(t, c.root, "chmod 755 "+path)
		check(e, "changed meanwhile, with a wrong clock", false, nil)
	}
}

// TestUncacheable checks that nothing is cached without a budget, by the root backend, or on
// other file systems.
func TestUncacheable(t *testing.T) {
	root := fixture.Make(t, "d/f")
	cached := Options{CacheBytes: 1000}
	for _, tt := range []struct {
		name string
		w    *Workspace
		path string
	}{
		{"no budget", mustOpen(t, openNative, Options{}, root), "d"},
		{"root backend", mustOpen(t, openRootDir, cached, root), "d"},
		{"/proc", mustOpen(t, openNative, cached, "/proc"), "sys/kernel"},
	} {
		if tt.w.cache != nil {
			tt.w.cache.now = func() time.Time { return time.Now().Add(time.Hour) }
		}
		for range 2 {
			e, err := mustFind(t, tt.w, tt.path).CacheEntry("order", 0)
			if err != nil || e.Value() != nil || e.Valid() {
				t.Errorf("%s: %v is cached, valid: %v, %v", tt.name, e.Value(), e.Valid(), err)
			}
			e.Store(testValue("value"))
		}
	}
	for _, magic := range []int64{
		unix.NFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.FUSE_SUPER_MAGIC, unix.V9FS_MAGIC,
		unix.CEPH_SUPER_MAGIC, unix.MSDOS_SUPER_MAGIC, unix.OVERLAYFS_SUPER_MAGIC,
	} {
		if slices.Contains(keepingDirectories, magic) {
			t.Errorf("the file system %#x is trusted", magic)
		}
	}
}
