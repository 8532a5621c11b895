package pattern

import (
	"errors"
	"fmt"
	"strings"
)

// Bytes that replace the braces of ripgrep's globs, which are expanded before they are parsed. They
// occur in no UTF-8.
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

// Expand returns the patterns without braces that together match the same as pattern. Braces that
// are not balanced remain.
func (c *Compiler) Expand(s Syntax, pattern string) ([]string, error) {
	e := expander{c, s, skipPlain}
	switch s {
	case Ripgrep:
		e.skip = skipRipgrep
	case Minimatch:
		e.skip = skipEscape
	}
	all, err := e.expand(pattern)
	for i := 0; i < len(all) && err == nil; i++ {
		err = c.take(all[i])
	}
	return all, err
}

// take counts an alternative.
func (c *Compiler) take(alternative string) error {
	if c.left -= len(alternative) + perPattern; c.left < 0 {
		return ErrTooLarge
	}
	return nil
}

// spend takes steps.
func (c *Compiler) spend(n int) error {
	if c == nil {
		return nil
	}
	if c.steps -= n; c.steps < 0 {
		return ErrTooLarge
	}
	return c.ctx.Err()
}

// skipEscape returns the end of an escaped character or one byte. It may be beyond s.
func skipEscape(s string, i int) int {
	if s[i] == '\\' {
		i++
	}
	return i + 1
}

// skipPlain is skipEscape that also skips a class.
func skipPlain(s string, i int) int {
	if s[i] != '[' {
		return skipEscape(s, i)
	}
	for i++; i < len(s) && s[i] != ']'; i = skipEscape(s, i) {
	}
	if i >= len(s) {
		return len(s) + 1
	}
	return i + 1
}

// skipRipgrep is skipPlain for ripgrep, whose classes have no escapes and may begin with a bracket.
func skipRipgrep(s string, i int) int {
	if s[i] != '[' {
		return skipEscape(s, i)
	}
	if i++; i < len(s) && (s[i] == '!' || s[i] == '^') {
		i++
	}
	for i++; i < len(s) && s[i] != ']'; i++ {
	}
	return i + 1
}

// A group is a pair of braces and the text around it.
type group struct{ before, body, after string }

// group finds the first pair of braces that is in no other. An opening brace without a partner is
// skipped; stray reports a closing one before the pair.
func (e *expander) group(s string) (g group, ok, stray bool, err error) {
	var open []int
	begin, end, i := -1, 0, 0
	for ; i < len(s) && (begin < 0 || len(open) > 0); i = e.skip(s, i) {
		switch {
		case s[i] == '{':
			open = append(open, i)
		case s[i] == '}' && len(open) == 0:
			stray = true
		case s[i] == '}':
			at := open[len(open)-1]
			if open = open[:len(open)-1]; begin < 0 || at < begin {
				begin, end = at, i
			}
		}
	}
	if err := e.spend(min(i, len(s)) + 16); err != nil || begin < 0 {
		return group{}, false, stray, err
	}
	return group{s[:begin], s[begin+1 : end], s[end+1:]}, true, stray, nil
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
	done, literal := []string{""}, false
	for {
		g, ok, stray, err := e.group(s)
		if stray && literal {
			return nil, &UnsupportedError{s, `a "}" without a "{" is not supported here`}
		}
		if err != nil || !ok {
			if err == nil {
				err = e.product(&done, s, []string{""})
			}
			return done, err
		}
		var values []string
		if e.syntax == Minimatch && g.isLiteral() {
			literal = true
			values, err = []string{"{" + g.body + "}"}, g.checkRange()
		} else {
			values, err = e.values(g.body)
		}
		if err == nil {
			err = e.product(&done, g.before, values)
		}
		if err != nil {
			return nil, err
		}
		s = g.after
	}
}

// values returns the alternatives of a group.
func (e *expander) values(body string) ([]string, error) {
	parts := e.members(body)
	var values []string
	for _, part := range parts {
		more, err := e.expand(part)
		if err != nil {
			return nil, err
		}
		for _, v := range more {
			switch {
			case e.syntax == Ripgrep && (v == "" || v == string([]byte{closeMark})):
				continue // ripgrep omits empty alternatives
			case e.syntax == Ripgrep:
				v = string([]byte{openMark}) + v + string([]byte{closeMark})
			case e.syntax == Minimatch && len(parts) == 1: // x{{a,b}}y is x{a}y and x{b}y
				v = "{" + v + "}"
			}
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		values = append(values, string([]byte{closeMark}))
	}
	return values, nil
}

// product replaces prefixes by every prefix followed by middle and every value.
func (e *expander) product(prefixes *[]string, middle string, values []string) error {
	var out []string
	for _, prefix := range *prefixes {
		for _, v := range values {
			if err := e.spend(len(prefix) + len(middle) + len(v) + 1); err != nil {
				return err
			}
			out = append(out, prefix+middle+v)
		}
	}
	*prefixes = out
	return nil
}

// expandBash returns the patterns that a pattern of minimatch expands to. With braces, the escapes
// of braces, commas, periods and backslashes are removed.
func (c *Compiler) expandBash(pattern string) ([]string, error) {
	open := strings.IndexByte(pattern, '{')
	if open < 0 || !strings.Contains(pattern[open:], "}") {
		return []string{pattern}, c.take(pattern)
	}
	if strings.ContainsFunc(pattern, isLineEnd) {
		return nil, &UnsupportedError{pattern, "a line end together with braces is not supported"}
	}
	all, err := c.Expand(Minimatch, pattern)
	escapes := strings.NewReplacer(`\\`, `\`, `\{`, "{", `\}`, "}", `\,`, ",", `\.`, ".")
	for i := range all {
		all[i] = escapes.Replace(all[i])
	}
	return all, err
}

// isLiteral reports whether a group of minimatch is text.
func (g group) isLiteral() bool {
	return !strings.Contains(g.body, ",") || strings.HasSuffix(g.before, "$")
}

// checkRange returns an error if the group is a range.
func (g group) checkRange() error {
	parts := strings.Split(g.body, "..")
	if strings.HasSuffix(g.before, "$") || len(parts) != 2 && len(parts) != 3 {
		return nil
	}
	letters := isLetter(parts[0]) && isLetter(parts[1])
	numbers := isNumber(parts[0]) && isNumber(parts[1])
	if !letters && !numbers || len(parts) == 3 && !isNumber(parts[2]) {
		return nil
	}
	problem := "ranges in braces are not supported; list the alternatives"
	return &UnsupportedError{"{" + g.body + "}", problem}
}

func isLetter(s string) bool { return len(s) == 1 && 'a' <= s[0]|0x20 && s[0]|0x20 <= 'z' }

func isNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return s != "" && strings.Trim(s, "0123456789") == ""
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
