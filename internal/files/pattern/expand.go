package pattern

import (
	"errors"
	"strings"
)

// An expander replaces braces or groups by their alternatives.
type expander struct {
	*Compiler
	language
	syntax Syntax
	s      string
	pairs  bool // a group has an end
	stray  bool // an end belongs to no group
}

// errOpen reports a group without an end.
var errOpen = errors.New("a group has no end")

// expand returns the patterns without braces that together match the same as s.
func (c *Compiler) expand(syntax Syntax, s string) ([]string, error) {
	e := &expander{Compiler: c, language: syntax.language(), syntax: syntax, s: s}
	all, _, err := e.sequence(0, false)
	stray := e.stray
	switch syntax {
	case Path, Ripgrep:
	case Minimatch:
		stray = stray && e.pairs
	default:
		stray = false
	}
	switch {
	case err != nil && err != errOpen:
		return nil, err
	case err == nil && !stray:
	case e.malformed != nil:
		return nil, e.malformed
	case e.pairs:
		return nil, &UnsupportedError{s, "braces without a counterpart are not supported; quote them"}
	default:
		all = []string{s}
	}
	return all, nil
}

// sequence returns the expansions of the text from i to the end of the pattern or, in a group, of
// the alternative, and where that is.
func (e *expander) sequence(i int, inGroup bool) (all []string, end int, err error) {
	all = []string{""}
	from := i // the text before it is expanded
	for i < len(e.s) {
		kind, next := e.item(i)
		switch {
		case kind == '{':
			values, after, err := e.group(i, next)
			if err == errOpen && e.syntax == groups && !inGroup { // the rest is text
				next = len(e.s)
				break
			}
			if err == nil {
				all, err = e.product(all, e.s[from:i], values)
			}
			if err != nil {
				return nil, 0, err
			}
			next, from = after, after
		case kind != 0 && inGroup:
			all, err = e.product(all, e.s[from:i], []string{""})
			return all, i, err
		case kind == '}':
			e.stray = true
		}
		i = next
	}
	if inGroup {
		return nil, 0, errOpen
	}
	all, err = e.product(all, e.s[from:], []string{""})
	return all, len(e.s), err
}

// item returns the end of the item at i, and '{', ',' or '}' if it is that or its equivalent. The
// end is beyond the end of the pattern if the item has none.
func (e *expander) item(i int) (kind byte, end int) {
	c := e.s[i]
	switch {
	case c == '\\':
		return 0, i + 2
	case c == '[' && e.syntax != Minimatch:
		return 0, e.class(i + 1)
	case e.syntax != groups && strings.IndexByte("{,}", c) >= 0:
		return c, i + 1
	case e.syntax != groups:
		return 0, i + 1
	case c == '|':
		return ',', i + 1
	case c == ')':
		return '}', i + 1
	case strings.IndexByte("!?+*@", c) >= 0 && strings.HasPrefix(e.s[i+1:], "("):
		return '{', i + 2
	}
	return 0, i + 1
}

// class returns the end of the class whose members begin at i.
func (e *expander) class(i int) int {
	if rest := e.s[i:]; rest != "" && (rest[0] == '!' || rest[0] == '^') {
		i++
	}
	for first := i; i < len(e.s); i++ {
		switch c := e.s[i]; {
		case c == ']' && (e.closes || i > first):
			return i + 1
		case c == '\\' && !e.rawClass:
			i++
		}
	}
	return len(e.s) + 1
}

// group returns the alternatives of the group at begin, the first of which is at i, and its end.
func (e *expander) group(begin, i int) (values []string, end int, err error) {
	var all []string
	parts := 0
	for kind := byte(0); kind != '}'; parts++ {
		if err := e.spend(1 << 9); err != nil { // which bounds the depth of the recursion
			return nil, 0, err
		}
		part, at, err := e.sequence(i, true)
		if err != nil {
			return nil, 0, err
		}
		all = append(all, part...)
		kind, i = e.item(at)
	}
	e.pairs = true
	whole, before, after := e.s[begin:i], "", ""
	switch {
	case e.syntax == groups && whole[0] != '@' && whole[0] != '?':
		problem := whole[:1] + "(...) is not supported; use @(...), ?(...) or braces"
		return nil, 0, &UnsupportedError{whole, problem}
	case e.syntax == Minimatch && strings.HasSuffix(e.s[:begin], "$"):
		return []string{whole}, i, nil
	case e.syntax == Minimatch && parts == 1 && strings.Contains(whole, ".."):
		problem := "ranges in braces are not supported; list the alternatives"
		return nil, 0, &UnsupportedError{whole, problem}
	case e.syntax == Minimatch && parts == 1: // {a} is text, and {{a,b}} is {a} and {b}
		before, after = "{", "}"
	}
	for _, v := range all {
		if e.syntax != Ripgrep || v != "" { // as in ripgrep
			values = append(values, before+v+after)
		}
	}
	if len(values) == 0 || whole[0] == '?' {
		values = append(values, "")
	}
	return values, i, nil
}

// product returns every prefix followed by middle and every value.
func (c *Compiler) product(prefixes []string, middle string, values []string) ([]string, error) {
	var out []string
	for _, prefix := range prefixes {
		for _, v := range values {
			if err := c.spend(len(prefix) + len(middle) + len(v) + 1); err != nil {
				return nil, err
			}
			out = append(out, prefix+middle+v)
		}
	}
	return out, nil
}
