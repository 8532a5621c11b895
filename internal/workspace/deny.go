package workspace

import (
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// A denyPattern is a glob to match, and the pattern it was written as.
type denyPattern struct{ glob, written string }

// A denyList is the deny patterns, split by what they are matched with.
type denyList struct {
	names []denyPattern // with each single name on the way
	paths []denyPattern // with whole paths
}

// newDenyList cleans the patterns lexically, as the paths are that they are matched with: "secret/" is "secret".
func newDenyList(patterns []string) (denyList, error) {
	var l denyList
	for _, written := range patterns {
		if !doublestar.ValidatePattern(written) || written == "" {
			return l, fmt.Errorf("deny pattern %q is not a valid glob; check its brackets and braces", written)
		}
		p := path.Clean(fold(written))
		name, ok := strings.CutPrefix(p, "**/")
		name = strings.TrimSuffix(name, "/**")
		if ok && !strings.Contains(name, "/") && name != "**" {
			l.names = append(l.names, denyPattern{name, written})
		} else {
			l.paths = append(l.paths, denyPattern{p, written})
		}
	}
	return l, nil
}

// denied reports whether a pattern matches the entry at rel below r. Its parents have been asked about before it.
func (w *Workspace) denied(r *root, rel string) bool {
	if name := fold(rel[strings.LastIndexByte(rel, '/')+1:]); w.deny.matchName(name) != "" {
		return true
	}
	return len(w.deny.paths) > 0 && w.deny.matchPath(fold(path.Join(r.real, rel)), w.roots) != ""
}

// deniedAbove returns the pattern that denies an absolute path or something above it, or "".
func (w *Workspace) deniedAbove(abs string) string {
	abs = fold(abs)
	for dir := abs; dir != path.Dir(dir); dir = path.Dir(dir) {
		if p := w.deny.matchName(path.Base(dir)); p != "" {
			return p
		}
		if p := w.deny.matchPath(dir, w.roots); p != "" {
			return p
		}
	}
	return ""
}

func (l denyList) matchName(name string) (pattern string) {
	for _, p := range l.names {
		if doublestar.MatchUnvalidated(p.glob, name) {
			return p.written
		}
	}
	return ""
}

// matchPath matches an absolute path, as it is and from each of the roots that it lies in.
func (l denyList) matchPath(abs string, roots []*root) (pattern string) {
	for _, p := range l.paths {
		if doublestar.MatchUnvalidated(p.glob, abs) {
			return p.written
		}
		for _, r := range roots {
			rel, below := strings.CutPrefix(abs, strings.TrimSuffix(fold(r.real), "/")+"/")
			if below && doublestar.MatchUnvalidated(p.glob, rel) {
				return p.written
			}
		}
	}
	return ""
}
