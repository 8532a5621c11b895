// Package workspace opens directories and files inside the root directories of a workspace. No
// other package opens files of the workspace.
//
// Confinement does not depend on comparing path strings with a file system that changes. Every
// component of a path is opened from the handle of the directory before it, the operating system
// follows no symlinks, and their targets are resolved here, component by component, inside the
// roots.
package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"gander/internal/option"
)

// Errors of this package. Errors of the operating system are returned without their paths.
var (
	// ErrOutside reports a path outside the workspace, whether or not it exists.
	ErrOutside = errors.New("path is outside the workspace")
	// ErrDenied reports that a deny pattern matches the requested or the resolved path.
	ErrDenied error = &DeniedError{}
	// ErrNotDirectory reports something other than a directory.
	ErrNotDirectory = errors.New("not a directory")
	// ErrIsDirectory reports a directory instead of a file.
	ErrIsDirectory = errors.New("is a directory")
	// ErrNotRegular reports a FIFO, socket or device instead of a file.
	ErrNotRegular = errors.New("not a regular file")
	// ErrLoop reports more symlinks than are followed.
	ErrLoop = errors.New("too many levels of symbolic links")
	// ErrBadPath reports a path that no file can have.
	ErrBadPath = fmt.Errorf("%w: a path cannot contain a NUL character", fs.ErrInvalid)
)

// ErrRefused is an [fs.ErrPermission]. [Workspace.Confine] describes it.
var ErrRefused error = refusedError{}

type refusedError struct{}

func (refusedError) Error() string {
	return "permission denied by the kernel's confinement of gander; " +
		"--no-kernel-confinement turns it off"
}

func (refusedError) Is(target error) bool { return target == fs.ErrPermission }

// A DeniedError is an [ErrDenied] with the matching pattern.
type DeniedError struct{ Pattern string }

func (e *DeniedError) Error() string {
	if e.Pattern == "" {
		return "permission denied"
	}
	return "denied by pattern " + e.Pattern
}

func (*DeniedError) Is(target error) bool {
	return target == ErrDenied || target == fs.ErrPermission
}

// An OutsideError is an [ErrOutside] caused by a symlink. Path is its target with the rest of the
// requested path, absolute and cleaned lexically. It was not inspected. The message omits it.
type OutsideError struct{ Path string }

func (*OutsideError) Error() string { return ErrOutside.Error() }

func (*OutsideError) Is(target error) bool { return target == ErrOutside }

// An EntryKind is the type of a directory entry.
type EntryKind uint8

// The kinds of entry. Other is a FIFO, a socket or a device.
const (
	Unknown EntryKind = iota
	Regular
	Directory
	Symlink
	Other
)

// An Info describes an entry.
type Info struct {
	Kind    EntryKind
	Size    int64 // in bytes
	ModTime time.Time
}

// Details is an Info with further properties. Those that a system does not record are zero, unless
// noted.
type Details struct {
	Info
	Mode      uint32 // as in stat(2)
	Links     uint64
	UID, GID  uint32
	Inode     uint64
	Device    Device // that contains the entry
	Special   Device // that the entry is, if it is a device
	Blocks    int64  // of 512 bytes
	BlockSize int64  // for reading and writing
	Accessed  time.Time
	Changed   time.Time // any attribute; ModTime if the system does not record it
	Created   time.Time // Changed if the system does not record it
}

// A Device is the number of a device.
type Device struct{ Major, Minor uint32 }

// Options configures a workspace.
type Options struct {
	Deny        []string // patterns of files and directories never to open; see [Open]
	DefaultDeny bool     // adds the patterns for common secrets
	CacheBytes  int      // the maximum size of the cache; if zero, nothing is cached
}

// A Workspace is one or more open root directories. It is safe for concurrent use.
type Workspace struct {
	semantics    pathSemantics
	roots        []*root
	rootsAsGiven []*root // with duplicates
	deny         *denyList
	cache        *cache
	buffers      *sync.Pool
	recheck      time.Duration // recheckInterval, except in tests
}

// recheckInterval is the interval between checks that an open directory was not moved.
const recheckInterval = 10 * time.Millisecond

// Open opens the directories as roots. Renaming or replacing one later does not redirect the
// workspace. Duplicates are one root. A root may be specified through a symlink; paths may then use
// either spelling.
//
// A pattern in o.Deny without a slash applies at any depth, as in .gitignore. Any other pattern is
// relative to each root. If it begins with a slash, it also applies from the top of the file system
// and may contain symlinks above the roots. If it begins with "~/", it applies in the home
// directory. Case is ignored. Patterns are matched with the requested path and the path that it
// resolves to. A pattern that matches no path, and a root in a denied directory, are errors.
//
// A pattern that begins with "!" is an exception from those before it: of all that match a path,
// the last decides. An exception matches only the name as it is listed, with its case, and by each
// path that was taken: a symlink to the entry needs its own. Nothing in a denied directory is open.
// "!d" opens the directory d only, "!d/**" also what is in it.
func Open(o Options, dirs ...string) (*Workspace, error) {
	return open(native(), openNative, o, dirs...)
}

