package automaton

import (
	"encoding/binary"
	"unicode/utf8"

	"gander/internal/search/syntax"
)

// A sequence matches size bytes, each between the bytes of low and high at its index.
type sequence struct {
	size      int
	low, high [utf8.UTFMax]byte
}

// class compiles a class that continues at next.
func (c *compiler) class(n *syntax.Node, next int32) int32 {
	var sequences []sequence
	for _, r := range n.Set {
		sequences = appendUTF8(sequences, r.Low, r.High)
	}
	return c.trie(sequences, 0, next, map[string]int32{})
}

// appendUTF8 appends sequences that match the UTF-8 of the characters from low to high.
func appendUTF8(sequences []sequence, low, high rune) []sequence {
	if low > high {
		return sequences
	}
	split := func(last rune) []sequence {
		return appendUTF8(appendUTF8(sequences, low, last), last+1, high)
	}
	for _, last := range [...]rune{0x7F, 0x7FF, 0xD7FF, 0xDFFF, 0xFFFF} {
		if low <= last && last < high {
			return split(last)
		}
	}
	if !utf8.ValidRune(low) {
		return sequences // surrogates
	}
	// Only the last bytes can take all values. The bytes before them must be equal, except one.
	s := sequence{size: utf8.RuneLen(low)}
	for i := 1; i < s.size; i++ {
		rest := rune(1)<<(6*i) - 1 // the bits of the last i bytes
		switch {
		case low|rest == high|rest:
		case low&rest != 0:
			return split(low | rest)
		case high&rest != rest:
			return split(high&^rest - 1)
		}
	}
	utf8.EncodeRune(s.low[:], low)
	utf8.EncodeRune(s.high[:], high)
	return append(sequences, s)
}

// trie makes instructions that match the bytes from index i of sequences, which are in ascending
// order and equal before i, and continue at next. Equal instructions are made only once, so
// characters share those for their last bytes. made holds them.
func (c *compiler) trie(sequences []sequence, i int, next int32, made map[string]int32) int32 {
	var ranges []byteRange
	for len(sequences) > 0 {
		s, n := sequences[0], 1
		for n < len(sequences) && sequences[n].low[i] == s.low[i] {
			n++
		}
		r := byteRange{s.low[i], s.high[i], next}
		if i+1 < s.size {
			r.next = c.trie(sequences[:n], i+1, next, made)
		}
		sequences = sequences[n:]
		last := len(ranges) - 1
		if last >= 0 && ranges[last].next == r.next && ranges[last].high+1 == r.low {
			ranges[last].high = r.high
		} else {
			ranges = append(ranges, r)
		}
	}
	var key []byte
	for _, r := range ranges {
		key = append(key, r.low, r.high)
		key = binary.LittleEndian.AppendUint32(key, uint32(r.next))
	}
	at, ok := made[string(key)]
	if !ok {
		first := int32(len(c.p.ranges))
		c.p.ranges = append(c.p.ranges, ranges...)
		at = c.add(inst{op: opBytes, a: first, b: int32(len(c.p.ranges))})
		made[string(key)] = at
	}
	return at
}
