package workspace

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	// maxLinks is the maximum number of symlinks on the way to a file, as on Linux.
	maxLinks = 40
	// maxSteps is the maximum number of directories opened on the way to a file. Each ".." opens all
	// directories above, so a chain of hostile links could otherwise keep a call busy for minutes.
	maxSteps = 1 << 13
)

// A resolver walks a path component by component. It keeps the current directory open.
type resolver struct {
	ctx     context.Context // of one Location, which each step of the way checks
	w       *Workspace
	root    *root
	dir     dirHandle   // the current directory
	rel     string      // its path relative to root, without symlinks, "." for the root
	aliases aliases     // its paths through symlinks
	todo    []component // the remaining components in reverse order

	links     int
	steps     int
	namesRead int // by lookUp
}

// A component is a component of the path that a resolver walks.
type component struct {
	name  string
	links []string // the absolute paths of the symlinks whose targets end with the component
}

// errFollow is the error of describing a symlink that must be followed.
var errFollow = errors.New("a symlink to follow")

// resolve walks l to its end and returns the result of open, which opens or describes the entry end
// in the directory of r, or that directory itself as ".". For a symlink, open fails with errFollow
// or as a dirHandle does, and resolve then continues with the target and calls open again.
//
// resolve enters no denied directory, but the end may be denied. If it took longer than the
// interval of checks, it fails unless the directory reached is still in place.
func resolve[T any](
	l Location, open func(r *resolver, end component) (T, error),
) (result T, err error) {
	r := &resolver{ctx: l.ctx, w: l.w}
	defer r.close()
	defer func() {
		if err != nil {
			trailOf(l.ctx).refuse(l.Absolute(), err)
		}
	}()
	started := time.Now()
	if err := r.start(l.root); err != nil {
		return result, err
	}
	r.push(l.rest, nil)
	for {
		end, err := r.walk()
		if err != nil {
			return *new(T), err
		}
		result, err = open(r, end)
		if err == nil {
			break
		}
		err = r.followLink(end, err)
		if err != nil {
			return *new(T), err
		}
	}
	isMovable := r.rel != "." || r.root.parent != nil
	if !isMovable || time.Since(started) < l.w.recheck {
		return result, nil
	}
	if err := r.checkHeld(r.root, r.rel, r.dir); err != nil {
		if c, ok := any(result).(io.Closer); ok {
			_ = c.Close()
		}
		return *new(T), err
	}
	return result, nil
}

// walk enters the directories up to the last component, and returns that. It is "." if the path
// ends in a directory by "." or "..", or is the root.
func (r *resolver) walk() (end component, err error) {
	for len(r.todo) > 0 {
		c := r.next()
		switch c.name {
		case ".":
			r.aliases.add(c.links)
		case "..":
			err = r.parent(c)
		default:
			c.name, err = r.canonicalName(c.name)
			if err == nil && len(r.todo) == 0 {
				return c, nil
			}
			if err == nil {
				err = r.pass(c)
			}
		}
		if err != nil {
			return component{}, err
		}
	}
	return component{name: "."}, nil
}

// pass enters the directory that c leads to, or continues with the target of a symlink.
func (r *resolver) pass(c component) error {
	err := r.checkDenied(c.name)
	if err == nil {
		err = r.enter(c.name)
	}
	if err != nil {
		return r.followLink(c, err)
	}
	r.aliases.add(c.links)
	return nil
}

// checkDenied returns an error if a deny pattern matches a path of the entry called name. If that
// does not exist, the error says so. The path of a symlink's target is checked when the symlink is
// followed.
func (r *resolver) checkDenied(name string) error {
	if name == "." {
		return nil // checked when it was entered
	}
	denied := r.w.deny.check(r.dirPaths(), name)
	if denied == nil {
		return nil
	}
	_, err := r.dir.lstat(name)
	return cmp.Or(err, denied)
}

// dirPaths returns the absolute paths of the current directory, that without symlinks first.
func (r *resolver) dirPaths() []string {
	paths := joinEach(r.root.paths, r.rel)
	for _, a := range r.aliases {
		paths = append(paths, a.path)
	}
	return paths
}

// entryPaths returns the absolute paths of the entry that c leads to.
func (r *resolver) entryPaths(c component) []string {
	return append(joinEach(r.dirPaths(), c.name), c.links...)
}

// start goes to root, which must not have been moved if it is narrowed.
func (r *resolver) start(root *root) error {
	r.close()
	if !root.acquire() {
		return fs.ErrClosed
	}
	r.root, r.dir, r.rel, r.aliases = root, root.handle, ".", nil
	if root.parent == nil {
		return nil
	}
	return r.checkHeld(root.parent, root.rel, root.handle)
}

