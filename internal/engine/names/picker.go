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

// At returns the name at i and its kind, and whether the name is its own key. The name must not be changed.
func (l *List) At(i int) (name []byte, kind workspace.EntryKind, plain bool) {
	r := l.records.at(l.places[i])
	return r.name(), r.kind(), r.form() == own
}

// Batch is how many names [List.Fetch] is worth asking for at once.
const Batch = 256

// Fetch brings the names from i on, a batch of them at most, near the processor, for [List.At] to be asked about them next.
// In order they lie anywhere in memory: asked for together they are waited for once, one by one each time. What it returns
// means nothing; it keeps the compiler from leaving out the reading.
//
//go:noinline
func (l *List) Fetch(i int) (sum byte) {
	if len(l.places) <= Batch {
		return 0 // they have just been sorted
	}
	for _, place := range l.places[i:min(i+Batch, len(l.places))] {
		r := l.records.at(place)
		sum += r[r.nameEnd()-1]
	}
	return sum
}

// Others is how many names from i on, before the next directory, are not directories.
func (l *List) Others(i int) int {
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

// A Pick says which names are wanted.
type Pick struct {
	Order Order
	// Want is how many of the smallest are wanted; 0 wants all. More may be kept.
	Want int
	// Room is how many bytes the wanted names come to, each with one more for its end; 0 is any number.
	Room int
	// After leaves out what does not come after it.
	After *Bar
	// Keep is asked of a name that would otherwise be kept. Nil keeps it.
	Keep func(name []byte, kind workspace.EntryKind) bool
}

// A Picker keeps the smallest of the names it is shown: it gathers more than are wanted, drops the larger ones, and
// from then on lets nothing in that is not smaller than the largest it has kept. It may be used again and again; its
// scratch memory then serves every list. The zero Picker is ready.
type Picker struct {
	ctx   context.Context
	pick  Pick
	below *Bar // only names below it are still wanted; nil while all are, and none has been dropped
	got   records
	other records // memory for what drop keeps
	seen  int
	err   error
	most  int // how many bytes to hold; 0 stands for mostBytes

	spare   List
	sorter  sorter
	scratch []byte
}

// Begin begins a list. It is made in the memory of spare, a list that nobody uses any more. Sorting heeds ctx.
func (p *Picker) Begin(ctx context.Context, pick Pick, spare List) {
	p.ctx, p.pick, p.below, p.seen, p.err = ctx, pick, nil, 0, nil
	if p.most == 0 {
		p.most = mostBytes
	}
	p.spare, p.got = spare, spare.records
	p.got.reset(&pick.Order)
}

// Seen is how many names have been added since Begin.
func (p *Picker) Seen() int { return p.seen }

// Text is what the names kept so far come to, in bytes, each with one more for its end.
func (p *Picker) Text() int { return p.got.text }

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
func (p *Picker) Add(name []byte, kind workspace.EntryKind) bool {
	p.seen++
	o := &p.pick.Order
	k, f := o.key(&p.scratch, name)
	switch {
	case p.below != nil && p.below.compare(o.class(kind), k, name) >= 0:
	case p.pick.After != nil && p.pick.After.compare(o.class(kind), k, name) <= 0:
	case p.pick.Keep != nil && !p.pick.Keep(name, kind):
	default:
		p.got.add(kind, name, k, f)
		if p.full() {
			p.drop()
		}
	}
	return p.err == nil
}

// List returns what was kept. Every name up to the last of it that was shown and counts is in it.
func (p *Picker) List() (List, error) {
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
func (p *Picker) full() bool {
	n, want, room := p.got.count, p.pick.Want, p.pick.Room
	return want > 0 && n >= max(2*want, slack) ||
		room > 0 && n >= slack && p.got.text >= room+room/2 ||
		p.overfull()
}

// overfull reports whether the bound is reached, whatever is wanted.
func (p *Picker) overfull() bool { return p.got.size+p.got.count*elementBytes > p.most }

// drop keeps the names that are wanted, or the smaller half where those are too many.
func (p *Picker) drop() {
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
		kept.add(r.kind(), r.name(), p.got.key(r), r.form())
	}
	last := p.got.at(elements[n-1].place)
	p.below = p.pick.Order.Bar(last.name(), last.kind())
	p.other, p.got = p.got, kept
}

// wanted is how many of the elements, which are in order, are wanted.
func (p *Picker) wanted(elements []element) int {
	n := len(elements)
	if p.pick.Want > 0 {
		n = min(n, p.pick.Want)
	}
	if p.pick.Room > 0 {
		text := 0
		for i, e := range elements[:n] {
			if text += len(p.got.at(e.place).name()) + 1; text > p.pick.Room {
				return i + 1
			}
		}
	}
	return n
}

// sort returns elements for what has been gathered, in order.
func (p *Picker) sort() []element {
	p.sorter.class, p.sorter.records = p.pick.Order.Class, &p.got
	p.err = p.sorter.sort(p.ctx)
	return p.sorter.elements
}
