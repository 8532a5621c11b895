package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Escape escapes the characters of name that could make one line look like several, or like another
// line: control characters, line and paragraph separators, and bidirectional controls. They are
// written as in JSON (\n, \u001b, \u202e). Nothing else changes, not even a backslash or bytes that
// are not UTF-8, so the result cannot always be turned back into the name. If nothing changes,
// Escape does not allocate.
func Escape(name string) string { return escape(name, misleads) }

// EscapeBytes is [Escape] for bytes. If nothing changes, it returns name itself.
func EscapeBytes(name []byte) []byte {
	for _, c := range name {
		if ' ' <= c && c <= '~' {
			continue
		}
		s := string(name)
		if escaped := Escape(s); escaped != s {
			return []byte(escaped)
		}
		break
	}
	return name
}

// Printable returns a name for a text result. Unless it is verbatim, characters that could forge
// output are escaped.
func Printable(name []byte, verbatim bool) []byte {
	if verbatim {
		return name
	}
	return EscapeBytes(name)
}

// Sanitize returns s in a form that is safe to print to a terminal: it makes s well-formed UTF-8,
// and escapes what [Escape] escapes except \n and \t, and in addition invisible characters. The
// joiners U+200C and U+200D and the variation selectors up to U+FE0F stay, because scripts and
// emoji need them.
func Sanitize(s string) string {
	return escape(WellFormed(s), func(r rune) bool {
		isFormat := r == '\n' || r == '\t'
		return isInvisible(r) || misleads(r) && !isFormat
	})
}

// misleads reports whether [Escape] escapes r.
func misleads(r rune) bool {
	if ' ' <= r && r <= '~' {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}

// isInvisible reports whether r is invisible and so rarely needed that it is more likely to
// disguise or hide text.
func isInvisible(r rune) bool {
	switch r {
	case '\u00ad', '\u034f', '\u180e', '\u200b', '\u3164', '\ufeff':
		return true
	}
	switch {
	case '\u2060' <= r && r <= '\u206f': // word joiner, operators, deprecated controls
		return true
	case '\U000e0100' <= r && r <= '\U000e01ef': // variation selectors, which can carry any bytes
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

// replace substitutes the text that form returns, if any, for each character. form gets the offset
// and the character, U+FFFD for a byte that is not UTF-8. If nothing changes, replace does not
// allocate.
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

// EscapePath returns a path as one line that shows where the path begins and ends, and that
// [UnescapePath] reverses for any bytes. It escapes as Go does in strings: the characters that
// [Escape] escapes, invisible characters, spaces at the beginning and end of a name, bytes that are
// not UTF-8, and the backslash. If nothing needs escaping, it returns the path itself.
func EscapePath(path string) string {
	return replace(path, func(at int, r rune) string {
		switch {
		case r == ' ' && atEdge(path, at):
			return `\x20`
		case r == '\\':
			return `\\`
		case ' ' <= r && r <= '~':
			return ""
		case r == utf8.RuneError && !strings.HasPrefix(path[at:], string(r)):
			return fmt.Sprintf(`\x%02x`, path[at])
		case misleads(r) || isInvisible(r):
			return string(AppendEscape(nil, r))
		}
		return ""
	})
}

// atEdge reports whether the byte at i is the first or the last of a name.
func atEdge(path string, i int) bool {
	isFirst := i == 0 || path[i-1] == '/'
	isLast := i == len(path)-1 || path[i+1] == '/'
	return isFirst || isLast
}

// AppendEscape appends an escape of a control character or an invisible one, as in Go's strings.
func AppendEscape(dst []byte, r rune) []byte {
	switch {
	case '\t' <= r && r <= '\r':
		quoted := strconv.QuoteRune(r)
		return append(dst, quoted[1:len(quoted)-1]...)
	case r < utf8.RuneSelf:
		return fmt.Appendf(dst, `\x%02x`, r)
	case r > 0xffff:
		return fmt.Appendf(dst, `\U%08x`, r)
	default:
		return fmt.Appendf(dst, `\u%04x`, r)
	}
}

// UnescapePath returns the path that [EscapePath] has escaped. It accepts every escape of Go's
// strings, and reports false if a backslash does not begin an escape.
func UnescapePath(escaped string) (path string, ok bool) {
	var out strings.Builder
	for rest := escaped; rest != ""; {
		plain, _, found := strings.Cut(rest, `\`)
		out.WriteString(plain)
		if !found {
			break
		}
		r, multibyte, tail, err := strconv.UnquoteChar(rest[len(plain):], 0)
		if err != nil {
			return "", false
		}
		if multibyte {
			out.WriteRune(r)
		} else {
			out.WriteByte(byte(r))
		}
		rest = tail
	}
	return out.String(), true
}
