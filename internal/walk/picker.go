package walk

import (
	"bytes"
	"context"

	"gander/internal/workspace"
)

// A picker makes passes over directories and keeps the smallest names: it gathers twice as many as are wanted, drops the
// larger half, and from then on lets nothing in that is not smaller than the largest it has kept. A walk has one, so that
// its scratch memory serves every directory.
type picker struct {
	stream *stream
	ctx    context.Context
	after  *bar // only names beyond it count
	below  *bar // only names below it are still wanted; nil while all are
	got    records
	more   bool // there are names that count and were not kept
	seen   int  // how many names the directory has
	err    error

	sorter  sorter
	scratch []byte
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

const (
	// slack is the least a picker gathers before it drops any, so that small pages do not sort all the time.
	slack = 512
	// mostBytes bounds what a picker holds, whatever is wanted: a directory that has more is read in several passes.
	mostBytes = 48 << 20
	// elementBytes is what sorting takes for each record.
	elementBytes = 16
)

// pass reads the directory of s once and returns the smallest names after a bar.
func (p *picker) pass(s *stream, after *bar) (list, error) {
	p.stream, p.ctx, p.after, p.below, p.more, p.seen, p.err = s, s.w.ctx, after, nil, false, 0, nil
	var l list
	if last := len(s.w.spare) - 1; last >= 0 {
		l, s.w.spare = s.w.spare[last], s.w.spare[:last]
	}
	p.got = l.records
	p.got.reset()
	if err := s.dir.open.Names(p.ctx, p.add); err != nil {
		return list{}, err
	}
	places := p.sort(l.places)
	return list{records: p.got, places: places, more: p.more}, p.err
}

// add takes a name of the directory. Comparing comes before filtering, because most names of a large directory fail the
// comparison, and filtering before keeping.
func (p *picker) add(name []byte, kind workspace.Kind) bool {
	s := p.stream
	p.seen++
	if s.opaque {
		kind = workspace.Unknown
	}
	class := s.order.class(kind)
	key, plain := s.order.key(&p.scratch, name)
	beyond := p.below != nil && p.below.compare(class, key, name) >= 0
	if beyond && p.more || p.after != nil && p.after.compare(class, key, name) <= 0 {
		return true
	}
	if keep := s.w.o.Keep; keep != nil && !keep(s.dir, name, kind) {
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
	n, want := p.got.count, p.stream.want
	return want > 0 && n >= max(2*want, slack) || p.got.size+n*elementBytes > mostBytes
}

// drop keeps the smaller half of the names, or as many as are wanted.
func (p *picker) drop() {
	places := p.sort(nil)
	if p.err != nil {
		return
	}
	n := len(places) / 2
	if want := p.stream.want; want > 0 && want < n {
		n = want
	}
	var kept records
	for _, place := range places[:n] {
		kept.add(p.got.get(place))
	}
	kind, _, name := p.got.get(places[n-1])
	p.below, p.more = p.stream.bar(name, kind), true
	p.got = kept
}

// sort returns the places of what has been gathered, in order, in the memory of places.
func (p *picker) sort(places []uint32) []uint32 {
	p.sorter.order, p.sorter.records = p.stream.order, &p.got
	places, p.err = p.sorter.sort(p.ctx, places)
	return places
}
