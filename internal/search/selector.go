package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path"
	"strings"

	"gander/internal/files/ignore"
	"gander/internal/files/names"
	"gander/internal/files/pattern"
	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
)

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
	// OnlySelect keeps out what is hidden or ignored, even if a glob matches it. Globs in the form of
	// [text.Plain] then match paths in any form.
	OnlySelect bool
	// GlobPrefix is prepended to the paths before globs match them. It is the path of the start,
	// relative to the directory of globs with slashes, with a trailing slash. It is "" if that
	// directory is the start.
	GlobPrefix string
	// Types, if not empty, select files by name among those that globs, ignore files and Hidden leave,
	// in the syntax of Globs. A file that they select is included even if it is hidden.
	Types []string
	Depth int // the maximum depth of entries; 0 means any
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
func checkGlob(c *pattern.Compiler, glob string) error {
	glob = strings.TrimPrefix(strings.TrimSuffix(glob, "/"), "/")
	if _, err := c.Compile(pattern.Path, glob, false); err != nil {
		return fmt.Errorf("glob %.100q: %w", glob, err)
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
	ctx       context.Context // of the walk
	workspace *workspace.Workspace
	scope     Scope
	globs     *pattern.List
	types     *pattern.List
	totals    *Totals
	path      []byte // scratch space for a path
	entered   bool   // the start has been entered

	// wants reports whether to yield an entry that the scope includes.
	wants func(dir *walk.Directory, name []byte, kind workspace.EntryKind) bool

	// progress, if not nil, is called before a directory is entered if at least between entries have
	// been listed since the last call, and while one is read if at least within have; then it must not
	// wait. Its error ends the walk.
	progress        func() error
	between, within int
	listed          int                // since the last call
	ended           error              // the error of progress
	stop            context.CancelFunc // ends the walk
}

// reportAfter reports progress if at least n entries have been listed, unless the walk has ended.
func (s *selector) reportAfter(n int) {
	if s.progress == nil || s.ended != nil || s.listed < n {
		return
	}
	s.listed = 0
	s.ended = s.progress()
	if s.ended != nil {
		s.stop()
	}
}

func newSelector(
	ctx context.Context, w *workspace.Workspace, s Scope, t *Totals,
) (*selector, error) {
	globs, err := pattern.CompileList(ctx, s.Globs)
	if err != nil {
		return nil, err
	}
	types, err := pattern.CompileList(ctx, s.Types)
	if err != nil {
		return nil, err
	}
	s.Ignore.Named = true
	ctx, stop := context.WithCancel(ctx)
	return &selector{
		ctx: ctx, workspace: w, scope: s, globs: globs, types: types, totals: t, stop: stop,
	}, nil
}

func (s *selector) options() walk.Options {
	return walk.Options{
		Order: s.scope.Order, NameOrder: s.scope.NameOrder,
		Depth: cmp.Or(s.scope.Depth, math.MaxInt), MaxBytes: maxNames,
		Filter: s.decide, Enter: s.enter,
	}
}

// enter reads the ignore files of a directory, and sets its data to the chain for its entries.
func (s *selector) enter(dir *walk.Directory, open *workspace.Dir) (err error) {
	if dir.Depth == 0 && s.entered {
		s.totals = new(Totals) // the tree is read again; everything has been counted
	}
	s.entered = true
	s.reportAfter(s.between)
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
	for _, name := range chain.Unused() {
		s.totals.addUnused(name)
	}
	return err
}

func (s *selector) decide(
	dir *walk.Directory, name []byte, kind workspace.EntryKind,
) walk.Decision {
	s.totals.Listed++
	s.listed++
	s.reportAfter(s.within)
	wanted := s.wants(dir, name, kind)
	isDir := kind == workspace.Directory
	if !wanted && !isDir {
		return walk.Omit
	}
	matched, excluded := s.matchGlobs(dir, name, isDir)
	if excluded {
		return walk.Omit
	}
	wanted = wanted && (matched || !s.globs.Includes)
	includes := matched && !s.scope.OnlySelect
	if !includes {
		if !wanted && !isDir || s.excludes(dir, name, kind) {
			return walk.Omit
		}
	}
	if wanted {
		s.totals.Selected++
		return walk.Show
	}
	return walk.Hide
}

// excludes reports whether an entry is ignored, hidden or of another type, and counts ignored
// entries.
func (s *selector) excludes(dir *walk.Directory, name []byte, kind workspace.EntryKind) bool {
	chain, _ := dir.Data.(*ignore.Chain)
	switch chain.Match(name, kind).Verdict {
	case ignore.Ignore:
		if string(name) != ".git" {
			s.totals.Ignored++
		}
		return true
	case ignore.Include:
		return s.isOtherType(name, kind)
	}
	if kind == workspace.Directory || s.types.Empty() {
		return name[0] == '.' && !s.scope.Hidden
	}
	matched, _ := s.types.Match(name, false)
	isHidden := !matched && name[0] == '.' && !s.scope.Hidden
	return isHidden || s.isOtherType(name, kind)
}

// isOtherType reports whether a file is not of the types that are selected.
func (s *selector) isOtherType(name []byte, kind workspace.EntryKind) bool {
	if kind == workspace.Directory || s.types.Empty() {
		return false
	}
	matched, excluded := s.types.Match(name, false)
	return excluded || !matched && s.types.Includes
}

func (s *selector) matchGlobs(
	dir *walk.Directory, name []byte, isDir bool,
) (matched, excluded bool) {
	if s.globs.Empty() {
		return false, false
	}
	s.path = append(s.path[:0], s.scope.GlobPrefix...)
	s.path = walk.Entry{Name: name, Dir: dir}.AppendPath(s.path)
	if s.scope.OnlySelect && !text.ASCII(s.path) {
		s.path = []byte(text.Plain(string(s.path)))
	}
	return s.globs.Match(s.path, isDir)
}
