package automaton

import "gander/internal/search/syntax"

// A walker follows the instructions of a program.
type walker struct {
	p       *Program
	stop    func() bool // see Limits; after it returns true, stopped is set
	stopped bool
	work    int // instructions run since the last call of stop

	// marks holds the last round in which each instruction was reached.
	marks []uint32
	round uint32
	stack []int32 // scratch space
}

// workPerStop is the number of instructions between two calls of stop, less than a millisecond.
const workPerStop = 1 << 14

func newWalker(p *Program, stop func() bool) walker {
	return walker{p: p, stop: stop, marks: make([]uint32, len(p.insts))}
}

// run counts instructions to be run, and calls stop after many of them.
func (w *walker) run(instructions int) {
	if w.work += 1 + instructions; w.work >= workPerStop {
		w.work = 0
		w.stopped = w.stopped || w.stop != nil && w.stop()
	}
}

// nextRound begins a round, in which no instruction has been reached.
func (w *walker) nextRound() {
	if w.round++; w.round == 0 {
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
		case in.op != opAssert, after == unknown && (in.look != syntax.LineStart || before&edge != 0):
			set = append(set, pc)
		case after != unknown && holds(in.look, before, after):
			stack = append(stack, in.a)
		}
	}
	w.stack = stack
	return set
}
