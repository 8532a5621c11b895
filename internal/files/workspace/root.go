package workspace

import (
	"iter"
	"path/filepath"
	"sync/atomic"
)

// A root is a root directory of a workspace.
type root struct {
	index   int
	shown   string   // the path to display
	given   string   // the absolute path that the operator specified
	real    string   // the absolute path without symlinks, when it was opened
	aliases []string // other absolute paths through symlinks, to which deny patterns apply too
	handle  dirHandle
	parent  *root  // the root that it was narrowed from, if any
	rel     string // its path relative to parent, without symlinks
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
	given, real = s.trimRoot(s.slashed(given)), s.trimRoot(s.slashed(real))
	r := &root{
		index: index, shown: filepath.FromSlash(given), given: given, real: real, handle: handle,
	}
	if given != real {
		r.aliases = []string{given}
	}
	return r, nil
}

// spellings yields the absolute paths of r.
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

// close rejects further uses. The last user closes the handle.
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

// A useCount counts the uses of a handle in flight, so that the handle is not closed before they
// end: the system would give its number to the next file that is opened, and a use would continue
// with that file. The zero useCount is that of an open, unused handle.
type useCount struct{ state atomic.Int64 }

// closedFlag is set in the state of a closed useCount. The other bits are the number of uses.
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

// release ends a use. It reports whether the caller must close the handle.
func (c *useCount) release() bool { return c.state.Add(-1) == closedFlag }

// close rejects further uses. last reports whether the caller must close the handle, first whether
// it was open.
func (c *useCount) close() (last, first bool) {
	before := c.state.Or(closedFlag)
	return before == 0, before&closedFlag == 0
}
