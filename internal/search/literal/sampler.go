package literal

import (
	"encoding/binary"
	"math"
)

// A sampler searches for many literals in one pass. A block is one to four bytes of text. The
// sampler looks up the block at every stride-th position of the text. It knows stride consecutive
// blocks of each literal, so it finds one of them at any position of the literal. At a known block,
// it compares the literals of the block. If few blocks of the text are known, its speed does not
// depend on the number of literals.
type sampler struct {
	set    Set
	stride int
	mask   uint32 // selects the bytes of a block from four bytes
	fold   uint32 // is set in the blocks of literals and text to ignore the case of ASCII letters
	// table maps the hash of a block to a bucket: the occurrences of such blocks in the literals.
	// Bucket 0 is empty.
	table   [tableSize]uint8
	buckets [][]occurrence
	perByte float64 // the expected cost, in processor cycles
}

// An occurrence of a block is the index of a literal and an offset in it.
type occurrence struct{ literal, offset uint16 }

const (
	maxBlock   = 4
	maxStride  = 8 // a power of two
	tableBits  = 14
	tableSize  = 1 << tableBits
	maxBuckets = 1 << 8
	multiplier = 0x9E3779B1 // spreads blocks over the table
	// sampleCost is the cost of looking up a block, samplerMissCost the cost of a text that resembles
	// a literal, in processor cycles.
	sampleCost      = 1.3
	samplerMissCost = 150
)

// newSampler returns the sampler that costs the least.
func newSampler(set Set, f frequencies) *sampler {
	block, stride, cost := bestBlock(set, f)
	s := &sampler{set: set, stride: stride, buckets: make([][]occurrence, 1), perByte: cost}
	s.mask = math.MaxUint32 >> (8 * (maxBlock - block))
	if set.Fold {
		s.fold = 0x20202020 & s.mask
	}
	for i, l := range set.Literals {
		first, _ := window(l, block, stride, f)
		for offset := first; offset < first+stride; offset++ {
			s.add(l[offset:offset+block], occurrence{uint16(i), uint16(offset)})
		}
	}
	return s
}

// bestBlock returns the length of blocks and the stride that cost the least, and their cost per
// byte.
func bestBlock(set Set, f frequencies) (block, stride int, least float64) {
	shortest := maxLength
	for _, l := range set.Literals {
		shortest = min(shortest, len(l))
	}
	least = math.Inf(1)
	for b := 1; b <= min(maxBlock, shortest); b++ {
		for s := 1; s <= min(maxStride, shortest-b+1); s *= 2 {
			known := float64(len(set.Literals)*s) / tableSize // other blocks with the same hash
			for _, l := range set.Literals {
				_, sum := window(l, b, s, f)
				known += sum
			}
			if cost := (sampleCost + known*samplerMissCost) / float64(s); cost < least {
				block, stride, least = b, s, cost
			}
		}
	}
	return block, stride, least
}

// window returns the offset of the least frequent stride consecutive blocks of a literal, and their
// frequency.
func window(literal string, block, stride int, f frequencies) (offset int, least float64) {
	least = math.Inf(1)
	for at := 0; at+stride+block-1 <= len(literal); at++ {
		sum := 0.0
		for i := at; i < at+stride; i++ {
			sum += f.of(literal[i : i+block])
		}
		if sum < least {
			offset, least = at, sum
		}
	}
	return offset, least
}

func (s *sampler) add(block string, o occurrence) {
	var padded [maxBlock]byte
	copy(padded[:], block)
	e := &s.table[s.lookup().hash(padded[:])]
	if *e == 0 {
		if len(s.buckets) < maxBuckets {
			s.buckets = append(s.buckets, nil)
		}
		*e = uint8(len(s.buckets) - 1)
	}
	s.buckets[*e] = append(s.buckets[*e], o)
}

// lookup returns a copy of the fields for skip, to keep them in registers.
func (s *sampler) lookup() lookup { return lookup{&s.table, s.mask, s.fold} }

