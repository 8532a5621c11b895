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
	needs  surroundings // the properties that determine the conditions
}

type opcode uint8

const (
	opBytes  opcode = iota // consumes a byte and continues at the instruction of the byte's range
	opSplit                // continues at both a and b, and prefers a
	opAssert               // continues at a if look holds
	opSave                 // the position is bound b of the groups; continues at a
	opMatch                // ends a match
)

const matchInst int32 = 0 // the only opMatch of a program

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

const none int32 = -1 // no instruction

// step returns the instruction that follows an opBytes after a byte, or none.
func (p *Program) step(pc int32, b byte) int32 { return p.stepFrom(&p.insts[pc], b) }

func (p *Program) stepFrom(in *inst, b byte) int32 {
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

// The memory of an instruction in bytes, at most: in the program, also while it is compiled, in a
// DFA apart from its states, and in a Spanner.
const (
	programBytes = 32
	dfaBytes     = 48
	spannerBytes = 120
	rangeBytes   = 20 // of a byte range
)

// Size returns the number of bytes that the program, a DFA without its states and a Spanner need.
func (p *Program) Size() int {
	return len(p.insts)*(programBytes+spannerBytes) + p.DFAMemory() + len(p.ranges)*rangeBytes
}

// DFAMemory returns the number of bytes that each further DFA needs, without its states.
func (p *Program) DFAMemory() int { return len(p.insts) * dfaBytes }

// A walker follows the instructions of a program.
type walker struct {
	p       *Program
	stop    func() bool // see Limits; after it returns true, stopped is set
	stopped bool
	work    int // instructions run since the last call of stop

	marks []uint32 // the last round that reached each instruction
	round uint32
	stack []int32 // scratch space
}

// workPerStop is the number of instructions between two calls of stop, less than a millisecond.
const workPerStop = 1 << 14

func newWalker(p *Program, stop func() bool) walker {
	return walker{p: p, stop: stop, marks: make([]uint32, len(p.insts))}
}

// spend counts instructions to be run, and calls stop after many of them.
func (w *walker) spend(instructions int) {
	w.work += 1 + instructions
	if w.work >= workPerStop {
		w.work = 0
		w.stopped = w.stopped || w.stop != nil && w.stop()
	}
}

// nextRound begins a round: no instruction has been reached.
func (w *walker) nextRound() {
	w.round++
	if w.round == 0 {
		clear(w.marks)
		w.round = 1
	}
}

// follow appends to set the instructions reached from pc without consuming a byte, preferred ones
// first, unless they have been reached in this round. A condition is passed if it holds between
// before and after. If after is unknown, a condition that can hold is appended.
func (w *walker) follow(set []int32, pc int32, before, after surroundings) []int32 {
	stack := append(w.stack[:0], pc)
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if w.marks[pc] == w.round {
			continue
		}
		w.marks[pc] = w.round
		in := &w.p.insts[pc]
		switch {
		case in.op == opSplit:
			stack = append(stack, in.b, in.a)
		case in.op == opSave:
			stack = append(stack, in.a)
		case in.op != opAssert, after == unknown && (in.look != syntax.LineStart || before&edge != 0):
			set = append(set, pc)
		case after != unknown && holds(in.look, before, after):
			stack = append(stack, in.a)
		}
	}
	w.stack = stack
	return set
}
