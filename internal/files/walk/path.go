package walk

import (
	"bytes"
	"container/heap"
	"context"
	"math"

	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
)

// A pathOrderWalk merges the sorted entries of directories.
type pathOrderWalk struct {
	*walker
	heap     mergeHeap
	openDirs int // directories that are entered and not yet closed
	scratch  []byte
	unused   []*run // for reuse
}

func pathOrder(
	ctx context.Context, start *workspace.Dir, o Options, yield func(Entry, error) bool,
) {
	o.NameOrder.Class = nil
	if o.MaxKey == 0 {
		o.MaxKey = math.MaxInt
	}
	w := &pathOrderWalk{walker: newWalker(ctx, start, o, yield)}
	defer w.memory.Release()
	root := new(run)
	w.init(&root.Directory, start)
	if err := w.merge(root); err != nil {
		w.end(err)
	}
	for len(w.heap) > 0 && w.step() {
	}
	for _, c := range w.heap {
		c.close()
	}
}

// A run is a directory in the merge. Before the directory is entered, the run is a lower bound of
// its entries. After that, it represents the next entry.
type run struct {
	Directory
	prefix    []byte // prefix of its entries' keys: the key of its path and a slash, cut to MaxKey
	prefixLen int    // length of prefix before it was cut

	parent *run   // nil after the directory is entered
	name   string // in parent

	item   names.Item // the next entry, after the directory is entered
	keyBuf []byte

	key     []byte // prefix, or the key of the next entry's path after the directory is entered
	pending int    // 1 for the run itself, plus its subdirectories that are not yet entered
}

// close closes the directory, or its parent if the directory has not been entered. It does not
// close the start.
func (c *run) close() {
	if c.parent != nil {
		c = c.parent
	}
	if c.Depth > 0 {
		c.Directory.open.Close()
	}
}

// path returns the path of the next entry, or of the directory if it has not been entered.
func (c *run) path() string {
	if c.parent != nil {
		return c.parent.join([]byte(c.name))
	}
	return c.join(c.item.Name)
}

// before reports whether c sorts before d. If their keys are equal, a directory that has not been
// entered is first, because its entries may have the same key.
func (c *run) before(d *run) bool {
	if n := bytes.Compare(c.key, d.key); n != 0 {
		return n < 0
	}
	if begins := c.parent != nil; begins != (d.parent != nil) {
		return begins
	}
	return c.path() < d.path()
}

// A mergeHeap is a heap of runs.
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

// step enters the directory of the first run, or yields one or more of its entries. It reports
// whether to continue.
func (w *pathOrderWalk) step() bool {
	c := w.heap[0]
	if c.parent != nil {
		heap.Pop(&w.heap)
		return w.enter(c)
	}
	item := c.item
	for alone := w.comesAlone(c); ; {
		e := Entry{Name: item.Name, Kind: item.Kind, Dir: &c.Directory}
		if !item.Marked && !w.show(e) || w.full() {
			return false
		}
		enters := w.enters(&c.Directory, item.Kind)
		if enters || !alone {
			return w.next(c, item.Name, enters)
		}
		if len(w.heap) == 1 && w.count < w.o.Skip {
			w.count += c.entries.skip(w.o.Skip - w.count)
			if w.full() {
				return false
			}
		}
		var err error
		if item, err = c.entries.take(); item.Name == nil {
			return w.remove(c, err)
		}
	}
}

// comesAlone reports whether all entries of c, the first run, sort before all other runs, because
// no other key has c's prefix. The second run is at index 1 or 2 of the heap.
func (w *pathOrderWalk) comesAlone(c *run) bool {
	if c.pending > 1 || c.prefixLen >= w.o.MaxKey {
		return false
	}
	for _, other := range w.heap[1:min(3, len(w.heap))] {
		if bytes.HasPrefix(other.key, c.prefix) {
			return false
		}
	}
	return true
}

