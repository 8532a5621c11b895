package jsonobject

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// text reads a string.
func (s *scanner) text() *syntaxError {
	for s.pos++; s.pos < len(s.data); {
		switch c := s.data[s.pos]; {
		case c == '"':
			s.pos++
			return nil
		case c == '\\':
			if err := s.escape(); err != nil {
				return err
			}
		case c < ' ':
			return s.errorf("control character %q in a string; write it as \\u%04x", c, c)
		case c < utf8.RuneSelf:
			s.pos++
		default:
			r, size := utf8.DecodeRune(s.data[s.pos:])
			if r == utf8.RuneError && size == 1 {
				return s.errorf("byte 0x%02x is not UTF-8; encode the text as UTF-8", c)
			}
			s.pos += size
		}
	}
	return s.errorf("end of input inside a string; close it with '\"'")
}

// escape reads a backslash and what belongs to it: both halves of a surrogate pair.
func (s *scanner) escape() *syntaxError {
	_, size := unescape(s.data[s.pos:])
	if size > 0 {
		s.pos += size
		return nil
	}
	if r, ok := hex4(s.data[s.pos:]); ok && utf16.IsSurrogate(r) {
		return s.errorf("\\u%04x is half of a surrogate pair; give both halves, or the character itself", r)
	}
	return s.errorf("an escape that JSON does not have; use \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u and four hexadecimal digits")
}

// unquote returns what a string, checked and with its quotes, stands for.
func unquote(raw []byte) string {
	raw = raw[1 : len(raw)-1]
	i := bytes.IndexByte(raw, '\\')
	if i < 0 {
		return string(raw)
	}
	out := make([]byte, 0, len(raw))
	for i >= 0 {
		out = append(out, raw[:i]...)
		r, size := unescape(raw[i:])
		out = utf8.AppendRune(out, r)
		raw = raw[i+size:]
		i = bytes.IndexByte(raw, '\\')
	}
	return string(append(out, raw...))
}

// unescape reads the escape with which b begins: the character, and how many bytes stand for it. The size is 0 where
// JSON has no such escape and where it is half of a surrogate pair.
func unescape(b []byte) (r rune, size int) {
	if r, ok := hex4(b); ok {
		if !utf16.IsSurrogate(r) {
			return r, 6
		}
		low, ok := hex4(b[6:])
		if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
			return pair, 12
		}
		return 0, 0
	}
	if len(b) < 2 {
		return 0, 0
	}
	switch b[1] {
	case '"', '\\', '/':
		return rune(b[1]), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	default:
		return 0, 0
	}
}

// hex4 reads \uXXXX, which may be a surrogate.
func hex4(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range b[2:6] {
		switch {
		case isDigit(c):
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
