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
	runs    mergeHeap
	scratch []byte
}

func pathOrder(
	ctx context.Context, start *workspace.Dir, o Options, yield func(Entry, error) bool,
) {
	o.NameOrder.Class = nil
	o.MaxKey = cmp.Or(o.MaxKey, math.MaxInt)
	w := &pathOrderWalk{walker: newWalker(ctx, start, o, yield)}
	defer w.memory.Release()
	root := &run{Directory: Directory{open: start}, entered: true}
	if err := w.start(root); err != nil {
		w.end(err)
	}
	for len(w.runs) > 0 && w.step() {
	}
	for _, c := range w.runs {
		if c.entered && c.Depth > 0 {
			c.open.Release()
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

	item names.Item // the next entry, after the directory is entered and until its end
	key  []byte     // prefix, or the key of the path of item
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
	if n := bytes.Compare(c.key, d.key); n != 0 {
		return n < 0
	}
	if c.entered != d.entered {
		return d.entered
	}
	return c.path() < d.path()
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
	err := w.advance(c)
	if c.item.Name != nil {
		heap.Fix(&w.runs, 0)
	} else {
		heap.Pop(&w.runs)
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
	c.entered = true
	err := w.openDir(&c.Directory, &c.parent.Directory, c.name)
	w.release(c.parent)
	if err == nil {
		err = w.start(c)
	}
	return err == nil || w.fail(c.again(), err)
}

// start reads the first names of an open directory and adds c, unless it has no entries.
func (w *pathOrderWalk) start(c *run) error {
	room := names.NoKeys // for the keys of names after the prefix
	if c.prefixLen < w.o.MaxKey {
		room = w.o.MaxKey - c.prefixLen
	}
	err := w.read(&c.Directory, room)
	if err == nil {
		err = w.advance(c)
	}
	w.release(c)
	if c.item.Name != nil {
		heap.Push(&w.runs, c)
	}
	return err
}

// advance takes the next entry of c, if any.
func (w *pathOrderWalk) advance(c *run) (err error) {
	c.item, err = c.entries.Next()
	if c.item.Name == nil {
		c.entries.Free()
	}
	c.key = append(append(c.key[:0], c.prefix...), c.item.Key...)
	w.release(c)
	return err
}

// release releases the handle of a directory that has no more entries, or if there are too many.
// Equal or cut keys can interleave the entries of any number of directories.
func (w *pathOrderWalk) release(c *run) {
	isMany := len(w.runs) > maxOpen
	if c.Depth > 0 && (isMany || c.item.Name == nil) {
		c.open.Release()
	}
}
