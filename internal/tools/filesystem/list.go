package filesystem

import (
	"context"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// A directory is the open directory of a call, with the page for its entries.
type directory struct {
	*workspace.Dir
	at    resolved
	page  *shared.Page
	limit int // in bytes; 0 means no limit
}

// open opens the directory at path, with a page.
func (t *Tool) open(ctx context.Context, path string, b tool.Budget) (d directory, err error) {
	if d.page, err = shared.NewPage(b); err != nil {
		return d, err
	}
	d.limit, _ = b.Limit()
	d.Dir, d.at, err = t.openDir(ctx, path)
	return d, err
}

// openDir opens the directory at path.
func (t *Tool) openDir(ctx context.Context, path string) (*workspace.Dir, resolved, error) {
	at, err := t.find(ctx, path)
	if err != nil {
		return nil, at, err
	}
	var dir *workspace.Dir
	if err = at.err; err == nil {
		dir, err = at.location.Dir()
	}
	if err != nil {
		err = newError(err, "scandir", at.path)
	}
	return dir, at, err
}

// listDirectory runs list_directory.
func (t *Tool) listDirectory(ctx context.Context, r request, b tool.Budget) (tool.Result, error) {
	d, err := t.open(ctx, r.path, b)
	if err != nil {
		return tool.Result{}, err
	}
	defer d.Close()
	for e, err := range walk.Entries(ctx, d.Dir, walk.Options{Depth: 1, MaxBytes: d.limit}) {
		if err != nil {
			return tool.Result{}, newError(err, "scandir", d.at.path)
		}
		if !d.page.Add([]byte(mark(e.Kind)), t.shown(e.Name)) {
			break
		}
	}
	return d.page.Finish(shownEntries("search_files finds entries by their names"))
}

// mark returns the prefix of a name.
func mark(kind workspace.EntryKind) string {
	if kind == workspace.Directory {
		return "[DIR] "
	}
	return "[FILE] "
}
