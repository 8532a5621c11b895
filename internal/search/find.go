package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"path"
	"slices"
	"strings"

	"gander/internal/files/ignore"
	"gander/internal/files/names"
	"gander/internal/files/pattern"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
)

// FindOptions holds the options of [Find].
type FindOptions struct {
	Scope
	Kinds []workspace.EntryKind // to find; all if empty
	// Pattern must match the path of an entry, relative to the start. If it contains one of *?[{\
	// or begins with a slash, it is a glob in the syntax of a line of a .gitignore without "!", with
	// braces: *.go, src/**/x.go, /*.go, test*/. Otherwise the path must contain it, ignoring case.
	// "" matches all.
	Pattern string
	Depth   int     // the maximum depth of entries; 0 means any
	Limit   int     // 0 means none
	Totals  *Totals // if not nil, is updated during the walk
	// Progress, if not nil, is called before a directory is entered and during the reading of a large
	// one. It ends the walk by returning false.
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
		ended := false
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		if o.Progress != nil {
			sel.callOften(func() {
				ended = ended || !o.Progress()
				if ended {
					stop()
				}
			})
		}
		options := sel.options()
		options.Limit, options.Depth = o.Limit, cmp.Or(o.Depth, options.Depth)
		for e, err := range walk.Entries(ctx, dir, options) {
			if ended {
				return
			}
			if err != nil && e.Dir != nil && !o.Totals.countError(err) {
				if e.ForError || !errors.Is(err, workspace.ErrDenied) {
					continue
				}
				err = nil
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// callOften makes the selector call progress before each directory and after every few entries.
func (s *selector) callOften(progress func()) {
	const every = 256
	wants := s.wants
	s.progress = progress
	s.wants = func(dir *walk.Directory, name []byte, kind workspace.EntryKind) bool {
		if s.totals.Visited%every == 0 {
			progress()
		}
		return wants(dir, name, kind)
	}
}

// selectFound selects the entries that match the options.
func (s *selector) selectFound(ctx context.Context, o FindOptions) error {
	matches, err := CompilePattern(ctx, o.Pattern)
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
func IsGlob(pattern string) bool {
	return strings.ContainsAny(pattern, `*?[{\`) || strings.HasPrefix(pattern, "/")
}

// CompilePattern returns a function that reports whether a path matches a pattern of [FindOptions],
// or nil if all do.
func CompilePattern(ctx context.Context, text string) (func(path string, isDir bool) bool, error) {
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

// A Scope selects entries below a directory, and their order. Symlinks are not followed.
type Scope struct {
	// Ignore selects the ignore files that exclude entries. Rules that match the start do not exclude
	// the entries below it.
	Ignore ignore.Options
	Hidden bool // includes entries whose names begin with a dot
	// Globs select files by path, in the syntax of ripgrep's --glob: a line of a .gitignore, with
	// braces. The last glob that matches a file excludes it if the glob begins with "!". Otherwise
	// it includes the file, even if it is hidden or ignored, but not if its directory is. If there
	// is a glob without "!", files that no glob matches are excluded.
	Globs []string
	// GlobPrefix is prepended to the paths before globs match them. It is the path of the start,
	// relative to the directory of globs with slashes, with a trailing slash. It is "" if that
	// directory is the start.
	GlobPrefix string
	// Order is the order of the walk. [walk.PreOrder] is the order of ripgrep's --sort path.
	Order walk.Order
	// NameOrder is the order within a directory.
	NameOrder names.Order
}

// Check returns an error if a glob is malformed or can match nothing. A search fails only if a glob
// is malformed.
func (s Scope) Check(ctx context.Context) error {
	c := pattern.NewCompiler(ctx)
	for _, g := range s.Globs {
		if err := checkGlob(c, strings.TrimPrefix(g, "!")); err != nil {
			return err
		}
	}
	_, err := pattern.CompileList(ctx, s.Globs)
	return err
}

// checkGlob returns an error if a glob without "!" can match nothing.
func checkGlob(c *pattern.Compiler, text string) error {
	text = strings.TrimPrefix(strings.TrimSuffix(text, "/"), "/")
	if _, err := c.Compile(pattern.Path, text, false); err != nil {
		return fmt.Errorf("glob %.100q: %w", text, err)
	}
	return nil
}

// ToolIgnoreFiles returns the ignore files that ripgrep follows in addition to git's.
func ToolIgnoreFiles() []ignore.ToolFile {
	return []ignore.ToolFile{
		{Name: ".ignore", EveryDirectory: true}, {Name: ".rgignore", EveryDirectory: true},
	}
}

// maxNames is the maximum size of the names of one directory in memory.
const maxNames = 2 << 20

// A selector selects the entries of a walk.
type selector struct {
	ctx       context.Context
	workspace *workspace.Workspace
	scope     Scope
	globs     *pattern.List
	totals    *Totals
	path      []byte // scratch space for a path
	entered   bool   // the start has been entered
	progress  func() // if not nil, called before a directory is entered

	// wants reports whether to yield an entry that the scope includes.
	wants func(dir *walk.Directory, name []byte, kind workspace.EntryKind) bool
}

func newSelector(
	ctx context.Context, w *workspace.Workspace, s Scope, t *Totals,
) (*selector, error) {
	globs, err := pattern.CompileList(ctx, s.Globs)
	if err != nil {
		return nil, err
	}
	s.Ignore.Named = true
	return &selector{ctx: ctx, workspace: w, scope: s, globs: globs, totals: t}, nil
}

func (s *selector) options() walk.Options {
	return walk.Options{
		Order: s.scope.Order, NameOrder: s.scope.NameOrder, Depth: math.MaxInt, MaxBytes: maxNames,
		Filter: s.decide, Enter: s.enter,
	}
}

// enter reads the ignore files of a directory, and sets its data to the chain for its entries.
func (s *selector) enter(dir *walk.Directory, open *workspace.Dir) (err error) {
	if dir.Depth == 0 && s.entered {
		s.totals = new(Totals) // the tree is read again; everything has been counted
	}
	s.entered = true
	if s.progress != nil {
		s.progress()
	}
	if !s.scope.Ignore.Git && len(s.scope.Ignore.Tools) == 0 {
		return nil
	}
	var chain *ignore.Chain
	if above, ok := dir.Data.(*ignore.Chain); ok {
		chain, err = above.Enter(path.Base(dir.Path), open)
	} else {
		chain, err = ignore.Open(s.ctx, s.workspace, open, s.scope.Ignore)
	}
	dir.Data = chain
	return err
}

func (s *selector) decide(
	dir *walk.Directory, name []byte, kind workspace.EntryKind,
) walk.Decision {
	s.totals.Visited++
	wanted := s.wants(dir, name, kind)
	isDir := kind == workspace.Directory
	if !wanted && !isDir {
		return walk.Omit
	}
	matched, excluded := s.matchGlobs(dir, name, isDir)
	switch {
	case excluded:
		return walk.Omit
	case !matched:
		wanted = wanted && !s.globs.Includes
		if !wanted && !isDir || s.excludes(dir, name, kind) {
			return walk.Omit
		}
	}
	if wanted {
		s.totals.Listed++
		return walk.Show
	}
	return walk.Hide
}

// excludes reports whether an entry is ignored or hidden, and counts ignored entries.
func (s *selector) excludes(dir *walk.Directory, name []byte, kind workspace.EntryKind) bool {
	chain, _ := dir.Data.(*ignore.Chain)
	switch chain.Match(name, kind).Verdict {
	case ignore.Ignore:
		if string(name) != ".git" {
			s.totals.Ignored++
		}
		return true
	case ignore.Include:
		return false
	default:
		return name[0] == '.' && !s.scope.Hidden
	}
}

func (s *selector) matchGlobs(
	dir *walk.Directory, name []byte, isDir bool,
) (matched, excluded bool) {
	if s.globs.Empty() {
		return false, false
	}
	s.path = append(s.path[:0], s.scope.GlobPrefix...)
	s.path = walk.Entry{Name: name, Dir: dir}.AppendPath(s.path)
	return s.globs.Match(s.path, isDir)
}