func open(s pathSemantics, b backend, o Options, dirs ...string) (_ *Workspace, err error) {
	w := &Workspace{
		semantics: s, recheck: recheckInterval, cache: newCache(max(o.CacheBytes, 0)),
		buffers: &sync.Pool{New: func() any { return new([listBuffer]byte) }},
	}
	defer func() {
		if err != nil {
			_ = w.Close()
		}
	}()
	for _, dir := range dirs {
		r, err := openRoot(s, b, dir)
		if err != nil {
			err = fmt.Errorf("root %s: %w", dir, err)
			return nil, &option.Error{Option: "Roots", Value: dir, Err: err}
		}
		w.add(r)
	}
	if len(w.roots) == 0 {
		return nil, errors.New("a workspace needs at least one root")
	}
	home, _ := os.UserHomeDir() // otherwise unknown
	w.deny, err = newDenyList(s, o, home, w.roots)
	if err != nil {
		return nil, err
	}
	for _, r := range w.roots {
		if err := w.checkRoot(r); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// checkRoot returns an error if a pattern denies r or everything in it.
func (w *Workspace) checkRoot(r *root) error {
	for _, dir := range r.paths {
		if p := w.deny.matchPath(dir, math.MaxInt); p != "" {
			err := fmt.Errorf("root %s is denied by the pattern %q; "+
				"drop the pattern or choose another root", r.shown, p)
			return &option.Error{Option: "Roots", Value: r.shown, Err: err}
		}
	}
	if w.deny.excepts {
		return nil // what is open may be what an exception matches
	}
	const improbable = "\ue000.\ue000" // matched only by a pattern for all names
	if p := w.deny.match(r.paths[:1], improbable); p != "" {
		return denyError(p, fmt.Errorf("it denies everything in the root %s; drop the pattern", r.shown))
	}
	return nil
}

// add adds r, or closes it if another root was specified as the same path.
func (w *Workspace) add(r *root) {
	r.index = slices.IndexFunc(w.roots, func(old *root) bool { return old.shown == r.shown })
	if r.index < 0 {
		r.index = len(w.roots)
		w.roots = append(w.roots, r)
	} else {
		_ = r.close()
	}
	w.rootsAsGiven = append(w.rootsAsGiven, w.roots[r.index])
}

// Spellings returns the absolute paths of the roots, including duplicates. Each path is followed by
// that without symlinks if it differs.
func (w *Workspace) Spellings() (dirs []string) {
	for _, r := range w.rootsAsGiven {
		dirs = append(dirs, r.shown)
		if real := filepath.FromSlash(r.real()); real != r.shown {
			dirs = append(dirs, real)
		}
	}
	return dirs
}

// Roots returns the absolute paths of the roots as specified.
func (w *Workspace) Roots() (dirs []string) {
	for _, r := range w.roots {
		dirs = append(dirs, r.shown)
	}
	return dirs
}

// Resolved returns the paths of [Workspace.Roots] without symlinks.
func (w *Workspace) Resolved() (dirs []string) {
	for _, r := range w.roots {
		dirs = append(dirs, filepath.FromSlash(r.real()))
	}
	return dirs
}

// Confine prepares for a confinement of the process to the roots. It returns the paths to permit:
// if the system has such paths, they open the roots themselves even if these were renamed or
// replaced, until Close. From now on, the error for an entry that the kernel refuses to open,
// though its mode permits that, is [ErrRefused].
func (w *Workspace) Confine() (dirs []string) {
	for _, r := range w.roots {
		dirs = append(dirs, r.handle.confine(filepath.FromSlash(r.real())))
	}
	return dirs
}

// Close closes the roots. Open files stay open. Open directories fail with [fs.ErrClosed] when they
// are checked next. Closing again does nothing.
func (w *Workspace) Close() error {
	for _, r := range w.roots {
		_ = r.close()
	}
	return nil
}

// HasAncestorEntry reports whether a root, or a directory above it, has an entry called name. After
// Open, nothing else above a root is inspected. It fails only if the root cannot be inspected.
func (w *Workspace) HasAncestorEntry(ctx context.Context, root int, name string) (bool, error) {
	r := w.roots[root]
	_, err := Location{ctx: ctx, w: w, root: r, rest: name}.Lstat()
	if err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
		return err == nil, err
	}
	if _, err := (Location{ctx: ctx, w: w, root: r, rest: "."}).Lstat(); err != nil {
		return false, err
	}
	for ; r.parent != nil; r = r.parent {
		for dir := r.rel; dir != "."; {
			dir = path.Dir(dir)
			l := Location{ctx: ctx, w: w, root: r.parent, rest: joinPath(dir, name)}
			if _, err := l.Lstat(); err == nil {
				return true, nil
			}
		}
	}
	for dir := filepath.FromSlash(r.real()); dir != filepath.Dir(dir); {
		dir = filepath.Dir(dir)
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true, nil
		}
	}
	return false, nil
}
