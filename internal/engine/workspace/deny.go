package workspace

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"gander/internal/engine/glob"
)

// A denyPattern is a glob to match, and the pattern as it was written.
type denyPattern struct {
	*glob.Pattern
	written string
}

// A denyList is the deny patterns for names folded by some path semantics.
type denyList struct {
	semantics pathSemantics
	names     []denyPattern // matched with single names
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
	o := glob.Options{IgnoreCase: s != exactSemantics, Absolute: true}
	for _, written := range patterns {
		clean := written
		if written != "" {
			clean = path.Clean(s.compose(written))
		}
		p, err := glob.Compile(clean, o)
		if err != nil {
			return l, fmt.Errorf("deny pattern %q: %w", written, errors.Unwrap(err))
		}
		name, ok := strings.CutPrefix(clean, "**/")
		name = strings.TrimSuffix(name, "/**")
		if !ok || strings.Contains(name, "/") || name == "**" {
			l.paths = append(l.paths, denyPattern{p, written})
			continue
		}
		if short, err := glob.Compile(name, o); err == nil { // p would match the name as well, and take longer
			p = short
		}
		l.names = append(l.names, denyPattern{p, written})
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
	for _, p := range l.names {
		if p.Match(name) {
			return p.written
		}
	}
	return ""
}

// matchPath matches an absolute path, both as it is and relative to each root that contains it.
func (l denyList) matchPath(abs string, roots []*root) (pattern string) {
	for _, p := range l.paths {
		if p.Match(abs) {
			return p.written
		}
		for _, r := range roots {
			rel, below := strings.CutPrefix(abs, strings.TrimSuffix(l.semantics.fold(r.real), "/")+"/")
			if below && p.Match(rel) {
				return p.written
			}
		}
	}
	return ""
}
