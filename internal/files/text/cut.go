package text

import "unicode/utf8"

// Cut returns the longest prefix of s that has at most n bytes and ends at a character boundary.
// The prefix is empty if n is negative or less than the size of the first character. s must be
// well-formed UTF-8.
func Cut[T ~string | ~[]byte](s T, n int) T {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:max(n, 0)]
}
