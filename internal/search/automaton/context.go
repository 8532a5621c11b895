package automaton

import (
	"unicode"
	"unicode/utf8"

	"gander/internal/search/syntax"
)

// surroundings holds the properties of the text on one side of a position, for conditions.
type surroundings uint8

const (
	edge      surroundings = 1 << iota // an end of the line
	asciiWord                          // a word character of ASCII
	word                               // a word character of Unicode
	invalid                            // a byte that is not part of a character
	carriageReturn
	unknown // the text after the position is not known yet
)

// needs returns the properties that determine a condition.
func needs(l syntax.Look) surroundings {
	switch {
	case l.Unicode():
		return edge | word | invalid
	case l >= syntax.BoundaryASCII:
		return edge | asciiWord
	case l == syntax.LineStartCRLF || l == syntax.LineEndCRLF:
		return edge | carriageReturn
	}
	return edge
}

// holds reports whether a condition holds between two contexts.
func holds(l syntax.Look, before, after surroundings) bool {
	wordBit := word
	if l >= syntax.BoundaryASCII {
		l -= syntax.BoundaryASCII - syntax.Boundary
		wordBit = asciiWord
		before &^= invalid
		after &^= invalid
	}
	b, a := before&wordBit != 0, after&wordBit != 0
	switch l {
	case syntax.LineStart:
		return before&edge != 0
	case syntax.LineEnd:
		return after&edge != 0
	case syntax.LineStartCRLF: // not between a carriage return and a line feed
		return before&edge != 0 || before&carriageReturn != 0 && after&edge == 0
	case syntax.LineEndCRLF:
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

// byteContext returns the context of a byte of ASCII.
func byteContext(b byte) surroundings {
	switch {
	case b == '\n':
		return edge
	case b == '\r':
		return carriageReturn
	case b == '_' || b-'0' < 10 || b|0x20-'a' < 26:
		return asciiWord | word
	case b >= utf8.RuneSelf:
		return invalid
	}
	return 0
}

// runeContext returns the context of a character.
func runeContext(r rune) surroundings {
	switch {
	case r < utf8.RuneSelf:
		return byteContext(byte(r))
	case unicode.In(r, syntax.Words()...):
		return word
	}
	return 0
}

// A margin describes the text before a position of a line. At the start of the line, tail is 1,
// because the character before the position is the line feed of the previous line.
type margin struct {
	// before holds the properties of the text. tail is the distance to the start of the character
	// that determined them.
	before surroundings
	tail   uint8
	// pending holds the first waiting bytes of a character. They are passed on when the character is
	// complete, because conditions depend on the whole character.
	pending [utf8.UTFMax]byte
	waiting uint8
}

// add adds a byte. It passes each byte whose character is complete to take, with the properties
// among needs of the text before and after the position before the byte.
func (m *margin) add(
	b byte, needs surroundings, take func(b byte, before, after surroundings),
) {
	m.pending[m.waiting] = b
	m.waiting++
	for utf8.FullRune(m.pending[:m.waiting]) {
		first := m.pending[0]
		r, size := utf8.DecodeRune(m.pending[:m.waiting])
		if r == utf8.RuneError && size == 1 {
			take(first, m.before, invalid)
			m.passInvalid(first)
		} else {
			after := runeContext(r) & needs
			take(first, m.before, after)
			for _, b := range m.pending[1:size] {
				take(b, invalid, invalid)
			}
			m.before, m.tail = after, uint8(size)
		}
		m.waiting = uint8(copy(m.pending[:], m.pending[size:m.waiting]))
	}
}

// passInvalid moves past a byte that is not part of a character. As in Rust's regex, conditions
// treat up to three continuation bytes as part of the character before them.
func (m *margin) passInvalid(b byte) {
	switch {
	case utf8.RuneStart(b):
		m.before, m.tail = invalid, 1
	case m.tail < utf8.UTFMax:
		m.before &^= asciiWord | carriageReturn | edge
		m.tail++
	default:
		m.before = invalid
	}
}
