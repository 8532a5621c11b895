package search

import (
	"context"
	"iter"
	"slices"
	"strings"

	"gander/internal/engine/search/globset"
	"gander/internal/engine/walk"
	"gander/internal/engine/workspace"
)

// FindOptions specify what [Find] finds.
type FindOptions struct {
	Scope
	// Kinds are the kinds of entry that are found. None means all.
	Kinds []workspace.EntryKind
	// Pattern is what the path of an entry, relative to the start, must match. With one of *?[{\ it is a glob, in the syntax of a
	// line of .gitignore without "!", with braces: *.go, src/**/x.go, /*.go, test*/. Otherwise it is a part of the path, and
	// case is ignored. "" matches all.
	Pattern string
	// Limit is the most entries that are yielded. 0 sets no limit.
	Limit int
	// Totals, unless nil, is added to while entries are found.
	Totals *Totals
}

// Check returns an error if a glob or the pattern is wrong. Find fails with it.
func (o FindOptions) Check() error {
	if err := o.Scope.Check(); err != nil {
		return err
	}
	_, err := compilePattern(o.Pattern)
	return err
}

// Find yields the entries below the directory at start that have the names, paths and kinds asked for. Directories are entered
// whether they are found or not. It is lazy, except in [walk.NewestFirst]. Errors are as those of [walk.Entries]; directories
// that vanish or are denied are left out.
func Find(ctx context.Context, w *workspace.Workspace, start workspace.Place, o FindOptions) iter.Seq2[walk.Entry, error] {
	return func(yield func(walk.Entry, error) bool) {
		if o.Totals == nil {
			o.Totals = new(Totals)
		}
		sel, err := newSelector(ctx, w, o.Scope, o.Totals)
		if err != nil {
			yield(walk.Entry{}, err)
			return
		}
		matches, err := compilePattern(o.Pattern)
		if err != nil {
			yield(walk.Entry{}, err)
			return
		}
		dir, err := start.Dir()
		if err != nil {
			yield(walk.Entry{}, err)
			return
		}
		defer dir.Close()
		for e, err := range walk.Entries(ctx, dir, sel.forFind(&o, matches)) {
			if err != nil && e.Dir != nil && !o.Totals.tells(err) {
				continue
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// forFind returns a walk that yields what is found.
func (s *selector) forFind(o *FindOptions, matches func(path string, isDir bool) bool) walk.Options {
	s.shows = func(dir *walk.Directory, name []byte, kind workspace.EntryKind) bool {
		if len(o.Kinds) > 0 && !slices.Contains(o.Kinds, kind) {
			return false
		}
		return matches == nil || matches(walk.Entry{Name: name, Dir: dir}.Path(), kind == workspace.Directory)
	}
	w := s.options()
	w.Limit = o.Limit
	return w
}

// IsGlob reports whether FindOptions.Pattern is a glob.
func IsGlob(pattern string) bool { return strings.ContainsAny(pattern, `*?[{\`) }

// compilePattern returns a function that reports whether a path matches FindOptions.Pattern, or nil if all do.
func compilePattern(pattern string) (func(path string, isDir bool) bool, error) {
	switch {
	case pattern == "":
		return nil, nil
	case IsGlob(pattern):
		if err := checkGlob(pattern); err != nil {
			return nil, err
		}
		if pattern[0] == '#' {
			pattern = `\` + pattern
		}
		globs, err := globset.Compile([]string{pattern})
		if err != nil {
			return nil, err
		}
		return func(path string, isDir bool) bool { return globs.Judge([]byte(path), isDir) == globset.Included }, nil
	default:
		part := strings.ToLower(pattern)
		return func(path string, _ bool) bool { return strings.Contains(strings.ToLower(path), part) }, nil
	}
}
