package workspace

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// A Dir is an open directory in a workspace. It is not safe for concurrent use. If it, or a
// directory above it, was moved or replaced, its methods fail with [fs.ErrNotExist], at the latest
// 10 ms later. A result for which the system needed longer is checked before it is returned.
type Dir struct {
	w       *Workspace
	root    *root
	rel     string    // free of symlinks, "." for the root
	aliases []string  // other absolute paths by which it was reached, through symlinks
	handle  dirHandle // nil after Release
	// users counts the Dirs that share handle. It is nil if d is the only one.
	users *atomic.Int32

	checked time.Time       // when it was last known to be where rel says
	listing context.Context // of Names; a closure over it would be allocated for each directory
}

// Dir opens the directory at p to list it. Symlinks are followed while they stay inside. Errors:
// [ErrOutside], [ErrDenied], [ErrNotDirectory], [ErrLoop] and those of the operating system.
func (p Location) Dir() (*Dir, error) {
	p.rest = strings.TrimRight(p.rest, "/")
	var d *Dir
	now := time.Now()
	err := p.resolve(true, func(r *resolver, name string) error {
		sub, err := r.dir.openDir(name)
		if err == nil {
			d = &Dir{
				w: p.w, root: r.root, rel: r.rel(name), aliases: r.aliasesOf(name),
				handle: sub, checked: now,
			}
		}
		return err
	})
	if err != nil && d != nil {
		d.Release()
	}
	return d, err
}

// CheckDir returns the error that [Location.Dir] would return, but needs no permission to read the directory.
func (p Location) CheckDir() error {
	p.rest = strings.TrimRight(p.rest, "/")
	return p.resolve(true, func(r *resolver, name string) error {
		if name == "." { // the directory that r has open
			return nil
		}
		sub, err := r.dir.openPath(name)
		if err != nil {
			return err
		}
		return sub.close()
	})
}

// Lstat describes what is at p. A symlink at the end is not followed.
func (p Location) Lstat() (Info, error) {
	var info Info
	err := p.resolve(false, func(r *resolver, name string) (err error) {
		info, err = r.dir.lstat(name)
		return err
	})
	return info, err
}

// Stat describes what p leads to. Symlinks are followed while they stay inside.
func (p Location) Stat() (Info, error) {
	var info Info
	err := p.resolve(false, func(r *resolver, name string) (err error) {
		info, err = r.stat(name)
		return err
	})
	return info, err
}

// Resolve returns the place that p leads to, free of symlinks, if something is there. Errors: [ErrOutside], which is an
// [OutsideError] where a symlink leads out, [ErrDenied] for a directory on the way, [ErrLoop] and those of the operating system.
func (p Location) Resolve() (Location, error) {
	resolved := p
	err := p.resolve(false, func(r *resolver, name string) error {
		resolved.root, resolved.rest = r.root, r.rel(name)
		_, err := r.stat(name)
		return err
	})
	return resolved, err
}

// Details describes what p leads to. Symlinks are followed while they stay inside. [ErrDenied] says that a deny pattern matches it,
// or a directory on the way.
func (p Location) Details() (Details, error) {
	var d Details
	err := p.resolve(true, func(r *resolver, name string) (err error) {
		d, err = r.dir.details(name)
		if err == nil && d.Kind == Symlink {
			return ErrNotRegular
		}
		return err
	})
	return d, err
}

// Readlink returns the target of the symlink at p as it is written. It need not lead inside.
func (p Location) Readlink() (string, error) {
	var target string
	err := p.resolve(false, func(r *resolver, name string) (err error) {
		target, err = r.dir.readlink(name)
		return err
	})
	return target, err
}

// Root returns the index of the root that d lies in.
func (d *Dir) Root() int { return d.root.index }

// Path returns the path of d relative to its root, slash-separated and free of symlinks; "." for the root itself.
func (d *Dir) Path() string { return d.rel }

// Names yields the name and kind of every entry except "." and "..", in no order, until yield
// returns false. Each call starts from the beginning. It inspects an entry only if the file system
// does not list its kind. A name is valid until yield returns. ctx is checked between buffers.
func (d *Dir) Names(ctx context.Context, yield func(name []byte, kind EntryKind) bool) error {
	if err := d.reopen(); err != nil {
		return err
	}
	buf := d.w.buffers.Get().(*[listBuffer]byte)
	defer d.w.buffers.Put(buf)
	d.listing = ctx
	_, err := d.handle.names(buf[:], d, yield)
	return err
}

// arrived implements [listing].
func (d *Dir) arrived() error {
	if err := d.listing.Err(); err != nil {
		return err
	}
	return d.check()
}

// join returns the path of an entry relative to the root.
func (d *Dir) join(name string) string {
	if d.rel == "." {
		return name
	}
	return d.rel + "/" + name
}

// checkEntry returns an error if the entry called name must not be opened. It reopens d.
func (d *Dir) checkEntry(name string) error {
	if !d.w.semantics.isName(name) {
		return fs.ErrInvalid
	}
	if err := d.reopen(); err != nil {
		return err
	}
	return d.w.denied(d.root, d.rel, name, d.aliases)
}

