// Package workspace holds the root directories of a workspace and opens directories and files inside them. It is the
// only room that touches a workspace file. It knows no order, no limit and no tool.
//
// Confinement does not depend on comparing path strings with what is on disk at some other moment: every component of
// a path is opened from the handle of the directory before it, symlinks are never followed by the operating system, and
// their targets are resolved here, component by component, inside the roots.
package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Errors of this room. Those of the operating system are returned as they are, without any path.
var (
	// ErrOutside: the path leads out of the workspace. It is the answer for what exists there and for what does not.
	ErrOutside = errors.New("path is outside the workspace")
	// ErrDenied: a deny pattern matches the resolved path. It matches [fs.ErrPermission].
	ErrDenied error = deniedError{}
	// ErrNotDirectory: a directory was wanted where something else is.
	ErrNotDirectory = errors.New("not a directory")
	// ErrIsDirectory: a file was wanted where a directory is.
	ErrIsDirectory = errors.New("is a directory")
	// ErrNotRegular: a file was wanted where a FIFO, socket or device is. Such files are never opened.
	ErrNotRegular = errors.New("not a regular file")
	// ErrLoop: more symlinks on the way than are followed.
	ErrLoop = errors.New("too many levels of symbolic links")
	// ErrBadPath: no file can have that path.
	ErrBadPath = fmt.Errorf("%w: a path cannot contain a NUL character", fs.ErrInvalid)
)

type deniedError struct{}

func (deniedError) Error() string        { return "permission denied" }
func (deniedError) Is(target error) bool { return target == fs.ErrPermission }

// A DeniedError is an [ErrDenied] that knows the pattern. It says no more than that does.
type DeniedError struct {
	// Pattern is the deny pattern that matches, as it was given.
	Pattern string
}

func (*DeniedError) Error() string { return ErrDenied.Error() }

// Is makes the error match [ErrDenied] and [fs.ErrPermission].
func (*DeniedError) Is(target error) bool { return target == ErrDenied || errors.Is(ErrDenied, target) }

// EntryKind is what an entry is, symlinks not followed.
type EntryKind uint8

// The kinds of entry. Other is a FIFO, a socket or a device.
const (
	Unknown EntryKind = iota
	Regular
	Directory
	Symlink
	Other
)

// Info is what a tool may print about an entry.
type Info struct {
	Kind EntryKind
	// Size is in bytes.
	Size    int64
	ModTime time.Time
}

// Options configure a workspace.
type Options struct {
	// Deny are globs on resolved paths: what they match is neither opened nor entered. See [Open].
	Deny []string
	// CacheBytes is how much may be remembered of what has been read. 0 remembers nothing.
	CacheBytes int
}

// A Workspace is one or more open root directories. It is safe for concurrent use.
type Workspace struct {
	rules   rules
	roots   []*root
	bounds  []*root // that deny patterns are relative to: the roots, or those of the workspace that this one is a part of
	deny    []denyList
	memory  *memory // nil where nothing is remembered
	buffers sync.Pool
}

// Open opens the directories as roots, each once: renaming or replacing one later does not redirect the workspace. A
// root may be given through a symlink; both spellings of it are accepted in paths. A pattern in o.Deny with no slash
// but a leading "**/" (and a trailing "/**") is matched with single names, any other with the whole path, both absolute
// and relative to each root that contains it; case is ignored. A root inside a denied place is an error.
func Open(o Options, dirs ...string) (*Workspace, error) { return openOn(o, system, dirs...) }

// openOn is Open over a ground of the caller's choice.
func openOn(o Options, ground ground, dirs ...string) (*Workspace, error) {
	return openBy(native, o, ground, dirs...)
}

// openBy is openOn with the rules of any system.
func openBy(rules rules, o Options, ground ground, dirs ...string) (_ *Workspace, err error) {
	w := &Workspace{rules: rules, buffers: sync.Pool{New: func() any { return new([listBuffer]byte) }}}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.Close())
		}
	}()
	for i, dir := range dirs {
		r, err := openRoot(rules, ground, i, dir)
		if err != nil {
			return nil, fmt.Errorf("root %s: %w", dir, err)
		}
		w.roots = append(w.roots, r)
	}
	w.bounds = w.roots
	if o.CacheBytes > 0 {
		w.memory = newMemory(o.CacheBytes)
	}
	if len(w.roots) == 0 {
		return nil, errors.New("a workspace needs at least one root")
	}
	if w.deny, err = newDenyLists(rules, o.Deny); err != nil {
		return nil, err
	}
	for _, r := range w.roots {
		if pattern := w.deniedAbove(r.real); pattern != "" {
			return nil, fmt.Errorf("root %s is denied by the pattern %q; drop the pattern or choose another root", r.given, pattern)
		}
	}
	return w, nil
}

