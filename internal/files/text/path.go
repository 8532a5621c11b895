package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// EscapePath returns a path as one line that shows where the path begins and ends, and that
// [UnescapePath] reverses for any bytes. It escapes as Go does in strings: the characters that
// [Escape] escapes, invisible characters, spaces at the beginning and end of a name, bytes that are
// not UTF-8, and the backslash. If nothing needs escaping, it returns the path itself.
func EscapePath(path string) string {
	if plainPath(path) {
		return path
	}
	var out []byte
	for i := 0; i < len(path); {
		r, size := utf8.DecodeRuneInString(path[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			out = fmt.Appendf(out, `\x%02x`, path[i])
		case r == '\\':
			out = append(out, `\\`...)
		case r == ' ' && atEdge(path, i):
			out = append(out, `\x20`...)
		case misleads(r) || isInvisible(r):
			out = AppendEscape(out, r)
		default:
			out = append(out, path[i:i+size]...)
		}
		i += size
	}
	return string(out)
}

// plainPath reports whether a path is ASCII with nothing to escape.
func plainPath(path string) bool {
	for i := range len(path) {
		c := path[i]
		if c < ' ' || c > '~' || c == '\\' || c == ' ' && atEdge(path, i) {
			return false
		}
	}
	return true
}

// atEdge reports whether the byte at i is the first or the last of a name.
func atEdge(path string, i int) bool {
	return i == 0 || i == len(path)-1 || path[i-1] == '/' || path[i+1] == '/'
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
