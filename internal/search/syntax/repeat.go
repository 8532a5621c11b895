package syntax

import (
	"strconv"
	"unicode"
)

// unbounded is the Max of a repetition without an upper bound.
const unbounded = -1

// repetition parses a repetition operator, such as "*?" or "{2,3}", and returns n repeated.
func (p *parser) repetition(n *Node) *Node {
	start := p.pos
	low, high := 0, unbounded
	switch p.next() {
	case '?':
		high = 1
	case '+':
		low = 1
	case '{':
		low, high = p.counts(start)
		p.space()
	}
	lazy := p.take("?") != p.flags.swapLazy
	if n.depth() >= maxDepth {
		p.failAt(start, "groups, classes and repetitions nest too deep")
	}
	return repeat(n, low, high, lazy)
}

// counts parses the numbers of a repetition and the "}". start is the offset of the "{".
func (p *parser) counts(start int) (low, high int) {
	low = p.count()
	high = low
	if p.take(",") {
		high = unbounded
		if p.space(); p.peek() != '}' {
			high = p.count()
		}
	}
	if !p.take("}") {
		p.failAt(start, `"{" without "}"; write \{ for the character`)
	}
	if high != unbounded && low > high {
		p.failAt(start, "in a repetition the smaller number comes first")
	}
	return low, high
}

// count parses a number with white space around it.
func (p *parser) count() int {
	skip := func() {
		p.space()
		for unicode.IsSpace(p.peek()) {
			p.next()
		}
	}
	skip()
	start := p.pos
	for '0' <= p.peek() && p.peek() <= '9' {
		p.next()
	}
	digits := p.pattern[start:p.pos]
	if digits == "" {
		p.failAt(start, `"{" repeats, so a number must follow; write \{ for the character`)
	}
	n, err := strconv.ParseUint(digits, 10, 32)
	if err != nil {
		p.failAt(start, "the number of a repetition is too large")
	}
	skip()
	return int(n)
}

// depth returns the number of directly nested repetitions.
func (n *Node) depth() int {
	d := 0
	for ; n.Op == Repeat; n = n.Subs[0] {
		d++
	}
	return d
}
