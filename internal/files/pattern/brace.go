package pattern

import (
	"errors"
	"fmt"
	"strings"
)

// Bytes that stand for the braces of ripgrep's globs, which are expanded before they are parsed. They occur in no
// UTF-8.
const (
	openMark  = 0xfe // begins an alternative
	closeMark = 0xff // ends it
)

// An expander expands the braces of one pattern.
type expander struct {
	*Compiler
	syntax Syntax
	skip   func(s string, i int) int // returns the end of the item at i
}

// Expand returns the patterns without braces that together match the same as pattern. Braces that are not balanced
// remain.
func (c *Compiler) Expand(s Syntax, pattern string) ([]string, error) {
	e := expander{c, s, skipPlain}
	switch s {
	case Ripgrep:
		e.skip = skipRipgrep
	case Minimatch:
		e.skip = func(_ string, i int) int { return i + 1 }
	}
	all, err := e.expand(pattern)
	if err != nil {
		return nil, err
	}
	for _, a := range all {
		if c.left -= len(a) + perPattern; c.left < 0 {
			return nil, ErrTooLarge
		}
	}
	return all, nil
}

// spend takes steps.
func (c *Compiler) spend(n int) error {
	if c.steps -= n; c.steps < 0 {
		return ErrTooLarge
	}
	return c.ctx.Err()
}

// skipPlain returns the end of an escaped character, a class, or one byte. It may be beyond s.
func skipPlain(s string, i int) int {
	switch s[i] {
	case '\\':
		return i + 2
	case '[':
		for i++; i < len(s) && s[i] != ']'; i++ {
			if s[i] == '\\' {
				i++
			}
		}
		if i >= len(s) {
			return len(s) + 1
		}
	}
	return i + 1
}

// skipRipgrep is skipPlain for ripgrep, whose classes have no escapes and may begin with a bracket.
func skipRipgrep(s string, i int) int {
	switch s[i] {
	case '\\':
		return i + 2
	case '[':
		if i++; i < len(s) && (s[i] == '!' || s[i] == '^') {
			i++
		}
		for i++; i < len(s) && s[i] != ']'; i++ {
		}
	}
	return i + 1
}

// A group is a pair of braces and what surrounds it.
type group struct{ before, body, after string }

// group finds the first pair of braces that is in no other. An opening brace without a partner is skipped.
func (e *expander) group(s string) (g group, ok bool, err error) {
	var open []int
	begin, end, i := -1, 0, 0
	for ; i < len(s) && (begin < 0 || len(open) > 0); i = e.skip(s, i) {
		switch {
		case s[i] == '{':
			open = append(open, i)
		case s[i] == '}' && len(open) > 0:
			at := open[len(open)-1]
			if open = open[:len(open)-1]; begin < 0 || at < begin {
				begin, end = at, i
			}
		}
	}
	if err := e.spend(min(i, len(s)) + 16); err != nil || begin < 0 {
		return group{}, false, err
	}
	return group{s[:begin], s[begin+1 : end], s[end+1:]}, true, nil
}

// members splits the body of a group at the commas that are in no other.
func (e *expander) members(body string) []string {
	var parts []string
	depth, start := 0, 0
	for i := 0; i < len(body); i = e.skip(body, i) {
		switch {
		case body[i] == '{':
			depth++
		case body[i] == '}':
			depth--
		case body[i] == ',' && depth == 0:
			parts = append(parts, body[start:i])
			start = i + 1
		}
	}
	return append(parts, body[start:])
}

// expand returns the expansions of s.
func (e *expander) expand(s string) ([]string, error) {
	done := []string{""}
	for {
		g, ok, err := e.group(s)
		if err != nil || !ok {
			return e.product(done, s, []string{""}, err)
		}
		if e.syntax == Minimatch {
			switch literal, err := e.isLiteral(g); {
			case err != nil:
				return nil, err
			case strings.HasSuffix(g.before, "$"):
				if done, err = e.product(done, g.before+"{"+g.body+"}", []string{""}, nil); err != nil {
					return nil, err
				}
				s = g.after
				continue
			case literal && !setFollows(g.after):
				return e.product(done, s, []string{""}, nil)
			case literal: // {a},b}
				s = g.before + "{" + g.body + escapedClose + g.after
				continue
			}
		}
		values, err := e.values(g.body)
		if done, err = e.product(done, g.before, values, err); err != nil {
			return nil, err
		}
		s = g.after
	}
}

