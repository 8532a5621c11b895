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
	// classes maps each byte to its class, whose bytes the program does not distinguish. members holds
	// the bytes of each class.
	classes [256]uint8
	members [][]byte
	// first holds the bytes that can begin a match. It is nil if a match can be empty.
	first *[256]bool
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
func (p *Program) step(in *inst, b byte) int32 {
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

// findClasses divides the bytes into classes.
func (p *Program) findClasses() {
	var begins [257]bool // whether a class begins at a byte
	cut := func(low, high int) { begins[low], begins[high+1] = true, true }
	cut('\n', '\n')
	if p.needs&carriageReturn != 0 {
		cut('\r', '\r')
	}
	if p.needs&(asciiWord|word) != 0 {
		for _, r := range []string{"09", "AZ", "__", "az"} {
			cut(int(r[0]), int(r[1]))
		}
	}
	if p.needs&word != 0 {
		for b := 0x80; b < 0x100; b++ {
			begins[b] = true
		}
	}
	for _, r := range p.ranges {
		cut(int(r.low), int(r.high))
	}
	p.members = [][]byte{nil}
	for b := range 256 {
		if b > 0 && begins[b] {
			p.members = append(p.members, nil)
		}
		class := len(p.members) - 1
		p.classes[b] = uint8(class)
		p.members[class] = append(p.members[class], byte(b))
	}
}

// findFirst sets first.
func (p *Program) findFirst() {
	first := [256]bool{}
	seen := make([]bool, len(p.insts))
	stack := []int32{p.start}
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch in := &p.insts[pc]; in.op {
		case opMatch:
			return
		case opSplit:
			stack = append(stack, in.a, in.b)
		case opAssert:
			stack = append(stack, in.a)
		default:
			for _, r := range p.ranges[in.a:in.b] {
				for b := int(r.low); b <= int(r.high); b++ {
					first[b] = true
				}
			}
		}
	}
	p.first = &first
}
