package workspace

import (
	"path/filepath"
	"sync/atomic"
)

// A root is one root directory: the spellings under which callers know it, and its handle. The handle stays open while
// a call uses it, also when the workspace is closed meanwhile: a number given back to the system could soon mean
// another directory.
type root struct {
	index int
	shown string // as callers know it
	given string // absolute, as the operator wrote it
	real  string // absolute, free of symlinks when it was opened
	node  node
	users atomic.Int32 // the workspace itself counts as one
	shut  atomic.Bool
}

func openRoot(rules rules, ground ground, index int, dir string) (*root, error) {
	given, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(given)
	if err != nil {
		return nil, bare(err)
	}
	node, err := ground(real)
	if err != nil {
		return nil, bare(err)
	}
	r := &root{index: index, shown: given, given: rules.slashed(given), real: rules.slashed(real), node: node}
	r.users.Store(1)
	return r, nil
}

// close lets nobody in any more. The last user closes the handle.
func (r *root) close() {
	if !r.shut.Swap(true) {
		r.release()
	}
}

// acquire keeps the handle open until release. It fails once the root is closed.
func (r *root) acquire() bool {
	for {
		n := r.users.Load()
		if n == 0 || r.shut.Load() {
			return false
		}
		if r.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (r *root) release() {
	if r.users.Add(-1) == 0 {
		r.node.close()
	}
}
