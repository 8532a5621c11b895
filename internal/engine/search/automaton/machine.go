package automaton

import (
	"unicode/utf8"

	"gander/internal/engine/search/syntax"
)

// A Machine runs a program over the bytes of lines without remembering anything: it holds the instructions at which a match
// may go on. It costs time for each of them and each byte.
type Machine struct {
	p *Program
	config
	// matched says that the line matches.
	matched bool
	// stop is asked now and then whether to stop; it may be nil. What stopped finds nothing more.
	stop    func() bool
	stopped bool
	// work counts the instructions that were run since stop was asked.
	work int

	// The rest is scratch: an instruction has been visited in this round if its mark is the round.
	list, stack []int32
	marks       []uint32
	round       uint32
}

// A config is what a Machine knows about the line so far.
type config struct {
	// set holds the instructions at which a match may go on: those that take a byte, and conditions that hang on what comes.
	set []int32
	// before is what is before the position, and tail how many bytes ago the character began that it was found in. The tail
	// counts only if the program asks for characters.
	before context
	tail   uint8
	// pending holds the first bytes of a character, which wait for the rest: what the program asks for hangs on all of it.
	pending [utf8.UTFMax]byte
	waiting uint8
}

// workPerStop is after how many instructions a search asks whether to stop: in less than a millisecond.
const workPerStop = 1 << 14

// NewMachine returns a Machine at the start of a line.
func NewMachine(p *Program) *Machine {
	m := &Machine{p: p, marks: make([]uint32, len(p.insts))}
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

// Feed takes bytes of the line, which are not line feeds, until the line matches.
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

// Find returns the position at which it becomes clear that a line matches, which is in that line or at its end, or -1. buf begins
// with a line.
func (m *Machine) Find(buf []byte) int {
	m.StartLine()
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

func (m *Machine) nextRound() {
	if m.round++; m.round == 0 {
		clear(m.marks)
		m.round = 1
	}
}

// follow adds to set the instructions that are reached from pc without taking a byte or asking a condition.
func (m *Machine) follow(set []int32, pc int32) []int32 {
	stack := append(m.stack[:0], pc)
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if m.marks[pc] == m.round {
			continue
		}
		m.marks[pc] = m.round
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

// possible reports whether a condition may hold at the position, whatever comes.
func (m *Machine) possible(in *inst) bool {
	return in.look != syntax.LineStart || m.before&edge != 0
}

// decide replaces the conditions in the set by what follows them, if they hold between m.before and after.
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

// advance takes a byte; a line feed ends the line. Where the program asks for characters, it waits for the whole character.
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
		m.takeBroken(b)
	}
}

// waitOn adds a byte to the pending character and takes the character if it is whole. It reports false, and adds nothing,
// if no character begins like that.
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
			m.take(b, broken)
		}
		m.before = broken // within the character
	}
	m.before, m.tail, m.waiting = after, uint8(size), 0
	return true
}

// giveUpCharacter takes the pending bytes as bytes.
func (m *Machine) giveUpCharacter() {
	pending := m.pending
	n := m.waiting
	m.waiting = 0
	for _, b := range pending[:n] {
		m.takeBroken(b)
	}
}

// takeBroken takes a byte that is not part of a character. Seen from behind, up to three such bytes belong to the character before
// them if they could continue one: that is how Rust's regex sees it.
func (m *Machine) takeBroken(b byte) {
	before := m.before &^ (asciiWord | carriageReturn | edge)
	m.take(b, broken)
	if !utf8.RuneStart(b) && m.tail < utf8.UTFMax {
		m.before = before
		m.tail++
	} else {
		m.before, m.tail = broken, utf8.UTFMax
		if utf8.RuneStart(b) {
			m.tail = 1
		}
	}
}

// take takes a byte whose context is after.
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
