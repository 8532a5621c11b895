package workspace

import (
	"path"
	"sync"
)

// Narrow returns a workspace of directories in w, as roots in the spellings they are given in. Each is opened from w's
// handles, so it lies in w, whatever its path leads to later. Deny patterns hold as they do in w, and what is remembered is
// shared. Errors are those of [Place.Dir]; nothing is left open then.
func (w *Workspace) Narrow(dirs ...string) (*Workspace, error) {
	n := &Workspace{rules: w.rules, bounds: w.bounds, deny: w.deny, memory: w.memory, buffers: sync.Pool{New: func() any { return new([listBuffer]byte) }}}
	for i, dir := range dirs {
		r, err := w.subroot(i, dir)
		if err != nil {
			n.Close()
			return nil, err
		}
		n.roots = append(n.roots, r)
	}
	return n, nil
}

// subroot opens a directory in w as a root.
func (w *Workspace) subroot(index int, dir string) (*root, error) {
	p, err := w.Find(dir)
	if err != nil {
		return nil, err
	}
	var sub *root
	err = p.resolve(true, func(r *resolver, name string) error {
		node, err := r.node.list(name)
		if err == nil {
			sub = &root{index: index, shown: dir, given: w.rules.slashed(dir), real: path.Join(r.root.real, r.rel(name)), node: node}
			sub.users.Store(1)
		}
		return err
	})
	return sub, err
}
