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

// Keeps reports whether the file system at path keeps versions of files.
func Keeps(path string) bool {
	var fs unix.Statfs_t
	return unix.Statfs(path, &fs) == nil && slices.Contains(keepingFiles, int64(fs.Type))
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

// entry returns an entry for the file d/f.
func (t cacheTest) entry() CacheEntry {
	t.Helper()
	f := Must(Must(t.w.Find(context.Background(), "d/f")).File())
	t.Cleanup(func() { _ = f.Close() })
	return f.CacheEntry("what")
}

// TestCacheEntry checks that a cached value is used only while its file is unchanged.
func TestCacheEntry(t *testing.T) {
	for change, isUsed := range map[string]bool{
		":":                    true,
		"cat d/f":              true,
		"echo f/d >d/f":        false,
		"printf x >d/f":        false,
		"mv other/f d/f":       false,
		"touch d/f":            false,
		"chmod 700 d/f":        false,
		"mv d e && mv other d": false,
		"touch -r d/f t && printf f/d >d/f && touch -r t d/f": false,
	} {
		t.Run(change, func(t *testing.T) {
			t.Parallel() // mostly sleeps
			c := newCacheTest(t)
			keeps := Keeps(c.root)
			time.Sleep(2 * tick)
			e := c.entry()
			e.Store(testValue("value"))
			run(t, c.root, change)
			if e = c.entry(); (e.Value() != nil) != (isUsed && keeps) {
				t.Errorf("used: %v", e.Value())
			}
			time.Sleep(2 * tick)
			e = c.entry()
			if used := e.Value() != nil; used != (isUsed && keeps) || e.Valid() != keeps {
				t.Errorf("used later: %v; valid: %v", used, e.Valid())
			}
		})
	}
}

// TestStore checks that Store does nothing if the file may have changed while it was read, or may
// still change without a new version.
func TestStore(t *testing.T) {
	made := time.Now()
	c := newCacheTest(t)
	if !Keeps(c.root) {
		t.Skip("this file system keeps no versions of files")
	}
	check := func(e CacheEntry, when string, valid bool, want any) {
		t.Helper()
		e.Store(testValue("value"))
		if next := c.entry(); e.Valid() != valid || next.Value() != want {
			t.Errorf("%s: valid: %v; cached: %v", when, e.Valid(), next.Value())
		}
	}
	e := c.entry()
	e.Store(testValue("value"))
	if time.Since(made) >= tick {
		t.Skip("the machine is too slow to read it before it is stable")
	}
	if e.Valid() || c.w.cache.used > 0 {
		t.Error("it is cached although it has just changed")
	}
	time.Sleep(2 * tick)
	e = c.entry()
	run(t, c.root, "chmod 700 d/f")
	check(e, "changed meanwhile", false, nil)
	time.Sleep(2 * tick)
	check(c.entry(), "stable", true, testValue("value"))
	c.w.cache.now = func() time.Time { return time.Now().Add(time.Hour) } // a wrong clock
	e = c.entry()
	time.Sleep(2 * tick)
	run(t, c.root, "chmod 755 d/f")
	check(e, "changed meanwhile, with a wrong clock", false, nil)
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
		{"no budget", mustOpen(t, openNative, Options{}, root), "d/f"},
		{"root backend", mustOpen(t, openRootDir, cached, root), "d/f"},
		{"/proc", mustOpen(t, openNative, cached, "/proc"), "version"},
	} {
		tt.w.cache.now = func() time.Time { return time.Now().Add(time.Hour) }
		for range 2 {
			f := Must(Must(tt.w.Find(context.Background(), tt.path)).File())
			e := f.CacheEntry("order")
			if e.Value() != nil || e.Valid() {
				t.Errorf("%s: %v is cached, valid: %v", tt.name, e.Value(), e.Valid())
			}
			e.Store(testValue("value"))
			_ = f.Close()
		}
	}
	for _, magic := range []int64{
		unix.NFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.FUSE_SUPER_MAGIC, unix.V9FS_MAGIC,
		unix.CEPH_SUPER_MAGIC, unix.MSDOS_SUPER_MAGIC, unix.OVERLAYFS_SUPER_MAGIC, unix.TMPFS_MAGIC,
	} {
		if slices.Contains(keepingFiles, magic) {
			t.Errorf("the file system %#x is trusted", magic)
		}
	}
}

func TestRetry(t *testing.T) {
	for last, want := range map[error]error{nil: nil, unix.EIO: unix.EIO, unix.ELOOP: ErrLoop} {
		results := []error{unix.EINTR, unix.EINTR, last, unix.EPERM}
		_, err := retry(func() (_ int, err error) {
			err, results = results[0], results[1:]
			return 0, err
		})
		if err != want || len(results) != 1 {
			t.Errorf("%v after two interruptions: %v; %d calls left", last, err, len(results))
		}
	}
}
