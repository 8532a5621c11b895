package syntax

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escape parses an escape sequence, including its backslash. It returns a node or a character.
func (p *parser) escape() (*Node, char) {
	start := p.pos
	p.next()
	r := p.peek()
	switch r {
	case eof:
		p.failAt(start, `nothing to escape after "\"; write \\ for the character`)
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		p.failAt(start, "back-references are not supported")
	case 'x', 'u', 'U':
		return nil, p.hexadecimal()
	case 'p', 'P':
		return p.property(), char{}
	}
	p.next()
	switch r {
	case 'd', 's', 'w':
		return p.perlClass(r, false, start), char{}
	case 'D', 'S', 'W':
		return p.perlClass(r-'A'+'a', true, start), char{}
	}
	if look, ok := p.look(r); ok {
		return &Node{Op: Assert, Look: look}, char{}
	}
	if i := strings.IndexRune("abfnrtv", r); i >= 0 && r != 'b' {
		return nil, char{r: rune("\a\b\f\n\r\t\v"[i])}
	}
	if r >= utf8.RuneSelf || unicode.IsLetter(r) {
		p.failAt(start, `unknown escape "\`+string(r)+`"; only punctuation is escaped with "\"`)
	}
	return nil, char{r: r}
}

// look returns the condition for an escaped character, if any.
func (p *parser) look(r rune) (look Look, ok bool) {
	switch r {
	case 'A':
		return LineStart, true
	case 'z':
		return LineEnd, true
	case 'b':
		look = p.boundary()
	case 'B':
		look = NotBoundary
	case '<':
		look = WordStart
	case '>':
		look = WordEnd
	default:
		return 0, false
	}
	if !p.flags.unicode {
		look = look.ASCII()
	}
	return look, true
}

// boundary parses the name of a special boundary in braces after \b, if any. Other braces are a
// repetition.
func (p *parser) boundary() Look {
	valid := func(r rune) bool { return r == '-' || r|0x20 >= 'a' && r|0x20 <= 'z' }
	start := p.pos
	if !p.take("{") {
		return Boundary
	}
	if p.space(); !valid(p.peek()) {
		p.pos = start
		return Boundary
	}
	var name []rune
	for valid(p.peek()) {
		name = append(name, p.next())
		p.space()
	}
	i := slices.Index([]string{"start", "end", "start-half", "end-half"}, string(name))
	if !p.take("}") || i < 0 {
		p.failAt(start, `after \b only {start}, {end}, {start-half} and {end-half} may follow`)
	}
	return WordStart + Look(i)
}

// hexadecimal parses the number of a character: \x7F, \u007F, \U0000007F, or one of them with
// braces.
func (p *parser) hexadecimal() char {
	start := p.pos
	digits := 2
	switch p.next() {
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	}
	c := char{hexa: digits == 2}
	p.space()
	var number []byte
	digit := func() {
		if r := p.peek(); r == eof || !strings.ContainsRune("0123456789abcdefABCDEF", r) {
			p.fail("not a hexadecimal digit")
		}
		number = append(number, byte(p.next()))
	}
	if p.take("{") {
		c.hexa = false
		for p.space(); p.peek() != '}'; p.space() {
			digit()
		}
		p.next()
	} else {
		for range digits {
			p.space()
			digit()
		}
	}
	n, err := strconv.ParseUint(string(number), 16, 32)
	if err != nil || n > maxRune || !utf8.ValidRune(rune(n)) {
		p.failAt(start, "no character has this number")
	}
	c.r = rune(n)
	return c
}

// perlClass returns the class \d, \s or \w.
func (p *parser) perlClass(letter rune, negated bool, pos int) *Node {
	if p.flags.unicode {
		return p.negate(&Node{Op: Class, Set: p.named(string(letter)), pos: pos}, negated)
	}
	name := map[rune]string{'d': "digit", 's': "space", 'w': "word"}[letter]
	return p.negate(p.byteClass(asciiClasses[name], pos), negated)
}

// negate returns the class of all other characters or bytes.
func (p *parser) negate(n *Node, negated bool) *Node {
	switch {
	case negated && n.Bytes:
		n.Set = n.Set.negate(maxByte)
	case negated:
		n.Set = n.Set.negate(maxRune)
	}
	return n
}

// foldAndNegate folds a class, then negates it.
func (p *parser) foldAndNegate(n *Node, negated bool) *Node {
	n.Set = p.fold(n.Set, n.Bytes)
	return p.negate(n, negated)
}

// fold adds the other case of a class if case is ignored.
func (p *parser) fold(s Set, bytes bool) Set {
	switch {
	case !p.flags.ignoreCase:
		return s
	case bytes:
		return s.foldASCII()
	case len(s) == 0:
		return s
	}
	folded, ok := p.folded[&s[0]]
	if !ok {
		folded = s.fold()
		if p.folded == nil {
			p.folded = map[*Range]Set{}
		}
		p.folded[&s[0]] = folded
	}
	return folded
}
