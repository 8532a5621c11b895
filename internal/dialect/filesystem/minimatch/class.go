package minimatch

import (
	"strings"
	"unicode"
	"unicode/utf16"
)

// A class is a set of characters in brackets. A character belongs to it if its ranges hold it, or if its outer tables do not;
// with negated, both are turned around.
type class struct {
	negated bool
	ranges  []span
	tables  []*unicode.RangeTable // beside the ranges
	outer   [][]*unicode.RangeTable
}

type span struct{ low, high rune }

func (c *class) holds(r rune) bool {
	if len(c.ranges) > 0 || len(c.tables) > 0 {
		in := unicode.IsOneOf(c.tables, r)
		for _, s := range c.ranges {
			in = in || s.low <= r && r <= s.high
		}
		if in != c.negated {
			return true
		}
	}
	if len(c.outer) == 0 {
		return false
	}
	in := false
	for _, tables := range c.outer {
		for _, table := range tables {
			in = in || table == nil && isOther(r) || table != nil && unicode.Is(table, r)
		}
	}
	return in == c.negated
}

// isOther reports whether r has the general category C, which includes what is not assigned.
func isOther(r rune) bool {
	return !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z)
}

// A namedClass is what a POSIX class stands for.
type namedClass struct {
	name    string
	tables  []*unicode.RangeTable // nil stands for the category C
	ranges  []span
	unicode bool // a pattern with it is matched by characters instead of UTF-16 units
	outer   bool // the class holds all that is not in the tables
}

func namedClasses() []namedClass {
	letters := []*unicode.RangeTable{unicode.L, unicode.Nl}
	return []namedClass{
		{name: "[:alnum:]", tables: append(letters, unicode.Nd), unicode: true},
		{name: "[:alpha:]", tables: letters, unicode: true},
		{name: "[:ascii:]", ranges: []span{{0, 0x7f}}},
		{name: "[:blank:]", tables: []*unicode.RangeTable{unicode.Zs}, ranges: []span{{'\t', '\t'}}, unicode: true},
		{name: "[:cntrl:]", tables: []*unicode.RangeTable{unicode.Cc}, unicode: true},
		{name: "[:digit:]", tables: []*unicode.RangeTable{unicode.Nd}, unicode: true},
		{name: "[:graph:]", tables: []*unicode.RangeTable{unicode.Z, nil}, unicode: true, outer: true},
		{name: "[:lower:]", tables: []*unicode.RangeTable{unicode.Ll}, unicode: true},
		{name: "[:print:]", tables: []*unicode.RangeTable{nil}, unicode: true, outer: true},
		{name: "[:punct:]", tables: []*unicode.RangeTable{unicode.P}, unicode: true},
		{name: "[:space:]", tables: []*unicode.RangeTable{unicode.Z}, ranges: []span{{'\t', '\r'}}, unicode: true},
		{name: "[:upper:]", tables: []*unicode.RangeTable{unicode.Lu}, unicode: true},
		{name: "[:word:]", tables: append(letters, unicode.Nd, unicode.Pc), unicode: true},
		{name: "[:xdigit:]", ranges: []span{{'A', 'F'}, {'a', 'f'}, {'0', '9'}}},
	}
}

// A parsedClass is what a class at the beginning of a text came to.
type parsedClass struct {
	size    int // in UTF-16 units; 0 if the class has no end, so that its bracket is text
	class   *class
	literal rune // in place of class: the one character that it stands for
	unicode bool
	never   bool // nothing matches it, and what follows is not looked at
}

// parseClass parses the class that a text in UTF-16 units begins with.
func parseClass(s []uint16) parsedClass {
	p := classParser{s: s, c: new(class)}
	return p.parse()
}

type classParser struct {
	s       []uint16
	i       int
	c       *class
	count   int // ranges, and the last single character
	single  rune
	low     rune // the beginning of a range, or -1
	unicode bool
}

func (p *classParser) parse() parsedClass {
	p.low, p.i = -1, 1
	begun, escaping, end := false, false, 0
	for p.i < len(p.s) {
		c := p.s[p.i]
		if (c == '!' || c == '^') && p.i == 1 {
			p.c.negated = true
			p.i++
			continue
		}
		if c == ']' && begun && !escaping {
			end = p.i + 1
			break
		}
		begun = true
		if c == '\\' && !escaping {
			escaping = true
			p.i++
			continue
		}
		if c == '[' && !escaping {
			if n := named(p.s[p.i:]); n != nil {
				if p.low >= 0 {
					return parsedClass{size: len(p.s), never: true}
				}
				p.addNamed(n)
				continue
			}
		}
		escaping = false
		p.character(rune(c))
	}
	switch {
	case end < p.i:
		return parsedClass{}
	case p.count == 0 && len(p.c.outer) == 0:
		return parsedClass{size: len(p.s), never: true}
	case len(p.c.outer) == 0 && p.count == 1 && p.single >= 0 && !p.c.negated:
		return parsedClass{size: end, literal: p.single}
	}
	if p.unicode {
		p.c.ranges = pairSurrogates(p.c.ranges)
	}
	return parsedClass{size: end, class: p.c, unicode: p.unicode}
}

// character takes a character that is not special.
func (p *classParser) character(c rune) {
	switch {
	case p.low >= 0:
		if c > p.low {
			p.add(p.low, c)
		} else if c == p.low {
			p.add(c, c)
			p.single = c
		}
		p.low = -1
		p.i++
	case p.follows("-]"):
		p.add(c, c)
		p.add('-', '-')
		p.count--
		p.i += 2
	case p.follows("-"):
		p.low = c
		p.i += 2
	default:
		p.add(c, c)
		p.single = c
		p.i++
	}
}

func (p *classParser) add(low, high rune) {
	p.c.ranges = append(p.c.ranges, span{low, high})
	p.count++
	p.single = -1
}

func (p *classParser) addNamed(n *namedClass) {
	p.i += len(n.name)
	p.unicode = p.unicode || n.unicode
	if n.outer {
		p.c.outer = append(p.c.outer, n.tables)
		return
	}
	p.c.ranges = append(p.c.ranges, n.ranges...)
	p.c.tables = append(p.c.tables, n.tables...)
	p.count++
	p.single = -1
}

// follows reports whether s stands after the next character.
func (p *classParser) follows(s string) bool {
	rest := p.s[min(p.i+1, len(p.s)):]
	return len(rest) >= len(s) && string(utf16.Decode(rest[:len(s)])) == s
}

// named returns the POSIX class that a text begins with, or nil.
func named(s []uint16) *namedClass {
	if len(s) < 2 || s[1] != ':' {
		return nil
	}
	text := string(utf16.Decode(s[:min(len(s), len("[:xdigit:]"))]))
	for _, n := range namedClasses() {
		if strings.HasPrefix(text, n.name) {
			return &n
		}
	}
	return nil
}

// pairSurrogates makes one character of two UTF-16 units that follow each other.
func pairSurrogates(ranges []span) []span {
	var paired []span
	for _, s := range ranges {
		if last := len(paired) - 1; last >= 0 && s.low == s.high && paired[last].low == paired[last].high {
			if r := utf16.DecodeRune(paired[last].low, s.low); r != unicode.ReplacementChar {
				paired[last] = span{r, r}
				continue
			}
		}
		paired = append(paired, s)
	}
	return paired
}
