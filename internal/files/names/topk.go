package names

import (
	"bytes"
	"cmp"
	"encoding/binary"
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

	elements []element // of the last sort
	scratch  []byte
}

const (
	// minRemoval is the minimum number of names to collect before any is removed, so that small limits
	// do not cause sorting all the time.
	minRemoval = 512
	// largeList is the number of names from which take releases the memory of elements.
	largeList = 1 << 18
	// elementSize is the memory of an element in bytes.
	elementSize = 16
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
	l := list{
		records: t.kept,
		places:  make([]uint32, 0, len(t.elements)),
		more:    t.cutoff != nil,
	}
	for _, e := range t.elements {
		l.places = append(l.places, e.place)
	}
	t.kept = records{}
	t.memory.held += l.size()
	if len(t.elements) >= largeList {
		t.elements = nil // the next list is probably shorter
	}
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
		t.kept.size+t.kept.count*elementSize > t.memory.available()
}

// removeLargest keeps the required names, or half of these if they would leave so little memory
// that the next removal would soon follow.
func (t *topK) removeLargest() {
	t.sort()
	if t.err != nil {
		return
	}
	n, size := t.needed(), 0
	for _, e := range t.elements[:n] {
		size += t.kept.at(e.place).end() + elementSize
	}
	if size > t.memory.available()/8*7 {
		n = max(1, n/2)
	}
	t.cutoff = t.query.Order.boundOf(t.kept.at(t.elements[n-1].place).item())
	for _, e := range t.elements[n:] {
		t.kept.at(e.place)[0] |= removedBit
	}
	t.kept.compact()
}

// needed returns the number of required elements: one more than MaxBytes allows, so that the caller
// can tell that names were omitted.
func (t *topK) needed() int {
	n := len(t.elements)
	if t.query.Limit > 0 {
		n = min(n, t.query.Limit)
	}
	if t.query.MaxBytes > 0 {
		size := 0
		for i, e := range t.elements[:n] {
			size += len(t.kept.at(e.place).name()) + 1
			if size > t.query.MaxBytes {
				return i + 1
			}
		}
	}
	return n
}

// An element represents a record while records are sorted, mostly by 8 bytes that are adjacent in
// memory: the class and the first bytes of the key after those that all keys share.
type element struct {
	prefix uint64
	place  uint32
}

// sort sets elements to all kept names, in order. The order is undefined if it sets err, which is
// that of the context.
func (t *topK) sort() {
	t.collect()
	compared, done := 0, false
	slices.SortFunc(t.elements, func(a, b element) int {
		compared++
		if compared%checkEvery == 0 {
			done = done || t.memory.ctx.Err() != nil
		}
		switch {
		case done: // all are equal, which ends sorting soon
			return 0
		case a.prefix != b.prefix:
			return cmp.Compare(a.prefix, b.prefix)
		}
		first, second := t.kept.at(a.place), t.kept.at(b.place)
		return cmp.Or(bytes.Compare(first.key(), second.key()),
			bytes.Compare(first.name(), second.name()))
	})
	t.err = t.memory.ctx.Err()
}

// collect sets elements to all kept names.
func (t *topK) collect() {
	t.elements = slices.Grow(t.elements[:0], t.kept.count)
	var shared []byte
	for i, c := range t.kept.chunks {
		for at := 0; at < len(c); at += record(c[at:]).end() {
			key := record(c[at:]).key()
			if len(t.elements) == 0 {
				shared = key
			}
			for !bytes.HasPrefix(key, shared) {
				shared = shared[:len(shared)-1]
			}
			t.elements = append(t.elements, element{place: uint32(i)<<chunkBits | uint32(at)})
		}
	}
	for i, e := range t.elements {
		r := t.kept.at(e.place)
		var first [8]byte // padded with zeros
		copy(first[1:], r.key()[len(shared):])
		first[0] = t.query.Order.class(r.kind())
		t.elements[i].prefix = binary.BigEndian.Uint64(first[:])
	}
}
