package workspace

// Narrow returns a workspace whose roots are directories in w, spelled as given, each once. Each is opened from w's handles.
// While a root is not where it was, because it or a directory above it was moved, nothing is found in it. Deny patterns hold
// as they do in w, and the cache is shared. Errors are those of [Location.Dir]; on an error nothing stays open.
func (w *Workspace) Narrow(dirs ...string) (*Workspace, error) {
	n := &Workspace{semantics: w.semantics, deny: w.deny, cache: w.cache, buffers: w.buffers, recheck: w.recheck}
	for _, dir := range dirs {
		if n.listAgain(dir) {
			continue
		}
		r, err := w.subroot(len(n.roots), dir)
		if err != nil {
			_ = n.Close()
			return nil, err
		}
		n.add(r)
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
		handle, err := r.dir.openDir(name)
		if err == nil {
			sub = &root{
				index: index, shown: dir, given: w.semantics.slashed(dir),
				real:    joinPath(r.root.real, r.rel(name)),
				aliases: r.aliasesOf(name), handle: handle,
				parent: r.root, rel: r.rel(name),
			}
		}
		return err
	})
	if err != nil && sub != nil {
		sub.close()
	}
	return sub, err
}
