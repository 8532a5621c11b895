package workspace

import "time"

// A fileID is which directory or file something is, whatever its name.
type fileID struct{ device, inode uint64 }

// A version is a state of a directory or file, as far as the system tells states apart.
type version struct {
	file              fileID
	size              int64
	modified, changed time.Time
}

// settled is how long a file must have been unchanged before its version counts: a further change within the
// granularity of the file system's clock would leave no trace in it. It is the coarsest granularity in use.
const settled = 2 * time.Second

// proves reports whether a change after now would give another version.
func (v version) proves(now time.Time) bool {
	return v != version{} && now.Sub(v.changed) >= settled && now.Sub(v.modified) >= settled
}

// versioned is a handle that can tell its version.
type versioned interface {
	// version is the file's version now.
	version() (version, bool)
	// keepsVersions reports whether the file system is known to give every state of the file a version.
	keepsVersions() bool
}

// A CacheEntry is what is remembered of an open directory or file under one name. Its methods are for the goroutine
// that the handle is for.
type CacheEntry struct {
	memory *memory
	handle versioned // nil where nothing is remembered
	what   string
	part   int
	began  time.Time
	seen   version // before anything was read; zero where there was nothing to compare it with
}

// recollection is made before anything is read.
func (w *Workspace) recollection(handle any, what string, part int) CacheEntry {
	r := CacheEntry{memory: w.memory, what: what, part: part}
	if w.memory == nil {
		return r
	}
	r.handle, _ = handle.(versioned)
	r.began = w.memory.now()
	if r.handle != nil && !w.memory.empty() {
		r.seen, _ = r.handle.version()
	}
	return r
}

// Value returns what was remembered, nil if there is nothing or if the file may have changed since.
func (r *CacheEntry) Value() any {
	if !r.seen.proves(r.began) {
		return nil
	}
	value, _ := r.memory.get(memoryKey{r.seen.file, r.what, r.part}, r.seen)
	return value
}

// Valid reports whether the file is still what it was when r was made, beyond doubt.
func (r *CacheEntry) Valid() bool {
	_, ok := r.held()
	return ok
}

// held returns the version that the file has had since r was made. One that was settled by then is that, whether or not it
// was looked at.
func (r *CacheEntry) held() (version, bool) {
	if r.handle == nil || !r.handle.keepsVersions() {
		return version{}, false
	}
	now, ok := r.handle.version()
	return now, ok && now.proves(r.began) && (r.seen == version{} || r.seen == now)
}

// Keep remembers a value that was read since r was made and takes so many bytes, unless the file may have changed
// meanwhile. The value is shared from then on: it must not be changed, or be safe for that.
func (r *CacheEntry) Store(value any, bytes int) {
	if v, ok := r.held(); ok {
		r.memory.put(memoryKey{v.file, r.what, r.part}, v, value, bytes)
	}
}
