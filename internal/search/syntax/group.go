package syntax

import "unicode"

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
	outer := p.flags
	switch {
	case p.take("?P<"), p.take("?<"):
		p.name()
	case p.looking("?"):
		question := p.pos
		p.next()
		f, some := p.groupFlags(start)
		p.flags = f
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
		case p.pos > start && (r == '.' || r == '[' || r == ']' || unicode.IsNumber(r)):
		default:
			p.fail("the name of a group consists of letters and digits")
		}
		p.next()
	}
	name := p.pattern[start:p.pos]
	if name == "" {
		p.fail("the name of a group is empty")
	}
	if p.names[name] {
		p.failAt(start, "two groups have the same name")
	}
	if p.names == nil {
		p.names = map[string]bool{}
	}
	p.names[name] = true
	p.next()
}

// groupFlags parses flags up to ":" or ")", which it does not consume. It returns the resulting
// flags, and reports whether there were any.
func (p *parser) groupFlags(start int) (f flags, some bool) {
	f = p.flags
	seen := map[rune]bool{}
	var last rune
	for ; p.peek() != ':' && p.peek() != ')'; last = p.next() {
		r := p.peek()
		if r == eof {
			p.failAt(start, `"(" without ")"; write \( for the character`)
		}
		if seen[r] {
			p.fail(`the flag "` + string(r) + `" is repeated`)
		}
		if r != '-' && f.at(r) == nil {
			p.fail(`unknown flag; the flags are i, m, s, U, u, R and x, and "-" before those to switch off`)
		}
		if r != '-' {
			*f.at(r) = !seen['-']
		}
		seen[r] = true
	}
	if last == '-' {
		p.fail(`no flag after "-"`)
	}
	return f, last != 0
}

// at returns the flag with a letter, or nil if the letter is unknown.
func (f *flags) at(letter rune) *bool {
	switch letter {
	case 'i':
		return &f.ignoreCase
	case 'm':
		return &f.multiLine
	case 's':
		return &f.dotAll
	case 'U':
		return &f.swapLazy
	case 'u':
		return &f.unicode
	case 'R':
		return &f.crlf
	case 'x':
		return &f.extended
	}
	return nil
}
