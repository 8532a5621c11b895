package workspace

import (
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// A denyPattern is a glob to match, and the pattern it was written as.
type denyPattern struct{ glob, written string }

// A namePattern is one whose glob is without slashes. What it matches begins with prefix and ends with suffix, which is
// asked first: every name on the way is matched with every pattern.
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

// A denyList is the deny patterns as some rules fold them, split by what they are matched with.
type denyList struct {
	rules rules
	names []namePattern // with each single name on the way
	paths []denyPattern // with whole paths
}

// newDenyLists returns the lists that a workspace with these rules goes by. Where case matters it is ignored as well as
// heeded: the file system of a single directory may not care, and a pattern that denies too much is the lesser evil.
func newDenyLists(rules rules, patterns []string) ([]denyList, error) {
	own, err := newDenyList(rules, patterns)
	if err != nil || rules != exactRules {
		return []denyList{own}, err
	}
	blind, err := newDenyList(windowsRules, patterns)
	if !strings.Contains(strings.Join(patterns, ""), "[") { // without classes, nothing matches only where case is heeded
		return []denyList{blind}, err
	}
	return []denyList{own, blind}, err
}

// newDenyList cleans the patterns lexically, as the paths are that they are matched with: "secret/" is "secret".
func newDenyList(rules rules, patterns []string) (denyList, error) {
	l := denyList{rules: rules}
	for _, written := range patterns {
		if !doublestar.ValidatePattern(written) || written == "" {
			return l, fmt.Errorf("deny pattern %q is not a valid glob; check its brackets and braces", written)
		}
		p := path.Clean(rules.fold(written))
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

// denied returns a [DeniedError] where a pattern matches the entry at rel below r. Its parents have been asked about before
// it.
func (w *Workspace) denied(r *root, rel string) error {
	name := rel[strings.LastIndexByte(rel, '/')+1:]
	for _, l := range w.deny {
		pattern := l.matchName(l.rules.fold(name))
		if pattern == "" && len(l.paths) > 0 {
			pattern = l.matchPath(l.rules.fold(path.Join(r.real, rel)), w.bounds)
		}
		if pattern != "" {
			return &DeniedError{pattern}
		}
	}
	return nil
}

// deniedAbove returns the pattern that denies an absolute path or something above it, or "".
func (w *Workspace) deniedAbove(abs string) string {
	for _, l := range w.deny {
		for dir := l.rules.fold(abs); dir != path.Dir(dir); dir = path.Dir(dir) {
			if p := l.matchName(path.Base(dir)); p != "" {
				return p
			}
			if p := l.matchPath(dir, w.bounds); p != "" {
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

// matchPath matches an absolute path, as it is and from each of the roots that it lies in.
func (l denyList) matchPath(abs string, roots []*root) (pattern string) {
	for _, p := range l.paths {
		if doublestar.MatchUnvalidated(p.glob, abs) {
			return p.written
		}
		for _, r := range roots {
			rel, below := strings.CutPrefix(abs, strings.TrimSuffix(l.rules.fold(r.real), "/")+"/")
			if below && doublestar.MatchUnvalidated(p.glob, rel) {
				return p.written
			}
		}
	}
	return ""
}
