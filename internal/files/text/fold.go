package text

import (
	"unicode"
	"unicode/utf8"
)

// Fold applies [FoldRune] to each character of name. It does not change bytes that are not UTF-8.
func Fold(name string) string {
	if isLowerASCII(name) {
		return name
	}
	out := make([]byte, 0, len(name))
	for i := 0; i < len(name); {
		c, size := utf8.DecodeRuneInString(name[i:])
		if c == utf8.RuneError && size == 1 {
			out = append(out, name[i])
		} else {
			out = utf8.AppendRune(out, FoldRune(c))
		}
		i += size
	}
	return string(out)
}

// isLowerASCII reports whether name is ASCII without capitals, as most names are.
func isLowerASCII(name string) bool {
	for i := range len(name) {
		if c := name[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}

// FoldRune returns the same character for all characters that differ from c only in case, by
// Unicode's simple case folding: a lower-case ASCII letter if any, otherwise the smallest.
func FoldRune(c rune) rune {
	least := c
	for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	if 'A' <= least && least <= 'Z' {
		return least + 'a' - 'A'
	}
	return least
}