// values returns what a group stands for.
func (e *expander) values(body string) ([]string, error) {
	parts := e.members(body)
	if e.syntax == Minimatch && len(parts) == 1 { // x{{a,b}}y stands for x{a}y and x{b}y
		values, err := e.expand(parts[0])
		for i, v := range values {
			values[i] = "{" + v + "}"
		}
		return values, err
	}
	var values []string
	for _, part := range parts {
		more, err := e.expand(part)
		if err != nil {
			return nil, err
		}
		for _, v := range more {
			if e.syntax == Ripgrep {
				if v == "" || v == string([]byte{closeMark}) {
					continue // ripgrep omits empty alternatives
				}
				v = string([]byte{openMark}) + v + string([]byte{closeMark})
			}
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		values = append(values, string([]byte{closeMark}))
	}
	return values, nil
}

// product returns every prefix followed by middle and every value.
func (e *expander) product(prefixes []string, middle string, values []string, err error) ([]string, error) {
	var out []string
	for _, prefix := range prefixes {
		for _, v := range values {
			if err == nil {
				err = e.spend(len(prefix) + len(middle) + len(v) + 1)
			}
			if err != nil {
				return nil, err
			}
			out = append(out, prefix+middle+v)
		}
	}
	return out, err
}

// Bytes that stand for escaped characters while the braces of minimatch are expanded.
const (
	escapedSlash  = "\xf8"
	escapedOpen   = "\xf9"
	escapedClose  = "\xfa"
	escapedComma  = "\xfb"
	escapedPeriod = "\xfc"
)

// bash returns the patterns that a pattern of minimatch stands for. Where it has no braces, escapes stay; otherwise
// those of braces, commas, periods and backslashes are resolved.
func (c *Compiler) bash(pattern string) ([]string, error) {
	if !hasBraces(pattern) {
		c.left -= len(pattern) + perPattern
		return []string{pattern}, nil
	}
	if strings.HasPrefix(pattern, "{}") {
		pattern = `\{\}` + pattern[2:]
	}
	hide := strings.NewReplacer(`\\`, escapedSlash, `\{`, escapedOpen, `\}`, escapedClose, `\,`, escapedComma, `\.`, escapedPeriod)
	back := strings.NewReplacer(escapedSlash, `\`, escapedOpen, "{", escapedClose, "}", escapedComma, ",", escapedPeriod, ".")
	all, err := c.Expand(Minimatch, hide.Replace(pattern))
	for i, s := range all {
		all[i] = back.Replace(s)
	}
	return all, err
}

// hasBraces reports whether an opening brace is followed by a closing one on the same line.
func hasBraces(pattern string) bool {
	for line := range strings.FieldsFuncSeq(pattern, isLineEnd) {
		if open := strings.IndexByte(line, '{'); open >= 0 && strings.Contains(line[open:], "}") {
			return true
		}
	}
	return false
}

// setFollows reports whether s has a comma that no other follows immediately, and a closing brace after it on the
// same line.
func setFollows(s string) bool {
	for line := range strings.FieldsFuncSeq(s, isLineEnd) {
		last := strings.LastIndexByte(line, '}')
		for i := range max(last, 0) {
			if line[i] == ',' && line[i+1] != ',' {
				return true
			}
		}
	}
	return false
}

// isLiteral reports whether a group of minimatch is text, because it has no comma. It returns an error for a range.
func (e *expander) isLiteral(g group) (bool, error) {
	if strings.Contains(g.body, ",") {
		return false, nil
	}
	parts := strings.Split(g.body, "..")
	if strings.HasSuffix(g.before, "$") || len(parts) != 2 && len(parts) != 3 {
		return true, nil
	}
	letters := isLetter(parts[0]) && isLetter(parts[1])
	numbers := isNumber(parts[0]) && isNumber(parts[1])
	if !letters && !numbers || len(parts) == 3 && !isNumber(parts[2]) {
		return true, nil
	}
	return false, &UnsupportedError{"{" + g.body + "}", "ranges in braces are not supported; list the alternatives"}
}

func isLetter(s string) bool { return len(s) == 1 && 'a' <= s[0]|0x20 && s[0]|0x20 <= 'z' }

func isNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// An UnsupportedError reports a construct of minimatch that is not supported.
type UnsupportedError struct{ Construct, Problem string }

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("%.40q: %s", e.Construct, e.Problem)
}

// checkBraces checks the braces of a glob of ripgrep.
func checkBraces(s string) error {
	const maxNesting = 64
	depth := 0
	for i := 0; i < len(s); i = skipRipgrep(s, i) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth < 0 {
			return errors.New(`a "}" has no "{"; write "[}]" for the character`)
		}
		if depth > maxNesting {
			return fmt.Errorf("its braces are nested more than %d deep", maxNesting)
		}
	}
	if depth > 0 {
		return errors.New(`a "{" has no "}"; write "[{]" for the character`)
	}
	return nil
}
