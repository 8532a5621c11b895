package filesystem

import (
	"context"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// openDir opens the directory at path.
func (t *Tool) openDir(ctx context.Context, path string) (*workspace.Dir, target, error) {
	at, err := t.find(ctx, path)
	if err != nil {
		return nil, at, err
	}
	if err = at.err; err == nil {
		var dir *workspace.Dir
		if dir, err = at.place.Dir(); err == nil {
			return dir, at, nil
		}
	}
	return nil, at, newError(err, "scandir", at.path)
}

// listDirectory runs list_directory (section 6).
func (t *Tool) listDirectory(ctx context.Context, c tool.Call) (tool.Result, error) {
	a := t.arguments(c.Args)
	path := a.Required("path").String("")
	if err := a.Err(); err != nil {
		return tool.Result{}, err
	}
	page, err := shared.NewPage(c.Budget)
	if err != nil {
		return tool.Result{}, err
	}
	dir, at, err := t.openDir(ctx, path)
	if err != nil {
		return tool.Result{}, err
	}
	defer dir.Close()
	limit, _ := c.Budget.Limit()
	for e, err := range walk.Entries(ctx, dir, walk.Options{Depth: 1, MaxBytes: limit}) {
		if err != nil {
			return tool.Result{}, newError(err, "scandir", at.path)
		}
		if !page.Add(mark(e.Kind), t.shown(e.Name)) {
			break
		}
	}
	return page.Finish(shownEntries("search_files finds entries by their names"))
}

// mark returns the prefix of a name.
func mark(kind workspace.EntryKind) []byte {
	if kind == workspace.Directory {
		return []byte("[DIR] ")
	}
	return []byte("[FILE] ")
}
