package syntax

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// group parses a group, including its "(". It returns nil for flags such as (?i).
func (p *parser) group() *Node {
	start := p.pos
	p.next()
	for _, look := range []string{"?=", "?!", "?<=", "?<!"} {
		if p.looking(look) {
			p.failAt(start, "look-around is not supported")
		}
	}
	outer, question := p.flags, p.pos
	name, captures := "", true
	switch {
	case p.take("?P<"), p.take("?<"):
		var ok bool
		if name, ok = p.until(">"); !ok {
			p.failAt(start, `the name of a group needs a ">" at its end`)
		}
	case p.take("?"):
		p.groupFlags()
		if p.take(")") {
			if p.pos == question+len("?)") {
				p.failAt(question, `nothing to repeat before "?"; write \? for the character`)
			}
			return nil
		}
		if !p.take(":") {
			p.failAt(start, noEnd)
		}
		captures = false
	}
	if captures {
		p.groups++
	}
	number := p.groups
	p.enter(start)
	n := p.alternatives()
	if !p.take(")") {
		p.failAt(start, noEnd)
	}
	p.depth--
	p.flags = outer
	if captures && number > 0 {
		return &Node{Op: Concat, Subs: []*Node{n}, Group: number, Name: name}
	}
	return n
}

// groupFlags sets the flags up to ":" or ")", which it does not consume.
func (p *parser) groupFlags() {
	on, start := true, p.pos
	for ; ; p.next() {
		switch r := p.peek(); {
		case r == ':' || r == ')' || r == eof:
			if p.pattern[p.pos-1] == '-' {
				p.fail(`no flag after "-"`)
			}
			return
		case strings.ContainsRune(p.pattern[start:p.pos], r):
			p.fail(fmt.Sprintf(`"%c" is twice in the flags; write it once`, r))
		case r == 'i':
			p.flags.ignoreCase = on
		case r == 'U':
			p.flags.swapLazy = on
		case r == '-':
			on = false
		case r == 'm' || r == 's', r == 'u' && on: // they make no difference
		case r == 'u':
			p.fail("the flag u cannot be switched off; for ASCII write classes such as [0-9A-Za-z_]")
		case r == 'x':
			p.fail("the flag x is not supported; write the pattern without white space and comments")
		case r == 'R':
			p.fail(`the flag R is not supported; write \r?$ for the end of a line`)
		default:
			p.fail(`unknown flag; the flags are i, m, s and U, and "-" before those to switch off`)
		}
	}
}

// unbounded is the Max of a repetition without an upper bound.
const unbounded = -1

// repetition parses a repetition operator, such as "*?" or "{2,3}", and returns n repeated.
func (p *parser) repetition(n *Node) *Node {
	low, high := 0, unbounded
	switch p.next() {
	case '?':
		high = 1
	case '+':
		low = 1
	case '{':
		low, high = p.counts()
	}
	lazy := p.take("?") != p.flags.swapLazy
	return NewRepeat(n, low, high, lazy)
}

// counts parses the numbers of a repetition and the "}".
func (p *parser) counts() (low, high int) {
	start := p.pos
	body, ended := p.until("}")
	first, second, comma := strings.Cut(body, ",")
	low = p.count(first, start)
	high = low
	second = strings.TrimSpace(second)
	if second != "" {
		high = p.count(second, start)
	} else if comma {
		high = unbounded
	}
	switch {
	case !ended:
		p.failAt(start-1, `"{" without "}"; write \{ for the character`)
	case high != unbounded && low > high:
		p.failAt(start-1, "in a repetition the smaller number comes first")
	}
	return low, high
}

// count returns the value of a number in a repetition that begins at start.
func (p *parser) count(digits string, start int) int {
	n, err := strconv.ParseUint(strings.TrimSpace(digits), 10, 31)
	switch {
	case errors.Is(err, strconv.ErrRange):
		p.failAt(start, "the number of a repetition is too large")
	case err != nil:
		p.failAt(start, `"{" repeats, so a number must follow; write \{ for the character`)
	}
	return int(n)
}
