package names

import (
	"bytes"
	"cmp"
	"context"
	"math/bits"
	"slices"

	"gander/internal/engine/workspace"
)

// A sorter orders records.
type sorter struct {
	class   func(workspace.EntryKind) uint8
	records *records

	elements, spare []element
}

// An element stands for a record while records are sorted. Its prefix is the class and the first bytes after what the
// keys of its run begin with, so that few comparisons look at a name.
type element struct {
	prefix uint64
	place  uint32
	kind   workspace.EntryKind
}

const (
	// radixFrom is how many elements make counting bytes cheaper than comparing.
	radixFrom = 1 << 10
	// radixTo is how many are counted at once: with as much memory beside them they fit into the L2 cache.
	radixTo = 1 << 14
	// insertTo is how many make anything but inserting them one by one cheaper. MaxKey directories are smaller.
	insertTo = 48
)

// sort puts the elements of all records in order. It heeds ctx between passes over them, and between chunks.
func (s *sorter) sort(ctx context.Context) error {
	s.elements = slices.Grow(s.elements[:0], s.records.count)
	for i, c := range s.records.chunks {
		if ctx.Err() != nil {
			break
		}
		for at := 0; at < len(c); {
			r := record(c[at:])
			place := uint32(i)<<chunkBits | uint32(at)
			s.elements = append(s.elements, element{s.prefix(r, s.records.shared), place, r.kind()})
			at += r.end()
		}
	}
	s.run(ctx, s.elements)
	return ctx.Err()
}

// run orders elements whose prefixes are set.
func (s *sorter) run(ctx context.Context, elements []element) {
	if len(elements) <= insertTo {
		s.insert(elements)
	} else if len(elements) < radixFrom {
		slices.SortFunc(elements, s.compare)
	} else if differing := difference(elements); differing != 0 {
		s.many(ctx, elements, differing)
	} else {
		s.again(ctx, elements)
	}
}

// many orders elements whose prefixes differ in some bits. Very many are split first. Those whose prefixes are equal are
// runs of their own, with what follows as their prefix.
func (s *sorter) many(ctx context.Context, elements []element, differing uint64) {
	start := 0
	if len(elements) > radixTo {
		for _, end := range split(elements, (bits.Len64(differing)-1)&^7) {
			if ctx.Err() != nil {
				return
			}
			s.run(ctx, elements[start:end])
			start = end
		}
		return
	}
	s.radix(elements, differing)
	for i := 1; i <= len(elements) && ctx.Err() == nil; i++ {
		if i == len(elements) || elements[i].prefix != elements[start].prefix {
			s.again(ctx, elements[start:i])
			start = i
		}
	}
}

// insert sorts a few elements.
func (s *sorter) insert(elements []element) {
	for i := 1; i < len(elements); i++ {
		e, j := elements[i], i
		for ; j > 0 && (e.prefix < elements[j-1].prefix || e.prefix == elements[j-1].prefix && s.compare(e, elements[j-1]) < 0); j-- {
			elements[j] = elements[j-1]
		}
		elements[j] = e
	}
}

// again orders elements with equal prefixes.
func (s *sorter) again(ctx context.Context, elements []element) {
	if len(elements) < radixFrom {
		s.run(ctx, elements)
		return
	}
	shared := s.shared(elements)
	for i := range elements {
		elements[i].prefix = s.prefix(s.records.at(elements[i].place), shared)
	}
	if differing := difference(elements); differing != 0 {
		s.many(ctx, elements, differing)
	} else { // the keys are equal, but for zeros, and names decide
		slices.SortFunc(elements, s.until(ctx))
	}
}

// prefix is what is compared first of a record whose key shares so many bytes with all others of its run.
func (s *sorter) prefix(r record, shared int) uint64 {
	prefix := s.records.key(r).prefix(shared)
	if s.class != nil {
		prefix = uint64(s.class(r.kind()))<<56 | prefix>>8
	}
	return prefix
}

// shared is how many bytes the keys of all elements begin with.
func (s *sorter) shared(elements []element) int {
	first := s.key(elements[0])
	n := len(first.bytes)
	for _, e := range elements[1:] {
		n = common(s.key(e), first.first(n))
	}
	return n
}

func (s *sorter) key(e element) key { return s.records.key(s.records.at(e.place)) }

func (s *sorter) compare(a, b element) int {
	if a.prefix != b.prefix {
		return cmp.Compare(a.prefix, b.prefix)
	}
	if n := compare(s.key(a), s.key(b)); n != 0 {
		return n
	}
	return bytes.Compare(s.records.at(a.place).name(), s.records.at(b.place).name())
}

// until is compare until ctx is over. From then on all are equal to it, which ends sorting soon, in no order.
func (s *sorter) until(ctx context.Context) func(a, b element) int {
	asked, over := 0, false
	return func(a, b element) int {
		if asked++; asked%1024 == 0 {
			over = over || ctx.Err() != nil
		}
		if over {
			return 0
		}
		return s.compare(a, b)
	}
}

// difference returns the bits in which prefixes differ.
func difference(elements []element) (differing uint64) {
	for _, e := range elements {
		differing |= e.prefix ^ elements[0].prefix
	}
	return differing
}

// split puts elements in the order of one byte of their prefixes, without more memory, and returns where those end that
// have each.
func split(elements []element, shift int) (ends [256]int) {
	var next [256]int // where the next of each byte goes
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

// radix sorts by prefix: a counting pass for every byte in which prefixes differ, the last byte first.
func (s *sorter) radix(elements []element, differing uint64) {
	s.spare = slices.Grow(s.spare[:0], len(elements))
	from, to := elements, s.spare[:len(elements)]
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
