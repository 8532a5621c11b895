package pattern

import (
	"maps"
	"strings"
)

// groups is the syntax of the groups @(...) and ?(...) of minimatch, after braces.
const groups Syntax = Ignore + 1

// Marks surround alternatives where ** differs at their beginning or end, as in ripgrep and in the
// groups of minimatch. They occur in no UTF-8.
const (
	openMark  = '\xfe'
	closeMark = '\xff'
	marks     = "\xfe\xff"
)

// An expander replaces braces or groups by their alternatives.
type expander struct {
	compiler *Compiler
	syntax   Syntax
	s        string
	ends     map[int]int // of braces or groups, by their beginnings
	open     []int       // the beginnings that have no end
	stray    bool        // there is an end without a beginning
}

// expand returns the patterns without braces that together match the same as pattern. Braces that
// are not balanced remain.
func (c *Compiler) expand(s Syntax, pattern string) ([]string, error) {
	all, err := newExpander(c, s, pattern).sequence(0, len(pattern))
	for i := 0; i < len(all) && err == nil; i++ {
		err = c.take(all[i])
	}
	return all, err
}

func newExpander(c *Compiler, s Syntax, pattern string) *expander {
	e := &expander{compiler: c, syntax: s, s: pattern, ends: map[int]int{}}
	closer := byte('}')
	if s == groups {
		closer = ')'
	}
	set := e.lastSet()
	for i := 0; i < len(pattern); i = e.skip(i) {
		switch last := len(e.open) - 1; {
		case e.begins(i):
			e.open = append(e.open, i)
		case pattern[i] != closer:
		case last < 0:
			e.stray = true
		case last > 0 || i > set || e.closes(e.open[0], i):
			e.ends[e.open[last]] = i
			e.open = e.open[:last]
		}
	}
	if s == groups && len(e.open) > 0 { // the rest is text
		maps.DeleteFunc(e.ends, func(begin, _ int) bool { return begin > e.open[0] })
	}
	return e
}

// begins reports whether a group begins at i.
func (e *expander) begins(i int) bool {
	if e.syntax == groups {
		return i+1 < len(e.s) && e.s[i+1] == '(' && strings.IndexByte("!?+*@", e.s[i]) >= 0
	}
	return e.s[i] == '{'
}

// skip returns the end of the item at i: an escaped character, a class or one byte. It is beyond
// the end of the pattern if the item has no end.
func (e *expander) skip(i int) int {
	switch {
	case e.s[i] == '\\':
		return i + 2
	case e.s[i] != '[' || e.syntax == Minimatch:
		return i + 1
	}
	i++
	first := -1 // where a bracket does not end the class
	if e.syntax == Ripgrep || e.syntax == groups {
		if i < len(e.s) && (e.s[i] == '!' || e.s[i] == '^') {
			i++
		}
		first = i
	}
	for i < len(e.s) && (e.s[i] != ']' || i == first) {
		if e.s[i] == '\\' && e.syntax != Ripgrep {
			i++
		}
		i++
	}
	if i >= len(e.s) {
		return len(e.s) + 1
	}
	return i + 1
}

// sequence returns the expansions of e.s[from:to].
func (e *expander) sequence(from, to int) ([]string, error) {
	done := []string{""}
	err := e.compiler.spend(to - from + 16)
	for i := from; i < to && err == nil; {
		end, ok := e.ends[i]
		if !ok {
			i = e.skip(i)
			continue
		}
		var values []string
		if values, err = e.values(i, end); err == nil {
			done, err = e.compiler.product(done, e.s[from:i], values)
		}
		i = end + 1
		from = i
	}
	if err != nil {
		return nil, err
	}
	return e.compiler.product(done, e.s[from:to], []string{""})
}

// values returns the expansions of the group from begin to end.
func (e *expander) values(begin, end int) ([]string, error) {
	i, separator := begin+1, byte(',')
	switch group := e.s[begin : end+1]; {
	case e.isText(begin, end):
		return []string{group}, checkRange(e.s[:begin], group)
	case e.syntax == groups && group[0] != '@' && group[0] != '?':
		problem := group[:1] + "(...) is not supported; use @(...), ?(...) or braces"
		return nil, &UnsupportedError{group, problem}
	case e.syntax == groups:
		i, separator = begin+2, '|'
	}
	var values []string
	for from := i; i <= end; {
		if stop, ok := e.ends[i]; ok {
			i = stop + 1
			continue
		}
		if i < end && e.s[i] != separator {
			i = e.skip(i)
			continue
		}
		part, err := e.sequence(from, i)
		if err != nil {
			return nil, err
		}
		single := i == end && from == begin+1
		for _, v := range part {
			values = e.add(values, v, single)
		}
		i++
		from = i
	}
	if len(values) == 0 || e.s[begin] == '?' {
		values = append(values, marks)
	}
	return values, nil
}

// add adds an alternative of a group. If single is set, the group has no other members.
func (e *expander) add(values []string, v string, single bool) []string {
	switch {
	case e.syntax == Ripgrep && isEmpty(v):
		return values // as in ripgrep
	case e.syntax == Ripgrep || e.syntax == groups:
		v = marks[:1] + v + marks[1:]
	case e.syntax == Minimatch && single: // x{{a,b}}y is x{a}y and x{b}y
		v = "{" + v + "}"
	}
	return append(values, v)
}

// isEmpty reports whether an alternative is empty.
func isEmpty(s string) bool {
	return len(s) == strings.Count(s, marks[:1])+strings.Count(s, marks[1:])
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
