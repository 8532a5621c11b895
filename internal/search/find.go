package search

import (
	"context"
	"iter"
	"slices"
	"strings"

	"gander/internal/files/pattern"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
)

// FindOptions specify what [Find] finds.
type FindOptions struct {
	Scope
	// Kinds are the kinds of entries to find. If it is empty, all kinds are found.
	Kinds []workspace.EntryKind
	// Pattern must match the path of an entry, relative to the start. If it contains one of *?[{\ it is a glob, in the syntax of a
	// line of a .gitignore without "!", with braces: *.go, src/**/x.go, /*.go, test*/. Otherwise the path must contain it, regardless
	// of case. "" matches all.
	Pattern string
	// Limit is the largest number of entries that are yielded; 0 means no limit.
	Limit int
	// Totals, unless nil, is updated while entries are found.
	Totals *Totals
}

// Check returns an error if a glob or the pattern is malformed or can match nothing.
func (o FindOptions) Check(ctx context.Context) error {
	if err := o.Scope.Check(ctx); err != nil {
		return err
	}
	_, err := compilePattern(ctx, o.Pattern)
	return err
}

// Find yields the entries below the directory at start that match the options. It also enters directories that do not match. It is
// lazy, except in [walk.NewestFirst]. Its errors are those of [walk.Entries], except that directories which vanish or are denied are
// omitted.
func Find(ctx context.Context, w *workspace.Workspace, start workspace.Location, o FindOptions) iter.Seq2[walk.Entry, error] {
	return func(yield func(walk.Entry, error) bool) {
		if o.Totals == nil {
			o.Totals = new(Totals)
		}
		sel, err := newSelector(ctx, w, o.Scope, o.Totals)
		if err != nil {
			yield(walk.Entry{}, err)
			return
		}
		matches, err := compilePattern(ctx, o.Pattern)
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
			if err != nil && e.Dir != nil && !o.Totals.countError(err) {
				continue
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// forFind returns options for a walk that yields the entries to find.
func (s *selector) forFind(o *FindOptions, matches func(path string, isDir bool) bool) walk.Options {
	s.wants = func(dir *walk.Directory, name []byte, kind workspace.EntryKind) bool {
		if len(o.Kinds) > 0 && !slices.Contains(o.Kinds, kind) {
			return false
		}
		return matches == nil || matches(walk.Entry{Name: name, Dir: dir}.Path(), kind == workspace.Directory)
	}
	w := s.options()
	w.Limit = o.Limit
	return w
}

// IsGlob reports whether a pattern in FindOptions is a glob.
func IsGlob(pattern string) bool { return strings.ContainsAny(pattern, `*?[{\`) }

// compilePattern returns a function that reports whether a path matches the pattern, or nil if all paths match.
func compilePattern(ctx context.Context, text string) (func(path string, isDir bool) bool, error) {
	switch {
	case text == "":
		return nil, nil
	case IsGlob(text):
		if err := checkGlob(pattern.NewCompiler(ctx), text); err != nil {
			return nil, err
		}
		if text[0] == '#' {
			text = `\` + text
		}
		globs, err := pattern.CompileList(ctx, []string{text})
		if err != nil {
			return nil, err
		}
		return func(path string, isDir bool) bool { return globs.Match([]byte(path), isDir) == pattern.Included }, nil
	default:
		part := strings.ToLower(text)
		return func(path string, _ bool) bool { return strings.Contains(strings.ToLower(path), part) }, nil
	}
}
