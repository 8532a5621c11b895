package walk

import (
	"bytes"
	"container/heap"
	"context"
	"iter"
	"math"
	"strings"
	"unicode/utf8"

	"gander/internal/workspace"
)

// PathOrder yields all entries as one list ordered by path: by the keys of the names on the way joined by slashes, cut to
// MaxKey, then by the raw path. What is below a directory therefore comes where its path with a slash at the end
// belongs, which need not be right behind it: a, a-b, a.txt, a/x, a0. A directory that cannot be read is yielded a second
// time there, with the error. An error with an entry whose Dir is nil is one of the start or of ctx, and the last. The
// walk does not close start. Class is not heeded.
func PathOrder(ctx context.Context, start *workspace.Dir, o Options) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		o.Order.Class = nil
		w := &pathOrder{walker: walker{ctx: ctx, o: o}, yield: yield}
		if w.o.MaxKey == 0 {
			w.o.MaxKey = math.MaxInt
		}
		root, err := w.branch(w.directory(nil, nil, start), nil, w.o.MaxKey)
		if err != nil {
			yield(Entry{}, err)
			return
		}
		w.advance(root)
		for len(w.heads) > 0 && w.step() {
		}
		for _, h := range w.heads {
			h.dir.close()
		}
	}
}

// A branch is a directory that is being merged into the list.
type branch struct {
	*Directory
	prefix  []byte // of its entries' keys, ends with a slash, cut to MaxKey
	room    int    // what the uncut prefix leaves of MaxKey, at least 0
	pending int    // how many heads are of this directory
}

// close closes the directory's handle, unless the caller of the walk owns it.
func (b *branch) close() {
	if b.Depth > 0 {
		b.open.Close()
	}
}

// A head is what comes next from one place: an entry of dir, or the moment at which the entries of a subdirectory begin.
type head struct {
	dir     *branch
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
	yield func(Entry, error) bool
	heads heads
}

// step deals with the smallest head and reports whether to go on.
func (w *pathOrder) step() bool {
	h := heap.Pop(&w.heads).(*head)
	if h.opening {
		return w.begin(h)
	}
	w.count++
	if !w.yield(h.entry, nil) || w.full() {
		heap.Push(&w.heads, h)
		return false
	}
	if h.entry.Kind == workspace.Directory && h.entry.Depth() < w.o.Depth {
		w.push(&head{dir: h.dir, entry: h.entry, opening: true, key: w.key(h.dir, string(h.entry.Name)+"/")})
	}
	defer w.done(h.dir)
	return w.advance(h.dir)
}

// begin opens the directory whose entries begin at h.
func (w *pathOrder) begin(h *head) bool {
	defer w.done(h.dir)
	sub, err := w.enter(h)
	if over := w.ctx.Err(); over != nil {
		if err == nil {
			sub.close()
		}
		w.yield(Entry{}, over)
		return false
	}
	if err != nil {
		return w.yield(h.entry, err)
	}
	return w.advance(sub)
}

func (w *pathOrder) enter(h *head) (*branch, error) {
	d, err := w.walker.enter(h.dir.Directory, h.entry.Name)
	if err != nil {
		return nil, err
	}
	return w.branch(d, h.key, h.dir.room-len(w.o.Order.pathKey(nil, string(h.entry.Name)+"/")))
}

// branch makes a branch of a directory and reads what is due of it.
func (w *pathOrder) branch(d *Directory, prefix []byte, room int) (*branch, error) {
	b := &branch{Directory: d, prefix: prefix, room: max(room, 0)}
	if b.room < longestKey {
		d.rest.order.Key = func(scratch, name []byte) []byte { return cut(w.o.Order.pathKey(scratch, string(name)), b.room) }
	}
	if err := d.rest.fill(w.left()); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

// longestKey is more than the key of any one name.
const longestKey = 4 * 255

// advance puts the next entry of b among the heads.
func (w *pathOrder) advance(b *branch) bool {
	name, kind, ok, err := b.rest.take(w.left())
	switch {
	case err != nil:
		w.yield(Entry{}, err)
		return false
	case ok:
		w.push(&head{dir: b, entry: Entry{Name: name, Kind: kind, Dir: b.Directory}, key: w.key(b, string(name))})
	case b.pending == 0:
		b.close()
	}
	return true
}

func (w *pathOrder) push(h *head) {
	h.dir.pending++
	heap.Push(&w.heads, h)
}

// done ends one head of b; the last one closes it.
func (w *pathOrder) done(b *branch) {
	if b.pending--; b.pending == 0 {
		b.close()
	}
}

// key is what the entry of b called name, or name with a slash at its end, is ordered by.
func (w *pathOrder) key(b *branch, name string) []byte {
	if b.room == 0 {
		return b.prefix
	}
	full := append(bytes.Clone(b.prefix), w.o.Order.pathKey(nil, name)...)
	return cut(full, w.o.MaxKey)
}

// pathKey is the key of a name; a slash at its end stays.
func (o *Order) pathKey(scratch []byte, name string) []byte {
	if o.Key == nil {
		return append(scratch, name...)
	}
	return o.Key(scratch, []byte(name))
}

// cut shortens UTF-8 text to n bytes, at a character boundary.
func cut(s []byte, n int) []byte {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
