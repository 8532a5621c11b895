package workspace

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// maxPath is the longest path a caller may write, in bytes, as on Linux.
const maxPath = 4096

// A Location is a path in the workspace, not yet looked at. Its methods follow symlinks while they stay inside, and resolve
// ".." as the operating system does, after the symlinks before it.
type Location struct {
	w    *Workspace
	root *root
	rest string // relative to root, slash-separated, as the caller wrote it
}

// Find returns the location of a path. An absolute path belongs to the first root that contains
// it, a relative one to the first root. Find inspects files only for an absolute path that begins
// with no root, which may reach one through symlinks. The error is [ErrOutside] or [ErrBadPath],
// or reports that the path is too long.
func (w *Workspace) Find(p string) (Location, error) {
	l, err := w.Locate(p)
	if slashed := w.semantics.slashed(p); err == ErrOutside &&
		w.semantics.kindOfPath(slashed) == absolutePath {
		return w.findAlias(slashed)
	}
	return l, err
}

// Locate is [Workspace.Find] for a path that nobody has asked for, such as the target of a listed
// link: it inspects nothing, so an absolute path must begin with a root.
func (w *Workspace) Locate(p string) (Location, error) {
	if strings.ContainsRune(p, 0) {
		return Location{}, ErrBadPath
	}
	if len(p) > maxPath {
		return Location{}, syscall.ENAMETOOLONG
	}
	slashed := w.semantics.slashed(p)
	if w.semantics.kindOfPath(slashed) == relativePath {
		return Location{w, w.roots[0], slashed}, nil
	}
	return w.locate(slashed)
}

// locate finds the first root that contains an absolute path.
func (w *Workspace) locate(abs string) (Location, error) {
	if w.semantics.kindOfPath(abs) != absolutePath {
		return Location{}, ErrOutside
	}
	for _, r := range w.roots {
		for _, prefix := range []string{r.given, r.real} {
			if rest, ok := w.semantics.cutRoot(abs, prefix); ok {
				return Location{w, r, rest}, nil
			}
		}
	}
	return Location{}, ErrOutside
}

// cutRoot removes from abs as many components as make up prefix, with "." and ".." taken lexically. Nothing above a root
// is looked at, so there is no other way to take them.
func (s pathSemantics) cutRoot(abs, prefix string) (rest string, ok bool) {
	const share = "//"
	if s == windowsSemantics && strings.HasPrefix(abs, share) != strings.HasPrefix(prefix, share) {
		return "", false
	}
	want := strings.FieldsFunc(prefix, func(c rune) bool { return c == '/' })
	var have []string
	for {
		if len(have) == len(want) && slices.EqualFunc(have, want, s.same) {
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

// IsRelative reports whether a path is relative to a root on this platform. A path that is not need not be absolute: on
// Windows it may be relative to a drive, or to that drive's current directory.
func IsRelative(p string) bool { return native.kindOfPath(native.slashed(p)) == relativePath }

// SameName reports whether two names stand for the same entry on this platform, whose file systems may ignore case.
func SameName(a, b string) bool { return native.same(a, b) }

// Join returns the place of rel, a path relative to p.
func (p Location) Join(rel string) Location {
	p.rest += "/" + rel
	return p
}

// Root returns the index of the root that the place is written relative to.
func (p Location) Root() int { return p.root.index }

// Path returns the place as it was written, relative to its root and cleaned lexically; "." for the root itself.
func (p Location) Path() string { return strings.TrimPrefix(path.Clean("./"+p.rest), "./") }

// Absolute returns the place as an absolute path: that of its root, free of symlinks, and [Location.Path].
func (p Location) Absolute() string { return filepath.FromSlash(joinPath(p.root.real, p.Path())) }
