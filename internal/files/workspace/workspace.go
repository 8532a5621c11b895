// Package workspace holds the root directories of a workspace and opens directories and files inside them. No other
// package opens files of the workspace. It knows no order, no limit and no tool.
//
// Confinement does not depend on path strings that are compared with what is on disk at another moment: every component
// of a path is opened from the handle of the directory before it, the operating system follows no symlinks, and their
// targets are resolved here, component by component, inside the roots.
package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Errors of this package. Those of the operating system are returned as they are, without any path.
var (
	// ErrOutside: the path leads out of the workspace. The answer is the same for what exists there and for what does not.
	ErrOutside = errors.New("path is outside the workspace")
	// ErrDenied: a deny pattern matches the path, as it was asked for or where it leads. It matches [fs.ErrPermission].
	ErrDenied error = deniedError{}
	// ErrNotDirectory: a directory was wanted where something else is.
	ErrNotDirectory = errors.New("not a directory")
	// ErrIsDirectory: a file was wanted where a directory is.
	ErrIsDirectory = errors.New("is a directory")
	// ErrNotRegular: a file was wanted where a FIFO, socket or device is.
	ErrNotRegular = errors.New("not a regular file")
	// ErrLoop: the path leads through more symlinks than are followed.
	ErrLoop = errors.New("too many levels of symbolic links")
	// ErrBadPath: no file can have that path.
	ErrBadPath = fmt.Errorf("%w: a path cannot contain a NUL character", fs.ErrInvalid)
)

type deniedError struct{}

func (deniedError) Error() string        { return "permission denied" }
func (deniedError) Is(target error) bool { return target == fs.ErrPermission }

// A DeniedError is an [ErrDenied] that names the pattern.
type DeniedError struct {
	// Pattern is the deny pattern that matches, as it was given.
	Pattern string
}

func (e *DeniedError) Error() string { return "denied by pattern " + e.Pattern }

// Is makes the error match [ErrDenied] and [fs.ErrPermission].
func (*DeniedError) Is(target error) bool { return target == ErrDenied || errors.Is(ErrDenied, target) }

// An OutsideError is an [ErrOutside] that knows where a symlink leads. Its text does not tell.
type OutsideError struct {
	// Path is the absolute path that leads out, cleaned lexically: the target of the symlink, and the rest of the path that
	// was asked for. It was not looked at.
	Path string
}

func (*OutsideError) Error() string { return ErrOutside.Error() }

// Is makes the error match [ErrOutside].
func (*OutsideError) Is(target error) bool { return target == ErrOutside }

// An EntryKind is what an entry of a directory is, symlinks not followed.
type EntryKind uint8

// The kinds of entry. Other is a FIFO, a socket or a device.
const (
	Unknown EntryKind = iota
	Regular
	Directory
	Symlink
	Other
)

// Info is what a tool may tell about an entry.
type Info struct {
	Kind EntryKind
	// Size is in bytes.
	Size    int64
	ModTime time.Time
}

// Details are what an entry is and all that is known of its times and permissions.
type Details struct {
	Info
	// Permissions are the last nine bits of a mode.
	Permissions uint32
	// Created is the time of birth; where the system does not know it, that of the last change of anything.
	Accessed, Created time.Time
}

// Options configure a workspace.
type Options struct {
	// Deny are globs on paths: what they match is neither opened nor entered. See [Open].
	Deny []string
	// DefaultDeny adds the patterns of section 1 of the specification, which cover common private keys and credentials.
	DefaultDeny bool
	// CacheBytes is how much may be cached of what was computed from directories and files. 0 caches nothing.
	CacheBytes int
}

// A Workspace is one or more open root directories. It is safe for concurrent use.
type Workspace struct {
	semantics pathSemantics
	roots     []*root
	listed    []*root // the roots as often as they were given
	deny      *denyList
	cache     *cache // nil where nothing is cached
	buffers   *sync.Pool
	recheck   time.Duration // how long a directory that is held open is assumed to be where it was
}

// recheckInterval is how long a directory that is held open is assumed to be where it was.
const recheckInterval = 10 * time.Millisecond

// Open opens the directories as roots. Renaming or replacing one later does not redirect the workspace. A directory that is
// given twice is one root. A root may be given through a symlink; paths may then use either spelling of it.
//
// A pattern in o.Deny without a slash applies at any depth, as in .gitignore; one with a slash is relative to each root. One that
// begins with a slash applies at the top of each root and at the top of the file system; it may spell directories above the roots
// through symlinks. One that begins with "~/" applies in the home directory. Case is ignored. Both the requested path and the path
// that it resolves to are checked. A pattern that can match no path, and a root in a denied directory, is an error.
func Open(o Options, dirs ...string) (*Workspace, error) {
	return open(native, nativeBackend(), o, dirs...)
}

