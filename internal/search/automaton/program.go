// Package automaton runs patterns over the bytes of lines.
//
// A pattern is compiled to a [Program], a nondeterministic automaton over bytes. A [DFA] finds the
// lines that match, with a deterministic automaton whose states are made when the text first needs
// them. A [Spanner] finds the matches in a line.
//
// No match contains a line feed, so both restart at each line.
package automaton

import "gander/internal/search/syntax"

// A Program is a compiled pattern. It is immutable.
type Program struct {
	insts  []inst
	ranges []byteRange
	start  int32
	// same holds for each byte the bytes that the program does not distinguish from it.
	same  [256][]byte
	needs surroundings // the properties that determine the conditions
}

// An opcode is the kind of an instruction.
type opcode uint8

const (
	opBytes  opcode = iota // consumes a byte and continues at the instruction of the byte's range
	opSplit                // continues at both a and b, and prefers a
	opAssert               // continues at a if look holds
	opMatch                // ends a match
)

// match is the only opMatch of a program.
const match int32 = 0

// An inst is an instruction. An opBytes has the ranges of the program from index a up to b.
type inst struct {
	op   opcode
	look syntax.Look
	a, b int32
}

// A byteRange continues at next after a byte from low to high.
type byteRange struct {
	low, high byte
	next      int32
}

// none represents no instruction.
const none int32 = -1

// step returns the instruction that follows an opBytes after a byte, or none.
func (p *Program) step(pc int32, b byte) int32 {
	in := &p.insts[pc]
	ranges := p.ranges[in.a:in.b]
	for i := range ranges {
		if r := &ranges[i]; b <= r.high {
			if b >= r.low {
				return r.next
			}
			break
		}
	}
	return none
}

// Size returns the number of instructions and of byte ranges.
func (p *Program) Size() int { return len(p.insts) + len(p.ranges) }

// findSame sets same.
func (p *Program) findSame() {
	var begins [257]bool // whether a byte is distinguished from the byte before it
	cut := func(low, high int) { begins[low], begins[high+1] = true, true }
	cut('\n', '\n')
	if p.needs&carriageReturn != 0 {
		cut('\r', '\r')
	}
	if p.needs&word != 0 {
		for _, r := range []string{"09", "AZ", "__", "az"} {
			cut(int(r[0]), int(r[1]))
		}
		for b := 0x80; b < 0x100; b++ {
			begins[b] = true
		}
	}
	for _, r := range p.ranges {
		cut(int(r.low), int(r.high))
	}
	var bytes [256]byte
	low := 0
	for b := range bytes {
		bytes[b] = byte(b)
		if begins[b+1] || b == 0xFF {
			for i := low; i <= b; i++ {
				p.same[i] = bytes[low : b+1]
			}
			low = b + 1
		}
	}
}
