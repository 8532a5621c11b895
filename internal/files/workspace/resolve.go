package workspace

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"path/filepath"
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
	ctx   context.Context
	w     *Workspace
	root  *root
	dir   dirHandle // the current directory
	at    string    // its path relative to root, without symlinks, "." for the root
	trail linkTrail // its other paths
	todo  []string  // the remaining components in reverse order
	links int
	steps int

	knownNames int // the number of next components that a directory has listed
	namesRead  int // by lookUp
}

// resolve walks l to its end and returns the result of open, which opens or describes the entry
// called name in the directory of r, or that directory itself as ".". If the entry is a symlink,
// open fails as a dirHandle does, and is called again for the target.
//
// resolve enters no denied directory. If checkEnd is set, the end must not be denied either. If it
// took longer than the interval of checks, it fails unless the directory reached is still in place.
func resolve[T any](
	l Location, checkEnd bool, open func(r *resolver, name string) (T, error),
) (result T, err error) {
	l.w.activity.begin()
	defer l.w.activity.end()
	r := &resolver{ctx: l.ctx, w: l.w}
	defer r.close()
	started := time.Now()
	if err := r.start(l.root, l.rest); err != nil {
		return result, err
	}
	if l.namesKnown {
		r.knownNames = len(r.todo)
	}
	if err := r.walk(checkEnd, func(r *resolver, name string) (err error) {
		result, err = open(r, name)
		return err
	}); err != nil {
		return *new(T), err
	}
	if movable := r.at != "." || r.root.parent != nil; !movable || time.Since(started) < l.w.recheck {
		return result, nil
	}
	if err := l.w.checkHeld(r.root, r.at, r.dir); err != nil {
		if c, ok := any(result).(io.Closer); ok {
			_ = c.Close()
		}
		return *new(T), err
	}
	return result, nil
}

func (r *resolver) walk(checkEnd bool, open func(*resolver, string) error) error {
	for len(r.todo) > 0 {
		r.trail.leave(len(r.todo))
		name, err := r.canonicalName(r.next())
		switch {
		case err != nil || name == ".":
		case name == "..":
			err = r.parent()
		case len(r.todo) > 0:
			err = r.followLink(name, r.openChecked(name, true, (*resolver).enter))
		default:
			err = r.openChecked(name, checkEnd, open)
			if err == nil {
				return nil
			}
			err = r.followLink(name, err)
		}
		if err != nil {
			return err
		}
	}
	r.trail.leave(0)
	return open(r, ".")
}

// start goes to root, which must not have been moved if it is narrowed, and pushes rest.
func (r *resolver) start(root *root, rest string) error {
	r.close()
	if root.parent != nil {
		if err := r.w.checkHeld(root.parent, root.rel, root.handle); err != nil {
			return err
		}
	}
	if !root.acquire() {
		return fs.ErrClosed
	}
	r.root, r.dir, r.at, r.trail.dir = root, root.handle, ".", slices.Clip(root.aliases)
	r.push(rest)
	return nil
}

// checkHeld returns an error unless held is the directory at rel below root, a path without
// symlinks. Otherwise it, or a directory above it, was moved, perhaps outside or to a denied path.
func (w *Workspace) checkHeld(root *root, rel string, held dirHandle) error {
	found, err := w.openAt(root, rel, dirHandle.openPath)
	if errors.Is(err, ErrNotDirectory) {
		return fs.ErrNotExist
	}
	if err != nil {
		return err
	}
	defer found.close()
	was, err := held.identity()
	if err != nil {
		return err
	}
	is, err := found.identity()
	if err == nil && !sameIdentity(is, was) {
		err = fs.ErrNotExist
	}
	return err
}

// openAt opens the directory at rel below root, which must be free of symlinks.
func (w *Workspace) openAt(
	root *root, rel string, open func(dirHandle, string) (dirHandle, error),
) (dirHandle, error) {
	w.activity.begin()
	defer w.activity.end()
	r := &resolver{w: w}
	defer r.close()
	if err := r.descend(root, path.Dir(rel)); err != nil {
		return nil, err
	}
	return open(r.dir, path.Base(rel))
}

