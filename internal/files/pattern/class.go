package pattern

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"gander/internal/files/text"
)

// A span is a range of units.
type span struct{ low, high rune }

// maxUnit is the largest unit: a byte that is not UTF-8.
const maxUnit = invalidByte + 0xff

// A set is a set of units.
type set []span

// sorted returns the set in ascending order, without overlaps and empty spans.
func (s set) sorted() set {
	slices.SortFunc(s, func(a, b span) int { return cmp.Compare(a.low, b.low) })
	var out set
	for _, r := range s {
		switch last := len(out) - 1; {
		case r.low > r.high:
		case last >= 0 && r.low <= out[last].high+1:
			out[last].high = max(out[last].high, r.high)
		default:
			out = append(out, r)
		}
	}
	return out
}

// complement returns the units that are not in the set.
func (s set) complement() set {
	var out set
	low := rune(0)
	for _, r := range s.sorted() {
		out = append(out, span{low, r.low - 1})
		low = r.high + 1
	}
	return append(out, span{low, maxUnit}).sorted()
}

// without returns the set without a unit.
func (s set) without(c rune) set {
	var out set
	for _, r := range s {
		if r.low <= c && c <= r.high {
			out = append(out, span{r.low, c - 1}, span{c + 1, r.high})
		} else {
			out = append(out, r)
		}
	}
	return out
}

// add adds a range. With fold it adds the forms that [text.Fold] makes of its characters.
func (s *set) add(low, high rune, fold bool) {
	*s = append(*s, span{low, high})
	for c := low; fold && c <= min(high, 0x1ffff); c++ {
		if f := text.FoldRune(c); f != c {
			*s = append(*s, span{f, f})
		}
	}
}

