package text

import (
	"encoding/binary"
	"fmt"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Escape escapes the characters of name that could make one line look like several, or like another
// line: control characters, line and paragraph separators, and bidirectional controls. They are
// written as in JSON (\n, \u001b, \u202e). Nothing else changes, not even a backslash or bytes that
// are not UTF-8, so the result cannot always be turned back into the name. If nothing changes,
// Escape does not allocate.
func Escape(name string) string {
	return escape(name, misleads)
}

// EscapeBytes is [Escape] for bytes. If nothing changes, it returns name itself.
func EscapeBytes(name []byte) []byte {
	if isPrintableASCII(name) {
		return name
	}
	s := string(name)
	if escaped := Escape(s); escaped != s {
		return []byte(escaped)
	}
	return name
}

// isPrintableASCII reports whether name contains only printable ASCII. [Lossy] and [Escape] do not
// change such a name. It checks eight bytes at a time, because most names are of this kind.
func isPrintableASCII(name []byte) bool {
	if len(name) < 8 {
		for _, c := range name {
			if c < ' ' || c > '~' {
				return false
			}
		}
		return true
	}
	for rest := name; len(rest) > 8; rest = rest[8:] {
		if !isPrintableWord(binary.LittleEndian.Uint64(rest)) {
			return false
		}
	}
	return isPrintableWord(binary.LittleEndian.Uint64(name[len(name)-8:]))
}

// isPrintableWord reports whether eight bytes are printable ASCII. The subtraction sets the top bit
// of bytes below ' ', and the addition sets the top bit of DEL. Other bytes above '~' have it.
func isPrintableWord(word uint64) bool {
	const everyByte = 0x0101010101010101
	return (word|(word-everyByte*' ')|(word+everyByte))&(everyByte<<7) == 0
}

// Sanitize returns s in a form that is safe to print to a terminal: it makes s well-formed UTF-8,
// and escapes what [Escape] escapes except \n and \t, and in addition zero-width characters and
// tags. The joiners U+200C and U+200D stay, because scripts and emoji need them.
func Sanitize(s string) string {
	return escape(WellFormed(s), func(r rune) bool {
		return misleads(r) && r != '\n' && r != '\t' || isInvisible(r)
	})
}

// misleads reports whether [Escape] escapes r.
func misleads(r rune) bool {
	if ' ' <= r && r <= '~' {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}

// isInvisible reports whether r is a zero-width character, other than the joiners, or a tag.
func isInvisible(r rune) bool {
	switch {
	case r == '\u200b', r == '\ufeff':
		return true
	case '\u2060' <= r && r <= '\u206f': // word joiner, operators, deprecated controls
		return true
	default:
		return '\U000e0000' <= r && r <= '\U000e007f' // tags
	}
}

// escape escapes the characters of s that the function selects.
func escape(s string, selects func(rune) bool) string {
	return replace(s, func(_ int, r rune) string {
		switch {
		case !selects(r):
			return ""
		case r < ' ':
			quoted := AppendQuote(nil, string(r))
			return string(quoted[1 : len(quoted)-1])
		}
		var units string
		for _, unit := range utf16.AppendRune(nil, r) {
			units += fmt.Sprintf(`\u%04x`, unit)
		}
		return units
	})
}

// replace replaces each character for which form returns a text. form gets the offset and the
// character, U+FFFD for a byte that is not UTF-8. If nothing changes, replace does not allocate.
func replace(s string, form func(at int, r rune) string) string {
	var out []byte
	kept := 0
	for at, r := range s {
		if text := form(at, r); text != "" {
			_, size := utf8.DecodeRuneInString(s[at:])
			out = append(append(out, s[kept:at]...), text...)
			kept = at + size
		}
	}
	if out == nil {
		return s
	}
	return string(append(out, s[kept:]...))
}
