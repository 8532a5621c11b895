package walk

import (
	"bytes"
	"cmp"
	"container/heap"
	"context"
	"math"
	"slices"

	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
)

// A pathOrderWalk merges the sorted entries of directories.
type pathOrderWalk struct {
	*walker
	runs     mergeHeap
	openDirs int // directories entered and not closed
	scratch  []byte
}

func pathOrder(
	ctx context.Context, start *workspace.Dir, o Options, yield func(Entry, error) bool,
) {
	o.NameOrder.Class = nil
	o.MaxKey = cmp.Or(o.MaxKey, math.MaxInt)
	w := &pathOrderWalk{walker: newWalker(ctx, start, o, yield)}
	defer w.memory.Release()
	root := &run{entered: true}
	w.init(&root.Directory, start)
	if err := w.start(root); err != nil {
		w.end(err)
	}
	for len(w.runs) > 0 && w.step() {
	}
	for _, c := range w.runs {
		if c.entered {
			w.done(c)
		} else {
			w.done(c.parent)
		}
	}
}

// A run is a directory in the merge. Before the directory is entered, the run is a lower bound of
// its entries. After that, it represents the next entry.
type run struct {
	Directory
	entered   bool
	prefix    []byte // prefix of its entries' keys: the key of its path and a slash, cut to MaxKey
	prefixLen int    // length of prefix before it was cut

	parent *run   // nil for the start
	name   string // its name in parent

	item names.Item // the next entry, after the directory is entered

	// key is prefix, or the key of the next entry's path after the directory is entered. It is stale
	// until before needs it, because the entries of a single run are not compared.
	key     []byte
	stale   bool
	pending int // 1 for the run itself, plus its subdirectories that are not yet entered
}

// path returns the path of the next entry, or of the directory if it has not been entered.
func (c *run) path() string {
	if c.entered {
		return c.join(c.item.Name)
	}
	return c.parent.join([]byte(c.name))
}

// again returns the entry of the directory, to be yielded again with its error.
func (c *run) again() Entry {
	return Entry{
		Name: []byte(c.name), Kind: workspace.Directory, Dir: &c.parent.Directory, ForError: true,
	}
}

// before reports whether c sorts before d. If their keys are equal, a directory that has not been
// entered is first, because its entries may have the same key.
func (c *run) before(d *run) bool {
	if n := bytes.Compare(c.sortKey(), d.sortKey()); n != 0 {
		return n < 0
	}
	if c.entered != d.entered {
		return d.entered
	}
	return c.path() < d.path()
}

func (c *run) sortKey() []byte {
	if c.stale {
		c.key, c.stale = append(append(c.key[:0], c.prefix...), c.item.Key...), false
	}
	return c.key
}

// A mergeHeap usually has few runs. But a hostile directory can have 100,000 subdirectories with
// equal keys, as names that are not UTF-8 can have. They are all in it before the first is entered.
type mergeHeap []*run

func (h mergeHeap) Len() int           { return len(h) }
func (h mergeHeap) Less(i, j int) bool { return h[i].before(h[j]) }
func (h mergeHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *mergeHeap) Push(c any)        { *h = append(*h, c.(*run)) }

func (h *mergeHeap) Pop() any {
	last := len(*h) - 1
	c := (*h)[last]
	*h = (*h)[:last]
	return c
}

// step enters the directory of the first run or yields its next entry, and reports whether to
// continue.
func (w *pathOrderWalk) step() bool {
	c := w.runs[0]
	if !c.entered {
		heap.Pop(&w.runs)
		return w.enterRun(c)
	}
	e := Entry{Name: c.item.Name, Kind: c.item.Kind, Dir: &c.Directory}
	if !c.item.Marked && !w.show(e) || w.full() {
		return false
	}
	var sub *run
	if w.enters(&c.Directory, e.Kind) {
		sub = w.newRun(c, e.Name)
	}
	more, err := w.advance(c)
	w.release(c)
	if more {
		heap.Fix(&w.runs, 0)
	} else {
		heap.Pop(&w.runs)
		w.done(c)
	}
	if sub != nil {
		heap.Push(&w.runs, sub)
	}
	switch {
	case err == nil:
		return true
	case c.parent == nil:
		return w.end(err)
	default:
		return w.fail(c.again(), err)
	}
}

// show counts an entry and yields it unless it is skipped. It reports whether to continue.
func (w *pathOrderWalk) show(e Entry) bool {
	w.count++
	return w.count <= w.o.Skip || w.yield(e, nil)
}

// fail yields a directory again, with the error from reading it, unless entries are still to be
// skipped. It reports whether to continue.
func (w *pathOrderWalk) fail(e Entry, err error) bool {
	if done := w.ctx.Err(); done != nil {
		return w.end(done)
	}
	return w.count < w.o.Skip || w.yield(e, err)
}

// newRun returns a run for the subdirectory of parent called name.
func (w *pathOrderWalk) newRun(parent *run, name []byte) *run {
	parent.pending++
	key, _ := w.o.NameOrder.KeyOf(&w.scratch, name)
	c := &run{parent: parent, name: string(name), prefixLen: parent.prefixLen + len(key) + len("/")}
	c.prefix = slices.Clip(parent.prefix)
	if parent.prefixLen < w.o.MaxKey {
		c.prefix = text.Cut(append(append(c.prefix, key...), '/'), w.o.MaxKey)
	}
	c.key = bytes.Clone(c.prefix)
	return c
}

// enterRun enters the directory of c and adds c again. It reports whether to continue.
func (w *pathOrderWalk) enterRun(c *run) bool {
	parent := c.parent
	c.entered = true
	err := w.openDir(&c.Directory, &parent.Directory, c.name)
	if err == nil {
		err = w.start(c)
	}
	more := err == nil || w.fail(c.again(), err)
	w.release(parent)
	w.done(parent)
	return more
}

// start reads the first names of an open directory and adds c.
func (w *pathOrderWalk) start(c *run) error {
	c.maxKey = w.keyRoom(c.prefixLen)
	err := w.read(&c.Directory)
	more := false
	if err == nil {
		more, err = w.advance(c)
	}
	w.openDirs++
	c.pending = 1
	if !more {
		w.done(c)
		return err
	}
	w.release(c)
	heap.Push(&w.runs, c)
	return nil
}

// keyRoom returns the maximum size of a name's key after a prefix whose length before it was cut is
// prefixLen.
func (w *pathOrderWalk) keyRoom(prefixLen int) int {
	if prefixLen >= w.o.MaxKey {
		return names.NoKeys
	}
	return w.o.MaxKey - prefixLen
}

// advance takes the next entry of c. It returns false at the end.
func (w *pathOrderWalk) advance(c *run) (more bool, err error) {
	item, err := c.entries.Next()
	if item.Name == nil {
		return false, err
	}
	c.item, c.stale = item, true
	return true, nil
}

// release releases the handle of a directory if too many are open. Equal or cut keys can interleave
// the entries of any number of directories.
func (w *pathOrderWalk) release(c *run) {
	if w.openDirs > maxOpen && c.Depth > 0 {
		c.Directory.open.Release()
	}
}

// done decrements c.pending. At zero it closes the directory, except the start.
func (w *pathOrderWalk) done(c *run) {
	c.pending--
	if c.pending == 0 {
		w.openDirs--
		c.entries.Free()
		if c.Depth > 0 {
			c.Directory.open.Close()
		}
	}
}
