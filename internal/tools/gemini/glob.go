package gemini

import "unicode/utf16"

// A glob is a pattern of the ignore parameter. It matches whole names as the regular expression does that the original makes
// of it: * matches any number of UTF-16 units and ? matches one, except for line ends; all other units match themselves.
type glob []uint16

func newGlob(pattern string) glob { return utf16.Encode([]rune(pattern)) }

func (g glob) match(name []uint16) bool {
	star, mark := -1, 0 // the last * passed, and the position in the name at which matching goes on after it
	i, j := 0, 0
	for j < len(name) {
		switch {
		case i < len(g) && g[i] == '*':
			star, mark = i, j
			i++
		case i < len(g) && (g[i] == '?' && !lineEnd(name[j]) || g[i] != '?' && g[i] == name[j]):
			i++
			j++
		case star >= 0 && !lineEnd(name[mark]):
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < len(g) && g[i] == '*' {
		i++
	}
	return i == len(g)
}

func lineEnd(unit uint16) bool {
	return unit == '\n' || unit == '\r' || unit == 0x2028 || unit == 0x2029
}
