package walk

import (
	"bytes"
	"container/heap"
	"context"
	"iter"
	"math"
	"strings"

	"gander/internal/text"
	"gander/internal/workspace"
)

// PathOrder yields all entries as one list ordered by path: by the keys of the names on the way joined by slashes, cut to
// MaxKey, then by the raw path. What is below a directory therefore comes where its path with a slash at the end
// belongs, which need not be right behind it: a, a-b, a.txt, a/x, a0. A directory that cannot be read is yielded a second
// time there, with the error. An error with an entry whose Dir is nil is one of the start or of ctx, and the last. The
// walk does not close start. Errors among the entries that Skip passes over are passed over as well. Class is not heeded.
func PathOrder(ctx context.Context, start *workspace.Dir, o Options) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		o.Order.Class = nil
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
		for _, h := range w.heads {
			h.branch.close()
		}
	}
}

// A branch is a directory that is being merged into the list.
type branch struct {
	Directory
	prefix  []byte // of its entries' keys, ends with a slash, cut to MaxKey
	whole   int    // the length of prefix before it was cut
	head    head   // its next entry
	pending int    // how many heads are of this directory
}

// close closes the directory's handle, unless the caller of the walk owns it.
func (b *branch) close() {
	if b.Depth > 0 {
		b.open.Close()
	}
}

// A head is what comes next from one place: an entry of a branch, or the moment at which those of its subdirectory begin.
type head struct {
	branch  *branch
	entry   Entry
	opening bool
	key     []byte
}

// before orders heads. Where an entry and a beginning are equal, the beginning must come first, because what begins may.
func (h *head) before(g *head) bool {
	if n := bytes.Compare(h.key, g.key); n != 0 {
		return n < 0
	}
	if h.opening != g.opening {
		return h.opening
	}
	return strings.Compare(h.entry.Path(), g.entry.Path()) < 0
}

type heads []*head

func (hs heads) Len() int           { return len(hs) }
func (hs heads) Less(i, j int) bool { return hs[i].before(hs[j]) }
func (hs heads) Swap(i, j int)      { hs[i], hs[j] = hs[j], hs[i] }
func (hs *heads) Push(h any)        { *hs = append(*hs, h.(*head)) }
func (hs *heads) Pop() any {
	last := len(*hs) - 1
	h := (*hs)[last]
	*hs = (*hs)[:last]
	return h
}

type pathOrder struct {
	walker
	yield   func(Entry, error) bool
	heads   heads
	scratch []byte
	open    int // how many branches there are
}

// putAway puts a branch away after use where many are open: names that read alike, or keys that are cut, can make any
// number of directories begin before the first of them ends.
func (w *pathOrder) putAway(b *branch) {
	if w.open > openHandles && b.Depth > 0 {
		b.Directory.open.PutAway()
	}
}

// step deals with the smallest head and reports whether to go on.
func (w *pathOrder) step() bool {
	h := w.heads[0]
	if h.opening {
		heap.Pop(&w.heads)
		return w.begin(h)
	}
	w.count++
	if w.count > w.o.Skip && !w.yield(h.entry, nil) || w.full() {
		return false
	}
	defer w.putAway(h.branch)
	var opening *head
	if h.entry.Kind == workspace.Directory && h.entry.Depth() < w.o.Depth {
		opening = w.opening(h)
	}
	if len(w.heads) == 1 && opening == nil && w.count < w.o.Skip {
		w.count += h.branch.rest.skip(w.o.Skip - w.count) // nothing else can come between
		if w.full() {
			return false
		}
	}
	alone := w.alone(h.branch)
	more, err := w.advance(h.branch, !alone)
	switch {
	case err != nil:
		w.yield(Entry{}, err)
		return false
	case more && alone:
	case more:
		heap.Fix(&w.heads, 0)
	default:
		heap.Pop(&w.heads)
		defer w.done(h.branch)
	}
	if opening != nil {
		heap.Push(&w.heads, opening)
	}
	return true
}

// alone reports whether the next entry of b, whose head is the smallest, is the smallest of all whatever it is: no other
// head begins with b's prefix, so all others come after all of b. The smallest of the others is one of the next two.
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

// opening is the head at which the entries of the directory at h begin. It is a head of the directory that h is of.
func (w *pathOrder) opening(h *head) *head {
	e := h.entry
	memory := make([]byte, 0, 2*len(e.Name)+len(h.branch.prefix)+1) // enough unless the key is longer than the name
	memory = append(memory, e.Name...)
	e.Name = memory[:len(memory):len(memory)]
	h.branch.pending++
	return &head{branch: h.branch, entry: e, opening: true, key: w.key(memory[len(memory):], h.branch, e.Name, "/")}
}

// begin opens the directory whose entries begin at h.
func (w *pathOrder) begin(h *head) bool {
	defer w.done(h.branch)
	defer w.putAway(h.branch)
	sub := new(branch)
	err := w.enter(&sub.Directory, &h.branch.Directory, h.entry.Name)
	if err == nil {
		key, _ := w.o.Order.KeyOf(&w.scratch, h.entry.Name)
		sub.prefix, sub.whole = h.key, h.branch.whole+len(key)+1
		err = w.merge(sub)
	}
	if over := w.ctx.Err(); over != nil {
		w.yield(Entry{}, over)
		return false
	}
	return err == nil || w.count < w.o.Skip || w.yield(h.entry, err)
}

// merge merges a directory into the list: it reads what is due of it and puts its first entry among the heads.
func (w *pathOrder) merge(b *branch) error {
	if b.rest.order.Most = w.o.MaxKey - b.whole; b.rest.order.Most == 0 {
		b.rest.order.Most = -1
	}
	err := b.rest.fill()
	more := false
	if err == nil {
		more, err = w.advance(b, true)
	}
	if !more {
		b.close()
		return err
	}
	w.open++
	w.putAway(b)
	b.pending = 1
	heap.Push(&w.heads, &b.head)
	return nil
}

// usualName is longer than most names.
const usualName = 48

// advance makes the next entry of b its head, with its key where it is to be compared; more is false where there is none.
func (w *pathOrder) advance(b *branch, compared bool) (more bool, err error) {
	e, plain, err := b.rest.take()
	if e.Dir == nil {
		return false, err
	}
	b.head.branch, b.head.entry = b, e
	if !compared {
		return true, nil
	}
	if b.head.key == nil {
		b.head.key = make([]byte, 0, len(b.prefix)+usualName)
	}
	if plain {
		b.head.key = append(append(b.head.key[:0], b.prefix...), e.Name...)
	} else {
		b.head.key = w.key(b.head.key[:0], b, e.Name, "")
	}
	return true, nil
}

// done ends one head of b; the last one closes it.
func (w *pathOrder) done(b *branch) {
	if b.pending--; b.pending == 0 {
		w.open--
		b.rest.free()
		b.close()
	}
}

// key appends to dst what the entry of b called name, followed by end, is ordered by.
func (w *pathOrder) key(dst []byte, b *branch, name []byte, end string) []byte {
	dst = append(dst, b.prefix...)
	if b.whole >= w.o.MaxKey {
		return dst
	}
	key, _ := w.o.Order.KeyOf(&w.scratch, name)
	return text.Cut(append(append(dst, key...), end...), w.o.MaxKey)
}
