package search

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"gander/internal/files/pattern"
	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
)

// FindOptions holds the options of [Find].
type FindOptions struct {
	Scope
	Kinds []workspace.EntryKind // to find; all if empty
	// Pattern must match the path of an entry, relative to the start. If it contains one of *?[{\
	// or begins with a slash, it is a glob in the syntax of a line of a .gitignore without "!", with
	// braces: *.go, src/**/x.go, /*.go, test*/. Otherwise the path must contain it, ignoring case;
	// that of a directory ends in a slash. "" matches all.
	Pattern string
	Limit   int     // 0 means none
	Totals  *Totals // if not nil, is updated during the walk
	// Progress, if not nil, is called on the caller's goroutine before a directory is entered and
	// during the reading of a large one. It ends the walk by returning false.
	Progress func() bool
}

// Check returns an error if a glob or the pattern is malformed or can match nothing.
func (o FindOptions) Check(ctx context.Context) error {
	if err := o.Scope.Check(ctx); err != nil {
		return err
	}
	_, err := CompilePattern(ctx, o.Pattern)
	return err
}

// Find yields the entries below the directory at start that match the options. It also enters
// directories that do not match. It is lazy, except in [walk.NewestFirst]. Its errors are the
// errors of [walk.Entries], except that denied directories are yielded without one, and that those
// which vanish are omitted.
func Find(
	ctx context.Context, w *workspace.Workspace, start workspace.Location, o FindOptions,
) iter.Seq2[walk.Entry, error] {
	return func(yield func(walk.Entry, error) bool) {
		err := find(ctx, w, start, o, yield)
		if err != nil && err != errStopped {
			yield(walk.Entry{}, err)
		}
	}
}

// find yields the entries, until yield returns false. Its error ends the walk.
func find(
	ctx context.Context, w *workspace.Workspace, start workspace.Location, o FindOptions,
	yield func(walk.Entry, error) bool,
) error {
	totals := o.Totals
	if totals == nil {
		totals = new(Totals)
	}
	sel, err := newFindSelector(ctx, w, o, totals)
	if err != nil {
		return err
	}
	defer sel.stop()
	dir, err := start.Dir()
	if err != nil {
		return err
	}
	defer dir.Close()
	options := sel.options()
	options.Limit = o.Limit
	for e, err := range walk.Entries(sel.ctx, dir, options) {
		switch {
		case sel.ended != nil:
			return sel.ended
		case e.Dir == nil:
			return err
		}
		rule, isDenied := deniedBy(err)
		if isDenied {
			totals.addDenied(rule, 1)
			err = nil
		}
		isHidden := isDenied && e.ForError
		if isHidden || hasChanged(err) {
			continue
		}
		if !yield(e, err) {
			return nil
		}
	}
	return nil
}

// newFindSelector returns the selector of the entries to find.
func newFindSelector(
	ctx context.Context, w *workspace.Workspace, o FindOptions, t *Totals,
) (*selector, error) {
	matches, err := CompilePattern(ctx, o.Pattern)
	if err != nil {
		return nil, err
	}
	s, err := newSelector(ctx, w, o.Scope, t)
	if err != nil {
		return nil, err
	}
	s.wants = func(dir *walk.Directory, name []byte, kind workspace.EntryKind) bool {
		if len(o.Kinds) > 0 && !slices.Contains(o.Kinds, kind) {
			return false
		}
		entry := walk.Entry{Name: name, Dir: dir}
		return matches == nil || matches(entry.Path(), kind == workspace.Directory)
	}
	if o.Progress != nil {
		s.within = findEvery
		s.progress = func() error {
			if !o.Progress() {
				return errStopped
			}
			return nil
		}
	}
	return s, nil
}

// findEvery is the number of entries of a directory after which Progress is called.
const findEvery = 256

// IsGlob reports whether a pattern in FindOptions is a glob.
func IsGlob(pattern string) bool {
	return strings.ContainsAny(pattern, `*?[{\`) || strings.HasPrefix(pattern, "/")
}

// CompilePattern returns a function that reports whether a path matches a pattern of [FindOptions],
// or nil if all do.
func CompilePattern(ctx context.Context, p string) (func(path string, isDir bool) bool, error) {
	switch {
	case p == "":
		return nil, nil
	case IsGlob(p):
		if p[0] == '!' {
			return nil, fmt.Errorf(
				`glob %.100q: a pattern does not exclude paths; write \! for the character`, p)
		}
		if err := checkGlob(pattern.NewCompiler(ctx), p); err != nil {
			return nil, err
		}
		if p[0] == '#' {
			p = `\` + p
		}
		globs, err := pattern.CompileList(ctx, []string{text.Plain(p)})
		if err != nil {
			return nil, err
		}
		return func(path string, isDir bool) bool {
			matched, excluded := globs.Match([]byte(text.Plain(path)), isDir)
			return matched && !excluded
		}, nil
	default:
		part := text.Alike(p)
		return func(path string, isDir bool) bool {
			if isDir { // so that the path of a directory can end in a slash, as in a listing
				path += "/"
			}
			return strings.Contains(text.Alike(path), part)
		}, nil
	}
}