// open is Open for the given path semantics and backend.
func open(s pathSemantics, b backend, o Options, dirs ...string) (_ *Workspace, err error) {
	w := &Workspace{semantics: s, buffers: &sync.Pool{New: func() any { return new([listBuffer]byte) }}, recheck: recheckInterval}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.Close())
		}
	}()
	for _, dir := range dirs {
		r, err := openRoot(s, b, len(w.roots), dir)
		if err != nil {
			return nil, fmt.Errorf("root %s: %w", dir, err)
		}
		if w.listAgain(r.shown) {
			r.close()
			continue
		}
		w.add(r)
	}
	if o.CacheBytes > 0 {
		w.cache = newCache(o.CacheBytes)
	}
	if len(w.roots) == 0 {
		return nil, errors.New("a workspace needs at least one root")
	}
	if w.deny, err = newDenyList(s, o, homeDirectory(), w.roots); err != nil {
		return nil, err
	}
	for _, r := range w.roots {
		for dir := range r.spellings() {
			if pattern := w.deniedAbove(dir); pattern != "" {
				return nil, fmt.Errorf("root %s is denied by the pattern %q; drop the pattern or choose another root", r.given, pattern)
			}
		}
		const improbable = "\ue000.\ue000" // a name that only a pattern for all names matches
		if denied, ok := errors.AsType[*DeniedError](w.denied(r, "", improbable, nil)); ok {
			return nil, fmt.Errorf("deny pattern %q: it denies everything in the root %s; drop the pattern", denied.Pattern, r.given)
		}
	}
	return w, nil
}

func (w *Workspace) add(r *root) {
	w.roots = append(w.roots, r)
	w.listed = append(w.listed, r)
}

// listAgain lists the root that was given as dir once more. It reports false if there is none.
func (w *Workspace) listAgain(dir string) bool {
	i := slices.IndexFunc(w.roots, func(r *root) bool { return r.shown == dir })
	if i >= 0 {
		w.listed = append(w.listed, w.roots[i])
	}
	return i >= 0
}

// Spellings returns the absolute paths under which callers know the roots: each as it was given, and after it free of symlinks if
// that differs. A root that was given twice is there twice.
func (w *Workspace) Spellings() []string {
	var dirs []string
	for _, r := range w.listed {
		dirs = append(dirs, r.shown)
		if real := filepath.FromSlash(r.real); real != r.shown {
			dirs = append(dirs, real)
		}
	}
	return dirs
}

// Roots returns the roots as absolute paths in the spelling they were given in.
func (w *Workspace) Roots() []string {
	dirs := make([]string, len(w.roots))
	for i, r := range w.roots {
		dirs[i] = r.shown
	}
	return dirs
}

// Resolved returns the roots as absolute paths free of symlinks, in the order of [Workspace.Roots].
func (w *Workspace) Resolved() []string {
	dirs := make([]string, len(w.roots))
	for i, r := range w.roots {
		dirs[i] = filepath.FromSlash(r.real)
	}
	return dirs
}

// Close closes the roots: nothing more is found in them. Open files stay open, and so do open directories until it
// is checked again whether they were moved, which fails with [fs.ErrClosed]. Closing again does nothing.
func (w *Workspace) Close() error {
	for _, r := range w.roots {
		r.close()
	}
	return nil
}

// HasAncestorEntry reports whether a root, or a directory above it, has an entry of that name, of any kind. It is the only
// question about what lies above a root that this package answers. It fails only if the root itself cannot be inspected.
func (w *Workspace) HasAncestorEntry(root int, name string) (bool, error) {
	r := w.roots[root]
	_, err := Location{w, r, name}.Lstat()
	if err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
		return err == nil, err
	}
	if _, err := (Location{w, r, "."}).Lstat(); err != nil {
		return false, err
	}
	for ; r.parent != nil; r = r.parent {
		for dir := r.rel; dir != "."; {
			dir = path.Dir(dir)
			if _, err := (Location{w, r.parent, joinPath(dir, name)}).Lstat(); err == nil {
				return true, nil
			}
		}
	}
	for _, dir := range w.semantics.above(r.real) {
		if _, err := os.Lstat(filepath.FromSlash(joinPath(dir, name))); err == nil {
			return true, nil
		}
	}
	return false, nil
}
