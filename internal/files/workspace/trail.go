package workspace

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
)

const (
	maxTrail     = 1000      // entries of each kind that a Trail keeps
	maxTrailSize = 256 << 10 // bytes of the paths of each kind
)

// A Trail records what is opened through Locations that were found with its context. It is safe for
// concurrent use.
type Trail struct {
	mu                      sync.Mutex
	opened                  []*opening
	byPath                  map[string]*opening
	refused                 []Refused
	openedSize, refusedSize int // of the paths, in bytes
	more                    int
}

// An Opened is a file or directory that was opened.
type Opened struct {
	Path        string // absolute, without symlinks
	IsDirectory bool
	// Bytes counts what was read of a file, however often: at most the size of the part between the
	// first and the last byte.
	Bytes int64
}

// An opening is an Opened that is still read, perhaps by several calls of Open.
type opening struct {
	trail      *Trail
	is         Opened
	start, end int64 // of the part that was read
	read       int64 // bytes, also those that were read again
}

// A Refused is a path that was not opened, because it is denied or outside.
type Refused struct {
	Path    string
	Pattern string // that denies it; empty if the path is outside
}

type trailKey struct{}

// WithTrail returns a context for Workspace.Find, and the trail of what is opened with it.
func WithTrail(ctx context.Context) (context.Context, *Trail) {
	t := new(Trail)
	return context.WithValue(ctx, trailKey{}, t), t
}

func trailOf(ctx context.Context) *Trail {
	if ctx == nil {
		return nil
	}
	t, _ := ctx.Value(trailKey{}).(*Trail)
	return t
}

// List returns what was opened and refused so far, what was opened once for each path, at most 1,000
// of each whose paths have 256 KiB together, in order, and the number of the others.
func (t *Trail) List() (opened []Opened, refused []Refused, more int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, o := range t.opened {
		o.is.Bytes = min(o.read, o.end-o.start)
		opened = append(opened, o.is)
	}
	return opened, append(refused, t.refused...), t.more
}

// open records that an entry of a directory was opened. It returns nil if nothing is recorded.
func (t *Trail) open(r *root, rel string, isDirectory bool) *opening {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	path := filepath.FromSlash(joinPath(r.real(), rel))
	if o := t.byPath[path]; o != nil {
		return o
	}
	if !t.fits(len(t.opened), &t.openedSize, path) {
		return nil
	}
	o := &opening{trail: t, is: Opened{Path: path, IsDirectory: isDirectory}}
	if t.byPath == nil {
		t.byPath = make(map[string]*opening)
	}
	t.byPath[path] = o
	t.opened = append(t.opened, o)
	return o
}

// fits counts a path, and reports whether it is kept beside n others of its kind, of a size.
func (t *Trail) fits(n int, size *int, path string) bool {
	if n == maxTrail || *size+len(path) > maxTrailSize {
		t.more++
		return false
	}
	*size += len(path)
	return true
}

// refuse records an error if it says that a path is denied or outside.
func (t *Trail) refuse(path string, err error) {
	if t == nil {
		return
	}
	var denied *DeniedError
	isDenied := errors.As(err, &denied)
	if !isDenied && !errors.Is(err, ErrOutside) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.fits(len(t.refused), &t.refusedSize, path) {
		return
	}
	r := Refused{Path: path}
	if isDenied {
		r.Pattern = denied.Pattern
	}
	t.refused = append(t.refused, r)
}

// add counts n bytes that were read from an offset on.
func (o *opening) add(offset int64, n int) {
	if o == nil || n == 0 {
		return
	}
	o.trail.mu.Lock()
	defer o.trail.mu.Unlock()
	if o.read == 0 || offset < o.start {
		o.start = offset
	}
	o.end = max(o.end, offset+int64(n))
	o.read += int64(n)
}