// descend goes to the directory at rel below root, which must be free of symlinks.
func (r *resolver) descend(root *root, rel string) error {
	err := r.start(root)
	for name := range strings.SplitSeq(rel, "/") {
		if err == nil && name != "." {
			err = r.enter(name)
		}
	}
	return err
}

// checkHeld returns an error unless held is the directory at rel below root, a path without
// symlinks. Otherwise it, or a directory above it, was moved, perhaps outside or to a denied path.
// The directories that it opens count as steps of r, which stays where it is.
func (r *resolver) checkHeld(root *root, rel string, held dirHandle) error {
	other := &resolver{w: r.w, steps: r.steps}
	defer other.close()
	err := other.descend(root, rel)
	r.steps = other.steps
	if errors.Is(err, ErrNotDirectory) {
		return fs.ErrNotExist
	}
	if err != nil {
		return err
	}
	was, err := held.identity()
	if err != nil {
		return err
	}
	is, err := other.dir.identity()
	if err == nil && !sameIdentity(is, was) {
		err = fs.ErrNotExist
	}
	return err
}

// enter goes to the subdirectory called name.
func (r *resolver) enter(name string) error {
	r.steps++
	if r.steps > maxSteps {
		return syscall.ENAMETOOLONG
	}
	sub, err := r.dir.openPath(name)
	if err != nil {
		return err
	}
	r.close()
	r.dir, r.rel = sub, entryPath(r.rel, name)
	r.aliases.enter(name)
	return nil
}

func (r *resolver) close() {
	if r.dir == nil {
		return
	}
	if r.dir == r.root.handle {
		r.root.release()
	} else {
		_ = r.dir.close()
	}
	r.dir = nil
}

// push puts the components of p, with which the targets of links end, before the remaining ones. A
// final slash becomes ".", because both require a directory.
func (r *resolver) push(p string, links []string) {
	names := splitPath(p)
	if len(names) == 0 || strings.HasSuffix(p, "/") {
		names = append(names, ".")
	}
	last := len(r.todo)
	for _, name := range slices.Backward(names) {
		r.todo = append(r.todo, component{name: name})
	}
	r.todo[last].links = links
}

// next removes the next component and returns it.
func (r *resolver) next() component {
	last := len(r.todo) - 1
	c := r.todo[last]
	r.todo = r.todo[:last]
	return c
}

// rest returns the remaining components as a path, each with a slash.
func (r *resolver) rest() string {
	var b strings.Builder
	for _, c := range slices.Backward(r.todo) {
		b.WriteString(c.name)
		b.WriteByte('/')
	}
	return b.String()
}

// maxNamesRead is the maximum number of names read before a path reads another directory.
const maxNamesRead = 1 << 20

// canonicalName returns the name of the entry that name denotes. If the system might open an entry
// with another name, it is the listed one, which deny patterns are matched with.
func (r *resolver) canonicalName(name string) (string, error) {
	switch r.w.classOf(name, r.root, r.rel, r.dir) {
	case invalidName:
		return "", fs.ErrNotExist
	case ambiguousName:
		return r.lookUp(name)
	default:
		return name, nil
	}
}

// classOf returns the class of a name in the directory dir, which is at rel below root.
func (w *Workspace) classOf(name string, root *root, rel string, dir dirHandle) nameClass {
	class := w.semantics.classify(name, rel == "." && root.real() == "/")
	if class == ordinaryName && w.isForeign(name) && dir.mayFold() {
		return ambiguousName
	}
	return class
}

// isForeign reports whether a file system may open an entry of another name for an ordinary name if
// it follows the rules of another system.
func (w *Workspace) isForeign(name string) bool {
	return !w.deny.coversASCII || windowsSemantics.classify(name, false) != ordinaryName
}

// lookUp finds the entry called name, or else one whose name folds to the same.
func (r *resolver) lookUp(name string) (string, error) {
	if r.namesRead > maxNamesRead {
		return "", syscall.ENAMETOOLONG
	}
	semantics := r.w.semantics
	if semantics == exactSemantics { // whether the case matters depends on the file system
		semantics = darwinSemantics
		if _, err := r.dir.lstat(name); err != nil {
			return "", err
		}
	}
	handle, err := r.dir.openDir(".")
	if err != nil {
		return "", err
	}
	d := Dir{w: r.w, root: r.root, rel: r.rel, handle: handle, checked: time.Now()}
	defer d.Release()
	found, folded := "", semantics.fold(name)
	err = d.Names(r.ctx, func(entry []byte, _ EntryKind) bool {
		r.namesRead++
		switch {
		case string(entry) == name:
			found = name
			return false
		case found == "" && semantics.fold(string(entry)) == folded:
			found = string(entry)
		}
		return true
	})
	if err == nil && found == "" {
		err = fs.ErrNotExist
	}
	return found, err
}
