package filesystem

import (
	"context"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// openDir opens the directory that the argument path names.
func (t *Tool) openDir(ctx context.Context, path string) (*workspace.Dir, target, error) {
	at, err := t.find(ctx, path)
	if err != nil {
		return nil, at, err
	}
	dir, err := at.dir()
	return dir, at, err
}

// dir opens a target as a directory.
func (at target) dir() (*workspace.Dir, error) {
	err := at.err
	var dir *workspace.Dir
	if err == nil {
		dir, err = at.place.Dir()
	}
	if err != nil {
		return nil, newError(err, "scandir", at.path)
	}
	return dir, nil
}

// listDirectory answers list_directory (section 6).
func (t *Tool) listDirectory(ctx context.Context, c tool.Call) (tool.Result, error) {
	a, err := t.arguments(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	path := a.string("path")
	if err := a.err(); err != nil {
		return tool.Result{}, err
	}
	result, _, err := t.list(ctx, path, c.Budget, "")
	return result, err
}

// list lists a directory. It reports whether the answer contains the entry called wanted.
func (t *Tool) list(ctx context.Context, path string, b tool.Budget, wanted string) (tool.Result, bool, error) {
	page, err := shared.NewPage(b)
	if err != nil {
		return tool.Result{}, false, err
	}
	dir, at, err := t.openDir(ctx, path)
	if err != nil {
		return tool.Result{}, false, err
	}
	defer dir.Close()
	limit, _ := b.Limit()
	count, position := 0, 0
	for e, err := range walk.Entries(ctx, dir, walk.Options{Depth: 1, MaxBytes: limit}) {
		if err != nil {
			return tool.Result{}, false, newError(err, "scandir", at.path)
		}
		if count++; position == 0 && string(e.Name) == wanted {
			position = count
		}
		if !page.Add(mark(e.Kind), t.shown(e.Name)) {
			break
		}
	}
	kept := count
	result, err := shared.FinishPage(page, b, func(shown int) string {
		kept = shown
		return shownEntries("search_files finds entries by their names")(shown)
	})
	return result, 0 < position && position <= kept, err
}

// mark returns what precedes the name of an entry.
func mark(kind workspace.EntryKind) []byte {
	if kind == workspace.Directory {
		return []byte("[DIR] ")
	}
	return []byte("[FILE] ")
}

// plainListing describes list_directory.
func (t *Tool) plainListing(path string) (shared.Listing, error) {
	return shared.Listing{
		Depth:     1,
		DepthRule: "one directory a call",
		LimitRule: "max_output_bytes",
		Filter:    func(context.Context, shared.Candidate) (tool.Reason, error) { return tool.Reason{}, nil },
		Contains: func(ctx context.Context, rel string, b tool.Budget) (bool, error) {
			_, contains, err := t.list(ctx, path, b, rel)
			return contains, err
		},
	}, nil
}
