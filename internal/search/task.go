package search

import (
	"context"
	"sync/atomic"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
)

// An item is a file, or a block of a large file.
type item struct {
	walked Totals // what the walk has counted since the previous file
	path   string // as in Result
	named  bool   // the file is the start, whose search a NUL does not end
	err    error  // an error of the walk, or of opening the file

	dir  *workspace.Dir // owned by the task
	name string
	kind workspace.EntryKind

	file *workspace.File // if it is open already; who opened it closes it

	block *block // if the item is one; then only named is set besides
}

// A task is a list of items that one goroutine searches.
type task struct {
	ctx     context.Context // is done when nobody wants the results
	items   []item
	dirs    []*workspace.Dir
	dirPath string      // the path of the last of them
	claimed atomic.Bool // a goroutine searches the items
	batches chan *batch // the results, if that is a worker
}

func newTask(ctx context.Context, items ...item) *task {
	return &task{ctx: ctx, items: items, batches: make(chan *batch, 2)}
}

// share returns a directory, which the task closes, for its next item.
func (t *task) share(in *walk.Directory) (*workspace.Dir, error) {
	if len(t.dirs) > 0 && in.Path == t.dirPath {
		return t.dirs[len(t.dirs)-1], nil
	}
	dir, err := in.Share()
	if err == nil {
		t.dirs, t.dirPath = append(t.dirs, dir), in.Path
	}
	return dir, err
}

// claim reports whether the caller must search the task, because no other goroutine does.
func (t *task) claim() bool { return !t.claimed.Swap(true) }

func (t *task) closeDirs() {
	for _, d := range t.dirs {
		_ = d.Close()
	}
}
