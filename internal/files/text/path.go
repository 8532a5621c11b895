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
