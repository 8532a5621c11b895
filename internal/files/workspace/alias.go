package workspace

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// findAlias finds the place that an absolute path leads to through symlinks outside the workspace, as /tmp/project does
// where /tmp is a symlink and the root is /private/tmp/project. The path must begin with no root. Otherwise findAlias
// fails with [ErrOutside]. A caller learns from the answer that a path leads inside, and nothing else:
//
//   - It only inspects, with lstat and readlink, directories and symlinks on the way. It opens and lists nothing.
//   - It stops at the first component that is missing, is something else or cannot be inspected, so the answer is the same
//     for all of those. A ".." outside is taken lexically, so it does not tell whether what it follows exists.
//   - It enters only the file systems on which the directories above a root lie. Network file systems, automounts and /proc,
//     where a look can have effects or wait, are others. Windows has paths with effects on every drive, so nothing is
//     looked at there.
func (w *Workspace) findAlias(abs string) (Location, error) {
	if w.semantics == windowsSemantics {
		return Location{}, ErrOutside
	}
	a := aliasResolver{w, w.rootDevices()}
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

// rootDevices returns the devices of the roots and of the directories above them.
func (w *Workspace) rootDevices() []uint64 {
	var devices []uint64
	for _, r := range w.roots {
		for dir := r.real; ; dir = path.Dir(dir) {
			if fi, err := os.Lstat(filepath.FromSlash(dir)); err == nil {
				if device, ok := deviceOf(fi); ok && !slices.Contains(devices, device) {
					devices = append(devices, device)
				}
			}
			if dir == path.Dir(dir) {
				break
			}
		}
	}
	return devices
}

// An aliasResolver follows symlinks outside the workspace.
type aliasResolver struct {
	w       *Workspace
	devices []uint64 // of the file systems that it enters
}

// follow returns where name in dir leads, a path free of symlinks, or "" if that is no directory that may be looked at.
// Where it leads through a root, follow stops there and returns what is left of the way.
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
		if a.w.semantics.classify(name, dir == "/") == invalidName {
			return "", ""
		}
		next := path.Join(dir, name)
		fi, err := os.Lstat(next)
		if err != nil {
			return "", ""
		}
		if device, ok := deviceOf(fi); !ok || !slices.Contains(a.devices, device) {
			return "", ""
		}
		switch kindOf(fi.Mode()) {
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
