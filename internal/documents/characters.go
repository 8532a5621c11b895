package documents

import (
	"unicode/utf8"

	"gander/internal/files/text"
)

// clean reports whether a line can contain b as it is.
func clean(b []byte) bool {
	for i := 0; i < len(b); {
		if c := b[i]; c < utf8.RuneSelf {
			if c < ' ' && c != '\t' || c == 0x7f {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if size == 1 || replaced(r) {
			return false
		}
		i += size
	}
	return true
}

// replaced reports whether appendClean replaces r, which is not ASCII.
func replaced(r rune) bool {
	return r < 0xa0 || r == softHyphen || r == '\u2028' || r == '\u2029'
}

const softHyphen = '\u00ad'

// appendClean appends b to dst. What ends a line becomes a space, soft hyphens are removed, so that
// a search finds the word, and other control characters and bytes that are not UTF-8 become U+FFFD.
func appendClean(dst, b []byte) []byte {
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		b = b[size:]
		switch r {
		case softHyphen:
		case '\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029':
			dst = append(dst, ' ')
		default:
			if r < ' ' && r != '\t' || 0x7f <= r && r < 0xa0 {
				r = utf8.RuneError
			}
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// WholeCharacters returns the length of the prefix of b that does not end within a character.
func WholeCharacters(b []byte) int { return text.WholeCharacters(b) }
