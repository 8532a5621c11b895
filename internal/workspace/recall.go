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
	age := now.Sub(v.changed)
	return age >= settled && now.Sub(v.modified) >= settled
}

// versioned is a handle that can tell its version; ok is false where the file system is not known to keep versions.
type versioned interface {
	version() (v version, ok bool)
}

// A Recollection is what is remembered of an open directory or file under one name. Its methods are for the goroutine
// that the handle is for.
type Recollection struct {
	memory *memory
	handle versioned
	key    memoryKey
	seen   version
	usable bool
}

// recollection looks at the version before anything is read.
func (w *Workspace) recollection(handle any, what string) *Recollection {
	r := &Recollection{memory: w.memory}
	var ok bool
	if r.handle, ok = handle.(versioned); !ok || w.memory == nil {
		return r
	}
	if r.seen, ok = r.handle.version(); ok {
		r.key = memoryKey{r.seen.file, what}
		r.usable = r.seen.proves(w.memory.now())
	}
	return r
}

// Value returns what was remembered, nil if there is nothing or if the file may have changed since.
func (r *Recollection) Value() any {
	if !r.usable {
		return nil
	}
	value, _ := r.memory.get(r.key, r.seen)
	return value
}

// Holds reports whether the file is still what it was when r was made, beyond doubt.
func (r *Recollection) Holds() bool {
	if !r.usable {
		return false
	}
	now, ok := r.handle.version()
	return ok && now == r.seen
}

// Keep remembers a value that was read since r was made and takes so many bytes, unless the file may have changed
// meanwhile. The value is shared from then on: it must not be changed, or be safe for that.
func (r *Recollection) Keep(value any, bytes int) {
	if r.Holds() {
		r.memory.put(r.key, r.seen, value, bytes)
	}
}
