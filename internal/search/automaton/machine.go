package automaton

import (
	"unicode/utf8"

	"gander/internal/search/syntax"
)

// A machine simulates a program over the bytes of a line. It keeps the set of current instructions.
// Each byte takes time proportional to the set.
type machine struct {
	p       *Program
	at      config
	matched bool
	stop    func() bool // see Limits; after it returns true, stopped is set
	stopped bool
	work    int // instructions run since the last call of stop

	seen        visited
	list, stack []int32 // scratch space
}

// visited records the instructions visited in this round. Their marks equal round.
type visited struct {
	marks []uint32
	round uint32
}

// nextRound marks all instructions as not visited.
func (v *visited) nextRound() {
	if v.round++; v.round == 0 {
		clear(v.marks)
		v.round = 1
	}
}

// visit marks an instruction as visited, and reports whether it was not.
func (v *visited) visit(pc int32) bool {
	if v.marks[pc] == v.round {
		return false
	}
	v.marks[pc] = v.round
	return true
}

// A config is the state of a machine within a line.
type config struct {
	// set holds the current instructions. They consume a byte, or are conditions that depend on it.
	set []int32
	// before describes the text before the position. If the program depends on characters, tail is
	// the distance to the start of the character that determined before.
	before surroundings
	tail   uint8
	// pending holds the first waiting bytes of a character. They are consumed when the character is
	// complete, because conditions depend on the whole character.
	pending [utf8.UTFMax]byte
	waiting uint8
}

// workPerStop is the number of instructions between two calls of stop, less than a millisecond.
const workPerStop = 1 << 14

func newMachine(p *Program, stop func() bool) *machine {
	return &machine{p: p, stop: stop, seen: visited{marks: make([]uint32, len(p.insts))}}
}

// begin moves the machine to the start of a line or of the part after a carriage return.
func (m *machine) begin(before surroundings) {
	m.at = config{set: m.at.set[:0], before: before & (m.p.needs | edge), tail: 1}
	m.matched = false
	m.seen.nextRound()
	m.at.set = m.follow(m.at.set, m.p.start)
}

// follow adds to set the instructions reached from pc without consuming a byte or checking a
// condition.
func (m *machine) follow(set []int32, pc int32) []int32 {
	stack := append(m.stack[:0], pc)
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !m.seen.visit(pc) {
			continue
		}
		switch in := &m.p.insts[pc]; in.op {
		case opSplit:
			stack = append(stack, in.b, in.a)
		case opMatch:
			m.matched = true
		case opAssert:
			if m.possible(in) {
				set = append(set, pc)
			}
		default:
			set = append(set, pc)
		}
	}
	m.stack = stack
	return set
}

// possible reports whether a condition can hold at the position, depending on the next byte.
func (m *machine) possible(in *inst) bool {
	switch in.look {
	case syntax.LineStart:
		return m.at.before&edge != 0
	case syntax.LineStartCRLF:
		return m.at.before&(edge|carriageReturn) != 0
	}
	return true
}

// decide removes the conditions from the set. A condition that holds between m.at.before and after
// is replaced with the instructions after it.
func (m *machine) decide(after surroundings) {
	m.seen.nextRound()
	list := append(m.list[:0], m.at.set...)
	for i := 0; i < len(list); {
		in := &m.p.insts[list[i]]
		if in.op != opAssert {
			i++
			continue
		}
		last := len(list) - 1
		list[i] = list[last]
		list = list[:last]
		if holds(in.look, m.at.before, after) {
			list = m.follow(list, in.a) // can add conditions
		}
	}
	m.at.set, m.list = list, m.at.set
}

// advance consumes a byte. A line feed ends the line. If the program depends on characters, a byte
// is pending until its character is complete.
func (m *machine) advance(b byte) {
	if m.work += 1 + len(m.at.set); m.work >= workPerStop {
		m.work = 0
		m.stopped = m.stopped || m.stop != nil && m.stop()
	}
	if m.p.needs&word == 0 {
		m.take(b, byteContext(b)&m.p.needs)
		return
	}
	if m.at.waiting > 0 {
		if utf8.RuneStart(b) || !m.waitOn(b) {
			m.dropCharacter()
		} else {
			return
		}
	}
	switch {
	case b < utf8.RuneSelf:
		m.take(b, byteContext(b)&m.p.needs)
		m.at.tail = 1
	case b >= 0xC2 && b <= 0xF4:
		m.at.pending[0], m.at.waiting = b, 1
	default:
		m.takeInvalid(b)
	}
}

// waitOn adds a byte to the pending character, and consumes the character if it is complete. If no
// character begins with these bytes, waitOn returns false and does not add the byte.
func (m *machine) waitOn(b byte) bool {
	m.at.pending[m.at.waiting] = b
	s := m.at.pending[:m.at.waiting+1]
	if !utf8.FullRune(s) {
		m.at.waiting++
		return true
	}
	r, size := utf8.DecodeRune(s)
	if r == utf8.RuneError && size == 1 {
		return false
	}
	after := runeContext(r) & m.p.needs
	for i, b := range s {
		if i == 0 {
			m.take(b, after)
		} else {
			m.take(b, invalid)
		}
		m.at.before = invalid // within the character
	}
	m.at.before, m.at.tail, m.at.waiting = after, uint8(size), 0
	return true
}

// dropCharacter consumes the pending bytes as invalid bytes.
func (m *machine) dropCharacter() {
	pending, n := m.at.pending, m.at.waiting
	m.at.waiting = 0
	for _, b := range pending[:n] {
		m.takeInvalid(b)
	}
}

// takeInvalid consumes a byte that is not part of a character. As in Rust's regex, conditions treat
// up to three continuation bytes as part of the character before them.
func (m *machine) takeInvalid(b byte) {
	before := m.at.before &^ (asciiWord | carriageReturn | edge)
	m.take(b, invalid)
	if !utf8.RuneStart(b) && m.at.tail < utf8.UTFMax {
		m.at.before = before
		m.at.tail++
	} else {
		m.at.before, m.at.tail = invalid, utf8.UTFMax
		if utf8.RuneStart(b) {
			m.at.tail = 1
		}
	}
}

// take consumes a byte. The context after the position before the byte is after.
func (m *machine) take(b byte, after surroundings) {
	if m.p.needs != 0 {
		m.decide(after)
	}
	if m.matched || b == '\n' {
		return
	}
	m.at.before = after
	m.seen.nextRound()
	list := m.list[:0]
	for _, pc := range m.at.set {
		if next := m.p.step(&m.p.insts[pc], b); next != none {
			list = m.follow(list, next)
		}
	}
	list = m.follow(list, m.p.start)
	m.at.set, m.list = list, m.at.set
}
