package filesystem

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"gander/internal/files/pattern"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/tools/page"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

func (t *fileTool) searchFiles(ctx context.Context, c tool.Call) (tool.Result, error) {
	a := t.Arguments(c.Args)
	path := a.Required("path").String("")
	wanted := a.Required("pattern").String("")
	excluded := a.Optional("excludePatterns").Strings()
	if a.Err() != nil {
		return tool.Result{}, a.Err()
	}
	compiler := pattern.NewCompiler(ctx)
	include, err := newPatterns(ctx, compiler, []string{wanted})
	if err != nil {
		return tool.Result{}, err
	}
	exclude, err := newPatterns(ctx, compiler, excluded)
	if err != nil {
		return tool.Result{}, err
	}
	dir, at, err := t.openDir(ctx, path)
	if err != nil {
		return tool.Result{}, err
	}
	defer dir.Close()
	s := search{at.location, include, exclude}
	prefix := t.shown([]byte(strings.TrimSuffix(at.path, separator) + separator))
	out := page.New(c.Budget)
	found := false
	o := walk.Options{
		Depth: math.MaxInt, CheckSearch: true,
		Filter: func(dir *walk.Directory, name []byte, kind workspace.EntryKind) walk.Decision {
			return s.filter(ctx, dir, name, kind)
		},
	}
	for e, err := range walk.Entries(ctx, dir, o) {
		if e.Dir == nil {
			return tool.Result{}, newError(err, "scandir", at.path)
		}
		if e.ForError { // an unreadable directory that does not match
			continue
		}
		found = true
		if !out.Add(prefix, t.shown([]byte(filepath.FromSlash(e.Path())))) {
			break
		}
	}
	if !found {
		out.Line("No matches found")
	}
	result, err := out.Finish(func(n int) string {
		return shownEntries(n, "search a subdirectory, or with a narrower pattern")
	})
	if err != nil {
		return tool.Result{}, err
	}
	result.NothingFound = !found
	return result, nil
}

// A search selects entries.
type search struct {
	start            workspace.Location
	include, exclude *patterns
}

// filter shows matching entries. It omits entries that cannot be resolved: symlinks to missing or
// outside targets, names that are not UTF-8, and the entries of a directory without search
// permission.
func (s *search) filter(
	ctx context.Context, dir *walk.Directory, name []byte, kind workspace.EntryKind,
) walk.Decision {
	if kind == workspace.Unknown || !utf8.Valid(name) || ctx.Err() != nil {
		return walk.Omit
	}
	path := walk.Entry{Name: name, Dir: dir}.Path()
	if s.exclude.match(path) {
		return walk.Omit
	}
	if !s.include.match(path) {
		return walk.Hide
	}
	if kind == workspace.Symlink {
		if _, err := s.start.Join(path).Stat(); err != nil {
			return walk.Omit
		}
	}
	return walk.Show
}

// patterns matches a path if one of its minimatch patterns does.
type patterns struct {
	list []*pattern.Pattern
	work pattern.Work
}

// newPatterns compiles patterns. The compiler limits the total size of the patterns of a call. The
// error is about an unsupported construct or the size.
func newPatterns(ctx context.Context, c *pattern.Compiler, list []string) (*patterns, error) {
	p := &patterns{work: pattern.NewWork(ctx)}
	for _, text := range list {
		compiled, err := c.Compile(pattern.Minimatch, text, false)
		if errors.Is(err, pattern.ErrTooLarge) {
			return nil, toolerror.BadArguments("patterns: too large together once " +
				"their braces are expanded; use fewer or shorter ones")
		}
		if unsupported, ok := errors.AsType[*pattern.UnsupportedError](err); ok {
			return nil, toolerror.BadArguments("pattern %v", unsupported)
		}
		if err != nil {
			return nil, err // the context is done
		}
		p.list = append(p.list, compiled)
	}
	return p, nil
}

// treePatterns returns the patterns of directory_tree. A pattern without a star also matches at any
// depth, with everything below.
func treePatterns(list []string) []string {
	var all []string
	for _, s := range list {
		all = append(all, s)
		if !strings.Contains(s, "*") {
			all = append(all, "**/"+s, "**/"+s+"/**")
		}
	}
	return all
}

// match reports whether one of the patterns matches.
func (p *patterns) match(path string) bool {
	return slices.ContainsFunc(p.list, func(q *pattern.Pattern) bool {
		return pattern.Match(&p.work, q, path)
	})
}
