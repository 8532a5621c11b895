package names

import (
	"bytes"
	"cmp"
	"slices"

	"gander/internal/files/workspace"
)

// A Query specifies the names to keep from one pass over a directory: the smallest of those that a
// filter keeps. More may be kept than Limit and MaxBytes require, or fewer, because the memory of
// the walk is bounded; a further pass then keeps those that follow.
type Query struct {
	Order Order
	// Limit is the number of required names. Zero means no limit.
	Limit int
	// MaxBytes is the total size of the required names in bytes, plus one byte each. Zero means no
	// limit.
	MaxBytes int
	// Keep reports whether the list may have a name, and whether its [Item] is marked. It is called
	// only for names that are small enough for the list, and must not retain name. If nil, all names
	// are kept and none is marked.
	Keep func(name []byte, kind workspace.EntryKind) (keep, mark bool)

	after *bound // if not nil, excludes names up to it
}

// A topK makes lists of the smallest of the names added to it, in the memory of a walk. It removes
// the largest when there are too many, and then rejects names that are not smaller than the largest
// it has kept. It makes one list at a time.
type topK struct {
	memory *Memory
	query  Query
	cutoff *bound // names that are not smaller are rejected; nil before the first removal
	kept   records
	err    error

	places  []uint32 // of the kept names, in order, once they are sorted
	scratch []byte
}

const (
	// minRemoval is the minimum number of names to collect before any is removed, so that small limits
	// do not cause sorting all the time.
	minRemoval = 512
	// placeSize is the memory of a place in bytes.
	placeSize = 4
)

// reset starts a new list. Sorting, in add and list, ends when the context of the walk is done.
func (t *topK) reset(q Query) {
	t.query, t.cutoff, t.kept, t.err = q, nil, records{}, nil
}

// add adds a name, which it does not retain, and reports whether to continue. It compares before it
// filters, because most names of a large directory are too large for the list.
func (t *topK) add(name []byte, kind workspace.EntryKind) bool {
	o := &t.query.Order
	key, isName := o.KeyOf(&t.scratch, name)
	head := byte(kind)
	if isName {
		head |= keyIsName
	}
	switch {
	case t.cutoff != nil && t.cutoff.compare(o.class(kind), key, name) >= 0:
		return true
	case t.query.after != nil && t.query.after.compare(o.class(kind), key, name) <= 0:
		return true
	case t.query.Keep != nil:
		keep, mark := t.query.Keep(name, kind)
		if !keep {
			return true
		}
		if mark {
			head |= markBit
		}
	}
	t.kept.add(head, name, key)
	if t.overQuota() {
		t.err = t.memory.grow()
	}
	if t.full() && t.err == nil {
		t.removeLargest()
	}
	return t.err == nil
}

// take returns the list. It fails only if the context is done.
func (t *topK) take() (list, error) {
	t.sort()
	if t.err != nil {
		return list{}, t.err
	}
	l := list{records: t.kept, places: t.places, more: t.cutoff != nil}
	t.kept, t.places = records{}, nil
	t.memory.held += l.size()
	return l, nil
}

// full reports whether names must be removed.
func (t *topK) full() bool {
	limit, maxBytes := t.query.Limit, t.query.MaxBytes
	hasTwiceTheNames := limit > 0 && t.kept.count/2 >= limit
	hasTwiceTheBytes := maxBytes > 0 && t.kept.nameSize/2 >= maxBytes
	if hasTwiceTheNames || hasTwiceTheBytes {
		return t.kept.count >= minRemoval
	}
	return t.overQuota()
}

// overQuota reports whether the kept names exceed the memory of the walk. Fewer than minRemoval may
// always be kept.
func (t *topK) overQuota() bool {
	return t.kept.count >= minRemoval &&
		t.kept.size+t.kept.count*placeSize > t.memory.available()
}

// removeLargest keeps the required names, or half of these if they would leave so little memory
// that the next removal would soon follow.
func (t *topK) removeLargest() {
	t.sort()
	if t.err != nil {
		return
	}
	n, size := t.needed(), 0
	for _, place := range t.places[:n] {
		size += t.kept.at(place).end() + placeSize
	}
	if size > t.memory.available()/8*7 {
		n = max(1, n/2)
	}
	t.cutoff = t.query.Order.boundOf(t.kept.at(t.places[n-1]).item())
	for _, place := range t.places[n:] {
		t.kept.at(place)[0] |= removedBit
	}
	t.kept.compact()
}

// needed returns the number of required names: one more than MaxBytes allows, so that the caller
// can tell that names were omitted.
func (t *topK) needed() int {
	n := len(t.places)
	if t.query.Limit > 0 {
		n = min(n, t.query.Limit)
	}
	if t.query.MaxBytes > 0 {
		size := 0
		for i, place := range t.places[:n] {
			size += len(t.kept.at(place).name()) + 1
			if size > t.query.MaxBytes {
				return i + 1
			}
		}
	}
	return n
}

// sort sets places to those of all kept names, in order. If it sets err, which is that of the
// context, the order is undefined.
func (t *topK) sort() {
	t.places = slices.Grow(t.places[:0], t.kept.count)
	for i, c := range t.kept.chunks {
		for at := 0; at < len(c); at += record(c[at:]).end() {
			t.places = append(t.places, uint32(i)<<chunkBits|uint32(at))
		}
	}
	order, compared, done := &t.query.Order, 0, false
	slices.SortFunc(t.places, func(a, b uint32) int {
		compared++
		if compared%checkEvery == 0 {
			done = done || t.memory.ctx.Err() != nil
		}
		if done { // all are equal, which ends sorting soon
			return 0
		}
		first, second := t.kept.at(a), t.kept.at(b)
		if n := cmp.Compare(order.class(first.kind()), order.class(second.kind())); n != 0 {
			return n
		}
		if n := bytes.Compare(first.key(), second.key()); n != 0 {
			return n
		}
		return bytes.Compare(first.name(), second.name())
	})
	t.err = t.memory.ctx.Err()
}
