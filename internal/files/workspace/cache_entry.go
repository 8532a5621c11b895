package workspace

import "time"

// A fileID identifies a directory or file, whatever its name.
type fileID struct{ device, inode uint64 }

// A version identifies a state of a directory or file, as far as the system tells states apart.
type version struct {
	file              fileID
	size              int64
	modified, changed time.Time
}

// stableAge is the age from which a version is stable: two changes within the granularity of the file system's clock may
// leave the same times. It is the coarsest granularity in use.
const stableAge = 2 * time.Second

// isStable reports whether any change after now gives another version.
func (v version) isStable(now time.Time) bool {
	return v != version{} && now.Sub(v.changed) >= stableAge && now.Sub(v.modified) >= stableAge
}

// A versioned handle can tell the version of its file.
type versioned interface {
	// version returns the version that the file has now.
	version() (version, bool)
	// keepsVersions reports whether the file system is known to give every state of the file another version.
	keepsVersions() bool
}

// A CacheEntry is the place in the cache for one value computed from an open directory or file. It is made before the
// directory or file is read, and belongs to the goroutine that made it.
type CacheEntry struct {
	cache  *cache
	handle versioned // nil where nothing is cached
	what   string
	part   int
	made   time.Time
	seen   version // when the entry was made; zero if the cache was empty then
}

func (w *Workspace) cacheEntry(handle any, what string, part int) CacheEntry {
	e := CacheEntry{cache: w.cache, what: what, part: part}
	if w.cache == nil {
		return e
	}
	e.handle, _ = handle.(versioned)
	e.made = w.cache.now()
	if e.handle != nil && !w.cache.isEmpty() {
		e.seen, _ = e.handle.version()
	}
	return e
}

// Value returns the cached value, or nil if there is none or the file may have changed since it was stored.
func (e *CacheEntry) Value() any {
	if !e.seen.isStable(e.made) {
		return nil
	}
	value, _ := e.cache.get(cacheKey{e.seen.file, e.what, e.part}, e.seen)
	return value
}

// Valid reports whether the file is certainly unchanged since e was made.
func (e *CacheEntry) Valid() bool {
	_, ok := e.validVersion()
	return ok
}

// validVersion returns the version that the file has certainly had since e was made. A version that was stable when e was
// made is that one, whether or not it was looked at then.
func (e *CacheEntry) validVersion() (version, bool) {
	if e.handle == nil || !e.handle.keepsVersions() {
		return version{}, false
	}
	now, ok := e.handle.version()
	return now, ok && now.isStable(e.made) && (e.seen == version{} || e.seen == now)
}

// Store caches a value that was computed since e was made and takes the given number of bytes, unless the file may have changed
// meanwhile.
// The value is shared from then on: it must be immutable or safe for concurrent use.
func (e *CacheEntry) Store(value any, bytes int) {
	if v, ok := e.validVersion(); ok {
		e.cache.put(cacheKey{v.file, e.what, e.part}, v, value, bytes)
	}
}
