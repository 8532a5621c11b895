package search

import (
	"context"
	"math"
	"path"
	"strings"

	"gander/internal/engine/glob"
	"gander/internal/engine/ignore"
	"gander/internal/engine/names"
	"gander/internal/engine/search/globset"
	"gander/internal/engine/walk"
	"gander/internal/engine/workspace"
)

// A Scope says which entries below a directory are considered, and in which order. Symlinks are not followed.
type Scope struct {
	// Ignore are the ignore files that leave entries out. What lies in a directory that is itself ignored is not left out
	// if the directory is the start.
	Ignore ignore.Options
	// Hidden includes entries whose names begin with a dot.
	Hidden bool
	// Globs choose files by their paths, in the syntax of ripgrep's --glob: a line of .gitignore, with braces. A file is included
	// if the last glob that matches it does not begin with "!", and excluded if it does. What is included is neither hidden nor
	// ignored, unless it lies in a directory that is. If there is a glob without "!", files that no glob matches are left out.
	Globs []string
	// GlobPrefix is the path of the start, with a slash at its end, relative to the directory in which globs with slashes
	// begin. "" is the start itself.
	GlobPrefix string
	// Order is the order of the walk. A search in [walk.PreOrder] is in the order of ripgrep's --sort path.
	Order walk.Order
	// NameOrder is the order within a directory.
	NameOrder names.Order
}

// Check returns an error if a glob is malformed, with which a search fails, or can match nothing, with which it does not.
func (s Scope) Check() error {
	for _, g := range s.Globs {
		if err := checkGlob(strings.TrimPrefix(g, "!")); err != nil {
			return err
		}
	}
	_, err := globset.Compile(s.Globs)
	return err
}

// checkGlob returns an error if a glob without "!" can match nothing.
func checkGlob(text string) error {
	text, anchored := strings.CutPrefix(strings.TrimSuffix(text, "/"), "/")
	_, err := glob.Compile(text, glob.Options{AnyDepth: !anchored})
	return err
}

// ToolIgnoreFiles returns the ignore files that ripgrep follows besides git's.
func ToolIgnoreFiles() []ignore.ToolFile {
	return []ignore.ToolFile{{Name: ".ignore", EveryDirectory: true}, {Name: ".rgignore", EveryDirectory: true}}
}

// maxNames bounds the names that are held of one directory, in bytes. A directory that has more is read several times.
const maxNames = 2 << 20

// A selector selects the entries of a walk.
type selector struct {
	ctx       context.Context
	workspace *workspace.Workspace
	scope     Scope
	globs     *globset.List
	totals    *Totals
	path      []byte // of the entry that is judged
	entered   bool   // the start has been entered

	// shows reports whether an entry is one of those that are looked for, once the scope includes it.
	shows func(dir *walk.Directory, name []byte, kind workspace.EntryKind) bool
}

func newSelector(ctx context.Context, w *workspace.Workspace, s Scope, t *Totals) (*selector, error) {
	globs, err := globset.Compile(s.Globs)
	if err != nil {
		return nil, err
	}
	s.Ignore.Named = true
	return &selector{ctx: ctx, workspace: w, scope: s, globs: globs, totals: t}, nil
}

// forSearch returns a walk that yields the files to search.
func (s *selector) forSearch() walk.Options {
	s.shows = func(_ *walk.Directory, _ []byte, kind workspace.EntryKind) bool {
		return kind == workspace.Regular || kind == workspace.Unknown
	}
	return s.options()
}

func (s *selector) options() walk.Options {
	return walk.Options{Order: s.scope.Order, NameOrder: s.scope.NameOrder, Depth: math.MaxInt, MaxBytes: maxNames, Filter: s.decide, Enter: s.enter}
}

// enter reads the ignore files of a directory. Its data is the chain that judges its entries.
func (s *selector) enter(dir *walk.Directory, open *workspace.Dir) (err error) {
	if dir.Depth == 0 && s.entered {
		s.totals = new(Totals) // the tree is read again, so everything has been counted
	}
	s.entered = true
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

// decide is the filter of the walk.
func (s *selector) decide(dir *walk.Directory, name []byte, kind workspace.EntryKind) walk.Decision {
	shown := s.shows(dir, name, kind)
	isDir := kind == workspace.Directory
	if !shown && !isDir {
		return walk.Omit
	}
	switch s.judge(dir, name, isDir) {
	case globset.Excluded:
		return walk.Omit
	case globset.None:
		shown = shown && !s.globs.Includes()
		if !shown && !isDir || s.leavesOut(dir, name, kind) {
			return walk.Omit
		}
	}
	if shown {
		s.totals.Listed.Add(1)
		return walk.Show
	}
	return walk.Hide
}

// leavesOut reports whether an entry is ignored or hidden.
func (s *selector) leavesOut(dir *walk.Directory, name []byte, kind workspace.EntryKind) bool {
	chain, _ := dir.Data.(*ignore.Chain)
	switch chain.Match(name, kind).Verdict {
	case ignore.Ignore:
		s.totals.Ignored.Add(1)
		return true
	case ignore.Include:
		return false
	default:
		return name[0] == '.' && !s.scope.Hidden
	}
}

// judge asks the globs about an entry.
func (s *selector) judge(dir *walk.Directory, name []byte, isDir bool) globset.Verdict {
	if s.globs.Empty() {
		return globset.None
	}
	s.path = append(s.path[:0], s.scope.GlobPrefix...)
	s.path = walk.Entry{Name: name, Dir: dir}.AppendPath(s.path)
	return s.globs.Judge(s.path, isDir)
}
