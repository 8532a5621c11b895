package workspace

// Narrow returns a workspace whose roots are directories in w, without duplicates. It opens them
// through the handles of w. If a root or a directory above it is moved, nothing is found in the
// root until it is back. The deny patterns of w apply, and the cache is shared. Errors are as for
// [Location.Dir]; on error, nothing is left open.
func (w *Workspace) Narrow(dirs ...string) (*Workspace, error) {
	n := &Workspace{
		semantics: w.semantics, deny: w.deny, cache: w.cache, buffers: w.buffers, recheck: w.recheck,
	}
	for _, dir := range dirs {
		r, err := w.subroot(dir)
		if err != nil {
			_ = n.Close()
			return nil, err
		}
		n.add(r)
	}
	return n, nil
}

// subroot opens a directory in w as a root.
func (w *Workspace) subroot(dir string) (*root, error) {
	l, err := w.Find(dir)
	if err != nil {
		return nil, err
	}
	d, err := l.Dir()
	if err != nil {
		return nil, err
	}
	return &root{
		shown: dir, real: joinPath(d.root.real, d.rel), aliases: d.aliases,
		parent: d.root, rel: d.rel, shared: shared[dirHandle]{handle: d.handle},
	}, nil
}
