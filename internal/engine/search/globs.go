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
		g := scopeGlob{verdict: included}
		text, negated := strings.CutPrefix(written, "!")
		if negated {
			g.verdict = excluded
		}
		text, g.dirOnly = strings.CutSuffix(text, "/")
		text, anchored := strings.CutPrefix(text, "/")
		if strings.HasSuffix(text, "/**") {
			text += "/*" // what lies in the directory, but not the directory itself
		}
		var err error
		if g.Pattern, err = glob.Compile(text, glob.Options{AnyDepth: !anchored}); err != nil {
			return l, err
		}
		l.globs = append(l.globs, g)
		l.includes = l.includes || !negated
	}
	return l, nil
}

// judge returns what the last glob says that matches the path.
func (l *globList) judge(path string, isDir bool) judgement {
	for _, g := range slices.Backward(l.globs) {
		if (isDir || !g.dirOnly) && g.Match(path) {
			return g.verdict
		}
	}
	return unmatched
}
