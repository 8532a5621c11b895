package minimatch

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

// A class is a set of characters in brackets. A character belongs to it if its ranges and tables hold it, or with complement if
// they do not, or if no outer table holds it, or with negated if one does.
type class struct {
	complement, negated bool

	items  []rune // as they were written, before they are made ranges of UTF-16 units or of characters
	ranges []span
	tables []*unicode.RangeTable
	outer  []*unicode.RangeTable
}

// Items of a class that are no characters.
const (
	rangeItem rune = -1 - iota // between the ends of a range
	namedItem                  // in place of a POSIX class
)

type span struct{ low, high rune }

func (c *class) holds(r rune) bool {
	if len(c.items) > 0 || c.complement && !c.negated {
		in := isAny(c.tables, r)
		for _, s := range c.ranges {
			in = in || s.low <= r && r <= s.high
		}
		if in != c.complement {
			return true
		}
	}
	return len(c.outer) > 0 && isAny(c.outer, r) == c.negated
}

// isAny reports whether one of the tables holds r. A nil table stands for the general category C, which includes what is not
// assigned.
func isAny(tables []*unicode.RangeTable, r rune) bool {
	for _, table := range tables {
		if table == nil && isOther(r) || table != nil && unicode.Is(table, r) {
			return true
		}
	}
	return false
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
		{name: "[:print:]", tables: []*unicode.RangeTable{nil}, unicode: true}, // in the original it is what cannot be printed
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
	count   int  // ranges and characters, and named classes that are not outer
	single  rune // what was added last, if that is one character; otherwise negative
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
	case len(p.c.outer) == 0 && p.count == 1 && p.single >= 0 && !p.c.negated && !slices.Contains([]rune{'\n', '\r', '\u2028', '\u2029'}, p.single):
		return parsedClass{size: end, literal: p.single}
	}
	p.c.complement = p.c.negated
	if !p.c.negated && len(p.c.items) > 0 && p.c.items[0] == '^' { // the original does not escape it
		p.c.complement, p.c.items = true, p.c.items[1:]
	}
	return parsedClass{size: end, class: p.c, unicode: p.unicode}
}

// character takes a character that is not special.
func (p *classParser) character(c rune) {
	switch {
	case p.low >= 0:
		if c > p.low {
			p.add(p.low, rangeItem, c)
		} else if c == p.low {
			p.add(c)
		}
		p.low = -1
		p.i++
	case p.follows("-]"):
		p.add(c, '-')
		p.i += 2
	case p.follows("-"):
		p.low = c
		p.i += 2
	default:
		p.add(c)
		p.i++
	}
}

func (p *classParser) add(items ...rune) {
	p.c.items = append(p.c.items, items...)
	p.count++
	p.single = -1
	if len(items) == 1 {
		p.single = items[0]
	}
}

func (p *classParser) addNamed(n *namedClass) {
	p.i += len(n.name)
	p.unicode = p.unicode || n.unicode
	if n.outer {
		p.c.outer = append(p.c.outer, n.tables...)
		return
	}
	p.add(namedItem)
	p.c.ranges = append(p.c.ranges, n.ranges...)
	p.c.tables = append(p.c.tables, n.tables...)
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

// compile makes the ranges of the items: of characters, or else of UTF-16 units. It reports whether each of them ends where it
// begins or further on.
func (c *class) compile(runes bool) bool {
	items := c.items
	if runes {
		items = pairSurrogates(items)
	}
	ordered := true
	for i := 0; i < len(items); i++ {
		switch low := items[i]; {
		case low == namedItem:
		case low == rangeItem: // the beginning was taken for the sign of a complement
			c.ranges = append(c.ranges, span{'-', '-'})
		case i+2 < len(items) && items[i+1] == rangeItem:
			i += 2
			c.ranges = append(c.ranges, span{low, items[i]})
			ordered = ordered && low <= items[i]
		default:
			c.ranges = append(c.ranges, span{low, low})
		}
	}
	return ordered
}

// pairSurrogates makes one character of two UTF-16 units that follow each other.
func pairSurrogates(items []rune) []rune {
	var paired []rune
	for _, item := range items {
		if last := len(paired) - 1; last >= 0 {
			if r := utf16.DecodeRune(paired[last], item); r != unicode.ReplacementChar {
				paired[last] = r
				continue
			}
		}
		paired = append(paired, item)
	}
	return paired
}
