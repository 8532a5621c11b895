package automaton

import (
	"encoding/binary"

	"gander/internal/search/syntax"
)

// class compiles a class that continues at next.
func (c *compiler) class(n *syntax.Node, next int32) int32 {
	u := &utf8Compiler{c: c, next: next, made: map[string]int32{}}
	if n.Bytes {
		for _, r := range n.Set {
			u.add(byte(r.Low), byte(r.High), next)
		}
		return u.finish(0)
	}
	return u.lead(n.Set)
}

// A utf8Compiler makes instructions that match the UTF-8 of a set of characters, one for each byte.
// Equal instructions are made only once, so characters share the instructions for their last bytes.
type utf8Compiler struct {
	c    *compiler
	next int32
	made map[string]int32
	// ranges is a stack: the ranges of the incomplete instructions.
	ranges []byteRange
}

// add adds a range to the incomplete instruction. It extends the previous range if possible.
func (u *utf8Compiler) add(low, high byte, next int32) {
	if n := len(u.ranges); n > 0 && u.ranges[n-1].next == next && u.ranges[n-1].high+1 == low {
		u.ranges[n-1].high = high
		return
	}
	u.ranges = append(u.ranges, byteRange{low, high, next})
}

// finish removes the ranges from index base on, and returns an instruction that has them.
func (u *utf8Compiler) finish(base int) int32 {
	var key []byte
	for _, r := range u.ranges[base:] {
		key = append(key, r.low, r.high)
		key = binary.LittleEndian.AppendUint32(key, uint32(r.next))
	}
	at, ok := u.made[string(key)]
	if !ok {
		first := int32(len(u.c.p.ranges))
		u.c.p.ranges = append(u.c.p.ranges, u.ranges[base:]...)
		at = u.c.add(inst{op: opBytes, a: first, b: int32(len(u.c.p.ranges))})
		u.made[string(key)] = at
	}
	u.ranges = u.ranges[:base]
	return at
}

// lead makes the instruction for the first byte.
func (u *utf8Compiler) lead(s syntax.Set) int32 {
	for _, r := range s {
		if r.Low < 0x80 {
			u.add(byte(r.Low), byte(min(r.High, 0x7F)), u.next)
		}
	}
	for b := rune(0xC2); b <= 0xF4; b++ {
		var first, last rune // the characters that begin with b
		more := 1            // the bytes after b
		switch {
		case b < 0xE0:
			first, last = (b&0x1F)<<6, (b&0x1F)<<6|0x3F
		case b < 0xF0:
			first, last = max((b&0xF)<<12, 0x800), (b&0xF)<<12|0xFFF
			more = 2
		default:
			first, last = max((b&7)<<18, 0x10000), min((b&7)<<18|0x3FFFF, 0x10FFFF)
			more = 3
		}
		if b == 0xED {
			last = 0xD7FF // no surrogates
		}
		if part := clip(s, first, last); part != nil {
			u.nested(byte(b), part, first, last, more)
		}
	}
	return u.finish(0)
}

// nested adds the byte b, the beginning of the characters from first to last. Instructions for the
// other more bytes match the characters in s.
func (u *utf8Compiler) nested(b byte, s syntax.Set, first, last rune, more int) {
	base := len(u.ranges)
	u.ranges = append(u.ranges, byteRange{}) // add must not extend a range of another instruction
	shift := 6 * (more - 1)
	if s[0].Low <= first && s[0].High >= last {
		u.add(continuation(first>>shift), continuation(last>>shift), u.any(more-1))
	} else {
		for child := first >> shift; child <= last>>shift; child++ {
			low, high := max(first, child<<shift), min(last, (child+1)<<shift-1)
			part := clip(s, low, high)
			switch {
			case part == nil:
			case more == 1:
				u.add(continuation(child), continuation(child), u.next)
			default:
				u.nested(continuation(child), part, low, high, more-1)
			}
		}
	}
	next := u.finish(base + 1)
	u.ranges = u.ranges[:base]
	u.add(b, b, next)
}

// any returns an instruction that matches the last more bytes of any character.
func (u *utf8Compiler) any(more int) int32 {
	if more == 0 {
		return u.next
	}
	next := u.any(more - 1)
	base := len(u.ranges)
	u.ranges = append(u.ranges, byteRange{0x80, 0xBF, next})
	return u.finish(base)
}

// continuation returns the byte with the lowest six bits of r.
func continuation(r rune) byte { return 0x80 | byte(r&0x3F) }

// clip returns the ranges of s that overlap low to high, or nil. They may extend beyond low and
// high.
func clip(s syntax.Set, low, high rune) syntax.Set {
	first := 0
	for end := len(s); first < end; {
		if middle := (first + end) / 2; s[middle].High < low {
			first = middle + 1
		} else {
			end = middle
		}
	}
	last := first
	for last < len(s) && s[last].Low <= high {
		last++
	}
	if first == last {
		return nil
	}
	return s[first:last]
}
