package automaton

import (
	"unicode/utf8"

	"gander/internal/search/syntax"
)

// A Machine simulates a program over the bytes of lines. It keeps the set of instructions at which a match may continue, and takes
// time for each of them at each byte.
type Machine struct {
	p *Program
	config
	// matched says that the line matches.
	matched bool
	// stop, unless nil, is called now and then. Once it has returned true, stopped is set, and the Machine finds nothing more.
	stop    func() bool
	stopped bool
	// work counts the instructions that were run since the last call of stop.
	work int

	visited
	list, stack []int32 // scratch space
}

// visited holds which instructions have been visited in this round: those whose mark equals round.
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

// A config is the state of a Machine within a line.
type config struct {
	// set holds the instructions at which a match may continue: those that consume a byte, and conditions that depend on it.
	set []int32
	// before is the context before the position. tail is the number of bytes since the start of the character from which before was
	// derived. It matters only if the program depends on characters.
	before context
	tail   uint8
	// pending holds the first bytes of a character, as many as waiting says. They are consumed once the character is complete,
	// because the context after a position depends on the whole character.
	pending [utf8.UTFMax]byte
	waiting uint8
}

// workPerStop is the number of instructions that are run between two calls of stop. They take less than a millisecond.
const workPerStop = 1 << 14

// NewMachine returns a Machine at the start of a line.
func NewMachine(p *Program) *Machine {
	m := &Machine{p: p, visited: visited{marks: make([]uint32, len(p.insts))}}
	m.StartLine()
	return m
}

// StartLine makes the machine ready for a new line.
func (m *Machine) StartLine() {
	m.config = config{set: m.set[:0], before: edge, tail: 1}
	m.matched = false
	m.nextRound()
	m.set = m.follow(m.set, m.p.start)
}

// Feed consumes bytes of the line, none of which is a line feed. It reports whether the line matches, and then ignores the rest.
func (m *Machine) Feed(piece []byte) (matched bool) {
	for i := 0; i < len(piece) && !m.matched && !m.stopped; i++ {
		m.advance(piece[i])
	}
	return m.matched
}

// EndLine ends the line and reports whether it matches.
func (m *Machine) EndLine() bool {
	if !m.matched {
		m.advance('\n')
	}
	return m.matched
}

// Find returns a position in the first line that matches, or its end, or -1 if no line does. buf begins at the start of a line.
func (m *Machine) Find(buf []byte) int {
	m.StartLine()
	return m.resume(buf)
}

// resume is like Find, but buf may begin within a line, of which the machine has consumed the beginning.
func (m *Machine) resume(buf []byte) int {
	for i, b := range buf {
		if m.matched {
			return i
		}
		if m.advance(b); m.matched {
			return i
		}
		if m.stopped {
			return -1
		}
		if b == '\n' {
			m.StartLine()
		}
	}
	if len(buf) > 0 && buf[len(buf)-1] != '\n' && m.EndLine() {
		return len(buf)
	}
	return -1
}

// follow adds to set the instructions that are reached from pc without consuming a byte or checking a condition.
func (m *Machine) follow(set []int32, pc int32) []int32 {
	stack := append(m.stack[:0], pc)
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !m.visit(pc) {
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
func (m *Machine) possible(in *inst) bool {
	return in.look != syntax.LineStart || m.before&edge != 0
}

// decide replaces each condition in the set by what follows it if it holds between m.before and after, and removes it otherwise.
func (m *Machine) decide(after context) {
	m.nextRound()
	list := append(m.list[:0], m.set...)
	for i := 0; i < len(list); {
		in := &m.p.insts[list[i]]
		if in.op != opAssert {
			i++
			continue
		}
		last := len(list) - 1
		list[i] = list[last]
		list = list[:last]
		if holds(in.look, m.before, after) {
			list = m.follow(list, in.a) // which may begin with conditions again
		}
	}
	m.set, m.list = list, m.set
}

// advance consumes a byte. A line feed ends the line. If the program depends on characters, advance keeps a byte in pending until
// the character is complete.
func (m *Machine) advance(b byte) {
	if m.work += 1 + len(m.set); m.work >= workPerStop {
		m.work = 0
		m.stopped = m.stopped || m.stop != nil && m.stop()
	}
	if m.p.needs&word == 0 {
		m.take(b, byteContext(b)&m.p.needs)
		return
	}
	if m.waiting > 0 {
		if utf8.RuneStart(b) || !m.waitOn(b) {
			m.giveUpCharacter()
		} else {
			return
		}
	}
	switch {
	case b < utf8.RuneSelf:
		m.take(b, byteContext(b)&m.p.needs)
		m.tail = 1
	case b >= 0xC2 && b <= 0xF4:
		m.pending[0], m.waiting = b, 1
	default:
		m.takeInvalid(b)
	}
}

// waitOn adds a byte to the pending character, and consumes the character if it is complete. If no character begins with these
// bytes, waitOn adds nothing and returns false.
func (m *Machine) waitOn(b byte) bool {
	m.pending[m.waiting] = b
	s := m.pending[:m.waiting+1]
	if !utf8.FullRune(s) {
		m.waiting++
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
		m.before = invalid // within the character
	}
	m.before, m.tail, m.waiting = after, uint8(size), 0
	return true
}

// giveUpCharacter consumes the pending bytes as invalid bytes.
func (m *Machine) giveUpCharacter() {
	pending := m.pending
	n := m.waiting
	m.waiting = 0
	for _, b := range pending[:n] {
		m.takeInvalid(b)
	}
}

// takeInvalid consumes a byte that is not part of a character. As in Rust's regex, up to three such bytes count as part of the
// character before them, for the conditions after them, if they are continuation bytes.
func (m *Machine) takeInvalid(b byte) {
	before := m.before &^ (asciiWord | carriageReturn | edge)
	m.take(b, invalid)
	if !utf8.RuneStart(b) && m.tail < utf8.UTFMax {
		m.before = before
		m.tail++
	} else {
		m.before, m.tail = invalid, utf8.UTFMax
		if utf8.RuneStart(b) {
			m.tail = 1
		}
	}
}

// take consumes a byte, where after is the context after the position before it.
func (m *Machine) take(b byte, after context) {
	if m.p.needs != 0 {
		m.decide(after)
	}
	if m.matched || b == '\n' {
		return
	}
	m.before = after
	m.nextRound()
	list := m.list[:0]
	for _, pc := range m.set {
		if next := m.p.step(&m.p.insts[pc], b); next != none {
			list = m.follow(list, next)
		}
	}
	list = m.follow(list, m.p.start)
	m.set, m.list = list, m.set
}
