package names

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"slices"
)

// A sorter sorts records, mostly by 8 bytes of their keys, which are adjacent in memory.
type sorter struct {
	order    *Order
	records  *records
	elements []element
}

// An element represents a record while records are sorted. Its prefix is the class and the first
// bytes of the key after those that all keys share.
type element struct {
	prefix uint64
	place  uint32
}

// sort sets elements to all records, sorted. If it returns the error of ctx, the order is
// undefined.
func (s *sorter) sort(ctx context.Context) error {
	s.collect()
	compared, done := 0, false
	slices.SortFunc(s.elements, func(a, b element) int {
		compared++
		if compared%checkEvery == 0 {
			done = done || ctx.Err() != nil
		}
		switch {
		case done: // all are equal, which ends sorting soon
			return 0
		case a.prefix != b.prefix:
			return cmp.Compare(a.prefix, b.prefix)
		}
		first, second := s.records.at(a.place), s.records.at(b.place)
		return cmp.Or(bytes.Compare(first.key(), second.key()),
			bytes.Compare(first.name(), second.name()))
	})
	return ctx.Err()
}

// collect sets elements to all records.
func (s *sorter) collect() {
	s.elements = slices.Grow(s.elements[:0], s.records.count)
	var shared []byte
	for i, c := range s.records.chunks {
		for at := 0; at < len(c); at += record(c[at:]).end() {
			key := record(c[at:]).key()
			if len(s.elements) == 0 {
				shared = key
			}
			for !bytes.HasPrefix(key, shared) {
				shared = shared[:len(shared)-1]
			}
			s.elements = append(s.elements, element{place: uint32(i)<<chunkBits | uint32(at)})
		}
	}
	for i, e := range s.elements {
		r := s.records.at(e.place)
		var first [8]byte // padded with zeros
		copy(first[1:], r.key()[len(shared):])
		first[0] = s.order.class(r.kind())
		s.elements[i].prefix = binary.BigEndian.Uint64(first[:])
	}
}