// addTables adds the characters of tables.
func (s *set) addTables(tables ...*unicode.RangeTable) {
	run := func(low, high, stride rune) {
		for c := low; stride > 1 && c <= high; c += stride {
			*s = append(*s, span{c, c})
		}
		if stride == 1 {
			*s = append(*s, span{low, high})
		}
	}
	for _, t := range tables {
		for _, r := range t.R16 {
			run(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			run(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
}

const (
	classHeader = 5 // opClass, whether the set is negated, and the length of the spans in three bytes
	spanSize    = 6 // two bounds of three bytes
)

// encode appends the instruction for the set, or for its complement if negated is set. A set of one unit is a
// literal.
func (p *parser) encode(s set, negated bool) {
	s = s.sorted()
	if !negated && len(s) == 1 && s[0].low == s[0].high {
		p.literalUnit(s[0].low)
		return
	}
	flag := byte(0)
	if negated {
		flag = 1
	}
	n := len(s) * spanSize
	p.op(opClass, flag, byte(n>>16), byte(n>>8), byte(n))
	for _, r := range s {
		p.op(byte(r.low>>16), byte(r.low>>8), byte(r.low), byte(r.high>>16), byte(r.high>>8), byte(r.high))
	}
}

// classHolds reports whether the class at the beginning of a program holds c, and returns its size.
func classHolds(prog string, c rune) (in bool, size int) {
	n := int(prog[2])<<16 | int(prog[3])<<8 | int(prog[4])
	spans := prog[classHeader : classHeader+n]
	bound := func(i int) rune { return rune(spans[i])<<16 | rune(spans[i+1])<<8 | rune(spans[i+2]) }
	low, high := 0, n/spanSize // of the first span that ends at c or later
	for low < high {
		mid := (low + high) / 2
		if bound(mid*spanSize+3) < c {
			low = mid + 1
		} else {
			high = mid
		}
	}
	in = low*spanSize < n && bound(low*spanSize) <= c
	return in != (prog[1] == 1), classHeader + n
}

// class parses the class at p.i and emits it. A class that has no end is an error, or matches nothing, or is
// text, depending on the syntax.
func (p *parser) class() error {
	start, size := p.i, len(p.prog)
	var err error
	switch p.syntax {
	case Ignore:
		return p.gitClass()
	case Minimatch:
		err = p.unicodeClass()
	case Ripgrep:
		err = p.ripgrepClass()
	default:
		err = p.plainClass()
	}
	if err == nil {
		err = p.spend(p.i - start + 3*(len(p.prog)-size))
	}
	return err
}

// negation consumes the sign of a negated class.
func (p *parser) negation() bool {
	if p.i < len(p.s) && (p.s[p.i] == '!' || p.s[p.i] == '^') {
		p.i++
		return true
	}
	return false
}

// emitClass emits a class. A class never matches a slash unless slash is set.
func (p *parser) emitClass(s set, negated, slash bool) {
	if !slash {
		if s = s.without('/'); negated {
			s = append(s, span{'/', '/'})
		}
	}
	p.encode(s, negated)
}

// gitClass parses a class of a .gitignore. One that has no end or an unknown name matches nothing.
func (p *parser) gitClass() error {
	var s set
	p.i++
	negated := p.negation()
	from := rune(-1) // where a range may begin
	named := 0       // the first "]" from here on is known to be there, or 0
	for first := p.i; ; p.i++ {
		if p.i >= len(p.s) {
			return errNothing
		}
		if p.s[p.i] == ']' && p.i > first {
			break
		}
		if strings.HasPrefix(p.s[p.i:], "[:") {
			if named < p.i {
				n := strings.IndexByte(p.s[p.i:], ']')
				if n < 0 {
					return errNothing
				}
				named = p.i + n
			}
			if name := p.i + len("[:"); name < named && p.s[named-1] == ':' {
				spans := asciiClass(p.s[name : named-1])
				if spans == nil {
					return errNothing
				}
				s, from, p.i = append(s, spans...), -1, named
				continue
			}
		}
		isRange := p.s[p.i] == '-' && from >= 0 && p.i+1 < len(p.s) && p.s[p.i+1] != ']'
		if isRange {
			p.i++
		}
		if p.s[p.i] == '\\' {
			if p.i++; p.i == len(p.s) {
				return errNothing
			}
		}
		c := rune(p.s[p.i])
		if isRange {
			s, from = append(s, span{from, c}), -1
		} else {
			s, from = append(s, span{c, c}), c
		}
	}
	p.i++
	p.emitClass(s, negated, false)
	return nil
}

// asciiClass returns a named class as git defines it, or nil if there is none of that name. Spaces do not include
// vertical tab and form feed.
func asciiClass(name string) set {
	upper, lower, digit := span{'A', 'Z'}, span{'a', 'z'}, span{'0', '9'}
	switch name {
	case "alnum":
		return set{upper, lower, digit}
	case "alpha":
		return set{upper, lower}
	case "blank":
		return set{{' ', ' '}, {'\t', '\t'}}
	case "cntrl":
		return set{{0, ' ' - 1}, {0x7f, 0x7f}}
	case "digit":
		return set{digit}
	case "graph":
		return set{{'!', '~'}}
	case "lower":
		return set{lower}
	case "print":
		return set{{' ', '~'}}
	case "punct":
		return set{{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}
	case "space":
		return set{{' ', ' '}, {'\t', '\n'}, {'\r', '\r'}}
	case "upper":
		return set{upper}
	case "xdigit":
		return set{digit, {'a', 'f'}, {'A', 'F'}}
	}
	return nil
}

// ripgrepClass parses a class of ripgrep. It has no escapes, matches bytes, and may match a slash. In [a-b-c] the
// second hyphen extends the range.
func (p *parser) ripgrepClass() error {
	p.i++
	negated := p.negation()
	var ranges set
	inRange := false
	for first := true; ; first = false {
		if p.i >= len(p.s) {
			return errors.New(`a "[" has no "]"; write "[[]" for the character`)
		}
		c, size := unit(p.s, p.i, false)
		p.i += size
		switch {
		case c == ']' && !first:
			if inRange {
				ranges = append(ranges, span{'-', '-'})
			}
			return p.encodeBytes(ranges, negated)
		case inRange:
			last := &ranges[len(ranges)-1]
			if last.high, inRange = c, false; c < last.low {
				return fmt.Errorf("the range %c-%c is reversed", last.low, c)
			}
		case c == '-' && !first:
			inRange = true
		default:
			ranges = append(ranges, span{c, c})
		}
	}
}

// encodeBytes emits a class of the bytes of characters. A range extends from the last byte of its beginning to the
// first byte of its end.
func (p *parser) encodeBytes(ranges set, negated bool) error {
	var s set
	for _, r := range ranges {
		low, high := string(r.low), string(r.high)
		for _, c := range []byte(low) {
			s = append(s, span{rune(c), rune(c)})
		}
		if r.low == r.high {
			continue
		}
		if low[len(low)-1] > high[0] {
			return errors.New("a range in brackets is reversed")
		}
		s = append(s, span{rune(low[len(low)-1]), rune(high[0])})
		for _, c := range []byte(high) {
			s = append(s, span{rune(c), rune(c)})
		}
	}
	p.encode(s, negated)
	return nil
}

// plainClass parses a class of a path glob or of the toolkit. A bracket at its beginning ends it, and a backslash
// quotes. That of the toolkit may match a slash, and matches nothing if it is empty.
func (p *parser) plainClass() error {
	p.i++
	negated := p.negation()
	var s set
	next := func() (c rune) {
		if p.s[p.i] == '\\' && p.i+1 < len(p.s) {
			p.i++
		}
		c, size := unit(p.s, p.i, false)
		p.i += size
		return c
	}
	strict := p.syntax == Path
	for p.i < len(p.s) && p.s[p.i] != ']' {
		low := next()
		high := low
		if rest := p.s[p.i:]; len(rest) > 1 && rest[0] == '-' && rest[1] != ']' {
			p.i++
			high = next()
		}
		switch {
		case high >= low:
			s.add(low, high, p.fold)
		case strict:
			return fmt.Errorf("the range %c-%c is reversed", low, high)
		default:
			s = append(s, span{low, low})
		}
	}
	if p.i == len(p.s) || len(s) == 0 {
		return errNothing
	}
	p.i++
	if strict && !negated && len(s.without('/').sorted()) == 0 {
		return errors.New("a class that holds only a slash matches nothing")
	}
	p.emitClass(s, negated, !strict)
	return nil
}
