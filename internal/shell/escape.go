package shell

import (
	"strings"
	"unicode/utf8"

	"gander/internal/shell/command"
	"gander/internal/shell/regex"
)

// escapes says where backslashes are interpreted.
type escapes int

const (
	escapesOfEcho   escapes = iota // echo -e: \0NNN, and \c ends the output
	escapesOfText                  // %b of printf: \NNN, too
	escapesOfFormat                // the format of printf: \NNN
	escapesOfQuotes                // $'': \NNN, \' and \cX
)

// unescape interprets the backslashes in s. It reports whether \c ends the output.
func unescape(s string, kind escapes) (text string, ends bool) {
	var b strings.Builder
	for {
		n := strings.IndexByte(s, '\\')
		if n < 0 || n == len(s)-1 {
			b.WriteString(s)
			return b.String(), false
		}
		b.WriteString(s[:n])
		value, size, isEnd := escape(s[n+1:], kind)
		if isEnd {
			return b.String(), true
		}
		b.WriteString(value)
		s = s[n+1+size:]
	}
}

// escape interprets what follows a backslash. It returns its value and its size.
func escape(s string, kind escapes) (value string, size int, ends bool) {
	c := s[0]
	switch {
	case c == 'c' && kind <= escapesOfText:
		return "", 1, true
	case c == 'c' && kind == escapesOfQuotes && len(s) > 1:
		return string([]byte{s[1] & 31}), 2, false
	case c == '0' && kind <= escapesOfText:
		n, size := regex.Digits(s[1:], 3, 8)
		return string([]byte{byte(n)}), 1 + size, false
	case c >= '0' && c <= '7' && kind != escapesOfEcho:
		n, size := regex.Digits(s, 3, 8)
		return string([]byte{byte(n)}), size, false
	case mostDigits[c] > 0:
		n, size := regex.Digits(s[1:], mostDigits[c], 16)
		switch {
		case size == 0:
		case c == 'x':
			return string([]byte{byte(n)}), 1 + size, false
		default:
			if !utf8.ValidRune(rune(n)) {
				command.Stop(`\%.9s: this is no character`, s)
			}
			return string(rune(n)), 1 + size, false
		}
	case strings.IndexByte(`'"?`, c) >= 0 && kind > escapesOfText:
		return s[:1], 1, false
	}
	if n := strings.IndexByte(`abeEfnrtv\`, c); n >= 0 {
		return "\a\b\x1b\x1b\f\n\r\t\v\\"[n : n+1], 1, false
	}
	return `\` + s[:1], 1, false
}

// mostDigits is how many digits follow letters.
var mostDigits = map[byte]int{'x': 2, 'u': 4, 'U': 8}
