package workspace

import (
	"os"
	"path"
	"slices"
	"strings"
)

// findAlias finds the location of an absolute path that reaches a root through symlinks outside
// the workspace, as /tmp/project does if /tmp is a symlink and the root is /private/tmp/project.
// The path must begin with no root. If it reaches no root, findAlias fails with [ErrOutside]. The
// result reveals nothing else about what is outside:
//
//   - It inspects directories and symlinks on the way, with lstat and readlink. It opens and lists
//     nothing.
//   - It stops at the first component that is missing, has another kind or cannot be inspected,
//     so the error is the same in all of these cases. A ".." outside is resolved lexically, so it
//     does not reveal whether the preceding components exist.
//   - It inspects at most maxSteps entries.
//   - It enters only the file systems that a root or a directory above a root is on, which it
//     determines from the table of mounts before it inspects anything. Others, such as network file
//     systems, automounts and /proc, may block or have effects. Windows has paths with effects on
//     every drive, so nothing is inspected there.
func (w *Workspace) findAlias(abs string) (Location, error) {
	mounts, ok := mountedDevices()
	if !ok || w.semantics == windowsSemantics {
		return Location{}, ErrOutside
	}
	a := aliasResolver{w: w, mounts: mounts, devices: map[string]bool{}}
	for _, r := range w.roots {
		for _, dir := range append(w.semantics.above(r.real), r.real) {
			a.devices[mounts[dir]] = true
		}
	}
	way := []string{"/"} // where each lexical prefix of abs leads, "" for nowhere
	for abs != "" {
		name, rest, more := strings.Cut(strings.TrimLeft(abs, "/"), "/")
		if more {
			rest = "/" + rest
		}
		abs = rest
		switch name {
		case "", ".":
			continue
		case "..":
			way = way[:max(len(way)-1, 1)]
			continue
		}
		reached, left := a.follow(way[len(way)-1], name)
		if w.isRoot(reached) {
			return w.locate(reached + left + rest)
		}
		way = append(way, reached)
	}
	return Location{}, ErrOutside
}

// isRoot reports whether dir is the path of a root.
func (w *Workspace) isRoot(dir string) bool {
	return slices.ContainsFunc(w.roots, func(r *root) bool {
		rest, ok := w.semantics.cutRoot(dir, r.real)
		return ok && rest == ""
	})
}

// An aliasResolver follows symlinks outside the workspace.
type aliasResolver struct {
	w       *Workspace
	mounts  map[string]string // the mounted device for each path
	devices map[string]bool   // of the file systems that it enters
	steps   int
}

// follow resolves name in dir, without symlinks. It returns "" unless the result is a directory
// that may be inspected. If it meets a root, it stops there and returns the remaining path.
func (a *aliasResolver) follow(dir, name string) (reached, left string) {
	links, todo := 0, name
	for todo != "" {
		if dir == "" || a.w.isRoot(dir) {
			return dir, "/" + todo
		}
		name, todo, _ = strings.Cut(todo, "/")
		switch name {
		case "", ".":
			continue
		case "..":
			dir = path.Dir(dir)
			continue
		}
		next := path.Join(dir, name)
		switch a.kind(next, name, dir == "/") {
		case Directory:
			dir = next
		case Symlink:
			target, err := os.Readlink(next)
			if links++; err != nil || links > maxLinks {
				return "", ""
			}
			if path.IsAbs(target) {
				dir = "/"
			}
			if todo != "" {
				target += "/" + todo
			}
			todo = target
		default:
			return "", ""
		}
	}
	return dir, ""
}

// kind inspects the entry called name at abs, whose parent directory is entered. It returns Unknown
// for an entry that may not be inspected.
func (a *aliasResolver) kind(abs, name string, atTop bool) EntryKind {
	device, mounted := a.mounts[abs]
	a.steps++
	if a.steps > maxSteps || mounted && !a.devices[device] ||
		a.w.semantics.classify(name, atTop) == invalidName {
		return Unknown
	}
	fi, err := os.Lstat(abs)
	if err != nil {
		return Unknown
	}
	return kindOf(fi.Mode())
}
