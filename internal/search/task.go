package search

import (
	"io"
	"sync/atomic"

	"gander/internal/files/workspace"
)

// A file is a [workspace.File], a [stream] or an [extractedFile].
type file interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// An item is a file, or a block of an open file.
type item struct {
	walked Totals // what the walk has counted since the previous file
	path   string // as in Result
	named  bool   // the file is the start, whose search a NUL does not end
	err    error  // an error of the walk, or of opening the file

	dir  *workspace.Dir // owned by the task
	name string
	kind workspace.EntryKind

	file file // nil if it is not open

	block  bool   // the item is a block other than the first, which counts as the file
	region region // where the block is in the file
}

func (i *item) open() {
	if i.err == nil && !i.block {
		i.setFile(i.dir.File(i.name, i.kind))
	}
}

func (i *item) setFile(f *workspace.File, err error) {
	if err != nil {
		i.err = err
		return
	}
	i.file = f
}

// close closes the file. A block leaves that to its file.
func (i *item) close() {
	if i.file != nil && !i.block {
		_ = i.file.Close()
		i.file = nil
	}
}

// A task is a list of items that one goroutine searches.
type task struct {
	items   []item
	dirs    []*workspace.Dir
	begun   atomic.Bool // a goroutine searches the items, or nobody wants their results
	batches chan *batch
	quit    chan struct{} // closed if nobody wants the results of a block
}

func newTask(items ...item) *task {
	return &task{items: items, batches: make(chan *batch, 2)}
}

// begin reports whether the caller must search the task, because no other goroutine does.
func (t *task) begin() bool { return !t.begun.Swap(true) }

func (t *task) closeDirs() {
	for _, d := range t.dirs {
		_ = d.Close()
	}
}
