package walk

import (
	"bytes"
	"container/heap"
	"context"
	"iter"
	"math"

	"gander/internal/engine/text"
	"gander/internal/engine/workspace"
)

// pathOrderEntries is [Entries] in [PathOrder].
func pathOrderEntries(ctx context.Context, start *workspace.Dir, o Options) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		o.NameOrder.Class = nil
		if o.MaxKey == 0 {
			o.MaxKey = math.MaxInt
		}
		w := &pathOrder{walker: newWalker(ctx, start, o), yield: yield}
		root := new(branch)
		w.start(&root.Directory, start)
		if err := w.merge(root); err != nil {
			yield(Entry{}, err)
		}
		for len(w.heads) > 0 && w.step() {
		}
		for _, b := range w.heads {
			b.close()
		}
	}
}

// A branch is a directory that is being merged into the list, or will be from where its entries begin.
type branch struct {
	Directory
	prefix []byte // of its entries' keys, ends with a slash, cut to MaxKey
	whole  int    // the length of prefix before it was cut

	parent *branch // until the directory begins, then nil
	own    string  // its name in parent

	name   []byte // of the next entry, once it has begun
	kind   workspace.EntryKind
	hidden bool
	memory []byte // for the entry's key

	key     []byte // what comes next from here, an entry or the beginning
	pending int    // how many of itself and the subdirectories that have not begun there are among the heads
}

// close closes the handle of the directory, or of the parent where it has not begun, unless the caller of the walk owns it.
func (b *branch) close() {
	if b.parent != nil {
		b = b.parent
	}
	if b.Depth > 0 {
		b.open.Close()
	}
}

// path is that of what comes next.
func (b *branch) path() string {
	if b.parent != nil {
		return b.parent.join([]byte(b.own))
	}
	return b.join(b.name)
}

// before orders what comes next. Where an entry and a beginning are equal, the beginning must come first, because what
// begins may.
func (b *branch) before(c *branch) bool {
	if n := bytes.Compare(b.key, c.key); n != 0 {
		return n < 0
	}
	if begins := b.parent != nil; begins != (c.parent != nil) {
		return begins
	}
	return b.path() < c.path()
}

// heads are the branches from which something comes next, the smallest first.
type heads []*branch

func (hs heads) Len() int           { return len(hs) }
func (hs heads) Less(i, j int) bool { return hs[i].before(hs[j]) }
func (hs heads) Swap(i, j int)      { hs[i], hs[j] = hs[j], hs[i] }
func (hs *heads) Push(b any)        { *hs = append(*hs, b.(*branch)) }
func (hs *heads) Pop() any {
	last := len(*hs) - 1
	b := (*hs)[last]
	*hs = (*hs)[:last]
	return b
}

type pathOrder struct {
	walker
	yield   func(Entry, error) bool
	heads   heads
	scratch []byte
	open    int       // how many directories have begun and not ended
	ended   []*branch // to be used again
}

// putAway puts a directory away after use where many are open: names that read alike, or keys that are cut, can make any
// number of directories begin before the first of them ends.
func (w *pathOrder) putAway(b *branch) {
	if w.open > openHandles && b.Depth > 0 {
		b.Directory.open.Release()
	}
}

// step deals with the smallest head, and with what of its directory must follow it. It reports whether to go on.
func (w *pathOrder) step() bool {
	b := w.heads[0]
	if b.parent != nil {
		heap.Pop(&w.heads)
		return w.begin(b)
	}
	name, kind, hidden := b.name, b.kind, b.hidden
	for alone := w.alone(b); ; {
		if !hidden {
			w.count++
			if w.count > w.o.Skip && !w.yield(Entry{Name: name, Kind: kind, Dir: &b.Directory}, nil) || w.full() {
				return false
			}
		}
		opens := kind == workspace.Directory && b.Depth+1 < w.o.Depth
		if opens || !alone {
			return w.next(b, name, opens)
		}
		if len(w.heads) == 1 && w.count < w.o.Skip {
			w.count += b.rest.skip(w.o.Skip - w.count)
			if w.full() {
				return false
			}
		}
		next, err := b.rest.take()
		if next.Name == nil {
			return w.end(b, err)
		}
		name, kind, hidden = next.Name, next.Kind, next.Marked
	}
}

