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

// FindOptions holds the options of [Find].
type FindOptions struct {
	Scope
	// Kinds are the kinds of entries to find. If it is empty, all kinds are found.
	Kinds []workspace.EntryKind
	// Pattern must match the path of an entry, relative to the start. If it contains one of *?[{\
	// it is a glob, in the syntax of a line of a .gitignore without "!", with braces: *.go,
	// src/**/x.go, /*.go, test*/. Otherwise the path must contain it, ignoring case. "" matches
	// all.
	Pattern string
	// Limit is the maximum number of entries. 0 means no limit.
	Limit int
	// Totals, if not nil, is updated during the walk.
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

// Find yields the entries below the directory at start that match the options. It also enters
// directories that do not match. It is lazy, except in [walk.NewestFirst]. Its errors are those of
// [walk.Entries], but it omits directories that vanish or are denied.
func Find(
	ctx context.Context, w *workspace.Workspace, start workspace.Location, o FindOptions,
) iter.Seq2[walk.Entry, error] {
	return func(yield func(walk.Entry, error) bool) {
		if o.Totals == nil {
			o.Totals = new(Totals)
		}
		var dir *workspace.Dir
		sel, err := newSelector(ctx, w, o.Scope, o.Totals)
		if err == nil {
			err = sel.selectFound(ctx, o)
		}
		if err == nil {
			dir, err = start.Dir()
		}
		if err != nil {
			yield(walk.Entry{}, err)
			return
		}
		defer dir.Close()
		options := sel.options()
		options.Limit = o.Limit
		for e, err := range walk.Entries(ctx, dir, options) {
			if err != nil && e.Dir != nil && !o.Totals.countError(err) {
				continue
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// selectFound selects the entries that match the options.
func (s *selector) selectFound(ctx context.Context, o FindOptions) error {
	matches, err := compilePattern(ctx, o.Pattern)
	s.wants = func(dir *walk.Directory, name []byte, kind workspace.EntryKind) bool {
		if len(o.Kinds) > 0 && !slices.Contains(o.Kinds, kind) {
			return false
		}
		entry := walk.Entry{Name: name, Dir: dir}
		return matches == nil || matches(entry.Path(), kind == workspace.Directory)
	}
	return err
}

// IsGlob reports whether a pattern in FindOptions is a glob.
func IsGlob(pattern string) bool { return strings.ContainsAny(pattern, `*?[{\`) }

// compilePattern returns a function that reports whether a path matches the pattern, or nil if all
// paths match.
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
		return func(path string, isDir bool) bool {
			matched, excluded := globs.Match([]byte(path), isDir)
			return matched && !excluded
		}, nil
	default:
		part := strings.ToLower(text)
		return func(path string, _ bool) bool {
			return strings.Contains(strings.ToLower(path), part)
		}, nil
	}
}
