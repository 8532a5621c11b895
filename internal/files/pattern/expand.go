package pattern

import "strings"

// Marks surround alternatives where ** differs at their beginning or end, as in ripgrep and in the
// groups of minimatch. They occur in no UTF-8.
const (
	openMark  = '\xfe'
	closeMark = '\xff'
	marks     = "\xfe\xff"
)

// An expander replaces braces or groups by their alternatives.
type expander struct {
	*Compiler
	language
	syntax Syntax
	s      string
	open   []group // the whole pattern, and the groups whose end has not been read
	pairs  bool    // a group has an end
	stray  bool    // an end belongs to no group
}

type group struct {
	begin int
	parts [][]string // the expansions of the alternatives before the current one
	last  []string   // the expansions of the current alternative, as far as it has been read
}

// expand returns the patterns without braces that together match the same as s.
func (c *Compiler) expand(syntax Syntax, s string) ([]string, error) {
	e := &expander{Compiler: c, language: syntax.language(), syntax: syntax, s: s}
	e.open = []group{{last: []string{""}}}
	from := 0 // the text before it has been added to its group
	for i := 0; i < len(s); {
		kind, next := e.item(i)
		switch depth := len(e.open); {
		case kind == '}' && depth == 1:
			e.stray = true
		case kind == '{', kind != 0 && depth > 1:
			if err := e.delimit(kind, s[from:i], i, next); err != nil {
				return nil, err
			}
			from = next
		}
		i = next
	}
	from, err := e.balance(from)
	if err != nil {
		return nil, err
	}
	all, err := c.product(e.open[0].last, s[from:], []string{""})
	if err == nil {
		err = c.take(all...)
	}
	return all, err
}

// delimit begins or ends a group or alternative after text.
func (e *expander) delimit(kind byte, text string, at, next int) error {
	top := &e.open[len(e.open)-1]
	var err error
	if top.last, err = e.product(top.last, text, []string{""}); err != nil {
		return err
	}
	switch kind {
	case '{':
		e.open = append(e.open, group{begin: at, last: []string{""}})
	case ',':
		top.parts = append(top.parts, top.last)
		top.last = []string{""}
	default:
		e.pairs = true
		e.open = e.open[:len(e.open)-1]
		values, err := e.values(top, next)
		if err != nil {
			return err
		}
		outer := &e.open[len(e.open)-1]
		outer.last, err = e.product(outer.last, "", values)
		return err
	}
	return nil
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

// balance determines what braces or groups without an end or beginning mean. It returns where the
// rest of the pattern begins, which is text.
func (e *expander) balance(from int) (int, error) {
	unclosed := len(e.open) > 1
	switch {
	case e.syntax == groups && unclosed:
		return e.open[1].begin, nil
	case e.syntax == groups, !unclosed && (!e.stray || e.syntax == Toolkit):
		return from, nil
	case e.malformed != nil:
		return 0, e.malformed
	case e.pairs:
		return 0, &UnsupportedError{e.s, "braces without a counterpart are not supported; quote them"}
	}
	e.open[0].last = []string{""}
	return 0, nil
}

// values returns the alternatives of a group that ends at end.
func (e *expander) values(g *group, end int) ([]string, error) {
	whole := e.s[g.begin:end]
	quoted := strings.HasSuffix(e.s[:g.begin], "$")
	switch {
	case e.syntax == Minimatch && (quoted || !strings.Contains(whole, ",")):
		if !quoted && strings.Contains(whole, "..") {
			problem := "ranges in braces are not supported; list the alternatives"
			return nil, &UnsupportedError{whole, problem}
		}
		return []string{whole}, nil // it is text
	case e.syntax == groups && whole[0] != '@' && whole[0] != '?':
		problem := whole[:1] + "(...) is not supported; use @(...), ?(...) or braces"
		return nil, &UnsupportedError{whole, problem}
	}
	var values []string
	for _, part := range append(g.parts, g.last) {
		for _, v := range part {
			switch {
			case e.syntax == Ripgrep && isEmpty(v): // as in ripgrep
				continue
			case e.syntax == Ripgrep || e.syntax == groups:
				v = marks[:1] + v + marks[1:]
			case e.syntax == Minimatch && len(g.parts) == 0: // x{{a,b}}y is x{a}y and x{b}y
				v = "{" + v + "}"
			}
			values = append(values, v)
		}
	}
	if len(values) == 0 || whole[0] == '?' {
		values = append(values, marks)
	}
	return values, nil
}

// isEmpty reports whether an alternative is empty.
func isEmpty(s string) bool { return strings.Trim(s, marks) == "" }

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
