package workspace

import (
	"iter"
	"path/filepath"
	"sync/atomic"
)

// A root is one root directory: the paths under which callers know it, and its handle.
type root struct {
	index   int
	shown   string   // as callers know it
	given   string   // absolute, as the operator wrote it
	real    string   // absolute, free of symlinks when it was opened
	aliases []string // other absolute paths that lead to it through symlinks, as it was opened; deny patterns judge these too
	handle  dirHandle
	parent  *root  // the root that it was narrowed from, nil for none
	rel     string // its path below parent, free of symlinks
	useCount
}

func openRoot(s pathSemantics, b backend, index int, dir string) (*root, error) {
	given, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(given)
	if err != nil {
		return nil, bare(err)
	}
	handle, err := b.open(real)
	if err != nil {
		return nil, bare(err)
	}
	r := &root{
		index: index, shown: filepath.FromSlash(s.trimRoot(s.slashed(given))),
		given: s.trimRoot(s.slashed(given)), real: s.trimRoot(s.slashed(real)), handle: handle,
	}
	if r.given != r.real {
		r.aliases = []string{r.given}
	}
	return r, nil
}

// spellings yields the absolute paths that lead to r.
func (r *root) spellings() iter.Seq[string] {
	return func(yield func(string) bool) {
		if !yield(r.real) {
			return
		}
		for _, dir := range r.aliases {
			if !yield(dir) {
				return
			}
		}
	}
}

// close refuses further uses. The last user closes the handle.
func (r *root) close() {
	if last, _ := r.useCount.close(); last {
		_ = r.handle.close()
	}
}

func (r *root) release() {
	if r.useCount.release() {
		_ = r.handle.close()
	}
}

// A useCount counts the uses of a handle that are under way, so that it is not closed before they end: the system gives a
// closed handle's number to the next file that is opened, and a use would go on with that file. The zero useCount is of
// an open handle that nobody uses.
type useCount struct{ state atomic.Int64 }

// closedFlag is set in a closed useCount's state. The rest of the state is the number of uses.
const closedFlag = 1 << 32

// acquire begins a use. It reports false if the handle is closed.
func (c *useCount) acquire() bool {
	for {
		n := c.state.Load()
		if n&closedFlag != 0 {
			return false
		}
		if c.state.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// release ends a use. It reports whether the caller must close the handle now.
func (c *useCount) release() bool { return c.state.Add(-1) == closedFlag }

// close refuses further uses. last reports whether the caller must close the handle now, first whether the handle was
// open.
func (c *useCount) close() (last, first bool) {
	before := c.state.Or(closedFlag)
	return before == 0, before&closedFlag == 0
}
