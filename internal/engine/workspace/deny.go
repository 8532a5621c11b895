package workspace

import (
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// A denyPattern is a glob to match, and the pattern it was written as.
type denyPattern struct{ glob, written string }

// A namePattern is a denyPattern whose glob has no slash. A name that it matches begins with prefix and ends with suffix,
// which are compared first: every component of every path is matched with every pattern.
type namePattern struct {
	denyPattern
	prefix, suffix string
}

func newNamePattern(glob, written string) namePattern {
	p := namePattern{denyPattern: denyPattern{glob, written}, prefix: glob}
	if first := strings.IndexAny(glob, `*?[{\`); first >= 0 {
		p.prefix = glob[:first]
	}
	if !strings.ContainsAny(glob, `[{\`) {
		p.suffix = glob[strings.LastIndexAny(glob, "*?")+1:]
	}
	return p
}

func (p *namePattern) matches(name string) bool {
	return strings.HasPrefix(name, p.prefix) && strings.HasSuffix(name, p.suffix) && doublestar.MatchUnvalidated(p.glob, name)
}

// A denyList is the deny patterns, folded as some path semantics fold names and split by what they are matched with.
type denyList struct {
	semantics pathSemantics
	names     []namePattern // matched with single names
	paths     []denyPattern // matched with whole paths
}

// newDenyLists returns the lists for a workspace with the given path semantics. Where these heed case, patterns are matched
// ignoring case as well: a single directory may ignore it, and denying too much is the lesser evil.
func newDenyLists(s pathSemantics, patterns []string) ([]denyList, error) {
	own, err := newDenyList(s, patterns)
	if err != nil || s != exactSemantics {
		return []denyList{own}, err
	}
	ignoringCase, err := newDenyList(windowsSemantics, patterns)
	if !strings.Contains(strings.Join(patterns, ""), "[") { // without classes, nothing matches only where case is heeded
		return []denyList{ignoringCase}, err
	}
	return []denyList{own, ignoringCase}, err
}

// newDenyList cleans the patterns lexically, like the paths that they are matched with: "secret/" is "secret".
func newDenyList(s pathSemantics, patterns []string) (denyList, error) {
	l := denyList{semantics: s}
	for _, written := range patterns {
		if !doublestar.ValidatePattern(written) || written == "" {
			return l, fmt.Errorf("deny pattern %q is not a valid glob; check its brackets and braces", written)
		}
		p := path.Clean(s.fold(written))
		name, ok := strings.CutPrefix(p, "**/")
		name = strings.TrimSuffix(name, "/**")
		if ok && !strings.Contains(name, "/") && name != "**" {
			l.names = append(l.names, newNamePattern(name, written))
		} else {
			l.paths = append(l.paths, denyPattern{p, written})
		}
	}
	return l, nil
}

// denied returns a [DeniedError] if a pattern matches the entry called name in the directory at dir below r. Patterns that
// match a directory above it are not considered: they were when that was opened.
func (w *Workspace) denied(r *root, dir, name string) error {
	for _, l := range w.deny {
		pattern := l.matchName(l.semantics.fold(name))
		if pattern == "" && len(l.paths) > 0 {
			pattern = l.matchPath(l.semantics.fold(path.Join(r.real, dir, name)), w.denyRoots)
		}
		if pattern != "" {
			return &DeniedError{pattern}
		}
	}
	return nil
}

// deniedAbove returns the pattern that denies an absolute path or a directory above it, or "".
func (w *Workspace) deniedAbove(abs string) string {
	for _, l := range w.deny {
		for dir := l.semantics.fold(abs); dir != path.Dir(dir); dir = path.Dir(dir) {
			if p := l.matchName(path.Base(dir)); p != "" {
				return p
			}
			if p := l.matchPath(dir, w.denyRoots); p != "" {
				return p
			}
		}
	}
	return ""
}

func (l denyList) matchName(name string) (pattern string) {
	for i := range l.names {
		if p := &l.names[i]; p.matches(name) {
			return p.written
		}
	}
	return ""
}

// matchPath matches an absolute path, both as it is and relative to each root that contains it.
func (l denyList) matchPath(abs string, roots []*root) (pattern string) {
	for _, p := range l.paths {
		if doublestar.MatchUnvalidated(p.glob, abs) {
			return p.written
		}
		for _, r := range roots {
			rel, below := strings.CutPrefix(abs, strings.TrimSuffix(l.semantics.fold(r.real), "/")+"/")
			if below && doublestar.MatchUnvalidated(p.glob, rel) {
				return p.written
			}
		}
	}
	return ""
}