// alone reports whether every entry of b, the smallest head, comes before all other heads: none of them begins with b's
// prefix. The smallest of them is one of the next two.
func (w *pathOrder) alone(b *branch) bool {
	if b.pending > 1 || b.whole >= w.o.MaxKey {
		return false
	}
	for _, other := range w.heads[1:min(3, len(w.heads))] {
		if bytes.HasPrefix(other.key, b.prefix) {
			return false
		}
	}
	return true
}

// next makes the entry of b after the one called name, which was the smallest, the next one. Where that opens, its entries
// begin where they must.
func (w *pathOrder) next(b *branch, name []byte, opens bool) bool {
	var sub *branch
	if opens {
		sub = w.branch(b, name)
	}
	if more, err := w.advance(b); more {
		heap.Fix(&w.heads, 0)
		w.putAway(b)
	} else if !w.end(b, err) {
		return false
	}
	if opens {
		heap.Push(&w.heads, sub)
	}
	return true
}

// end takes away b, the smallest head, as there are no more entries.
func (w *pathOrder) end(b *branch, err error) bool {
	if err != nil {
		w.yield(Entry{}, err)
		return false
	}
	heap.Pop(&w.heads)
	w.putAway(b)
	w.done(b)
	return true
}

// branch is the subdirectory of b called name, where its entries begin.
func (w *pathOrder) branch(b *branch, name []byte) *branch {
	sub := new(branch)
	if last := len(w.ended) - 1; last >= 0 {
		sub, w.ended = w.ended[last], w.ended[:last]
	}
	b.pending++
	sub.parent, sub.own = b, string(name)
	key := w.o.NameOrder.KeyOf(&w.scratch, name)
	sub.whole = b.whole + len(key) + len("/")
	sub.prefix = w.key(sub.prefix[:0], b, name, "/")
	sub.key = sub.prefix
	return sub
}

// begin opens b, whose entries begin here.
func (w *pathOrder) begin(b *branch) bool {
	parent := b.parent
	b.parent = nil
	err := w.enter(&b.Directory, &parent.Directory, b.own)
	if err == nil {
		err = w.merge(b)
	}
	more := true
	if over := w.ctx.Err(); over != nil {
		w.yield(Entry{}, over)
		more = false
	} else if err != nil && w.count >= w.o.Skip {
		more = w.yield(Entry{Name: []byte(b.own), Kind: workspace.Directory, Dir: &parent.Directory}, err)
	}
	w.putAway(parent)
	w.done(parent)
	return more
}

// merge merges a directory into the list: it reads what is due of it and puts it among the heads.
func (w *pathOrder) merge(b *branch) error {
	if b.rest.order.MaxKey = w.o.MaxKey - b.whole; b.rest.order.MaxKey == 0 {
		b.rest.order.MaxKey = -1
	}
	err := b.rest.fill()
	more := false
	if err == nil {
		more, err = w.advance(b)
	}
	w.open++
	b.pending = 1
	if !more {
		w.done(b)
		return err
	}
	w.putAway(b)
	heap.Push(&w.heads, b)
	return nil
}

// advance makes the next entry of b what comes next from it; more is false where there is none.
func (w *pathOrder) advance(b *branch) (more bool, err error) {
	next, err := b.rest.take()
	if next.Name == nil {
		return false, err
	}
	b.name, b.kind, b.hidden = next.Name, next.Kind, next.Marked
	if next.KeyIsName {
		b.memory = append(append(b.memory[:0], b.prefix...), b.name...)
	} else {
		b.memory = w.key(b.memory[:0], b, b.name, "")
	}
	b.key = b.memory
	return true, nil
}

// done takes one from what is pending of b; the last one closes it.
func (w *pathOrder) done(b *branch) {
	if b.pending--; b.pending == 0 {
		w.open--
		b.rest.free()
		b.close()
		w.ended = append(w.ended, b)
	}
}

// key appends to dst what the entry of b called name, followed by end, is ordered by.
func (w *pathOrder) key(dst []byte, b *branch, name []byte, end string) []byte {
	dst = append(dst, b.prefix...)
	if b.whole >= w.o.MaxKey {
		return dst
	}
	key := w.o.NameOrder.KeyOf(&w.scratch, name)
	return text.Cut(append(append(dst, key...), end...), w.o.MaxKey)
}
