package syntax

import (
	"slices"
	"strings"
	"unicode"
)

// asciiClasses holds the classes of the form [:name:].
var asciiClasses = map[string]Set{
	"alnum":  {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}},
	"alpha":  {{'A', 'Z'}, {'a', 'z'}},
	"ascii":  {{0, 0x7F}},
	"blank":  {{'\t', '\t'}, {' ', ' '}},
	"cntrl":  {{0, 0x1F}, {0x7F, 0x7F}},
	"digit":  {{'0', '9'}},
	"graph":  {{'!', '~'}},
	"lower":  {{'a', 'z'}},
	"print":  {{' ', '~'}},
	"punct":  {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}},
	"space":  {{'\t', '\r'}, {' ', ' '}},
	"upper":  {{'A', 'Z'}},
	"word":   {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}},
	"xdigit": {{'0', '9'}, {'A', 'F'}, {'a', 'f'}},
}

// class parses a class in brackets.
func (p *parser) class() *Node {
	start := p.pos
	p.enter(start)
	p.next()
	p.space()
	negated := p.take("^")
	var items setBuilder // since the last operator
	for p.space(); p.looking("-"); p.space() {
		p.next()
		items.add(Set{{'-', '-'}})
	}
	if items.empty() && p.take("]") {
		items.add(Set{{']', ']'}})
	}
	left, operator := Set(nil), ""
	for {
		p.space()
		p.check()
		switch {
		case p.take("]"):
			p.depth--
			n := &Node{Op: Class, Set: p.operate(left, operator, items.set()), pos: start}
			n.Bytes = !p.flags.unicode
			return p.foldAndNegate(n, negated)
		case p.operatorNext() != "":
			left = p.operate(left, operator, items.set())
			if operator == "" {
				left = p.fold(left, !p.flags.unicode)
			}
			operator, items = p.operatorNext(), setBuilder{}
			p.pos += len(operator)
		default:
			items.add(p.classItem(start))
		}
	}
}

// operatorNext returns the next operator, if any.
func (p *parser) operatorNext() string {
	for _, o := range []string{"&&", "--", "~~"} {
		if p.looking(o) {
			return o
		}
	}
	return ""
}

// operate applies an operator to two sets. If case is ignored, it first folds the right set. The
// left set is a result of operate.
func (p *parser) operate(left Set, operator string, right Set) Set {
	if operator != "" {
		right = p.fold(right, !p.flags.unicode)
	}
	switch operator {
	case "":
		return right
	case "&&":
		return left.intersect(right)
	case "--":
		return left.minus(right)
	default:
		return left.minus(right).union(right.minus(left))
	}
}

// classItem parses a nested class, a range or a character. start is the start of the class.
func (p *parser) classItem(start int) Set {
	pos := p.pos
	if p.looking("[") {
		if s, ok := p.asciiClass(); ok {
			return s
		}
		return p.class().Set
	}
	first, low := p.classChar(start)
	p.space()
	if !p.looking("-") || p.rangeEnds() {
		return first
	}
	p.next()
	p.space()
	highPos := p.pos
	_, high := p.classChar(start)
	switch {
	case low == noChar:
		p.failAt(pos, "a class cannot begin a range")
	case high == noChar:
		p.failAt(highPos, "a class cannot end a range")
	case low > high:
		p.failAt(pos, "the range ends before it begins")
	}
	return Set{{low, high}}
}

// noChar represents an item of a class that is not a character.
const noChar rune = -1

// rangeEnds reports whether the next "-" is a character, because "]" or another "-" follows it.
func (p *parser) rangeEnds() bool {
	at := p.pos
	defer func() { p.pos = at }()
	p.next()
	p.space()
	return p.looking("]") || p.looking("-")
}

// classChar parses a character or an escaped class. It returns the set, and the character or
// noChar.
func (p *parser) classChar(start int) (Set, rune) {
	pos := p.pos
	if p.peek() == eof {
		p.failAt(start, `"[" without "]"; write \[ for the character`)
	}
	c := char{}
	if p.looking(`\`) {
		var n *Node
		n, c = p.escape()
		switch {
		case n != nil && n.Op == Class:
			return n.Set, noChar
		case n != nil:
			p.failAt(pos, "a condition on a position cannot be in a class")
		}
	} else {
		c.r = p.next()
	}
	if !p.flags.unicode && c.r > unicode.MaxASCII && !c.hexa {
		p.failAt(pos, "a class without the flag u holds bytes; write those beyond ASCII as \\xNN")
	}
	return Set{{c.r, c.r}}, c.r
}

// asciiClass parses a class such as [:alpha:], if any.
func (p *parser) asciiClass() (Set, bool) {
	body, ok := strings.CutPrefix(p.pattern[p.pos:], "[:")
	if !ok {
		return nil, false
	}
	name, _, ok := strings.Cut(body, ":]")
	name, negated := strings.CutPrefix(name, "^")
	s, known := asciiClasses[name]
	if !ok || !known {
		return nil, false
	}
	p.pos += len("[:") + len(name) + len(":]")
	if negated {
		p.pos++
	}
	n := &Node{Op: Class, Set: slices.Clone(s), Bytes: !p.flags.unicode}
	return p.foldAndNegate(n, negated).Set, true
}