// isName reports whether a name can be that of an entry.
func (s pathSemantics) isName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.Contains(s.slashed(name), "/")
}

// Open opens the subdirectory called name. A symlink is [ErrNotDirectory], and what is not a name
// is [fs.ErrInvalid]. It fails if the path is longer than one that [Workspace.Find] accepts.
func (d *Dir) Open(name string) (*Dir, error) {
	if len(d.rel)+len(name) > maxPath {
		return nil, syscall.ENAMETOOLONG
	}
	if err := d.checkEntry(name); err != nil {
		return nil, err
	}
	sub, err := d.handle.openDir(name)
	if err != nil {
		return nil, err
	}
	return &Dir{
		w: d.w, root: d.root, rel: d.join(name), aliases: joinEach(d.aliases, name),
		handle: sub, checked: d.checked,
	}, nil
}

// Clone opens d again, for another goroutine.
func (d *Dir) Clone() (*Dir, error) {
	if err := d.reopen(); err != nil {
		return nil, err
	}
	again, err := d.handle.openDir(".")
	if err != nil {
		return nil, bare(err)
	}
	return &Dir{w: d.w, root: d.root, rel: d.rel, aliases: d.aliases, handle: again, checked: d.checked}, nil
}

// File opens the regular file called name. A symlink is [ErrNotRegular], and what is not a name is [fs.ErrInvalid].
//
// kind is what [Dir.Names] has just said of the entry. If that is Regular the entry is opened at once, and refused before
// anything is read where something else has taken its place. Otherwise, as for a name that was not listed, it is
// examined first: opening a device can have effects.
func (d *Dir) File(name string, kind EntryKind) (*File, error) {
	if err := d.checkEntry(name); err != nil {
		return nil, err
	}
	h, err := d.handle.openFile(name, kind)
	if err != nil {
		return nil, err
	}
	if err := d.check(); err != nil {
		return nil, errors.Join(err, h.close())
	}
	return &File{w: d.w, root: d.root, handle: h}, nil
}

// Lstat describes the entry called name, or d itself as ".", without following symlinks. What is not a name is
// [fs.ErrInvalid].
func (d *Dir) Lstat(name string) (Info, error) {
	if name != "." && !d.w.semantics.isName(name) {
		return Info{}, fs.ErrInvalid
	}
	if err := d.reopen(); err != nil {
		return Info{}, err
	}
	info, err := d.handle.lstat(name)
	if err != nil {
		return Info{}, err
	}
	return info, d.check()
}

// Searchable reports whether d may be searched. Of the entries of a directory that may only be read, nothing but their names
// is known.
func (d *Dir) Searchable() (bool, error) {
	_, err := d.Lstat(".")
	if errors.Is(err, fs.ErrPermission) {
		return false, nil
	}
	return err == nil, err
}

// Stat describes what the entry called name leads to. Symlinks are followed while they stay inside.
func (d *Dir) Stat(name string) (Info, error) {
	return Location{d.w, d.root, d.join(name)}.Stat()
}

// CacheEntry returns the cache entry for d under (what, part).
func (d *Dir) CacheEntry(what string, part int) (CacheEntry, error) {
	if err := d.reopen(); err != nil {
		return CacheEntry{}, err
	}
	return d.w.cacheEntry(d.handle, what, part), nil
}

// Share returns a Dir for the same directory, for another goroutine. Both use one handle of the
// operating system, which is closed with the last of them.
func (d *Dir) Share() (*Dir, error) {
	if err := d.reopen(); err != nil {
		return nil, err
	}
	if d.users == nil {
		d.users = new(atomic.Int32)
		d.users.Add(1)
	}
	d.users.Add(1)
	shared := *d
	return &shared, nil
}

// Release closes d's handle until d is next used. The directory is then opened again by its path, which must still be
// free of symlinks; it may be another directory by then.
func (d *Dir) Release() {
	if d.handle != nil {
		if d.users == nil || d.users.Add(-1) == 0 {
			_ = d.handle.close()
		}
		d.handle, d.users = nil, nil
	}
}

// reopen opens d again after Release. Otherwise it checks now and then that d is where it was.
func (d *Dir) reopen() error {
	if d.handle != nil {
		return d.check()
	}
	now := time.Now()
	h, err := d.w.openAt(d.root, d.rel, dirHandle.openDir)
	if err == nil {
		d.handle, d.checked = h, now
	}
	return err
}

// check returns an error if d is not where it was. It inspects the path only if the last check is
// older than the interval, so it is cheap enough for each entry.
func (d *Dir) check() error {
	now := time.Now()
	if now.Sub(d.checked) < d.w.recheck {
		return nil
	}
	if d.rel != "." || d.root.parent != nil {
		if err := d.w.checkHeld(d.root, d.rel, d.handle); err != nil {
			return err
		}
	}
	d.checked = now
	return nil
}

// Close closes d.
func (d *Dir) Close() error {
	d.Release()
	return nil
}
