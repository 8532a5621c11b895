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

// neighbours returns the contexts before and after a position of a line.
func neighbours(line []byte, at int) (before, after surroundings) {
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
		return 0, after // the character before is the line feed of the previous line
	}
	before = firstContext(line[start:at])
	if line[at-1] >= utf8.RuneSelf { // these depend on the last byte alone
		before &^= asciiWord | carriageReturn
	}
	return before, after
}

// firstContext returns the context of the first character of s.
func firstContext(s []byte) surroundings {
	r, size := utf8.DecodeRune(s)
	if r == utf8.RuneError && size == 1 {
		return invalid
	}
	return runeContext(r)
}
