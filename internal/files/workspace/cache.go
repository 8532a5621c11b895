package workspace

import (
	"sync"
	"time"
)

// A cache stores values computed from files, up to a budget in bytes. It evicts
// random values: they are large, so there are few, and evicting the wrong one costs one more pass.
type cache struct {
	budget int
	now    func() time.Time

	mu    sync.Mutex
	used  int
	items map[cacheKey]cacheItem
}

type cacheKey struct {
	file fileID
	what string
}

type cacheItem struct {
	version version
	value   any
	bytes   int
}

func newCache(budget int) *cache {
	return &cache{budget: budget, now: time.Now, items: map[cacheKey]cacheItem{}}
}

// get returns the value for key if it was stored with version v.
func (c *cache) get(key cacheKey, v version) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	if item := c.items[key]; item.version == v {
		return item.value
	}
	return nil
}

func (c *cache) put(key cacheKey, v version, value any, bytes int) {
	if bytes > c.budget {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used += bytes - c.items[key].bytes
	c.items[key] = cacheItem{v, value, bytes}
	for other, item := range c.items {
		if c.used > c.budget && other != key {
			c.used -= item.bytes
			delete(c.items, other)
		}
	}
}

// A fileID identifies a file regardless of its name.
type fileID struct{ device, inode uint64 }

// A version identifies a state of a file, as precisely as the system records it. The
// zero version is unknown: the file may change and keep its version.
type version struct {
	file              fileID
	size              int64
	modified, changed time.Time
}

// stableAge is the minimum age of a stable version. It is the coarsest granularity of the clocks of
// file systems: two changes within it may leave the same times.
const stableAge = 2 * time.Second

// isStable reports whether any change after now results in another version.
func (v version) isStable(now time.Time) bool {
	return v != version{} && now.Sub(v.changed) >= stableAge && now.Sub(v.modified) >= stableAge
}

// CacheBytes returns the maximum size of the cache, or 0 if nothing is cached.
func (w *Workspace) CacheBytes() int { return w.cache.budget }

// A CacheEntry accesses the cache for one value computed from an open file. It must be created
// before the file is read. It is not safe for concurrent use.
type CacheEntry struct {
	cache  *cache // nil if nothing may be cached
	handle fileHandle
	key    cacheKey
	seen   version // when the entry was created
}

// CacheEntry returns the cache entry for the value of f named what. It is valid until f is closed.
func (f *File) CacheEntry(what string) CacheEntry {
	if f.cache.budget == 0 {
		return CacheEntry{}
	}
	now, seen := f.cache.now(), f.handle.version()
	if !seen.isStable(now) {
		return CacheEntry{}
	}
	return CacheEntry{f.cache, f.handle, cacheKey{seen.file, what}, seen}
}

// Value returns the cached value. It returns nil if the file may have changed since.
func (e *CacheEntry) Value() any {
	if e.cache == nil {
		return nil
	}
	return e.cache.get(e.key, e.seen)
}

// Valid reports whether the file is certainly unchanged since e was created.
func (e *CacheEntry) Valid() bool {
	return e.cache != nil && e.handle.version() == e.seen
}

// A Cacheable is a value that can be cached. It must be immutable or safe for concurrent use.
type Cacheable interface {
	// CacheSize returns the maximum size in bytes, or 0 for a value that is not worth caching.
	CacheSize() int
}

// Store caches a value, unless the file may have changed since e was created.
func (e *CacheEntry) Store(value Cacheable) {
	if size := value.CacheSize(); size > 0 && e.Valid() {
		e.cache.put(e.key, e.seen, value, size)
	}
}

// Cached returns the result of read, which gets the value of e, or a new one, and fills it. If the
// file has changed since the value was made, Cached calls read again with a new value. A new value
// is cached even if read fails, so read must only put into it what it has read.
func Cached[V Cacheable, T any](e CacheEntry, empty func() V, read func(V) (T, error)) (T, error) {
	value, known := e.Value().(V)
	if !known {
		value = empty()
	}
	result, err := read(value)
	switch {
	case !known:
		e.Store(value)
	case !e.Valid():
		return read(empty())
	}
	return result, err
}
