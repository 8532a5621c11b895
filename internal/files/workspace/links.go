package workspace

import (
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// An alias is an absolute path of the current directory through a symlink. Deny patterns are also
// matched with the aliases, because one belongs to the requested path.
//
// Example: in the root /w, a/l is a symlink to ../d. To resolve a/l/s, the resolver enters /w/d,
// which gets the alias /w/a/l. The entry s then has the paths /w/d/s and /w/a/l/s.
type alias struct {
	path  string
	below int // the number of components after the symlink
}

// aliases are the aliases of a directory.
type aliases []alias

// add adds the paths of symlinks whose targets are the directory.
func (a *aliases) add(links []string) {
	for _, p := range links {
		*a = append(*a, alias{path: p})
	}
}

func (a aliases) enter(name string) {
	for i := range a {
		a[i] = alias{joinPath(a[i].path, name), a[i].below + 1}
	}
}

// leave goes to the parent directory. Symlinks whose target is the directory itself do not lead to
// its parent, so their aliases go.
func (a *aliases) leave() {
	*a = slices.DeleteFunc(*a, func(a alias) bool { return a.below == 0 })
	for i, old := range *a {
		(*a)[i] = alias{parentPath(old.path), old.below - 1}
	}
}

func joinEach(dirs []string, name string) (paths []string) {
	for _, dir := range dirs {
		paths = append(paths, joinPath(dir, name))
	}
	return paths
}

// followLink continues with the target of the entry that c leads to if that is a symlink, and with
// c again if the entry has been replaced since err. Otherwise it returns err, the error of opening
// or describing the entry.
func (r *resolver) followLink(c component, err error) error {
	mayBeLink := slices.ContainsFunc([]error{errFollow, ErrNotDirectory, ErrNotRegular, ErrLoop},
		func(e error) bool { return errors.Is(err, e) })
	if !mayBeLink {
		return err
	}
	target, linkErr := r.dir.readlink(c.name)
	if linkErr != nil {
		info, statErr := r.dir.lstat(c.name)
		switch {
		case statErr != nil:
			return statErr
		case info.Kind == Symlink:
			return linkErr
		case isAbout(err, info.Kind):
			return err
		}
	}
	r.links++ // which also limits how often a replaced entry is tried again
	if r.links > maxLinks {
		return ErrLoop
	}
	if linkErr != nil {
		r.todo = append(r.todo, c)
		return nil
	}
	links := r.entryPaths(c)
	r.aliases = nil // they lead to the end of the target, and no longer to the directory
	target = r.w.semantics.slashed(target)
	if r.w.semantics.isRelative(target) {
		r.push(target, links)
		return nil
	}
	l, err := r.w.locate(r.ctx, target)
	if err != nil {
		return r.outsideError(target)
	}
	r.push(l.rest, links)
	return r.start(l.root)
}

// isAbout reports whether an entry of a kind other than Symlink explains err.
func isAbout(err error, kind EntryKind) bool {
	switch {
	case errors.Is(err, errFollow):
		return false
	case errors.Is(err, ErrNotDirectory):
		return kind != Directory
	case errors.Is(err, ErrNotRegular):
		return kind != Regular
	}
	return true
}

// outsideError returns the error of a path that is outside at the directory abs.
func (r *resolver) outsideError(abs string) error {
	return &OutsideError{filepath.Clean(filepath.FromSlash(abs + "/" + r.rest()))}
}

// parent goes to the parent directory, which c leads to, and to those of further ".." that follow
// immediately.
func (r *resolver) parent(c component) error {
	if r.rel == "." {
		return r.leaveRoot(c)
	}
	dir, kept := path.Dir(r.rel), r.aliases
	kept.leave()
	for dir != "." && len(r.todo) > 0 && r.todo[len(r.todo)-1].name == ".." {
		// The links of the previous c lead to the directory that this one leaves.
		c, dir = r.next(), path.Dir(dir)
		kept.leave()
	}
	err := r.descend(r.root, dir)
	kept.add(c.links)
	r.aliases = kept
	return err
}

// leaveRoot goes on from the directory above a root, which c leads to. It opens nothing there: the
// remaining components are resolved lexically, and must lead to a root again.
//
// Example: in the root /w, up is a symlink to "..". On the way to up/w/d, the directory / gets the
// alias /w/up, so the root gets the alias /w/up/w.
func (r *resolver) leaveRoot(c component) error {
	// All remaining components are copied each time, which links can cause thousands of times.
	r.steps += 1 + len(r.todo)/64
	if r.steps > maxSteps {
		return syscall.ENAMETOOLONG
	}
	outside := parentPath(r.root.real())
	l, err := r.w.locate(r.ctx, outside+"/"+r.rest())
	if err != nil {
		return r.outsideError(outside)
	}
	kept := r.aliases
	kept.leave()
	kept.add(c.links)
	for left := strings.Count(l.rest, "/"); len(r.todo) > left; {
		c := r.next()
		switch c.name {
		case ".":
		case "..":
			kept.leave()
		default:
			kept.enter(c.name)
		}
		kept.add(c.links)
	}
	for _, a := range kept {
		if p := r.w.deny.matchPath(a.path, a.below); p != "" {
			return &DeniedError{p}
		}
	}
	err = r.start(l.root)
	r.aliases = kept
	return err
}
