package filesystem

import (
	"context"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// A listing is the state of a call that lists a directory.
type listing struct {
	at    target
	dir   *workspace.Dir
	page  *shared.Page
	limit int // in bytes; 0 means no limit
}

// list opens the directory at path.
func (t *Tool) list(ctx context.Context, path string, b tool.Budget) (l listing, err error) {
	if l.page, err = shared.NewPage(b); err != nil {
		return l, err
	}
	l.limit, _ = b.Limit()
	l.dir, l.at, err = t.openDir(ctx, path)
	return l, err
}

// openDir opens the directory at path.
func (t *Tool) openDir(ctx context.Context, path string) (*workspace.Dir, target, error) {
	at, err := t.find(ctx, path)
	if err != nil {
		return nil, at, err
	}
	if at.err != nil {
		return nil, at, newError(at.err, "scandir", at.path)
	}
	dir, err := at.location.Dir()
	if err != nil {
		return nil, at, newError(err, "scandir", at.path)
	}
	return dir, at, nil
}

// listDirectory runs list_directory (section 6).
func (t *Tool) listDirectory(ctx context.Context, c tool.Call) (tool.Result, error) {
	a := t.arguments(c.Args)
	path := a.Required("path").String("")
	if err := a.Err(); err != nil {
		return tool.Result{}, err
	}
	l, err := t.list(ctx, path, c.Budget)
	if err != nil {
		return tool.Result{}, err
	}
	defer l.dir.Close()
	for e, err := range walk.Entries(ctx, l.dir, walk.Options{Depth: 1, MaxBytes: l.limit}) {
		if err != nil {
			return tool.Result{}, newError(err, "scandir", l.at.path)
		}
		if !l.page.Add([]byte(mark(e.Kind)), t.shown(e.Name)) {
			break
		}
	}
	return l.page.Finish(shownEntries("search_files finds entries by their names"))
}

// mark returns the prefix of a name.
func mark(kind workspace.EntryKind) string {
	if kind == workspace.Directory {
		return "[DIR] "
	}
	return "[FILE] "
}
