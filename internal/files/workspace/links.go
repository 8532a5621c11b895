package workspace

import (
	"path"
	"strings"
)

// A linkTrail holds the other paths of the directory that a resolver is in: those by which the root
// was given, and those through the symlinks that the resolver has followed. Deny patterns are
// matched with all of them, because one belongs to the requested path.
//
// Example: in the root /w, a/l is a symlink to ../d. To resolve a/l/s, the resolver follows a/l and
// enters /w/d. The target of a/l ends here, and one component remains: from now on, /w/a/l is another
// path of the directory, and /w/a/l/s one of the entry s.
type linkTrail struct {
	dir   []string  // the other absolute paths of the directory
	links []linkEnd // the symlinks whose targets are not reached yet, the outermost first
}

// A linkEnd describes where the target of a symlink ends.
type linkEnd struct {
	paths []string // the absolute paths of the symlink
	left  int      // the number of components that remain after the target
}

// enter goes to the entry called name.
func (t *linkTrail) enter(name string) { t.dir = joinEach(t.dir, name) }

// follow begins the way to the target of the symlink called name, whose path without symlinks is
// real, and after whose target left components remain. Until the target is reached, only given, the
// paths by which the root was given, lead to the directory. If the others were kept beside those of
// the symlink, each symlink would double them.
func (t *linkTrail) follow(name, real string, left int, given []string) {
	t.links = append(t.links, linkEnd{append(joinEach(t.dir, name), real), left})
	t.dir = given
}

// leave ends the targets that are reached if left components remain: the paths of their symlinks are
// paths of the directory.
func (t *linkTrail) leave(left int) {
	for {
		link, ok := t.ended(left)
		if !ok {
			return
		}
		if link.left == left { // otherwise ".." has left the target
			t.dir = append(t.dir, link.paths...)
		}
	}
}

// ended removes and returns the innermost symlink if at least left components remain after its
// target.
func (t *linkTrail) ended(left int) (link linkEnd, ok bool) {
	last := len(t.links) - 1
	if last < 0 || t.links[last].left < left {
		return linkEnd{}, false
	}
	link, t.links = t.links[last], t.links[:last]
	return link, true
}

// entry returns the other absolute paths of the entry called name at the end of the path.
func (t *linkTrail) entry(name string) []string {
	paths := joinEach(t.dir, name)
	for _, link := range t.links {
		paths = append(paths, link.paths...)
	}
	return paths
}

// reenter ends the targets that end outside, if the path has gone on to a root from there. After the
// last "..", the components rest remained, and all but r.todo led to the root.
//
// Example: in the root /w, up is a symlink to "..". On the way to up/w/d, its target ends in /, and w
// leads to the root, so /w/up/w is another path of the root.
func (r *resolver) reenter(rest []string) error {
	left := len(r.todo)
	for {
		link, ok := r.trail.ended(left + 1)
		if !ok {
			return nil
		}
		outside := path.Join(rest[len(rest)-link.left : len(rest)-left]...)
		if strings.HasPrefix(outside+"/", "../") { // ".." has left the target
			continue
		}
		dirs := link.paths
		for name := range strings.SplitSeq(outside, "/") {
			if p := r.w.deny.match(dirs[0], name, dirs[1:]); p != "" {
				return &DeniedError{p}
			}
			dirs = joinEach(dirs, name)
		}
		r.trail.dir = append(r.trail.dir, dirs...)
	}
}

func joinEach(dirs []string, name string) []string {
	var paths []string
	for _, dir := range dirs {
		paths = append(paths, joinPath(dir, name))
	}
	return paths
}
