package names

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

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
