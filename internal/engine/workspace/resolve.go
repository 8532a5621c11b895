package workspace

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"
	"syscall"
)

const (
	// maxLinks is how many symlinks are followed on the way to one file, as on Linux.
	maxLinks = 40
	// maxSteps is how many directories are opened on the way to one file. Every ".." takes as many as it is deep, and links
	// made for that purpose could otherwise keep a call busy for minutes.
	maxSteps = 1 << 13
)

// A resolver walks a path one component at a time. It stands in one directory, which it holds open.
type resolver struct {
	w     *Workspace
	root  *root
	node  node     // where it stands
	names []string // from the root to where it stands, free of symlinks
	todo  []string // components still to go, the next one last
	links int
	steps int
}

// An opener does what is wanted of a path's end, which is name in the directory that r stands in, or that directory
// itself as ".". Where a symlink is in its way it fails as a node's methods do, and is called again for the target.
type opener func(r *resolver, name string) error

// resolve leads p to its end and opens that. What deny patterns match is not passed, nor opened where opens is true.
func (p Place) resolve(opens bool, open opener) error {
	r := &resolver{w: p.w}
	defer r.leave()
	if err := r.start(p.root, p.rest); err != nil {
		return err
	}
	for len(r.todo) > 0 {
		name := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		name, err := r.meant(name)
		switch {
		case err != nil:
		case name == ".":
		case name == "..":
			err = r.ascend()
		case len(r.todo) > 0:
			err = r.follow(name, r.through(name, true, (*resolver).descend))
		default:
			if err = r.through(name, opens, open); err == nil {
				return nil
			}
			err = r.follow(name, err)
		}
		if err != nil {
			return err
		}
	}
	return open(r, ".")
}

// start stands in root with rest to go, before whatever else there is.
func (r *resolver) start(root *root, rest string) error {
	r.leave()
	if !root.acquire() {
		return fs.ErrClosed
	}
	r.root, r.node, r.names = root, root.node, r.names[:0]
	r.push(rest)
	return nil
}

// leave closes the directory that r stands in.
func (r *resolver) leave() {
	switch {
	case r.node == nil:
	case r.node == r.root.node:
		r.root.release()
	default:
		r.node.close()
	}
	r.node = nil
}

// move stands in sub instead.
func (r *resolver) move(sub node) {
	r.leave()
	r.node = sub
}

// push puts the components of p before those still to go. A slash at the end asks for a directory, as "." does.
func (r *resolver) push(p string) {
	parts := strings.Split(p, "/")
	if last := len(parts) - 1; last > 0 && parts[last] == "" {
		parts[last] = "."
	}
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i] != "" {
			r.todo = append(r.todo, parts[i])
		}
	}
}

// through opens name unless a deny pattern forbids it. A symlink is not judged by its own name but by its target.
func (r *resolver) through(name string, opens bool, open opener) error {
	if !opens {
		return open(r, name)
	}
	denied := r.w.denied(r.root, r.rel(name))
	if denied == nil {
		return open(r, name)
	}
	info, err := r.node.lstat(name)
	switch {
	case err != nil:
		return err
	case info.Kind == Symlink:
		return ErrNotRegular
	default:
		return denied
	}
}

// meant returns the name of the entry that a component means. Where the system might open another one under it, the entry
// must be listed by that name; deny patterns judge what is listed.
func (r *resolver) meant(name string) (string, error) {
	if name == "." || name == ".." {
		return name, nil
	}
	switch r.w.rules.standing(name, len(r.names) == 0 && r.root.real == "/") {
	case nothing:
		return "", fs.ErrNotExist
	case listed:
		return r.lookUp(name)
	default:
		return name, nil
	}
}

// lookUp finds the entry whose name is, or else folds to, the one given.
func (r *resolver) lookUp(name string) (string, error) {
	dir, err := r.node.list(".")
	if err != nil {
		return "", err
	}
	defer dir.close()
	buf := r.w.buffers.Get().(*[listBuffer]byte)
	defer r.w.buffers.Put(buf)
	found, folded := "", r.w.rules.fold(name)
	_, err = dir.names(context.Background(), buf[:], func(entry []byte, _ EntryKind) bool {
		switch {
		case string(entry) == name:
			found = name
			return false
		case found == "" && r.w.rules.fold(string(entry)) == folded:
			found = string(entry)
		}
		return true
	})
	if err == nil && found == "" {
		err = fs.ErrNotExist
	}
	return found, bare(err)
}

func (r *resolver) descend(name string) error {
	if r.steps++; r.steps > maxSteps {
		return syscall.ENAMETOOLONG
	}
	sub, err := r.node.enter(name)
	if err != nil {
		return err
	}
	r.move(sub)
	r.names = append(r.names, name)
	return nil
}

// ascend goes to the directory above, or as far up as the path goes on to ask for. Above a root there is nothing to stand in; there, what is still to go counts
// from the root's own path, and may lead back into the workspace.
func (r *resolver) ascend() error {
	if len(r.names) == 0 {
		rest := make([]string, 0, len(r.todo))
		for len(r.todo) > 0 {
			rest = append(rest, r.todo[len(r.todo)-1])
			r.todo = r.todo[:len(r.todo)-1]
		}
		return r.jump(path.Dir(r.root.real) + "/" + strings.Join(rest, "/"))
	}
	up := 1
	for up < len(r.names) && len(r.todo) > 0 && r.todo[len(r.todo)-1] == ".." {
		r.todo = r.todo[:len(r.todo)-1]
		up++
	}
	names := r.names[:len(r.names)-up]
	if err := r.start(r.root, ""); err != nil {
		return err
	}
	for _, name := range names {
		if err := r.descend(name); err != nil {
			return err
		}
	}
	return nil
}

// jump goes on with an absolute path.
func (r *resolver) jump(abs string) error {
	p, err := r.w.locate(abs)
	if err != nil {
		return err
	}
	return r.start(p.root, p.rest)
}

// follow puts the target of the symlink called name before what is still to go, if it is one; err is what opening it
// has said, and is returned if it is not.
func (r *resolver) follow(name string, err error) error {
	if !errors.Is(err, ErrNotDirectory) && !errors.Is(err, ErrNotRegular) && !errors.Is(err, ErrLoop) {
		return err
	}
	target, linkErr := r.node.readlink(name)
	if linkErr != nil {
		if info, statErr := r.node.lstat(name); statErr == nil && info.Kind == Symlink {
			return linkErr
		}
		return err
	}
	if r.links++; r.links > maxLinks {
		return ErrLoop
	}
	target = r.w.rules.slashed(target)
	if r.w.rules.reach(target) != fromRoot {
		return r.jump(target)
	}
	r.push(target)
	return nil
}

// rel is the path of name relative to the root, "." for the root itself.
func (r *resolver) rel(name string) string { return path.Join(path.Join(r.names...), name) }
