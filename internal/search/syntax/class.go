package syntax

import (
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

// A char is a literal character. If it was written as \xNN, it is a byte where the flag u is off.
type char struct {
	r    rune
	hexa bool
}

// literal returns a node that matches one character.
func (p *parser) literal(c char, pos int) *Node {
	n := &Node{Op: Class, Set: Set{{c.r, c.r}}, pos: pos}
	n.Bytes = !p.flags[unicodeMode] && c.hexa && c.r > unicode.MaxASCII
	if !n.Bytes {
		n.Set = p.fold(n.Set)
	}
	return n
}

// class returns the node of a class.
func (p *parser) class(s Set, negated bool, pos int) *Node {
	if p.ranges += len(s); p.ranges > maxRanges {
		p.failAt(pos, "the classes of the pattern are too large together")
	}
	n := &Node{Op: Class, Set: s, Bytes: !p.flags[unicodeMode], pos: pos}
	if negated {
		n.negate()
	}
	return n
}

// fold adds the other case of the characters in a set if case is ignored.
func (p *parser) fold(s Set) Set {
	switch {
	case !p.flags[ignoreCase]:
		return s
	case p.flags[unicodeMode]:
		return s.fold()
	}
	ascii := Set{{0, unicode.MaxASCII}}
	return append(s.intersect(ascii).fold().intersect(ascii), s...).canonical()
}

// bracket parses a class in brackets.
func (p *parser) bracket() *Node {
	start := p.pos
	p.enter(start)
	p.next()
	p.space()
	negated := p.take("^")
	var items Set // since the last operator
	for p.space(); p.take("-"); p.space() {
		items = Set{{'-', '-'}}
	}
	if len(items) == 0 && p.take("]") {
		items = Set{{']', ']'}}
	}
	left, operator := Set(nil), ""
	for {
		p.space()
		p.check()
		next := p.operator()
		switch {
		case p.take("]"):
			p.depth--
			s := p.operate(left, operator, items.canonical())
			return p.class(p.fold(s), negated, start)
		case next != "":
			if left = p.operate(left, operator, items.canonical()); operator == "" {
				left = p.fold(left)
			}
			operator, items = next, nil
			p.pos += len(next)
		default:
			items = append(items, p.classItem(start)...)
		}
	}
}

// operator returns the next operator, if any.
func (p *parser) operator() string {
	for _, o := range []string{"&&", "--", "~~"} {
		if p.looking(o) {
			return o
		}
	}
	return ""
}

// operate folds right, and applies an operator to left, the folded result of the previous operator,
// and right. Without an operator it returns right.
func (p *parser) operate(left Set, operator string, right Set) Set {
	if operator == "" {
		return right
	}
	right = p.fold(right)
	switch operator {
	case "&&":
		return left.intersect(right)
	case "--":
		return left.minus(right)
	default:
		return append(left.minus(right), right.minus(left)...).canonical()
	}
}

// noChar represents an item of a class that is not a character.
const noChar rune = -1

// classItem parses a nested class, a range or a character. start is the start of the class.
func (p *parser) classItem(start int) Set {
	pos := p.pos
	if p.looking("[") {
		if s, ok := p.asciiClass(); ok {
			return s
		}
		return p.bracket().Set
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
	c := char{}
	switch p.peek() {
	case eof:
		p.failAt(start, `"[" without "]"; write \[ for the character`)
	case '\\':
		var n *Node
		n, c = p.escape()
		switch {
		case n != nil && n.Op == Class:
			return n.Set, noChar
		case n != nil:
			p.failAt(pos, "a condition on a position cannot be in a class")
		}
	default:
		c.r = p.next()
	}
	if !p.flags[unicodeMode] && c.r > unicode.MaxASCII && !c.hexa {
		p.failAt(pos, "a class without the flag u holds bytes; write those beyond ASCII as \\xNN")
	}
	return Set{{c.r, c.r}}, c.r
}

// asciiClass parses a class such as [:alpha:], if any.
func (p *parser) asciiClass() (Set, bool) {
	body, ok := strings.CutPrefix(p.pattern[p.pos:], "[:")
	body, _, ended := strings.Cut(body, ":]")
	name, negated := strings.CutPrefix(body, "^")
	s, known := asciiClasses[name]
	if !ok || !ended || !known {
		return nil, false
	}
	pos := p.pos
	p.pos += len("[:") + len(body) + len(":]")
	return p.class(p.fold(s), negated, pos).Set, true
}