// find returns the start and the end of a literal in the first line with one at or after at. at is
// the start of a line or a previous result next, which can be after the start of a literal that the
// sampler is about to find. find counts texts that resemble literals in misses. Soon after
// enoughMisses, it returns -1 and the position next to continue at. At the end of the text, next is
// len(buf).
func (s *sampler) find(buf []byte, at int, misses *int) (start, end, next int) {
	i, l := at+s.stride-1, s.lookup()
	for i+maxBlock <= len(buf) {
		i += s.skip(buf[i:])
		for range groupSize { // one of these blocks is known, unless the end is near
			if i+maxBlock > len(buf) {
				break
			}
			if bucket := l.at(buf[i:]); bucket != 0 {
				if start, end := s.compare(buf, i, bucket, misses); start >= 0 {
					return start, end, 0
				}
			}
			if *misses >= enoughMisses {
				return -1, -1, i + 1
			}
			i += s.stride
		}
	}
	for ; i < len(buf); i += s.stride {
		var padded [maxBlock]byte
		copy(padded[:], buf[i:])
		if start, end := s.compare(buf, i, l.at(padded[:]), misses); start >= 0 {
			return start, end, 0
		}
	}
	return -1, -1, len(buf)
}

// compare returns the bounds of a literal that has a block of the bucket at index i, or -1.
func (s *sampler) compare(buf []byte, i int, bucket uint8, misses *int) (start, end int) {
	for _, o := range s.buckets[bucket] {
		l := s.set.Literals[o.literal]
		if start := i - int(o.offset); start >= 0 && begins(buf[start:], l, s.set.Fold) {
			return start, start + len(l)
		}
	}
	if bucket != 0 {
		*misses++
	}
	return -1, -1
}

const groupSize = 8 // blocks per lookup, which is faster than single blocks

// skip returns the offset of the first group with a known block, or of the incomplete group at the
// end.
func (s *sampler) skip(buf []byte) int {
	rest, l := buf, s.lookup()
	switch s.stride { // constant offsets make it three times faster
	case 1:
		for len(rest) >= groupSize*1+maxBlock {
			b := (*[groupSize*1 + maxBlock]byte)(rest)
			if l.at(b[0:])|l.at(b[1:])|l.at(b[2:])|l.at(b[3:])|
				l.at(b[4:])|l.at(b[5:])|l.at(b[6:])|l.at(b[7:]) != 0 {
				break
			}
			rest = rest[groupSize*1:]
		}
	case 2:
		for len(rest) >= groupSize*2+maxBlock {
			b := (*[groupSize*2 + maxBlock]byte)(rest)
			if l.at(b[0:])|l.at(b[2:])|l.at(b[4:])|l.at(b[6:])|
				l.at(b[8:])|l.at(b[10:])|l.at(b[12:])|l.at(b[14:]) != 0 {
				break
			}
			rest = rest[groupSize*2:]
		}
	case 4:
		for len(rest) >= groupSize*4+maxBlock {
			b := (*[groupSize*4 + maxBlock]byte)(rest)
			if l.at(b[0:])|l.at(b[4:])|l.at(b[8:])|l.at(b[12:])|
				l.at(b[16:])|l.at(b[20:])|l.at(b[24:])|l.at(b[28:]) != 0 {
				break
			}
			rest = rest[groupSize*4:]
		}
	case 8:
		for len(rest) >= groupSize*8+maxBlock {
			b := (*[groupSize*8 + maxBlock]byte)(rest)
			if l.at(b[0:])|l.at(b[8:])|l.at(b[16:])|l.at(b[24:])|
				l.at(b[32:])|l.at(b[40:])|l.at(b[48:])|l.at(b[56:]) != 0 {
				break
			}
			rest = rest[groupSize*8:]
		}
	}
	return len(buf) - len(rest)
}

// A lookup looks up blocks in the table of a sampler.
type lookup struct {
	table      *[tableSize]uint8
	mask, fold uint32
}

// at returns the bucket of the block at the start of b.
func (l lookup) at(b []byte) uint8 { return l.table[l.hash(b)] }

func (l lookup) hash(b []byte) uint32 {
	return (binary.LittleEndian.Uint32(b)&l.mask | l.fold) * multiplier >> (32 - tableBits)
}
