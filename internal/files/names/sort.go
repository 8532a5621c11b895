package names

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"gander/internal/files/workspace"
)

// minPrefixed is the minimum number of elements to compute new prefixes for.
const minPrefixed = 32

// A sorter sorts records by 8 bytes of their keys, which are adjacent in memory, and records that
// share these bytes by the next 8.
type sorter struct {
	class    func(workspace.EntryKind) uint8
	records  *records
	elements []element
}

// An element represents a record while records are sorted. Its prefix is the class, if there are
// classes, and the first bytes of the key after those that all keys share.
type element struct {
	prefix uint64
	place  uint32
}

// sort sets elements to all records, sorted. If it returns the error of ctx, the order is
// undefined.
func (s *sorter) sort(ctx context.Context) error {
	s.elements = slices.Grow(s.elements[:0], s.records.count)
	for i, c := range s.records.chunks {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for at := 0; at < len(c); {
			place := uint32(i)<<chunkBits | uint32(at)
			s.elements = append(s.elements, element{place: place})
			at += record(c[at:]).end()
		}
	}
	s.sortByPrefix(ctx, s.elements)
	return ctx.Err()
}

// sortByPrefix sorts elements by their prefixes, and then those with equal prefixes.
func (s *sorter) sortByPrefix(ctx context.Context, elements []element) {
	if ctx.Err() != nil {
		return
	}
	s.setPrefixes(elements)
	slices.SortFunc(elements, func(a, b element) int { return cmp.Compare(a.prefix, b.prefix) })
	for total := len(elements); len(elements) > 0; {
		n := 1
		for n < len(elements) && elements[n].prefix == elements[0].prefix {
			n++
		}
		if n == total || n < minPrefixed { // no bytes of the keys differ, or few elements
			slices.SortFunc(elements[:n], func(a, b element) int { return s.compare(ctx, a, b) })
		} else {
			s.sortByPrefix(ctx, elements[:n])
		}
		elements = elements[n:]
	}
}

func (s *sorter) setPrefixes(elements []element) {
	if len(elements) == 0 {
		return
	}
	shared := s.record(elements[0]).key()
	for _, e := range elements[1:] {
		key := s.record(e).key()
		if !bytes.HasPrefix(key, shared) {
			shared = shared[:commonPrefix(key, shared)]
		}
	}
	for i, e := range elements {
		r := s.record(e)
		var first [8]byte // padded with zeros
		copy(first[:], r.key()[len(shared):])
		prefix := binary.BigEndian.Uint64(first[:])
		if s.class != nil {
			prefix = uint64(s.class(r.kind()))<<56 | prefix>>8
		}
		elements[i].prefix = prefix
	}
}

func commonPrefix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func (s *sorter) record(e element) record { return s.records.at(e.place) }

// compare compares elements. After the end of ctx they compare as equal, which ends sorting soon.
func (s *sorter) compare(ctx context.Context, a, b element) int {
	if ctx.Err() != nil {
		return 0
	}
	first, second := s.record(a), s.record(b)
	return cmp.Or(bytes.Compare(first.key(), second.key()),
		bytes.Compare(first.name(), second.name()))
}
