package text

import (
	"encoding/binary"
	"fmt"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Escape returns name with every character shown JSON style (\n, \u001b, \u202e) that could make one line pass for
// several or for another: control characters, line and paragraph separators and bidirectional controls. Nothing else is
// changed, not even a backslash: the result is for reading and cannot always be turned back into the name. Bytes that
// are not UTF-8 stay. A name without such characters is returned as it is, without allocation.
func Escape(name string) string {
	return escape(name, forges)
}

// EscapeBytes is [Escape] for bytes: name itself where nothing is escaped.
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

// IsPrintableASCII reports whether name is printable ASCII throughout: nothing that [Lossy], [Escape] or [Sanitize] would change. It
// looks at eight bytes at a time, as most names are of that kind.
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
		if !plain(binary.LittleEndian.Uint64(rest)) {
			return false
		}
	}
	return plain(binary.LittleEndian.Uint64(name[len(name)-8:]))
}

const (
	everyByte = 0x0101010101010101
	topBits   = 0x8080808080808080
)

// plain reports whether eight bytes are printable ASCII: a byte carries into its top bit, or has it, where it is below ' '
// or above '~'.
func plain(word uint64) bool {
	return (word|(word-everyByte*' ')|(word+everyByte))&topBits == 0
}

// Sanitize returns s fit to be printed to a terminal: well-formed UTF-8 without characters that steer the terminal or
// hide text. Beyond what [Escape] escapes these are zero-width characters and tags. Kept are \n and \t, and the
// joiners U+200C and U+200D, which scripts and emoji need.
func Sanitize(s string) string {
	return escape(WellFormed(s), func(r rune) bool {
		return forges(r) && r != '\n' && r != '\t' || hides(r)
	})
}

func forges(r rune) bool {
	if ' ' <= r && r <= '~' {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}

func hides(r rune) bool {
	switch {
	case r == '\u200b', r == '\ufeff':
		return true
	case '\u2060' <= r && r <= '\u206f': // word joiner, invisible operators, deprecated format characters
		return true
	default:
		return '\U000e0000' <= r && r <= '\U000e007f' // tags
	}
}

func escape(s string, hidden func(rune) bool) string {
	var out []byte
	kept := 0
	for i, r := range s {
		if hidden(r) {
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

// appendEscape appends r as JSON escapes it: two characters where JSON has such a form, else its UTF-16 units.
func appendEscape(dst []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	for _, unit := range utf16.AppendRune(nil, r) {
		dst = fmt.Appendf(dst, `\u%04x`, unit)
	}
	return dst
}
