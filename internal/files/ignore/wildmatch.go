package ignore

import (
	"bytes"
	"strings"
)

// wildmatch reports whether pattern matches all of text, as git's wildmatch does with WM_PATHNAME. It compares bytes, not
// characters. A slash is never matched by ?, * or a class; stars that make up a whole component match any number of
// components. Names, which hold no slashes, are matched in the same way.
//
// It takes at most len(pattern)·len(text) steps. A star first matches nothing, and one byte more after each failure, until
// the next star is reached: from there on, only the next star needs to be extended, because whatever matches after the
// earlier star took more also matches if the later one takes more. The same holds for a slash, which * cannot pass, and,
// in whole components, for **/. So one position to resume from is enough for * and one for **/.
func wildmatch(pattern string, text []byte) bool {
	const none = -1
	p, t := 0, 0
	star, starText := none, 0 // after the last * of this component, and the text left for what follows it
	deep, deepText := none, 0 // after the last **/, and the text left for what follows it
	for {
		if p < len(pattern) && pattern[p] == '*' {
			after, components := stars(pattern, p)
			switch {
			case !components:
				p, star, starText = after, after, t
				continue
			case after == len(pattern):
				return true
			case pattern[after] == '/':
				p, deep, deepText = after+1, after+1, t
				continue
			}
			deep, deepText = after+len(`\/`), t // a quoted slash must be present
		} else if p == len(pattern) {
			if t == len(text) {
				return true
			}
		} else if t < len(text) {
			if size := matchOne(pattern[p:], text[t]); size > 0 {
				if text[t] == '/' {
					star = none
				}
				p += size
				t++
				continue
			}
		}

		if star != none && starText < len(text) && text[starText] != '/' {
			starText++
			p, t = star, starText
			continue
		}
		if deep == none {
			return false
		}
		slash := bytes.IndexByte(text[deepText:], '/')
		if slash < 0 {
			return false
		}
		deepText += slash + 1
		p, t, star = deep, deepText, none
	}
}

// stars returns the end of the run of stars at pattern[p:], and whether the run matches whole components.
func stars(pattern string, p int) (after int, components bool) {
	rest := strings.TrimLeft(pattern[p:], "*")
	after = len(pattern) - len(rest)
	return after, after-p > 1 && (p == 0 || pattern[p-1] == '/') &&
		(rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`))
}

// matchOne matches c with the first item of pattern, which is not a star. It returns the size of the item in the pattern,
// or 0 if c does not match.
func matchOne(pattern string, c byte) int {
	switch pattern[0] {
	case '?':
		if c != '/' {
			return 1
		}
	case '[':
		if in, size := matchClass(pattern, c); in && c != '/' {
			return size
		}
	case '\\':
		if len(pattern) > 1 && pattern[1] == c {
			return 2
		}
	case c:
		return 1
	}
	return 0
}

// matchClass reports whether c is in the bracket expression at the start of pattern, and returns the size of the
// expression. Nothing is in one that has no end or names an unknown class, whether negated or not.
func matchClass(pattern string, c byte) (in bool, size int) {
	i := 1
	negated := i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^')
	if negated {
		i++
	}
	var from byte // where a range may begin; 0 after a range or a named class
	end := 0      // of a named class: the next bracket
	for first := i; i < len(pattern) && (pattern[i] != ']' || i == first); i++ {
		if strings.HasPrefix(pattern[i:], "[:") {
			if end < i { // search only once for many of these
				n := strings.IndexByte(pattern[i:], ']')
				if n < 0 {
					return false, 0
				}
				end = i + n
			}
			if name := i + len("[:"); name < end && pattern[end-1] == ':' {
				has, known := isA(pattern[name:end-1], c)
				if !known {
					return false, 0
				}
				in = in || has
				from = 0
				i = end
				continue
			}
		}
		isRange := pattern[i] == '-' && from != 0 && i+1 < len(pattern) && pattern[i+1] != ']'
		if isRange {
			i++
		}
		if pattern[i] == '\\' {
			i++
		}
		if i == len(pattern) {
			return false, 0
		}
		low, high := pattern[i], pattern[i]
		if isRange {
			low, from = from, 0
		} else {
			from = high
		}
		in = in || low <= c && c <= high
	}
	if i == len(pattern) {
		return false, 0
	}
	return in != negated, i + 1
}

// isA reports whether c belongs to a named class, and whether that class exists. The classes are those of ASCII; space
// does not include vertical tab and form feed.
func isA(class string, c byte) (in, known bool) {
	upper, lower, digit := 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z', '0' <= c && c <= '9'
	graph := '!' <= c && c <= '~'
	switch class {
	case "alnum":
		in = upper || lower || digit
	case "alpha":
		in = upper || lower
	case "blank":
		in = c == ' ' || c == '\t'
	case "cntrl":
		in = c < ' ' || c == 0x7f
	case "digit":
		in = digit
	case "graph":
		in = graph
	case "lower":
		in = lower
	case "print":
		in = graph || c == ' '
	case "punct":
		in = graph && !upper && !lower && !digit
	case "space":
		in = c == ' ' || c == '\t' || c == '\n' || c == '\r'
	case "upper":
		in = upper
	case "xdigit":
		in = digit || 'a' <= c|0x20 && c|0x20 <= 'f'
	default:
		return false, false
	}
	return in, true
}