// next advances c, the first run, past the entry called name and restores the heap. If enters is
// set, it adds a run for the entry. It reports whether to continue.
func (w *pathOrderWalk) next(c *run, name []byte, enters bool) bool {
	var sub *run
	if enters {
		sub = w.newRun(c, name)
	}
	if more, err := w.advance(c); more {
		heap.Fix(&w.heap, 0)
		w.release(c)
	} else if !w.remove(c, err) {
		return false
	}
	if enters {
		heap.Push(&w.heap, sub)
	}
	return true
}

// remove removes c, the first run, from the heap. If err is not nil, it ends the walk. It reports
// whether to continue.
func (w *pathOrderWalk) remove(c *run, err error) bool {
	if err != nil {
		return w.end(err)
	}
	heap.Pop(&w.heap)
	w.release(c)
	w.done(c)
	return true
}

// newRun returns a run for the subdirectory of parent called name.
func (w *pathOrderWalk) newRun(parent *run, name []byte) *run {
	c := new(run)
	if last := len(w.unused) - 1; last >= 0 {
		c, w.unused = w.unused[last], w.unused[:last]
	}
	parent.pending++
	c.parent, c.name = parent, string(name)
	key := w.o.NameOrder.KeyOf(&w.scratch, name)
	c.prefixLen = parent.prefixLen + len(key) + len("/")
	c.prefix = w.appendKey(c.prefix[:0], parent, name, "/")
	c.key = c.prefix
	return c
}

// enter enters the directory of c and adds c back to the heap. It reports whether to continue.
func (w *pathOrderWalk) enter(c *run) bool {
	parent := c.parent
	c.parent = nil
	err := w.openDir(&c.Directory, &parent.Directory, c.name)
	if err == nil {
		err = w.merge(c)
	}
	e := Entry{Name: []byte(c.name), Kind: workspace.Directory, Dir: &parent.Directory}
	more := err == nil || w.fail(e, err)
	w.release(parent)
	w.done(parent)
	return more
}

// merge reads the first names of an open directory and adds c to the heap.
func (w *pathOrderWalk) merge(c *run) error {
	if c.entries.order.MaxKey = w.o.MaxKey - c.prefixLen; c.entries.order.MaxKey == 0 {
		c.entries.order.MaxKey = -1
	}
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
	heap.Push(&w.heap, c)
	return nil
}

// advance takes the next entry of c. It returns false at the end.
func (w *pathOrderWalk) advance(c *run) (more bool, err error) {
	item, err := c.entries.take()
	if item.Name == nil {
		return false, err
	}
	c.item = item
	if item.KeyIsName {
		c.keyBuf = append(append(c.keyBuf[:0], c.prefix...), item.Name...)
	} else {
		c.keyBuf = w.appendKey(c.keyBuf[:0], c, item.Name, "")
	}
	c.key = c.keyBuf
	return true, nil
}

// release releases the handle of a directory if too many are open. Equal or cut keys can interleave
// the entries of any number of directories.
func (w *pathOrderWalk) release(c *run) {
	if w.openDirs > maxOpen && c.Depth > 0 {
		c.Directory.open.Release()
	}
}

// done decrements c.pending, and closes c at zero.
func (w *pathOrderWalk) done(c *run) {
	if c.pending--; c.pending == 0 {
		w.openDirs--
		c.entries.free()
		c.close()
		w.unused = append(w.unused, c)
	}
}

// appendKey appends to dst the path key of c's entry called name, followed by end, and cuts it to
// MaxKey.
func (w *pathOrderWalk) appendKey(dst []byte, c *run, name []byte, end string) []byte {
	dst = append(dst, c.prefix...)
	if c.prefixLen >= w.o.MaxKey {
		return dst
	}
	key := w.o.NameOrder.KeyOf(&w.scratch, name)
	return text.Cut(append(append(dst, key...), end...), w.o.MaxKey)
}
