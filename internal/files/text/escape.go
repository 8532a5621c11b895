package text

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape escapes the characters of s that are not seen as what they are: control characters, line
// and paragraph separators, and everything that is invisible or changes the order of other text.
// The result is one line. The escapes are those of JSON (\n, \u001b, \u202e) and, for characters
// above U+FFFF, those of Go (\U000e0041). Nothing else changes, not even a backslash or bytes that
// are not UTF-8, so the result cannot always be turned back into s. If nothing changes, Escape does
// not allocate.
func Escape(s string) string { return escape(s, isHidden) }

// EscapeLines is [Escape] for a text of several lines: line feeds and tabs stay, and NUL, which no
// name has, and which errors of the official filesystem server repeat.
func EscapeLines(s string) string {
	return escape(s, func(r rune) bool { return isHidden(r) && !strings.ContainsRune("\n\t\x00", r) })
}

// Sanitize is [EscapeLines] for content, in well-formed UTF-8: the joiners and the variation
// selectors up to U+FE0F stay, because scripts and emoji need them.
func Sanitize(s string) string {
	return escape(Lossy(s), func(r rune) bool {
		isWriting := unicode.Is(unicode.Join_Control, r) || '\ufe00' <= r && r <= '\ufe0f'
		return isHidden(r) && r != '\n' && r != '\t' && !isWriting
	})
}

// Printable returns a name for a text result of a reproduction. Unless it is verbatim, the
// characters are escaped that could make one line look like several, or like another line. All
// others stay, as in the original. If nothing changes, it returns name itself.
func Printable(name []byte, verbatim bool) []byte {
	if verbatim || !bytes.ContainsFunc(name, misleads) {
		return name
	}
	return []byte(escape(string(name), misleads))
}

// misleads reports whether r ends a line, controls a terminal, or reorders text.
func misleads(r rune) bool {
	if ' ' <= r && r <= '~' {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}

// isHidden reports whether r misleads or is invisible: a format character, or one that Unicode lets
// programs ignore (Default_Ignorable_Code_Point). The signs that are written below numbers are
// format characters, too, but visible.
func isHidden(r rune) bool {
	if ' ' <= r && r <= '~' || unicode.Is(unicode.Prepended_Concatenation_Mark, r) {
		return false
	}
	return misleads(r) || unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point,
		unicode.Variation_Selector)
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
		case r < utf8.RuneSelf:
			return fmt.Sprintf(`\u%04x`, r)
		default:
			return string(AppendEscape(nil, r))
		}
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
// [Escape] escapes, spaces at the beginning and end of a name, bytes that are not UTF-8, and the
// backslash. If nothing needs escaping, it returns the path itself.
func EscapePath(path string) string {
	return replace(path, func(at int, r rune) string {
		begins := at == 0 || path[at-1] == '/' // a name
		ends := at == len(path)-1 || path[at+1] == '/'
		switch {
		case r == ' ' && (begins || ends):
			return `\x20`
		case r == '\\':
			return `\\`
		case r == utf8.RuneError && !strings.HasPrefix(path[at:], string(r)):
			return fmt.Sprintf(`\x%02x`, path[at])
		case isHidden(r):
			return string(AppendEscape(nil, r))
		}
		return ""
	})
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
