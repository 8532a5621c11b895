package workspace

import (
	"context"
	"io/fs"
	"strings"

	"gander/internal/meter"
)

// A Dir is an open directory in a workspace. It is for one goroutine at a time.
type Dir struct {
	w    *Workspace
	root *root
	rel  string // free of symlinks, "." for the root
	node node   // nil while put away
}

// Dir opens the directory at p to list it. Symlinks on the way and at the end are followed while they stay inside.
// Errors: [ErrOutside], [ErrDenied], [ErrNotDirectory], [ErrLoop] and those of the operating system.
func (p Place) Dir() (*Dir, error) {
	p.rest = strings.TrimRight(p.rest, "/")
	var d *Dir
	err := p.resolve(true, func(r *resolver, name string) error {
		sub, err := r.node.list(name)
		if err == nil {
			d = &Dir{w: p.w, root: r.root, rel: r.rel(name), node: sub}
		}
		return err
	})
	return d, err
}

// Lstat describes what is at p; a symlink at its end is not followed.
func (p Place) Lstat() (Info, error) {
	var info Info
	err := p.resolve(false, func(r *resolver, name string) (err error) {
		info, err = r.node.lstat(name)
		return err
	})
	return info, err
}

// Stat describes what p leads to, symlinks followed while they stay inside.
func (p Place) Stat() (Info, error) {
	var info Info
	err := p.resolve(false, func(r *resolver, name string) (err error) {
		info, err = r.node.lstat(name)
		if err == nil && info.Kind == Symlink {
			return ErrNotRegular
		}
		return err
	})
	return info, err
}

// Readlink returns the target of the symlink at p, as it stands there. It need not lead inside.
func (p Place) Readlink() (string, error) {
	var target string
	err := p.resolve(false, func(r *resolver, name string) (err error) {
		target, err = r.node.readlink(name)
		return err
	})
	return target, err
}

// Root returns the index of the root that d lies in.
func (d *Dir) Root() int { return d.root.index }

// Path returns the path of d relative to its root, slash-separated and free of symlinks; "." for the root itself.
func (d *Dir) Path() string { return d.rel }

// Names yields the name and kind of every entry, in no order, until yield returns false; "." and ".." are left out. It
// starts from the beginning each time and asks nothing about an entry, unless the file system does not tell its kind. A
// name is valid until yield returns. Between two buffers full it heeds ctx, whose meter counts the entries.
func (d *Dir) Names(ctx context.Context, yield func(name []byte, kind EntryKind) bool) error {
	if err := d.takeUp(); err != nil {
		return err
	}
	buf := d.w.buffers.Get().(*[listBuffer]byte)
	defer d.w.buffers.Put(buf)
	m := meter.From(ctx)
	m.SetRoot(&d.root.shown)
	read, err := d.node.names(ctx, buf[:], yield)
	m.Add(read, 0)
	return bare(err)
}

// join is the path of an entry, relative to the root.
func (d *Dir) join(name string) string {
	if d.rel == "." {
		return name
	}
	return d.rel + "/" + name
}

// entry takes d up to open the entry called name, which must be a name and not a path.
func (d *Dir) entry(name string) error {
	if !isName(name) {
		return fs.ErrInvalid
	}
	return d.takeUp()
}

// isName reports whether a name can be that of an entry.
func isName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsRune(name, '/')
}

// Open opens the subdirectory called name, which must be an entry of d. A symlink is [ErrNotDirectory].
func (d *Dir) Open(name string) (*Dir, error) {
	if err := d.entry(name); err != nil {
		return nil, err
	}
	rel := d.join(name)
	if err := d.w.denied(d.root, rel); err != nil {
		return nil, err
	}
	sub, err := d.node.list(name)
	if err != nil {
		return nil, err
	}
	return &Dir{w: d.w, root: d.root, rel: rel, node: sub}, nil
}

// File opens the regular file called name, which must be an entry of d. A symlink is [ErrNotRegular].
func (d *Dir) File(name string) (*File, error) {
	if err := d.entry(name); err != nil {
		return nil, err
	}
	if err := d.w.denied(d.root, d.join(name)); err != nil {
		return nil, err
	}
	f, err := d.node.file(name)
	if err != nil {
		return nil, err
	}
	return &File{w: d.w, root: d.root, f: f}, nil
}

// Lstat describes the entry called name, or d itself as ".", without following symlinks. Anything else than a name is
// [fs.ErrInvalid].
func (d *Dir) Lstat(name string) (Info, error) {
	if name != "." && !isName(name) {
		return Info{}, fs.ErrInvalid
	}
	if err := d.takeUp(); err != nil {
		return Info{}, err
	}
	return d.node.lstat(name)
}

// Stat describes what the entry called name leads to: symlinks are followed while they stay inside.
func (d *Dir) Stat(name string) (Info, error) {
	return Place{d.w, d.root, d.join(name)}.Stat()
}

// CacheEntry returns the cache entry for d under (what, part).
func (d *Dir) CacheEntry(what string, part int) (CacheEntry, error) {
	if err := d.takeUp(); err != nil {
		return CacheEntry{}, err
	}
	return d.w.recollection(d.node, what, part), nil
}

// Release closes d's handle until d is next used. It is then opened again by its path, free of symlinks as before; what
// has taken its place in between is what is found.
func (d *Dir) Release() {
	if d.node != nil {
		d.node.close()
		d.node = nil
	}
}

// takeUp opens d again where it was put away.
func (d *Dir) takeUp() error {
	if d.node != nil {
		return nil
	}
	r := &resolver{w: d.w}
	defer r.leave()
	if err := r.start(d.root, ""); err != nil {
		return err
	}
	names := strings.Split(d.rel, "/")
	last := len(names) - 1
	for _, name := range names[:last] {
		if err := r.descend(name); err != nil {
			return err
		}
	}
	sub, err := r.node.list(names[last])
	if err == nil {
		d.node = sub
	}
	return err
}

// Close closes d.
func (d *Dir) Close() error {
	d.Release()
	return nil
}
