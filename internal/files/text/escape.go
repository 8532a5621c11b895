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
	if IsPrintableASCII(name) {
		return name
	}
	s := string(name)
	if escaped := Escape(s); escaped != s {
		return []byte(escaped)
	}
	return name
}

// IsPrintableASCII reports whether name contains only printable ASCII. [Lossy], [Escape] and
// [Sanitize] do not change such a name. It checks eight bytes at a time, because most names are of
// this kind.
func IsPrintableASCII(name []byte) bool {
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

const (
	everyByte = 0x0101010101010101
	topBits   = 0x8080808080808080
)

// isPrintableWord reports whether eight bytes are printable ASCII. The subtraction sets the top bit
// of bytes below ' ', and the addition sets the top bit of DEL. Other bytes above '~' have it.
func isPrintableWord(word uint64) bool {
	return (word|(word-everyByte*' ')|(word+everyByte))&topBits == 0
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
	var out []byte
	kept := 0
	for i, r := range s {
		if selects(r) {
			out = append(out, s[kept:i]...)
			out = appendEscape(out, r)
			kept = i + utf8.RuneLen(r)
		}
	}
	if out == nil {
		return s
	}
	return string(append(out, s[kept:]...))
}

// appendEscape appends r as JSON escapes it: as two characters where JSON has such a form,
// otherwise as its UTF-16 units.
func appendEscape(dst []byte, r rune) []byte {
	if r < ' ' {
		quoted := AppendQuote(nil, string(r))
		return append(dst, quoted[1:len(quoted)-1]...)
	}
	for _, unit := range utf16.AppendRune(nil, r) {
		dst = fmt.Appendf(dst, `\u%04x`, unit)
	}
	return dst
}
