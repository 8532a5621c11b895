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
	r := p.next()
	lower := unicode.ToLower(r)
	switch r {
	case eof:
		p.failAt(start, `nothing to escape after "\"; write \\ for the character`)
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		p.failAt(start, "back-references are not supported")
	case 'x', 'u', 'U':
		return nil, p.hexadecimal(r)
	case 'p', 'P':
		return p.class(p.fold(p.property(start)), r == 'P', start), char{}
	case 'd', 's', 'w', 'D', 'S', 'W':
		return p.class(p.perlClass(lower), r != lower, start), char{}
	}
	if i := strings.IndexRune("afnrtv", r); i >= 0 {
		return nil, char{r: rune("\a\f\n\r\t\v"[i])}
	}
	if i := strings.IndexRune("AzbB<>", r); i >= 0 {
		look := []Look{LineStart, LineEnd, Boundary, NotBoundary, WordStart, WordEnd}[i]
		if r == 'b' {
			look = p.boundary()
		}
		if !p.flags[unicodeMode] && look >= Boundary {
			look += BoundaryASCII - Boundary
		}
		return &Node{Op: Assert, Look: look}, char{}
	}
	if r >= utf8.RuneSelf || unicode.IsLetter(r) {
		p.failAt(start, `unknown escape "\`+string(r)+`"; only punctuation is escaped with "\"`)
	}
	return nil, char{r: r}
}

// boundary parses the name of a special boundary in braces after \b, if any. Other braces are a
// repetition.
func (p *parser) boundary() Look {
	start := p.pos
	body, ok := strings.CutPrefix(p.pattern[start:], "{")
	if p.pos++; !ok || !unicode.IsLetter(p.peek()) && p.peek() != '-' {
		p.pos = start
		return Boundary
	}
	name, _, ended := strings.Cut(body, "}")
	i := slices.Index([]string{"start", "end", "start-half", "end-half"}, name)
	if !ended || i < 0 {
		p.failAt(start, `after \b only {start}, {end}, {start-half} and {end-half} may follow`)
	}
	p.pos += len(name) + 1
	return WordStart + Look(i)
}

// hexadecimal parses the number of a character after \x, \u or \U: two, four or eight digits, or
// any number of them in braces.
func (p *parser) hexadecimal(letter rune) char {
	start := p.pos - 1
	size := map[rune]int{'x': 2, 'u': 4, 'U': 8}[letter]
	braces := p.take("{")
	if braces {
		size = len(p.pattern)
	}
	first := p.pos
	for p.pos-first < size && strings.ContainsRune("0123456789abcdefABCDEF", p.peek()) {
		p.next()
	}
	number := p.pattern[first:p.pos]
	if len(number) < size && !braces || braces && !p.take("}") {
		p.fail("not a hexadecimal digit")
	}
	n, err := strconv.ParseUint(number, 16, 32)
	if err != nil || n > maxRune || !utf8.ValidRune(rune(n)) {
		p.failAt(start, "no character has this number")
	}
	return char{rune(n), letter == 'x' && !braces}
}

// perlClass returns the class \d, \s or \w.
func (p *parser) perlClass(letter rune) Set {
	switch {
	case !p.flags[unicodeMode]:
		return asciiClasses[map[rune]string{'d': "digit", 's': "space", 'w': "word"}[letter]]
	case letter == 'd':
		return tables(unicode.Nd)
	case letter == 's':
		return tables(unicode.White_Space)
	default:
		return tables(Words()...)
	}
}
