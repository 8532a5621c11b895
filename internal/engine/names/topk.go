package names

import (
	"context"
	"slices"

	"gander/internal/engine/workspace"
)

// A List is names with their kinds, in order. It never changes.
type List struct {
	records     records
	places      []uint32
	directories []uint32 // which of them are directories
	more        bool
}

// Len is how many names there are.
func (l *List) Len() int { return len(l.places) }

// An Item is a name of a [List].
type Item struct {
	Name      []byte // must not be changed
	Kind      workspace.EntryKind
	KeyIsName bool // Name is also what it is ordered by
	Marked    bool // as [Query.Keep] said
}

// At returns the item at index i.
func (l *List) At(i int) Item {
	r := l.records.at(l.places[i])
	return Item{Name: r.name(), Kind: r.kind(), KeyIsName: r.form() == own, Marked: r.marked()}
}

// Batch is how many names [List.Prefetch] is worth asking for at once.
const Batch = 256

// Prefetch brings the names from i on, a batch of them at most, near the processor, for [List.At] to be asked about them next.
// In order they lie anywhere in memory: asked for together they are waited for once, one by one each time. What it returns
// means nothing; it keeps the compiler from leaving out the reading.
//
//go:noinline
func (l *List) Prefetch(i int) (sum byte) {
	if len(l.places) <= Batch {
		return 0 // they have just been sorted
	}
	for _, place := range l.places[i:min(i+Batch, len(l.places))] {
		r := l.records.at(place)
		sum += r[r.nameEnd()-1]
	}
	return sum
}

// NonDirRun is how many names from i on, before the next directory, are not directories.
func (l *List) NonDirRun(i int) int {
	next, _ := slices.BinarySearch(l.directories, uint32(i))
	if next == len(l.directories) {
		return len(l.places) - i
	}
	return int(l.directories[next]) - i
}

// More reports whether names after these were left out.
func (l *List) More() bool { return l.more }

// Bytes is the memory that the list takes, what it does not use of it included.
func (l *List) Bytes() int {
	n := 4 * (cap(l.places) + cap(l.directories))
	for _, c := range l.records.chunks[:cap(l.records.chunks)] {
		n += cap(c)
	}
	return n
}

// A Query says which names are wanted.
type Query struct {
	Order Order
	// Limit is how many of the smallest are wanted; 0 wants all. More may be kept.
	Limit int
	// MaxBytes is how many bytes the wanted names come to, each with one more for its end; 0 is any number.
	MaxBytes int
	// After leaves out what does not come after it.
	After *Bound
	// Keep reports whether a name that belongs to the list by its order is kept, and whether its [Item] is marked. It must
	// not retain name. Nil keeps every name and marks none.
	Keep func(name []byte, kind workspace.EntryKind) (keep, mark bool)
}

// A TopK keeps the smallest of the names it is shown: it gathers more than are wanted, drops the larger ones, and
// from then on lets nothing in that is not smaller than the largest it has kept. It may be used again and again; its
// scratch memory then serves every list. The zero TopK is ready.
type TopK struct {
	ctx   context.Context
	pick  Query
	below *Bound // only names below it are still wanted; nil while all are, and none has been dropped
	got   records
	other records // memory for what drop keeps
	seen  int
	err   error
	most  int // how many bytes to hold; 0 stands for mostBytes

	spare   List
	sorter  sorter
	scratch []byte
}

// Reset begins a list. It is made in the memory of spare, a list that nobody uses any more. Sorting heeds ctx.
func (p *TopK) Reset(ctx context.Context, pick Query, spare List) {
	p.ctx, p.pick, p.below, p.seen, p.err = ctx, pick, nil, 0, nil
	if p.most == 0 {
		p.most = mostBytes
	}
	p.spare, p.got = spare, spare.records
	p.got.reset(&pick.Order)
}

// Seen is how many names have been added since Reset.
func (p *TopK) Seen() int { return p.seen }

