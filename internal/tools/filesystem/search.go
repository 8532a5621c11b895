package filesystem

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"gander/internal/files/pattern"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/tool"
)

// searchFiles runs search_files.
func (t *Tool) searchFiles(ctx context.Context, r request, b tool.Budget) (tool.Result, error) {
	s := search{ctx: ctx}
	var err error
	compiler := pattern.NewCompiler(ctx)
	if s.include, err = newPatterns(ctx, compiler, []string{r.pattern}); err != nil {
		return tool.Result{}, err
	}
	if s.exclude, err = newPatterns(ctx, compiler, r.exclude); err != nil {
		return tool.Result{}, err
	}
	d, err := t.open(ctx, r.path, b)
	if err != nil {
		return tool.Result{}, err
	}
	defer d.Close()
	s.start = d.at.location
	prefix := t.shown([]byte(strings.TrimSuffix(d.at.path, separator) + separator))
	found := false
	o := walk.Options{Depth: math.MaxInt, CheckSearch: true, Filter: s.filter}
	for e, err := range walk.Entries(ctx, d.Dir, o) {
		if e.Dir == nil {
			return tool.Result{}, newError(err, "scandir", d.at.path)
		}
		path := e.Path()
		if err != nil && !s.include.match(path) { // an unreadable directory that does not match
			continue
		}
		found = true
		if !d.page.Add(prefix, t.shown([]byte(filepath.FromSlash(path)))) {
			break
		}
	}
	if !found {
		d.page.Line("No matches found")
	}
	return d.page.Finish(shownEntries("search a subdirectory, or with a narrower pattern"))
}

// A search selects entries.
type search struct {
	ctx              context.Context
	start            workspace.Location
	include, exclude *patterns
}

// filter shows matching entries. It omits entries that cannot be resolved: symlinks to missing or
// outside targets, names that are not UTF-8, and the entries of a directory without search
// permission.
func (s *search) filter(dir *walk.Directory, name []byte, kind workspace.EntryKind) walk.Decision {
	if kind == workspace.Unknown || !utf8.Valid(name) || s.ctx.Err() != nil {
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
