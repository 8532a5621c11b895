package workspace

import (
	"context"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// maxPath is the maximum length of a path in bytes, as on Linux.
const maxPath = 4096

// A Location is a path in the workspace. Methods follow symlinks inside the roots, and resolve ".."
// after the symlinks before it, as the operating system does.
type Location struct {
	ctx  context.Context // that of the call, which ends the search for a name in a directory
	w    *Workspace
	root *root
	rest string // relative to root, slash-separated, as the caller wrote it
}

// Find returns the location of a path. An absolute path must begin with a root in one of its two
// spellings, and belongs to the first such root. A relative one belongs to the first root. Find
// inspects no files. The error is [ErrOutside], [ErrBadPath] or [syscall.ENAMETOOLONG].
//
// The methods of the Location fail after ctx is done if they have to read a directory.
func (w *Workspace) Find(ctx context.Context, p string) (Location, error) {
	if strings.ContainsRune(p, 0) {
		return Location{}, ErrBadPath
	}
	if len(p) > maxPath {
		return Location{}, syscall.ENAMETOOLONG
	}
	slashed := w.semantics.slashed(p)
	if w.semantics.isRelative(slashed) {
		return Location{ctx: ctx, w: w, root: w.roots[0], rest: slashed}, nil
	}
	return w.locate(ctx, slashed)
}

// locate finds the first root that contains a path that is not relative.
func (w *Workspace) locate(ctx context.Context, abs string) (Location, error) {
	for _, r := range w.roots {
		for _, dir := range r.paths {
			if rest, ok := w.semantics.cutRoot(abs, dir); ok {
				return Location{ctx: ctx, w: w, root: r, rest: rest}, nil
			}
		}
	}
	trailOf(ctx).refuse(abs, ErrOutside)
	return Location{}, ErrOutside
}

// Join returns the location of rel, a path relative to l.
func (l Location) Join(rel string) Location {
	l.rest += "/" + rel
	return l
}

// Parent returns the location above l in the same root, lexically, or the root for the root itself.
func (l Location) Parent() Location {
	l.rest = path.Dir(l.Path())
	return l
}

// Context returns the context that l was found with.
func (l Location) Context() context.Context { return l.ctx }

// Root returns the index of the root that l is relative to.
func (l Location) Root() int { return l.root.index }

// Path returns the path relative to the root, cleaned lexically, "." for the root itself.
func (l Location) Path() string { return strings.TrimPrefix(path.Clean("./"+l.rest), "./") }

// Absolute returns the absolute path, using the path of the root without symlinks.
func (l Location) Absolute() string {
	return filepath.FromSlash(joinPath(l.root.real(), l.Path()))
}

// File opens the regular file at l for reading. It follows symlinks inside the roots. The error is
// [ErrOutside], [ErrDenied], [ErrIsDirectory], [ErrNotRegular], [ErrLoop] or a system error.
func (l Location) File() (*File, error) {
	return resolve(l, func(r *resolver, end component) (*File, error) {
		if err := r.checkDenied(end.name); err != nil {
			return nil, err
		}
		h, err := r.dir.openFile(end.name, Unknown)
		if err != nil {
			return nil, err
		}
		return newFile(l.w, h, trailOf(l.ctx).open(r.root, entryPath(r.rel, end.name), false)), nil
	})
}

// Dir opens the directory at l to list it. It follows symlinks inside the roots. The error is
// [ErrOutside], [ErrDenied], [ErrNotDirectory], [ErrLoop] or a system error.
func (l Location) Dir() (*Dir, error) {
	l.rest = strings.TrimRight(l.rest, "/") // otherwise it would be opened by its name, then as "."
	now := time.Now()
	return resolve(l, func(r *resolver, end component) (*Dir, error) {
		if err := r.checkDenied(end.name); err != nil {
			return nil, err
		}
		sub, err := r.dir.openDir(end.name)
		if err != nil {
			return nil, err
		}
		rel, trail := entryPath(r.rel, end.name), trailOf(l.ctx)
		trail.open(r.root, rel, true)
		return &Dir{
			w: l.w, root: r.root, rel: rel, paths: r.entryPaths(end), handle: sub, checked: now,
			trail: trail,
		}, nil
	})
}

// CheckDir returns the error that [Location.Dir] would return, but needs no permission to read the
// directory.
func (l Location) CheckDir() error {
	_, err := resolve(l.Join("."), func(*resolver, component) (any, error) { return nil, nil })
	return err
}

// Lstat describes the entry at l, which may be a symlink.
func (l Location) Lstat() (Info, error) {
	return resolve(l, func(r *resolver, end component) (Info, error) {
		return r.dir.lstat(end.name)
	})
}

// Stat describes the entry at l after following symlinks.
func (l Location) Stat() (Info, error) {
	return resolve(l, func(r *resolver, end component) (Info, error) {
		return r.stat(end.name)
	})
}

// stat describes an entry of the current directory other than a symlink.
func (r *resolver) stat(name string) (Info, error) {
	info, err := r.dir.lstat(name)
	if err == nil && info.Kind == Symlink {
		err = errFollow
	}
	return info, err
}

// Readlink returns the target of the symlink at l as stored. It may be outside.
func (l Location) Readlink() (string, error) {
	return resolve(l, func(r *resolver, end component) (string, error) {
		return r.dir.readlink(end.name)
	})
}

// Details is like [Location.Stat], but fails with [ErrDenied] if a deny pattern matches the end of
// the path.
func (l Location) Details() (Details, error) {
	return resolve(l, func(r *resolver, end component) (Details, error) {
		if err := r.checkDenied(end.name); err != nil {
			return Details{}, err
		}
		return r.details(end.name)
	})
}

// details describes an entry of the current directory other than a symlink.
func (r *resolver) details(name string) (Details, error) {
	d, err := r.dir.details(name)
	if err == nil && d.Kind == Symlink {
		err = errFollow
	}
	return d, err
}

// Describe is like [Location.Stat] if it follows symlinks, and like [Location.Lstat] otherwise. It
// describes denied entries too.
func (l Location) Describe(follow bool) (Details, error) {
	return resolve(l, func(r *resolver, end component) (Details, error) {
		if follow {
			return r.details(end.name)
		}
		return r.dir.details(end.name)
	})
}

// Resolve returns the location of the entry at l after following symlinks. The error is
// [ErrOutside], an [OutsideError] if a symlink causes it, [ErrDenied] for a denied directory on the
// way, [ErrLoop] or a system error.
func (l Location) Resolve() (Location, error) {
	resolved := l
	_, err := resolve(l, func(r *resolver, end component) (Info, error) {
		resolved.root, resolved.rest = r.root, entryPath(r.rel, end.name)
		return r.stat(end.name)
	})
	return resolved, err
}
