package names

import (
	"bytes"
	"cmp"
	"context"
	"math/bits"
	"slices"

	"gander/internal/files/workspace"
)

// A sorter sorts records by a radix sort of 8-byte prefixes of their keys. Records whose prefixes are equal are then sorted by
// the 8 bytes after those that their keys share.
type sorter struct {
	class   func(workspace.EntryKind) uint8
	records *records

	elements, scratch []element
}

// An element stands for a record while records are sorted. Its prefix is the class, if there are classes, and the first bytes
// of the key after those that the keys of all elements sorted with it share.
type element struct {
	prefix uint64
	place  uint32
	kind   workspace.EntryKind
}

const (
	// minRadix is the number of elements from which a radix sort is faster than one by comparison.
	minRadix = 1 << 10
	// maxRadix is the number of elements that fit into the L2 cache together with as much scratch memory. More are split in
	// place first, which takes no scratch memory at all.
	maxRadix = 1 << 14
)

// sort sets elements to all records, sorted. It checks ctx between passes and between chunks; the order means nothing if it
// returns an error.
func (s *sorter) sort(ctx context.Context) error {
	s.elements = slices.Grow(s.elements[:0], s.records.count)
	for i, c := range s.records.chunks {
		if ctx.Err() != nil {
			break
		}
		for at := 0; at < len(c); {
			r := record(c[at:])
			place := uint32(i)<<chunkBits | uint32(at)
			s.elements = append(s.elements, element{place: place, kind: r.kind()})
			at += r.end()
		}
	}
	s.setPrefixes(s.elements)
	s.sortByPrefix(ctx, s.elements)
	return ctx.Err()
}

// sortByPrefix sorts elements whose prefixes are set.
func (s *sorter) sortByPrefix(ctx context.Context, elements []element) {
	if len(elements) < minRadix {
		slices.SortFunc(elements, s.compare)
		return
	}
	if ctx.Err() != nil {
		return
	}
	differing := differingBits(elements)
	switch start := 0; {
	case differing == 0:
		s.sortEqual(ctx, elements)
	case len(elements) > maxRadix:
		for _, end := range split(elements, (bits.Len64(differing)-1)&^7) {
			s.sortByPrefix(ctx, elements[start:end])
			start = end
		}
	default:
		s.radixSort(elements, differing)
		for i := 1; i <= len(elements); i++ {
			if i == len(elements) || elements[i].prefix != elements[start].prefix {
				if i-start > 1 {
					s.sortEqual(ctx, elements[start:i])
				}
				start = i
			}
		}
	}
}

// sortEqual sorts elements whose prefixes are equal.
func (s *sorter) sortEqual(ctx context.Context, elements []element) {
	if len(elements) >= minRadix {
		s.setPrefixes(elements)
		if differingBits(elements) == 0 { // the keys are equal, or differ in trailing zeros
			slices.SortFunc(elements, s.compareUntilDone(ctx))
			return
		}
	}
	s.sortByPrefix(ctx, elements)
}

// setPrefixes sets the prefixes of elements.
func (s *sorter) setPrefixes(elements []element) {
	if len(elements) == 0 {
		return
	}
	shared := s.key(elements[0])
	for _, e := range elements[1:] {
		shared = shared.first(commonPrefix(s.key(e), shared))
	}
	for i, e := range elements {
		prefix := s.key(e).prefix(len(shared.bytes))
		if s.class != nil {
			prefix = uint64(s.class(e.kind))<<56 | prefix>>8
		}
		elements[i].prefix = prefix
	}
}

func (s *sorter) key(e element) key { return s.records.key(s.records.at(e.place)) }

func (s *sorter) compare(a, b element) int {
	if a.prefix != b.prefix {
		return cmp.Compare(a.prefix, b.prefix)
	}
	if n := compareKeys(s.key(a), s.key(b)); n != 0 {
		return n
	}
	return bytes.Compare(s.records.at(a.place).name(), s.records.at(b.place).name())
}

// compareUntilDone returns compare for as long as ctx is not done. From then on all elements compare as equal, which ends
// sorting soon.
func (s *sorter) compareUntilDone(ctx context.Context) func(a, b element) int {
	calls, done := 0, false
	return func(a, b element) int {
		if calls++; calls%1024 == 0 {
			done = done || ctx.Err() != nil
		}
		if done {
			return 0
		}
		return s.compare(a, b)
	}
}

// differingBits returns the bits in which the prefixes differ.
func differingBits(elements []element) (differing uint64) {
	for _, e := range elements {
		differing |= e.prefix ^ elements[0].prefix
	}
	return differing
}

// split sorts elements in place by the byte of their prefixes that starts at bit shift, and returns for each value of the byte
// the index at which its elements end.
func split(elements []element, shift int) (ends [256]int) {
	var next [256]int // index for the next element of each value
	for i := range elements {
		ends[elements[i].prefix>>shift&0xff]++
	}
	sum := 0
	for b, n := range ends {
		next[b] = sum
		sum += n
		ends[b] = sum
	}
	for b := range next {
		for next[b] < ends[b] {
			e := elements[next[b]]
			for to := e.prefix >> shift & 0xff; int(to) != b; to = e.prefix >> shift & 0xff {
				elements[next[to]], e = e, elements[next[to]]
				next[to]++
			}
			elements[next[b]] = e
			next[b]++
		}
	}
	return ends
}

// radixSort sorts by prefix, with a counting pass for each byte that has differing bits, the last byte first.
func (s *sorter) radixSort(elements []element, differing uint64) {
	s.scratch = slices.Grow(s.scratch[:0], len(elements))
	from, to := elements, s.scratch[:len(elements)]
	for shift := 0; shift < 64; shift += 8 {
		if differing>>shift&0xff == 0 {
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
}
