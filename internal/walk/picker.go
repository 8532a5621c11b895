package walk

import (
	"bytes"
	"context"

	"gander/internal/workspace"
)

// A picker makes one pass over a directory and keeps the smallest names: it gathers twice as many as are wanted, drops
// the larger half, and from then on lets nothing in that is not smaller than the largest it has kept.
type picker struct {
	stream *stream
	ctx    context.Context
	want   int  // how many to keep; 0: all
	after  *bar // only names beyond it count

	sorter sorter
	got    *records
	below  *bar // only names below it are still wanted; nil while all are
	more   bool // there are names that count and were not kept
	key    []byte
	err    error
}

// A bar is a name to compare others with.
type bar struct {
	class uint8
	key   []byte
	name  []byte
}

// compare orders a name and the bar.
func (b *bar) compare(class uint8, key, name []byte) int {
	if class != b.class {
		return int(class) - int(b.class)
	}
	if n := bytes.Compare(key, b.key); n != 0 {
		return n
	}
	return bytes.Compare(name, b.name)
}

// slack is the least a picker gathers before it drops any, so that small pages do not sort all the time.
const slack = 512

// mostBytes bounds what a picker holds in names and elements, whatever is wanted: a directory that has more is read in
// several passes.
const mostBytes = 48 << 20

// add takes a name of the directory. Comparing comes before filtering, because most names of a large directory fail the
// comparison, and filtering before keeping.
func (p *picker) add(name []byte, kind workspace.Kind) bool {
	s := p.stream
	if s.opaque {
		kind = workspace.Unknown
	}
	class := s.order.class(kind)
	key, plain := s.order.key(p.key, name)
	if !plain {
		p.key = key
	}
	beyond := p.below != nil && p.below.compare(class, key, name) >= 0
	if beyond && p.more || p.after != nil && p.after.compare(class, key, name) <= 0 || s.keep != nil && !s.keep(s.dir, name, kind) {
		return true
	}
	if beyond {
		p.more = true
		return true
	}
	p.got.add(kind, plain, name)
	if p.full() {
		p.drop()
	}
	return p.err == nil
}

// full reports whether the larger names have to go.
func (p *picker) full() bool {
	n := p.got.count
	return p.want > 0 && n >= max(2*p.want, slack) || p.got.size+n*elementSize > mostBytes
}

// elementSize is what sorting takes for each record, in bytes.
const elementSize = 16

// drop keeps the smaller names.
func (p *picker) drop() {
	places := p.sorted()
	if p.err != nil {
		return
	}
	n := len(places) / 2
	if p.want > 0 {
		n = min(p.want, len(places))
	}
	kept := &records{}
	for _, place := range places[:n] {
		kept.add(p.got.get(place))
	}
	kind, _, name := p.got.get(places[n-1])
	p.below, p.more = p.stream.bar(name, kind), true
	p.got.chunks, kept.chunks = kept.chunks, p.got.chunks
	*p.got = *kept
}

// sorted returns the places of what has been gathered, in order.
func (p *picker) sorted() []uint32 {
	p.sorter.order, p.sorter.records = p.stream.order, p.got
	var places []uint32
	places, p.err = p.sorter.sort(p.ctx)
	return places
}
