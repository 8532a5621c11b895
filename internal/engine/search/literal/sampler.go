package literal

import (
	"encoding/binary"
	"math"
)

// A sampler looks for many literals at once. It looks only at every stride-th position of the text, at the block there: one to four
// bytes. Of each literal it knows as many blocks, one after the other, as the stride is long, so wherever the literal is in the
// text, it looks at one of them. Where it finds a block that it knows, it compares the literals that have the block. Its speed does not
// depend on the number of literals, as long as it knows few of the blocks of the text.
type sampler struct {
	literals []Literal
	stride   int
	mask     uint32 // selects the bytes of a block from four
	fold     uint32 // makes the letters of ASCII small; other bytes are changed, too, but alike in literals and text
	// table holds for the hash of a block the index of its bucket, and a bucket where literals have such blocks. Bucket 0 is empty.
	table   [tableSize]uint8
	buckets [][]place
	cost    float64
}

// A place is an offset in a literal.
type place struct{ literal, offset uint16 }

const (
	maxBlock   = 4
	maxStride  = 8 // a power of two
	tableBits  = 14
	tableSize  = 1 << tableBits
	maxBuckets = 1 << 8
	multiplier = 0x9E3779B1 // spreads blocks over the table
	// sampleCost is the cost of looking at a block, samplerMissCost that of a miss.
	sampleCost      = 1.3
	samplerMissCost = 150
)

// newSampler returns the sampler for the literals that is expected to be the fastest.
func newSampler(literals []Literal, f frequency) *sampler {
	shortest := maxLength
	for _, l := range literals {
		shortest = min(shortest, len(l.Text))
	}
	bestBlock, bestStride, bestCost := 0, 0, math.Inf(1)
	for block := 1; block <= min(maxBlock, shortest); block++ {
		for stride := 1; stride <= min(maxStride, shortest-block+1); stride *= 2 {
			known := float64(len(literals)*stride) / tableSize // other blocks with the same hash
			for i := range literals {
				_, sum := literals[i].window(block, stride, f)
				known += sum
			}
			if cost := (sampleCost + known*samplerMissCost) / float64(stride); cost < bestCost {
				bestBlock, bestStride, bestCost = block, stride, cost
			}
		}
	}
	s := &sampler{literals: literals, stride: bestStride, mask: math.MaxUint32 >> (8 * (maxBlock - bestBlock)), buckets: make([][]place, 1), cost: bestCost}
	for i := range literals {
		if literals[i].Fold {
			s.fold = 0x20202020 & s.mask
		}
	}
	for i := range literals {
		l := &literals[i]
		first, _ := l.window(bestBlock, bestStride, f)
		for offset := first; offset < first+bestStride; offset++ {
			s.add(l.Text[offset:offset+bestBlock], place{uint16(i), uint16(offset)})
		}
	}
	return s
}

// window returns the offset of the first of stride blocks that are the least frequent, and how frequent they are together.
func (l *Literal) window(block, stride int, f frequency) (offset int, least float64) {
	least = math.Inf(1)
	for at := 0; at+stride+block-1 <= len(l.Text); at++ {
		sum := 0.0
		for i := at; i < at+stride; i++ {
			sum += f(l.Text[i : i+block])
		}
		if sum < least {
			offset, least = at, sum
		}
	}
	return offset, least
}

// add makes a block known.
func (s *sampler) add(block string, p place) {
	var padded [maxBlock]byte
	copy(padded[:], block)
	e := &s.table[s.hash(binary.LittleEndian.Uint32(padded[:]))]
	if *e == 0 {
		if len(s.buckets) < maxBuckets {
			s.buckets = append(s.buckets, nil)
		}
		*e = uint8(len(s.buckets) - 1)
	}
	s.buckets[*e] = append(s.buckets[*e], p)
}

// hash returns the entry in table for the block at the beginning of four bytes.
func (s *sampler) hash(four uint32) uint32 {
	return (four&s.mask | s.fold) * multiplier >> (32 - tableBits)
}

func (s *sampler) find(buf []byte, at int, misses *int) (start, end, next int) {
	i := at + s.stride - 1
	for i+maxBlock <= len(buf) {
		i += s.skip(buf[i:])
		for range groupSize { // one of them is known, unless the end is near
			if i+maxBlock > len(buf) {
				break
			}
			if bucket := s.table[s.hash(binary.LittleEndian.Uint32(buf[i:]))]; bucket != 0 {
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
		if start, end := s.compare(buf, i, s.table[s.hash(binary.LittleEndian.Uint32(padded[:]))], misses); start >= 0 {
			return start, end, 0
		}
	}
	return -1, -1, len(buf)
}

// compare returns the start and the end of a literal that has a block of the bucket where the text at i is, or -1.
func (s *sampler) compare(buf []byte, i int, bucket uint8, misses *int) (start, end int) {
	for _, p := range s.buckets[bucket] {
		l := &s.literals[p.literal]
		if start := i - int(p.offset); start >= 0 && l.matches(buf[start:]) {
			return start, start + len(l.Text)
		}
	}
	if bucket != 0 {
		*misses++
	}
	return -1, -1
}

// groupSize is how many blocks are looked up together, which is faster than one by one.
const groupSize = 8

// skip returns the number of bytes before the first group of blocks of which one is known, or before the end if that is near.
func (s *sampler) skip(buf []byte) int {
	rest, l := buf, lookup{&s.table, s.mask, s.fold}
	switch s.stride { // constants make it three times faster
	case 1:
		for len(rest) >= 8*1+maxBlock {
			b := (*[8*1 + maxBlock]byte)(rest)
			if l.at(b[0:])|l.at(b[1:])|l.at(b[2:])|l.at(b[3:])|l.at(b[4:])|l.at(b[5:])|l.at(b[6:])|l.at(b[7:]) != 0 {
				break
			}
			rest = rest[8*1:]
		}
	case 2:
		for len(rest) >= 8*2+maxBlock {
			b := (*[8*2 + maxBlock]byte)(rest)
			if l.at(b[0:])|l.at(b[2:])|l.at(b[4:])|l.at(b[6:])|l.at(b[8:])|l.at(b[10:])|l.at(b[12:])|l.at(b[14:]) != 0 {
				break
			}
			rest = rest[8*2:]
		}
	case 4:
		for len(rest) >= 8*4+maxBlock {
			b := (*[8*4 + maxBlock]byte)(rest)
			if l.at(b[0:])|l.at(b[4:])|l.at(b[8:])|l.at(b[12:])|l.at(b[16:])|l.at(b[20:])|l.at(b[24:])|l.at(b[28:]) != 0 {
				break
			}
			rest = rest[8*4:]
		}
	case 8:
		for len(rest) >= 8*8+maxBlock {
			b := (*[8*8 + maxBlock]byte)(rest)
			if l.at(b[0:])|l.at(b[8:])|l.at(b[16:])|l.at(b[24:])|l.at(b[32:])|l.at(b[40:])|l.at(b[48:])|l.at(b[56:]) != 0 {
				break
			}
			rest = rest[8*8:]
		}
	}
	return len(buf) - len(rest)
}

// A lookup is what skip needs of a sampler, for the registers.
type lookup struct {
	table      *[tableSize]uint8
	mask, fold uint32
}

// at returns the bucket of the block at the beginning of b.
func (l lookup) at(b []byte) uint8 {
	return l.table[(binary.LittleEndian.Uint32(b)&l.mask|l.fold)*multiplier>>(32-tableBits)]
}