// descend goes to the directory at rel below root, which must be free of symlinks.
func (r *resolver) descend(root *root, rel string) error {
	err := r.start(root, "")
	for name := range strings.SplitSeq(rel, "/") {
		if err == nil && name != "." {
			err = r.enter(name)
		}
	}
	return err
}

func (r *resolver) close() {
	switch r.dir {
	case nil:
	case r.root.handle:
		r.root.release()
	default:
		_ = r.dir.close()
	}
	r.dir = nil
}

// push puts the components of p before the remaining ones. A final slash becomes ".", because both
// require a directory.
func (r *resolver) push(p string) {
	if strings.HasSuffix(p, "/") {
		p += "."
	}
	names := strings.FieldsFunc(p, func(c rune) bool { return c == '/' })
	slices.Reverse(names)
	r.todo = append(r.todo, names...)
}

// next removes the next component and returns it.
func (r *resolver) next() string {
	last := len(r.todo) - 1
	name := r.todo[last]
	r.todo = r.todo[:last]
	return name
}

// openChecked opens name, unless check is set and a deny pattern matches its path. The path of a
// symlink's target is checked when the symlink is followed.
func (r *resolver) openChecked(
	name string, check bool, open func(*resolver, string) error,
) error {
	if check {
		if denied := r.w.denied(r.root, r.at, name, r.trail.dir); denied != nil {
			_, err := r.dir.lstat(name)
			return cmp.Or(err, denied)
		}
	}
	return open(r, name)
}

func (r *resolver) lstat(name string) (Info, error) { return r.dir.lstat(name) }

// stat fails for a symlink, so that resolve follows it.
func (r *resolver) stat(name string) (Info, error) {
	info, err := r.dir.lstat(name)
	if err == nil && info.Kind == Symlink {
		err = ErrNotRegular
	}
	return info, err
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
	r.dir, r.at = sub, entryPath(r.at, name)
	r.trail.enter(name)
	return nil
}

// parent goes to the parent directory, and resolves further ".." that follow immediately.
func (r *resolver) parent() error {
	if r.at == "." {
		return r.leaveRoot()
	}
	dir := path.Dir(r.at)
	for dir != "." && len(r.todo) > 0 && r.todo[len(r.todo)-1] == ".." {
		r.next()
		dir = path.Dir(dir)
	}
	return r.descend(r.root, dir)
}

// leaveRoot goes on from the directory above a root. It opens nothing there: the remaining components
// are resolved lexically, and must lead to a root again.
func (r *resolver) leaveRoot() error {
	// All remaining components are copied each time, which links can cause thousands of times.
	r.steps += 1 + len(r.todo)/64
	if r.steps > maxSteps {
		return syscall.ENAMETOOLONG
	}
	rest := r.todo
	slices.Reverse(rest)
	r.todo = nil
	if err := r.jump(parentPath(r.root.real) + "/" + strings.Join(rest, "/")); err != nil {
		return err
	}
	return r.reenter(rest)
}

// jump continues with an absolute path.
func (r *resolver) jump(abs string) error {
	l, err := r.w.locate(r.ctx, abs)
	if err != nil {
		slices.Reverse(r.todo)
		abs += "/" + strings.Join(r.todo, "/")
		return &OutsideError{filepath.Clean(filepath.FromSlash(abs))}
	}
	return r.start(l.root, l.rest)
}

// followLink continues with the target of the entry called name if that is a symlink. Otherwise it
// returns err, the error of opening the entry.
func (r *resolver) followLink(name string, err error) error {
	if !errors.Is(err, ErrNotDirectory) && !errors.Is(err, ErrNotRegular) &&
		!errors.Is(err, ErrLoop) {
		return err
	}
	target, linkErr := r.dir.readlink(name)
	if linkErr != nil {
		if info, statErr := r.dir.lstat(name); statErr == nil && info.Kind == Symlink {
			return linkErr
		}
		return err
	}
	r.links++
	if r.links > maxLinks {
		return ErrLoop
	}
	r.knownNames = 0
	real := joinPath(r.root.real, entryPath(r.at, name))
	r.trail.follow(name, real, len(r.todo), joinEach(r.root.aliases, r.at))
	target = r.w.semantics.slashed(target)
	if !r.w.semantics.isRelative(target) {
		return r.jump(target)
	}
	r.push(target)
	return nil
}