// Text is what the names kept so far come to, in bytes, each with one more for its end.
func (p *TopK) TextBytes() int { return p.got.text }

const (
	// slack is the least a picker gathers before it drops any, so that small pages do not sort all the time.
	slack = 512
	// mostBytes bounds what a picker holds, whatever is wanted: a directory that has more is read in several passes.
	mostBytes = 48 << 20
	// large is how many names it takes for the memory of sorting them to be given back.
	large = 1 << 18
	// elementBytes is what sorting takes for each record.
	elementBytes = 16
)

// Add shows a name, which it does not retain, and reports whether to go on. Comparing comes before filtering, because
// most names of a large directory fail the comparison, and filtering before keeping.
func (p *TopK) Add(name []byte, kind workspace.EntryKind) bool {
	p.seen++
	o := &p.pick.Order
	k, f := o.key(&p.scratch, name)
	switch {
	case p.below != nil && p.below.compare(o.class(kind), k, name) >= 0:
	case p.pick.After != nil && p.pick.After.compare(o.class(kind), k, name) <= 0:
	default:
		head := byte(kind) | byte(f)
		if p.pick.Keep != nil {
			keep, mark := p.pick.Keep(name, kind)
			if !keep {
				break
			}
			if mark {
				head |= marked
			}
		}
		p.got.add(head, name, k)
		if p.full() {
			p.drop()
		}
	}
	return p.err == nil
}

// List returns what was kept. Every name up to the last of it that was shown and counts is in it.
func (p *TopK) List() (List, error) {
	elements := p.sort()
	if p.err != nil {
		return List{}, p.err
	}
	l := List{
		records:     p.got,
		places:      slices.Grow(p.spare.places[:0], len(elements)),
		directories: p.spare.directories[:0],
		more:        p.below != nil,
	}
	for i, e := range elements {
		l.places = append(l.places, e.place)
		if e.kind == workspace.Directory {
			l.directories = append(l.directories, uint32(i))
		}
	}
	p.spare, p.got = List{}, records{}
	if len(elements) >= large {
		p.sorter = sorter{} // what comes next is hardly as long
	}
	return l, nil
}

// full reports whether the larger names have to go.
func (p *TopK) full() bool {
	n, want, room := p.got.count, p.pick.Limit, p.pick.MaxBytes
	return want > 0 && n >= max(2*want, slack) ||
		room > 0 && n >= slack && p.got.text >= room+room/2 ||
		p.overfull()
}

// overfull reports whether the bound is reached, whatever is wanted.
func (p *TopK) overfull() bool { return p.got.size+p.got.count*elementBytes > p.most }

// drop keeps the names that are wanted, or the smaller half where those are too many.
func (p *TopK) drop() {
	elements := p.sort()
	if p.err != nil {
		return
	}
	n := p.wanted(elements)
	if p.overfull() {
		n = min(n, len(elements)/2) // dropping but a few would soon have to be done again
	}
	kept := p.other
	kept.reset(&p.pick.Order)
	for _, e := range elements[:n] {
		r := p.got.at(e.place)
		kept.add(r[0], r.name(), p.got.key(r))
	}
	last := p.got.at(elements[n-1].place)
	p.below = p.pick.Order.Bound(last.name(), last.kind())
	p.other, p.got = p.got, kept
}

// wanted is how many of the elements, which are in order, are wanted.
func (p *TopK) wanted(elements []element) int {
	n := len(elements)
	if p.pick.Limit > 0 {
		n = min(n, p.pick.Limit)
	}
	if p.pick.MaxBytes > 0 {
		text := 0
		for i, e := range elements[:n] {
			if text += len(p.got.at(e.place).name()) + 1; text > p.pick.MaxBytes {
				return i + 1
			}
		}
	}
	return n
}

// sort returns elements for what has been gathered, in order.
func (p *TopK) sort() []element {
	p.sorter.class, p.sorter.records = p.pick.Order.Class, &p.got
	p.err = p.sorter.sort(p.ctx)
	return p.sorter.elements
}
