package search

import (
	"slices"
	"strings"

	"gander/internal/engine/glob"
)

// A judgement is what a globList says about an entry.
type judgement uint8

const (
	unmatched judgement = iota
	included
	excluded
)

// A globList includes and excludes entries; see Scope.Globs.
type globList struct {
	globs    []scopeGlob
	includes bool // one of the globs does not begin with "!"
}

type scopeGlob struct {
	*glob.Pattern
	verdict judgement
	dirOnly bool
}

// compileGlobs compiles globs. The error names the one that is malformed or can match nothing.
func compileGlobs(globs []string) (globList, error) {
	var l globList
	for _, written := range globs {
		text, negated := strings.CutPrefix(written, "!")
		g, err := compileGlob(text)
		if err != nil {
			return l, err
		}
		g.verdict = included
		if negated {
			g.verdict = excluded
		}
		l.globs = append(l.globs, g)
		l.includes = l.includes || !negated
	}
	return l, nil
}

// compileGlob compiles a glob as a line of .gitignore means it: a slash at its end is for directories alone, one at its beginning
// or within it keeps it from matching at any depth.
func compileGlob(text string) (g scopeGlob, err error) {
	text, g.dirOnly = strings.CutSuffix(text, "/")
	text, anchored := strings.CutPrefix(text, "/")
	if strings.HasSuffix(text, "/**") {
		text += "/*" // what lies in the directory, but not the directory itself
	}
	g.Pattern, err = glob.Compile(text, glob.Options{AnyDepth: !anchored})
	return g, err
}

// matches reports whether the glob matches a path.
func (g scopeGlob) matches(path string, isDir bool) bool {
	return (isDir || !g.dirOnly) && g.Match(path)
}

// judge returns what the last glob says that matches the path.
func (l *globList) judge(path string, isDir bool) judgement {
	for _, g := range slices.Backward(l.globs) {
		if g.matches(path, isDir) {
			return g.verdict
		}
	}
	return unmatched
}
