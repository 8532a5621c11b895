package automaton

import (
	"unicode"
	"unicode/utf8"

	"gander/internal/engine/search/syntax"
)

// A context says what is on one side of a position, as far as conditions ask for it.
type context uint8

const (
	// edge is the end of the line.
	edge context = 1 << iota
	// asciiWord is a word character of ASCII, word one of Unicode.
	asciiWord
	word
	// broken is a byte that is not part of a character as seen from the position.
	broken
	carriageReturn
)

// needs returns what a condition asks for.
func needs(l syntax.Look) context {
	switch {
	case l.Unicode():
		return edge | word | broken
	case l >= syntax.BoundaryASCII:
		return edge | asciiWord
	case l == syntax.LineStartCRLF || l == syntax.LineEndCRLF:
		return edge | carriageReturn
	}
	return edge
}

// holds reports whether a condition holds between two neighbours.
func holds(l syntax.Look, before, after context) bool {
	wordBit := word
	if l >= syntax.BoundaryASCII {
		l -= syntax.BoundaryASCII - syntax.Boundary
		wordBit = asciiWord
		before &^= broken
		after &^= broken
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
		return b == a && (before|after)&broken == 0
	case syntax.WordStart:
		return !b && a
	case syntax.WordEnd:
		return b && !a
	case syntax.WordStartHalf:
		return !b && before&broken == 0
	default:
		return !a && after&broken == 0
	}
}

// byteContext returns the context of a byte of ASCII.
func byteContext(b byte) context {
	switch {
	case b == '\n':
		return edge
	case b == '\r':
		return carriageReturn
	case b == '_' || b-'0' < 10 || b|0x20-'a' < 26:
		return asciiWord | word
	case b >= utf8.RuneSelf:
		return broken
	}
	return 0
}

// runeContext returns the context of a character.
func runeContext(r rune) context {
	switch {
	case r < utf8.RuneSelf:
		return byteContext(byte(r))
	case unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic, unicode.Join_Control):
		return word
	}
	return 0
}

// neighbours returns what is before and after a position of a line.
func neighbours(line []byte, at int) (before, after context) {
	after = edge
	if at < len(line) {
		after = firstContext(line[at:])
	}
	if at == 0 {
		return edge, after
	}
	start := at - 1
	for start > 0 && start > at-utf8.UTFMax && !utf8.RuneStart(line[start]) {
		start--
	}
	if start == 0 && at < utf8.UTFMax && !utf8.RuneStart(line[0]) {
		return 0, after // the line feed before is taken for the last character
	}
	before = firstContext(line[start:at])
	if line[at-1] >= utf8.RuneSelf { // these two are about the last byte
		before &^= asciiWord | carriageReturn
	}
	return before, after
}

// firstContext returns the context of the first character of s.
func firstContext(s []byte) context {
	r, size := utf8.DecodeRune(s)
	if r == utf8.RuneError && size == 1 {
		return broken
	}
	return runeContext(r)
}
