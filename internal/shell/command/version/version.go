// Package version compares texts with version numbers as sort -V and ls -v do.
package version

import (
	"cmp"
	"regexp"
	"strings"
)

// suffix is the end of a file name that is compared last.
var suffix = regexp.MustCompile(`(\.[A-Za-z~][A-Za-z0-9~]*)*$`)

// Compare returns a negative number if a is before b, a positive number if it is behind b, and zero
// if only leading zeros of numbers are different.
func Compare(a, b string) int {
	if n := cmp.Compare(class(a), class(b)); n != 0 || a == b {
		return n
	}
	a, b = strings.TrimPrefix(a, "."), strings.TrimPrefix(b, ".")
	shortA, shortB := cutSuffix(a), cutSuffix(b)
	if shortA == shortB {
		return compare(a, b)
	}
	return cmp.Or(compare(shortA, shortB), compare(a, b))
}

// class orders the empty text, "." and "..", hidden names, and others.
func class(s string) int {
	switch {
	case s == "":
		return 0
	case s == ".":
		return 1
	case s == "..":
		return 2
	case s[0] == '.':
		return 3
	}
	return 4
}

func cutSuffix(s string) string { return s[:suffix.FindStringIndex(s)[0]] }

// compare compares parts without digits, in which "~" is before the end and letters are before
// other characters, and numbers, in turn.
func compare(a, b string) int {
	for a != "" || b != "" {
		for hasText(a) || hasText(b) {
			if n := cmp.Compare(weight(a), weight(b)); n != 0 {
				return n
			}
			a, b = a[1:], b[1:]
		}
		var x, y string
		x, a = cutNumber(a)
		y, b = cutNumber(b)
		if n := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); n != 0 {
			return n
		}
	}
	return 0
}

func hasText(s string) bool { return s != "" && !isDigit(s[0]) }

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func weight(s string) int {
	if s == "" {
		return -1
	}
	isLetter := s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z'
	switch {
	case isDigit(s[0]):
		return 0
	case isLetter:
		return int(s[0])
	case s[0] == '~':
		return -2
	}
	return int(s[0]) + 256
}

// cutNumber returns the digits at the beginning of s without leading zeros, and the rest.
func cutNumber(s string) (digits, rest string) {
	rest = strings.TrimLeft(s, "0123456789")
	return strings.TrimLeft(s[:len(s)-len(rest)], "0"), rest
}
