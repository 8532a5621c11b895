package automaton

import (
	"unicode"
	"unicode/utf8"

	"gander/internal/search/syntax"
)

// surroundings holds the properties of the text on one side of a position, for conditions.
type surroundings uint8

const (
	edge    surroundings = 1 << iota // an end of the line
	word                             // a word character
	invalid                          // a byte that is not a character, or is within one
	carriageReturn
	unknown // the text after the position is not known yet
)

// needs returns the properties that determine a condition.
func needs(l syntax.Look) surroundings {
	switch l {
	case syntax.LineStart, syntax.LineEnd:
		return edge
	case syntax.LineEndCRLF:
		return edge | carriageReturn
	}
	return edge | word | invalid
}

func holds(l syntax.Look, before, after surroundings) bool {
	b, a := before&word != 0, after&word != 0
	switch l {
	case syntax.LineStart:
		return before&edge != 0
	case syntax.LineEnd:
		return after&edge != 0
	case syntax.LineEndCRLF: // not between a carriage return and a line feed
		return after&carriageReturn != 0 || after&edge != 0 && before&carriageReturn == 0
	case syntax.Boundary:
		return b != a
	case syntax.NotBoundary:
		return b == a && (before|after)&invalid == 0
	case syntax.WordStart:
		return !b && a
	case syntax.WordEnd:
		return b && !a
	case syntax.WordStartHalf:
		return !b && before&invalid == 0
	default:
		return !a && after&invalid == 0
	}
}

// byteSurroundings returns the properties of a byte, which is a character or a part of one.
func byteSurroundings(b byte) surroundings {
	isDigit, isLetter := b-'0' < 10, (b|0x20)-'a' < 26
	switch {
	case b == '\n':
		return edge
	case b == '\r':
		return carriageReturn
	case isLetter, isDigit, b == '_':
		return word
	case b >= utf8.RuneSelf:
		return invalid
	}
	return 0
}

func runeSurroundings(r rune) surroundings {
	switch {
	case r < utf8.RuneSelf:
		return byteSurroundings(byte(r))
	case unicode.In(r, syntax.WordTables...):
		return word
	}
	return 0
}

// A margin describes the text before a position of a line.
type margin struct {
	before surroundings
	// pending holds the first waiting bytes of a character. They are passed on when the character is
	// complete, because the conditions about words depend on the whole character.
	pending [utf8.UTFMax]byte
	waiting uint8
}

// add adds a byte. It passes each byte whose character is complete to emit, with the properties
// among needs of the text before and after the position before the byte.
func (m *margin) add(
	b byte, needs surroundings, emit func(b byte, before, after surroundings),
) {
	isWhole := m.waiting == 0 && b < utf8.RuneSelf
	if isWhole || needs&word == 0 {
		after := byteSurroundings(b) & needs
		emit(b, m.before, after)
		m.before = after
		return
	}
	m.pending[m.waiting] = b
	m.waiting++
	for utf8.FullRune(m.pending[:m.waiting]) {
		r, size := utf8.DecodeRune(m.pending[:m.waiting])
		after := runeSurroundings(r) & needs
		if r == utf8.RuneError && size == 1 {
			after = invalid
		}
		emit(m.pending[0], m.before, after)
		for _, b := range m.pending[1:size] {
			emit(b, invalid, invalid)
		}
		m.before = after
		m.waiting = uint8(copy(m.pending[:], m.pending[size:m.waiting]))
		clear(m.pending[m.waiting:]) // so that margins can be compared
	}
}
