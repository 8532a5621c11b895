package names

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"gander/internal/workspace"
)

// A sorter orders records.
type sorter struct {
	class   func(workspace.Kind) uint8
	records *records

	elements, spare []element
}

// An element stands for a record while records are sorted. Its prefix is the class and the first bytes after what the
// keys of its run begin with, so that few comparisons look at a name.
type element struct {
	prefix uint64
	place  uint32
}

// radixFrom is how many elements make counting bytes cheaper than comparing.
const radixFrom = 1 << 10

// sort returns the places of all records in order, in the memory of places. It heeds ctx between passes over them.
func (s *sorter) sort(ctx context.Context, places []uint32) ([]uint32, error) {
	s.elements = slices.Grow(s.elements[:0], s.records.count)
	for place := range s.records.all {
		s.elements = append(s.elements, element{place: place})
	}
	s.run(ctx, s.elements)
	places = slices.Grow(places[:0], len(s.elements))
	for _, e := range s.elements {
		places = append(places, e.place)
	}
	return places, ctx.Err()
}

// run orders elements by what follows the bytes that all their keys begin with. Of many, those whose next bytes are
// equal too are again a run.
func (s *sorter) run(ctx context.Context, elements []element) {
	if ctx.Err() != nil {
		return
	}
	s.prefix(elements)
	if len(elements) < radixFrom || !radix(ctx, elements, &s.spare) {
		slices.SortFunc(elements, s.compare)
		return
	}
	for start, i := 0, 1; i <= len(elements); i++ {
		if i < len(elements) && elements[i].prefix == elements[start].prefix {
			continue
		}
		if i-start > 1 {
			s.run(ctx, elements[start:i])
		}
		start = i
	}
}

// prefix sets the prefixes of elements.
func (s *sorter) prefix(elements []element) {
	shared := s.shared(elements)
	for i := range elements {
		r := s.records.get(elements[i].place)
		elements[i].prefix = prefixOf(r.key[shared:])
		if s.class != nil {
			elements[i].prefix = uint64(s.class(r.kind))<<56 | elements[i].prefix>>8
		}
	}
}

// prefixOf returns the first bytes of a key as a number, in which missing ones are 0.
func prefixOf(key []byte) uint64 {
	if len(key) >= 8 {
		return binary.BigEndian.Uint64(key)
	}
	var n uint64
	for i, b := range key {
		n |= uint64(b) << (56 - 8*i)
	}
	return n
}

// shared is how many bytes the keys of all elements begin with.
func (s *sorter) shared(elements []element) int {
	if len(elements) == 0 {
		return 0
	}
	first := s.records.get(elements[0].place).key
	for i := 1; i < len(elements) && len(first) > 0; i++ {
		first = first[:commonPrefix(first, s.records.get(elements[i].place).key)]
	}
	return len(first)
}

func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	if bytes.Equal(a[:n], b[:n]) {
		return n
	}
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

func (s *sorter) compare(a, b element) int {
	if a.prefix != b.prefix {
		return cmp.Compare(a.prefix, b.prefix)
	}
	x, y := s.records.get(a.place), s.records.get(b.place)
	if n := bytes.Compare(x.key, y.key); n != 0 {
		return n
	}
	return bytes.Compare(x.name, y.name)
}

// radix sorts by prefix: a counting pass for every byte in which prefixes differ, the last byte first. It reports false
// where all prefixes are equal. Once ctx is over it gives up, and the order is none.
func radix(ctx context.Context, elements []element, spare *[]element) bool {
	var differ uint64
	for _, e := range elements {
		differ |= e.prefix ^ elements[0].prefix
	}
	*spare = slices.Grow((*spare)[:0], len(elements))
	from, to := elements, (*spare)[:len(elements)]
	for shift := 0; shift < 64 && ctx.Err() == nil; shift += 8 {
		if differ>>shift&0xff == 0 {
			continue
		}
		var starts [256]int
		for i := range from {
			starts[from[i].prefix>>shift&0xff]++
		}
		sum := 0
		for i, n := range starts {
			starts[i], sum = sum, sum+n
		}
		for i := range from {
			b := from[i].prefix >> shift & 0xff
			to[starts[b]] = from[i]
			starts[b]++
		}
		from, to = to, from
	}
	if &from[0] != &elements[0] {
		copy(elements, from)
	}
	return differ != 0
}
