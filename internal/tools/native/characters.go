package native

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"

	"gander/internal/files/lines"
)

// altered counts the characters that differ from those of the file.
type altered struct{ escaped, invalid int }

func (a altered) plus(other altered) altered {
	return altered{a.escaped + other.escaped, a.invalid + other.invalid}
}

// note returns the markers about them, each with a line feed.
func (a altered) note() (note string) {
	if a.escaped > 0 {
		note = fmt.Sprintf("[%s shown as an escape such as \\r]\n", count(a.escaped, "control character"))
	}
	if a.invalid > 0 {
		note += fmt.Sprintf("[%s not UTF-8, shown as \ufffd]\n", count(a.invalid, "byte"))
	}
	return note
}

// appendText appends at most maxChars characters and maxBytes bytes of text, but at least one
// character. It returns the number of bytes and characters of text that it appended.
//
// If lines are numbered, control characters and the separators U+2028 and U+2029 are escaped as in
// Go's strings, because readers that take them for the end of a line could take the rest for a line
// with a number. Otherwise the text is unchanged. Each byte that is not UTF-8 becomes U+FFFD.
func (x *textFile) appendText(
	dst, text []byte, maxChars, maxBytes int,
) (out []byte, a altered, used, chars int) {
	if len(text) <= min(maxChars, maxBytes) && isPlain(text) {
		return append(dst, text...), a, len(text), len(text)
	}
	start := len(dst)
	for used < len(text) && chars < maxChars {
		r, width := utf8.DecodeRune(text[used:])
		before, was := len(dst), a
		switch {
		case r == utf8.RuneError && width == 1:
			dst = append(dst, "\ufffd"...)
			a.invalid++
		case x.request.numbers && isControl(r):
			dst = appendEscape(dst, r)
			a.escaped++
		default:
			dst = append(dst, text[used:used+width]...)
		}
		if len(dst)-start > maxBytes && chars > 0 {
			return dst[:before], was, used, chars
		}
		used += width
		chars++
	}
	return dst, a, used, chars
}

// isPlain reports whether text is printable ASCII and tabs.
func isPlain(text []byte) bool {
	for _, c := range text {
		if (c < ' ' || c > '~') && c != '\t' {
			return false
		}
	}
	return true
}

// isControl reports whether a character is escaped in numbered lines.
func isControl(r rune) bool {
	return r != '\t' && unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp)
}

func appendEscape(dst []byte, r rune) []byte {
	switch r {
	case '\r':
		return append(dst, `\r`...)
	case '\v':
		return append(dst, `\v`...)
	case '\f':
		return append(dst, `\f`...)
	}
	if r < utf8.RuneSelf {
		return fmt.Appendf(dst, `\x%02x`, r)
	}
	return fmt.Appendf(dst, `\u%04x`, r)
}

const (
	// partBytes is the number of bytes of a long line that are read together.
	partBytes = 128 << 10
	// measuredBytes is the maximum number of bytes in which the end of a long line is searched.
	measuredBytes = 16 << 20
)

// measure returns the number of characters in a line, before of which precede the offset. It is a
// lower bound if the line is very long.
func (x *textFile) measure(
	l lines.Line, offset int64, before int,
) (chars int, exact bool, err error) {
	chars = before
	for end := offset + measuredBytes; offset < end; {
		part, err := x.part(l, offset)
		if err != nil || len(part) == 0 {
			return chars, true, err
		}
		chars += utf8.RuneCount(part)
		offset += int64(len(part))
	}
	return chars, false, nil
}

// part returns a part of a line from an offset that ends with a whole character. It is empty only
// at the end of the line.
func (x *textFile) part(l lines.Line, offset int64) ([]byte, error) {
	b, err := x.cursor.Part(x.call.ctx, l, offset, partBytes)
	for cut := 1; cut < utf8.UTFMax && cut < len(b); cut++ {
		if last := b[len(b)-cut:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				b = b[:len(b)-cut] // unless the line ends in it, it is the next part
			}
			break
		}
	}
	return bytes.Clone(b), err
}
