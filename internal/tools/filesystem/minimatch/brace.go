package minimatch

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// The bounds of what the braces of a pattern may stand for. A set that goes beyond them is cut.
const (
	maxExpansions = 100_000
	maxExpanded   = 4_000_000 // bytes of all expansions
	maxNesting    = 1000
	maxRewrites   = 1000
	maxSteps      = 20_000_000
)

// Bytes that stand for escaped characters while braces are expanded. They occur in no UTF-8.
const (
	escapedSlash  = "\xf8"
	escapedOpen   = "\xf9"
	escapedClose  = "\xfa"
	escapedComma  = "\xfb"
	escapedPeriod = "\xfc"
)

// expandBraces returns the patterns that a pattern with braces stands for, as Bash expands them. Where it has none, escapes
// stay; otherwise those of braces, commas, periods and backslashes are resolved.
func expandBraces(pattern string) []string {
	if !hasBraces(pattern) {
		return []string{pattern}
	}
	if strings.HasPrefix(pattern, "{}") {
		pattern = `\{\}` + pattern[2:]
	}
	pattern = strings.NewReplacer(`\\`, escapedSlash, `\{`, escapedOpen, `\}`, escapedClose, `\,`, escapedComma, `\.`, escapedPeriod).Replace(pattern)
	e := expander{steps: maxSteps}
	expanded := e.expand(pattern, 0, true)
	back := strings.NewReplacer(escapedSlash, `\`, escapedOpen, "{", escapedClose, "}", escapedComma, ",", escapedPeriod, ".")
	for i, s := range expanded {
		expanded[i] = back.Replace(s)
	}
	return expanded
}

// hasBraces reports whether an opening brace is followed by a closing one on the same line.
func hasBraces(pattern string) bool {
	open := false
	for _, r := range pattern {
		switch r {
		case '{':
			open = true
		case '\n', '\r', '\u2028', '\u2029':
			open = false
		case '}':
			if open {
				return true
			}
		}
	}
	return false
}

// An expander expands the braces of one pattern.
type expander struct {
	steps    int // that may still be taken
	numbers  *regexp.Regexp
	letters  *regexp.Regexp
	overdrew bool
}

// spend takes steps. It reports whether there were as many.
func (e *expander) spend(n int) bool {
	e.steps -= n
	e.overdrew = e.overdrew || e.steps < 0
	return !e.overdrew
}

// A group is a pair of braces and what surrounds it.
type group struct{ pre, body, post string }

// firstGroup finds the first pair of braces that is in no other. An opening brace without a partner is skipped.
func firstGroup(s string) (group, bool) {
	var open []int
	best, bestEnd := -1, 0
	for i := range len(s) {
		switch {
		case s[i] == '{':
			open = append(open, i)
		case s[i] == '}' && len(open) > 0:
			begin := open[len(open)-1]
			if open = open[:len(open)-1]; best < 0 || begin < best {
				best, bestEnd = begin, i
			}
			if len(open) == 0 {
				return group{s[:best], s[best+1 : bestEnd], s[bestEnd+1:]}, true
			}
		}
	}
	if best < 0 {
		return group{}, false
	}
	return group{s[:best], s[best+1 : bestEnd], s[bestEnd+1:]}, true
}

// expand returns the expansions of s. At the top, empty ones are dropped if the first group is a set.
func (e *expander) expand(s string, depth int, top bool) []string {
	if depth > maxNesting {
		return []string{s}
	}
	done := []string{""}
	dropEmpty, first := false, true
	for rewrites := 0; ; {
		g, ok := group{}, e.spend(len(s)+16)
		if ok {
			g, ok = firstGroup(s)
		}
		if !ok {
			return e.combine(done, s, []string{""}, dropEmpty)
		}
		if strings.HasSuffix(g.pre, "$") {
			done = e.combine(done, g.pre+"{"+g.body+"}", []string{""}, dropEmpty && g.post == "")
			first = false
		} else {
			sequence := e.isSequence(g.body)
			if !sequence && !strings.Contains(g.body, ",") {
				if rewrites < maxRewrites && setFollows(g.post) { // {a},b}
					rewrites++
					s, top = g.pre+"{"+g.body+escapedClose+g.post, true
					continue
				}
				return e.combine(done, s, []string{""}, dropEmpty)
			}
			if first {
				dropEmpty, first = top && !sequence, false
			}
			values := e.values(g, sequence, depth)
			next := e.combine(done, g.pre, values, dropEmpty && g.post == "")
			if e.overdrew {
				return e.combine(done, s, []string{""}, dropEmpty)
			}
			done = next
		}
		if g.post == "" {
			return done
		}
		s = g.post
	}
}

// values returns what a group stands for.
func (e *expander) values(g group, sequence bool, depth int) []string {
	if sequence {
		return e.sequence(g.body)
	}
	parts := e.members(g.body)
	if len(parts) == 1 { // x{{a,b}}y is x{a}y and x{b}y
		parts = e.expand(parts[0], depth+1, false)
		for i := range parts {
			parts[i] = "{" + parts[i] + "}"
		}
		if len(parts) == 1 {
			return parts
		}
	}
	var values []string
	size := 0
	for _, part := range parts {
		for _, v := range e.expand(part, depth+1, false) {
			if size += len(v); len(values) >= maxExpansions || size > maxExpanded {
				return values
			}
			values = append(values, v)
		}
		if e.overdrew {
			break
		}
	}
	return values
}

// members splits the body of a set at the commas that are in no group.
func (e *expander) members(body string) []string {
	var parts []string
	e.spend(len(body))
	depth, start := 0, 0
	for i := range len(body) {
		switch body[i] {
		case '{':
			depth++
		case '}':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, body[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, body[start:])
}

// combine returns every prefix followed by pre and every value.
func (e *expander) combine(prefixes []string, pre string, values []string, dropEmpty bool) []string {
	var out []string
	size := 0
	for _, prefix := range prefixes {
		for _, v := range values {
			s := prefix + pre + v
			if s == "" && dropEmpty {
				continue
			}
			if size += len(s); len(out) >= maxExpansions || size > maxExpanded {
				return out
			}
			out = append(out, s)
		}
	}
	e.spend(len(out))
	return out
}

// setFollows reports whether s has a comma that no other follows at once, and a closing brace after it on the same line.
func setFollows(s string) bool {
	for i := range len(s) {
		if s[i] != ',' || i+1 < len(s) && s[i+1] == ',' {
			continue
		}
		line := s[i:]
		if end := strings.IndexAny(line, "\n\r\u2028\u2029"); end >= 0 {
			line = line[:end]
		}
		if strings.Contains(line, "}") {
			return true
		}
	}
	return false
}

// isSequence reports whether the body of a group is a sequence of numbers or letters.
func (e *expander) isSequence(body string) bool {
	if e.numbers == nil {
		e.numbers = regexp.MustCompile(`^-?\d+\.\.-?\d+(?:\.\.-?\d+)?$`)
		e.letters = regexp.MustCompile(`^[a-zA-Z]\.\.[a-zA-Z](?:\.\.-?\d+)?$`)
	}
	return e.numbers.MatchString(body) || e.letters.MatchString(body)
}

// sequence returns the elements of a sequence.
func (e *expander) sequence(body string) []string {
	parts := strings.Split(body, "..")
	from, to, step := number(parts[0]), number(parts[1]), 1.0
	if len(parts) == 3 {
		step = max(math.Abs(number(parts[2])), 1)
	}
	if to < from {
		step = -step
	}
	letters := parts[0][0] >= 'A'
	width, padded := max(len(parts[0]), len(parts[1])), false
	for _, part := range parts {
		digits := strings.TrimPrefix(part, "-")
		padded = padded || len(digits) > 1 && digits[0] == '0'
	}
	var list []string
	size := 0
	for x := from; (step > 0 && x <= to || step < 0 && x >= to) && len(list) < maxExpansions; x += step {
		element := ""
		switch {
		case letters && x != '\\':
			element = string(rune(x))
		case !letters:
			element = formatNumber(x)
			if padded {
				element = pad(element, width)
			}
		}
		cost := 1
		if padded {
			cost = width
		}
		if size += len(element); size > maxExpanded || !e.spend(cost) {
			break
		}
		list = append(list, element)
	}
	return list
}

// number returns the value of an end of a sequence: a number, or the code of a letter.
func number(s string) float64 {
	if s[0] >= 'A' {
		return float64(s[0])
	}
	n, _ := strconv.ParseFloat(s, 64) // what is too large is infinite
	return n
}

func formatNumber(x float64) string {
	if x == 0 {
		return "0"
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// pad puts zeros before a number, after its sign.
func pad(s string, width int) string {
	digits, negative := strings.CutPrefix(s, "-")
	zeros := strings.Repeat("0", max(width-len(s), 0))
	if negative {
		return "-" + zeros + digits
	}
	return zeros + digits
}
