package workspace

import (
	"context"
	"io/fs"
	"path/filepath"
	"sync/atomic"
)

type root struct {
	index  int
	shown  string   // the path to display
	paths  []string // the absolute paths when it was opened, that without symlinks first
	parent *root    // the root that it was narrowed from, if any
	rel    string   // its path relative to parent, without symlinks
	shared[dirHandle]
}

func openRoot(s pathSemantics, b backend, dir string) (*root, error) {
	given, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(given)
	if err != nil {
		return nil, bare(err)
	}
	handle, err := b(real)
	if err != nil {
		return nil, bare(err)
	}
	given, real = s.trimRoot(s.slashed(given)), s.trimRoot(s.slashed(real))
	r := &root{
		shown: filepath.FromSlash(given), paths: []string{real},
		shared: shared[dirHandle]{handle: handle},
	}
	if given != real {
		r.paths = append(r.paths, given)
	}
	return r, nil
}

// Narrow returns a workspace whose roots are directories in w, without duplicates, and shown as
// they are given. It opens them through the handles of w. If a root or a directory above it is
// moved, nothing is found in the root until it is back. The deny patterns of w apply, and the cache
// is shared. Errors are as for [Location.Dir]; on error, nothing is left open.
func (w *Workspace) Narrow(dirs ...string) (_ *Workspace, err error) {
	n := new(*w)
	n.roots, n.rootsAsGiven = nil, nil
	defer func() {
		if err != nil {
			_ = n.Close()
		}
	}()
	for _, dir := range dirs {
		l, err := w.Find(context.Background(), dir)
		if err != nil {
			return nil, err
		}
		d, err := l.Dir()
		if err != nil {
			return nil, err
		}
		n.add(&root{
			shown: dir, paths: d.paths, parent: d.root, rel: d.rel,
			shared: shared[dirHandle]{handle: d.handle},
		})
	}
	return n, nil
}

func (r *root) real() string { return r.paths[0] }

// A shared handle counts its uses in flight, so that it is not closed before they end. Otherwise
// the system would reuse its number for the next opened file, and a use would read that file.
type shared[H handle] struct {
	handle H
	state  atomic.Int64
}

// closedFlag is set in the state of a closed handle. The other bits are the number of uses.
const closedFlag = 1 << 32

// acquire begins a use, unless the handle is closed.
func (s *shared[H]) acquire() bool {
	for {
		n := s.state.Load()
		if n&closedFlag != 0 {
			return false
		}
		if s.state.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// release ends a use. The last use of a closed handle closes it.
func (s *shared[H]) release() {
	if s.state.Add(-1) == closedFlag {
		_ = s.handle.close()
	}
}

// close rejects further uses, and closes the handle once it is unused. It fails with
// [fs.ErrClosed] if the handle was closed before.
func (s *shared[H]) close() error {
	switch before := s.state.Or(closedFlag); {
	case before&closedFlag != 0:
		return fs.ErrClosed
	case before == 0:
		return s.handle.close()
	default:
		return nil
	}
}
