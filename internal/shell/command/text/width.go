package text

import (
	"unicode"

	"golang.org/x/text/width"
)

// runeWidth returns the number of columns of a character on a terminal.
func runeWidth(r rune) int {
	switch {
	case r == 0xad:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf), r >= 0x1160 && r < 0x1200:
		return 0
	}
	kind := width.LookupRune(r).Kind()
	if kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
		return 2
	}
	return 1
}

// isPrint reports whether the C library prints a character.
func isPrint(r rune) bool {
	return r >= ' ' && unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Zs,
		unicode.Cf, unicode.Co)
}

// isSpace reports whether a character separates words, as one that forbids a line break does too.
func isSpace(r rune) bool {
	return unicode.IsSpace(r) && r != 0x85 || r == 0x2060
}
