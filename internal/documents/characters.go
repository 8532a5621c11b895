package documents

import (
	"strings"
	"unicode/utf8"
)

// isClean reports whether a line can contain b as it is.
func isClean(b []byte) bool {
	for i := 0; i < len(b); {
		if c := b[i]; ' ' <= c && c < 0x7f {
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		isInvalid := r == utf8.RuneError && size == 1
		if isInvalid || cleaned(r) != r {
			return false
		}
		i += size
	}
	return true
}

// cleaned returns the character that stands for r in a line: a space for what ends a line, U+FFFD
// for other control characters, or -1, which is none, for a soft hyphen, so that a search finds the
// word.
func cleaned(r rune) rune {
	switch r {
	case '\t':
		return r
	case '\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029':
		return ' '
	case '\u00ad':
		return -1
	}
	if r < ' ' || 0x7f <= r && r < 0xa0 {
		return utf8.RuneError
	}
	return r
}

// clean returns s as a line can contain it. Bytes that are not UTF-8 become U+FFFD.
func clean(s string) string { return strings.Map(cleaned, s) }
