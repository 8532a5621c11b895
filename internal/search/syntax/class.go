package syntax

import (
	regexp "regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// WordTables holds the characters of words, the class \w.
var WordTables = []*unicode.RangeTable{
	unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc,
	unicode.Other_Alphabetic, unicode.Join_Control,
}

// goClass returns the characters of a class in the syntax of Go's regexp, or nil if it is invalid.
func goClass(class string) Set {
	re, err := regexp.Parse(class, regexp.Perl)
	switch {
	case err != nil:
		return nil
	case re.Op == regexp.OpLiteral:
		return Set{{re.Rune[0], re.Rune[0]}}
	case re.Op == regexp.OpAnyCharNotNL || re.Op == regexp.OpAnyChar:
		return Set{{0, unicode.MaxRune}}
	}
	var s Set
	for r := range slices.Chunk(re.Rune, 2) {
		s = append(s, Range{r[0], r[1]})
	}
	return s
}

// limited returns a set, or its complement. It counts toward the limit of all classes.
func (p *parser) limited(s Set, negated bool, pos int) Set {
	p.ranges += len(s)
	if p.ranges > maxRanges {
		p.failAt(pos, "the classes of the pattern are too large together")
	}
	if negated {
		return s.Negate()
	}
	return s
}

// fold adds the other case of the characters in a set if case is ignored.
func (p *parser) fold(s Set) Set {
	if p.flags.ignoreCase {
		return s.Fold()
	}
	return s
}

// bracket parses a class in brackets after its "[".
func (p *parser) bracket() Set {
	start := p.pos - 1
	p.enter(start)
	negated := p.take("^")
	var left, items Set // before and since the last operator
	for p.take("-") {
		items = Set{{'-', '-'}}
	}
	if len(items) == 0 && p.take("]") {
		items = Set{{']', ']'}}
	}
	operator := func(_, right Set) Set { return right }
	for {
		p.check()
		next := operator
		switch {
		case p.take("]"):
			p.depth--
			return p.limited(operator(left, items.Canonical()), negated, start)
		case p.take("&&"):
			next = Set.intersect
		case p.take("--"):
			next = Set.Minus
		case p.looking("~~"):
			p.fail(`the set operation "~~" is not supported; use "--" and "&&", or \~ for the character`)
		default:
			items = append(items, p.classItem(start)...)
			continue
		}
		left, items, operator = operator(left, items.Canonical()), nil, next
	}
}

// classItem parses a nested class, a range or a character. start is the start of the class.
func (p *parser) classItem(start int) Set {
	pos := p.pos
	if p.take("[") {
		if s := p.asciiClass(); s != nil {
			return s
		}
		return p.bracket()
	}
	low := p.classChar(start)
	if !p.looking("-") || p.looking("-]") || p.looking("--") {
		return p.fold(low)
	}
	p.next()
	highPos := p.pos
	high := p.classChar(start)
	switch {
	case !low.single():
		p.failAt(pos, "a class cannot begin a range")
	case !high.single():
		p.failAt(highPos, "a class cannot end a range")
	case low[0].Low > high[0].Low:
		p.failAt(pos, "the range ends before it begins")
	}
	return p.fold(Set{{low[0].Low, high[0].Low}})
}

// classChar parses a character, regardless of case, or an escaped class.
func (p *parser) classChar(start int) Set {
	pos := p.pos
	r := p.next()
	switch r {
	case eof:
		p.failAt(start, `"[" without "]"; write \[ for the character`)
	case '\\':
		n := p.escape()
		if n.Op != Class {
			p.failAt(pos, "a condition on a position cannot be in a class")
		}
		return n.Set
	}
	return Set{{r, r}}
}

// asciiClass parses a class such as [:alpha:] after its first "[". It returns nil without one.
func (p *parser) asciiClass() Set {
	pos := p.pos
	if p.take(":") {
		name, ended := p.until(":]")
		fold := ""
		if p.flags.ignoreCase {
			fold = "(?i)"
		}
		if s := goClass(fold + "[[:" + name + ":]]"); ended && s != nil {
			return p.limited(s, false, pos)
		}
		p.pos = pos
	}
	return nil
}

// escape parses an escape sequence after its backslash. A character is returned regardless of case.
func (p *parser) escape() *Node {
	start := p.pos - 1
	r := p.next()
	var set Set
	switch r {
	case eof:
		p.failAt(start, `nothing to escape after "\"; write \\ for the character`)
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		p.failAt(start, "back-references are not supported")
	case 'x', 'u', 'U':
		r = p.hexadecimal(r)
	case 'p', 'P':
		set = p.limited(p.fold(p.property(start)), r == 'P', start)
	case 'd', 'D':
		set = p.limited(TableSet(unicode.Nd), r == 'D', start)
	case 's', 'S':
		set = p.limited(TableSet(unicode.White_Space), r == 'S', start)
	case 'w', 'W':
		set = p.limited(TableSet(WordTables...), r == 'W', start)
	case 'A', 'z', 'b', 'B', '<', '>':
		return &Node{Op: Assert, Look: p.look(r)}
	default:
		if i := strings.IndexRune("afnrtv", r); i >= 0 {
			r = rune("\a\f\n\r\t\v"[i])
		} else if r >= utf8.RuneSelf || unicode.IsLetter(r) {
			p.failAt(start, `unknown escape "\`+string(r)+`"; only punctuation is escaped with "\"`)
		}
	}
	if set == nil {
		set = Set{{r, r}}
	}
	return &Node{Op: Class, Set: set, pos: start}
}

// look returns the condition of an escape sequence, and parses the name after \b, if any.
func (p *parser) look(r rune) Look {
	switch r {
	case 'A':
		return LineStart
	case 'z':
		return p.lineEnd()
	case 'B':
		return NotBoundary
	case '<':
		return WordStart
	case '>':
		return WordEnd
	}
	for _, b := range namedBoundaries {
		if p.take(b.name) {
			return b.look
		}
	}
	return Boundary
}

// namedBoundaries are the conditions of \b with a name.
var namedBoundaries = []struct {
	name string
	look Look
}{
	{"{start}", WordStart},
	{"{end}", WordEnd},
	{"{start-half}", WordStartHalf},
	{"{end-half}", WordEndHalf},
}

// lineEnd returns the condition of $.
func (p *parser) lineEnd() Look {
	if p.crlf {
		return LineEndCRLF
	}
	return LineEnd
}

// digitsAfter is the number of digits after \x, \u and \U.
var digitsAfter = map[rune]int{'x': 2, 'u': 4, 'U': 8}

// hexadecimal parses the number of a character after \x, \u or \U, or any number of digits in
// braces.
func (p *parser) hexadecimal(letter rune) rune {
	start := p.pos - 1
	var digits string
	ok := true
	if p.take("{") {
		digits, ok = p.until("}")
	} else {
		size := digitsAfter[letter]
		digits = p.pattern[p.pos:min(p.pos+size, len(p.pattern))]
		p.pos += len(digits)
		ok = len(digits) == size
	}
	n, err := strconv.ParseUint(digits, 16, 32)
	if !ok || err != nil || !utf8.ValidRune(rune(n)) {
		p.failAt(start, `no character has this number; write hexadecimal digits, as in \x41 or \x{1F600}`)
	}
	return rune(n)
}

// property parses a property such as L, {Greek} or {script=Greek}. start is the start of its escape
// sequence.
func (p *parser) property(start int) Set {
	name, ended := string(p.next()), true
	if name == "{" {
		name, ended = p.until("}")
	}
	if kind, value, ok := strings.Cut(name, "="); ok {
		kinds := []string{"gc", "general_category", "sc", "script"}
		if slices.Contains(kinds, strings.ToLower(kind)) {
			name = value
		}
	}
	s := namedSet(name)
	if s == nil || !ended || name[0] == '^' {
		p.failAt(start, `unknown property; there are general categories and scripts by their long `+
			`names, and Alphabetic, Lowercase, Uppercase and White_Space; for others write ranges, `+
			`such as [\x{1F300}-\x{1FAFF}]`)
	}
	return s
}

// properties are those that Go's regular expressions do not know, by their names in lower case.
var properties = map[string][]*unicode.RangeTable{
	"alphabetic":  {unicode.L, unicode.Nl, unicode.Other_Alphabetic},
	"lowercase":   {unicode.Ll, unicode.Other_Lowercase},
	"uppercase":   {unicode.Lu, unicode.Other_Uppercase},
	"white_space": {unicode.White_Space},
}

// namedSet returns the characters of a property, or nil if it is unknown.
func namedSet(name string) Set {
	if tables, ok := properties[strings.ToLower(name)]; ok {
		return TableSet(tables...)
	}
	return goClass(`\p{` + name + `}`).Canonical()
}

// TableSet returns the characters of tables.
func TableSet(tables ...*unicode.RangeTable) Set {
	var s Set
	add := func(low, high, stride rune) {
		if stride == 1 {
			s = append(s, Range{low, high})
			return
		}
		for r := low; r <= high; r += stride {
			s = append(s, Range{r, r})
		}
	}
	for _, t := range tables {
		for _, r := range t.R16 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return s.Canonical()
}
