package syntax

import (
	"strings"
	"unicode"
)

// group parses a group, including its "(". It returns nil for flags such as (?i).
func (p *parser) group() *Node {
	start := p.pos
	p.next()
	p.space()
	for _, look := range []string{"?=", "?!", "?<=", "?<!"} {
		if p.looking(look) {
			p.failAt(start, "look-around is not supported")
		}
	}
	outer, question := p.flags, p.pos
	switch {
	case p.take("?P<"), p.take("?<"):
		p.name()
	case p.take("?"):
		some := p.groupFlags(start)
		if p.next() == ')' {
			if !some {
				p.failAt(question, `nothing to repeat before "?"; write \? for the character`)
			}
			return nil
		}
	}
	p.enter(start)
	n := p.alternatives()
	if !p.take(")") {
		p.failAt(start, `"(" without ")"; write \( for the character`)
	}
	p.depth--
	p.flags = outer
	return n
}

// name checks the name of a group and consumes it, including the ">".
func (p *parser) name() {
	start := p.pos
	for p.peek() != '>' {
		r := p.peek()
		switch {
		case r == eof:
			p.failAt(start, `the name of a group needs a ">" at its end`)
		case r == '_', unicode.IsLetter(r):
		case p.pos > start && (strings.ContainsRune(".[]", r) || unicode.IsNumber(r)):
		default:
			p.fail("the name of a group consists of letters and digits")
		}
		p.next()
	}
	name := p.pattern[start:p.pos]
	switch {
	case name == "":
		p.fail("the name of a group is empty")
	case p.names[name]:
		p.failAt(start, "two groups have the same name")
	}
	p.names[name] = true
	p.next()
}

// groupFlags sets flags up to ":" or ")", which it does not consume. It reports whether there are
// any. The flags change only after the last of them.
func (p *parser) groupFlags(start int) (some bool) {
	changed := p.flags
	first := p.pos
	for ; p.peek() != ':' && p.peek() != ')'; p.next() {
		r, before := p.peek(), p.pattern[first:p.pos]
		i := strings.IndexRune(letters, r)
		switch {
		case r == eof:
			p.failAt(start, `"(" without ")"; write \( for the character`)
		case strings.ContainsRune(before, r):
			p.fail(`the flag "` + string(r) + `" is repeated`)
		case i >= 0:
			changed[i] = !strings.Contains(before, "-")
		case r != '-':
			p.fail(`unknown flag; the flags are i, m, s, U, u, R and x, and "-" before those to switch off`)
		}
	}
	if strings.HasSuffix(p.pattern[first:p.pos], "-") {
		p.fail(`no flag after "-"`)
	}
	p.flags = changed
	return p.pos > first
}