// Roots returns the roots as absolute paths in the spelling they were given.
func (w *Workspace) Roots() []string {
	dirs := make([]string, len(w.roots))
	for i, r := range w.roots {
		dirs[i] = r.shown
	}
	return dirs
}

// Resolved returns the roots as absolute paths free of symlinks.
func (w *Workspace) Resolved() []string {
	dirs := make([]string, len(w.roots))
	for i, r := range w.roots {
		dirs[i] = filepath.FromSlash(r.real)
	}
	return dirs
}

// Close closes the roots: nothing more is found in them. Directories and files that are open stay so. Closing again does
// nothing.
func (w *Workspace) Close() error {
	for _, r := range w.roots {
		r.close()
	}
	return nil
}

// HasAncestorEntry reports whether the first root, or a directory above it, has an entry of that name, of any kind. It is the one
// question this room answers about what lies above a root, and the answer is no more than yes or no. The error is what
// keeps it from looking into the root itself.
func (w *Workspace) HasAncestorEntry(name string) (bool, error) {
	first := w.roots[0]
	if !first.acquire() {
		return false, fs.ErrClosed
	}
	defer first.release()
	_, err := first.node.lstat(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
		return false, err
	}
	for dir := first.real; err != nil && dir != path.Dir(dir); {
		dir = path.Dir(dir)
		_, err = os.Lstat(filepath.Join(filepath.FromSlash(dir), name))
	}
	return err == nil, nil
}

// maxPath is the longest path a caller may write, in bytes, as on Linux.
const maxPath = 4096

// A Place is a path in the workspace, not yet looked at.
type Place struct {
	w    *Workspace
	root *root
	rest string // relative to root, slash-separated, as the caller wrote it
}

// Find turns a path into a place and touches no file: absolute paths are matched with the roots in order, relative ones
// belong to the first root. The result's methods follow symlinks while they stay inside the workspace, and resolve ".."
// as the operating system does, after the symlinks before it. The error is [ErrOutside] or [ErrBadPath].
func (w *Workspace) Find(p string) (Place, error) {
	if strings.ContainsRune(p, 0) {
		return Place{}, ErrBadPath
	}
	if len(p) > maxPath {
		return Place{}, syscall.ENAMETOOLONG
	}
	slashed := w.rules.slashed(p)
	if w.rules.reach(slashed) == fromRoot {
		return Place{w, w.roots[0], slashed}, nil
	}
	return w.locate(slashed)
}

// locate finds the first root that contains an absolute path.
func (w *Workspace) locate(abs string) (Place, error) {
	if w.rules.reach(abs) != fromTop {
		return Place{}, ErrOutside
	}
	for _, r := range w.roots {
		for _, prefix := range []string{r.given, r.real} {
			if rest, ok := w.rules.cutRoot(abs, prefix); ok {
				return Place{w, r, rest}, nil
			}
		}
	}
	return Place{}, ErrOutside
}

// cutRoot consumes components of abs until what it has consumed, with "." and ".." taken lexically, is prefix; the
// rest is for a resolver. Nothing above a root is looked at, so lexically is the only way there is.
func (r rules) cutRoot(abs, prefix string) (rest string, ok bool) {
	const share = "//"
	if r == windowsRules && strings.HasPrefix(abs, share) != strings.HasPrefix(prefix, share) {
		return "", false
	}
	want := components(prefix)
	var have []string
	for {
		if len(have) == len(want) && slices.EqualFunc(have, want, r.same) {
			return strings.TrimLeft(abs, "/"), true
		}
		if abs == "" {
			return "", false
		}
		var name string
		name, abs, _ = strings.Cut(strings.TrimLeft(abs, "/"), "/")
		switch {
		case name == "..":
			have = have[:max(len(have)-1, 0)]
		case name != "." && name != "":
			have = append(have, name)
		}
	}
}

func components(p string) []string {
	return strings.FieldsFunc(p, func(c rune) bool { return c == '/' })
}

// IsRelative reports whether a path is relative to a root on this platform. One that is not need not be absolute: on Windows
// it may begin at a drive, or where that drive's current directory is.
func IsRelative(p string) bool { return native.reach(native.slashed(p)) == fromRoot }

// SameName reports whether two names mean the same entry on this platform, whose file systems may ignore case.
func SameName(a, b string) bool { return native.same(a, b) }

// Join returns the place of rel, a path relative to p.
func (p Place) Join(rel string) Place {
	p.rest += "/" + rel
	return p
}

// Path returns the place as it was written, relative to its root and cleaned lexically; "." for the root itself.
func (p Place) Path() string { return strings.TrimPrefix(path.Clean("./"+p.rest), "./") }
