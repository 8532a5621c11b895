package pattern

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gander/internal/files/text"
)

// A span is a range of units.
type span struct{ low, high rune }

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
	return out.sorted()
}

// foldRange returns the forms that [text.Fold] makes of the characters of a range.
func foldRange(low, high rune) set {
	var s set
	for c := low; c <= min(high, 0x1ffff); c++ {
		if f := text.FoldRune(c); f != c {
			s = append(s, span{f, f})
		}
	}
	return s
}

const (
	classHeader = 5 // opClass, whether the set is negated, and the length of the spans in three bytes
	spanSize    = 6 // two bounds of three bytes
)

// emitSet emits the instruction for the set, or for its complement if negated is set. A set of one
// unit is a literal.
func (p *parser) emitSet(s set, negated bool) {
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
		p.op(byte(r.low>>16), byte(r.low>>8), byte(r.low))
		p.op(byte(r.high>>16), byte(r.high>>8), byte(r.high))
	}
}

// inClass reports whether the class at the beginning of a program contains c, and returns its size.
func inClass(prog string, c rune) (in bool, size int) {
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

// errUnclosed reports a class without an end.
var errUnclosed = errors.New(`a "[" has no "]"; write "[[]" for the character`)

// class compiles the class at p.i. Only those of ripgrep and the toolkit match a slash.
func (p *parser) class() error {
	start, size := p.i, len(p.prog)
	s, negated, err := p.members()
	switch {
	case err == errUnclosed && p.syntax == Minimatch:
		p.i = start + 1
		p.literalUnit('[')
		return p.spend(len(p.s) - start)
	case err == errUnclosed && p.syntax != Ripgrep:
		return errNothing
	case err != nil:
		return err
	case len(s) == 0:
		return errNothing
	}
	if p.syntax == Ripgrep {
		if s, err = byteSet(s); err != nil {
			return err
		}
	} else if p.syntax != Toolkit {
		if s = s.without('/'); negated {
			s = append(s, span{'/', '/'})
		}
		if len(s) == 0 && p.syntax == Path {
			return errors.New("a class that holds only a slash matches nothing")
		}
	}
	p.emitSet(s, negated)
	return p.spend(p.i - start + 3*(len(p.prog)-size))
}

// members parses a class.
func (p *parser) members() (s set, negated bool, err error) {
	p.i++
	if p.i < len(p.s) && (p.s[p.i] == '!' || p.s[p.i] == '^') {
		negated = true
		p.i++
	}
	start := p.i
	if p.syntax == Path || p.syntax == Toolkit {
		start-- // a bracket at the beginning ends the class
	}
	for p.i < len(p.s) && (p.s[p.i] != ']' || p.i == start) {
		named, size, err := p.named()
		if err != nil {
			return nil, false, err
		}
		if size > 0 {
			s = append(s, named...)
			p.i += size
			continue
		}
		low := p.member()
		high := low
		for rest := p.s[p.i:]; len(rest) > 1 && rest[0] == '-' && rest[1] != ']'; rest = p.s[p.i:] {
			p.i++
			if _, size, _ := p.named(); size > 0 && p.syntax == Minimatch {
				return nil, false, errNothing
			}
			high = p.member()
			if high < low && (p.syntax == Path || p.syntax == Ripgrep) {
				return nil, false, fmt.Errorf("the range %c-%c is reversed", low, high)
			}
			if p.syntax != Ripgrep { // where [a-b-c] is a-c
				break
			}
		}
		if p.syntax == Minimatch && low == '^' && len(s) == 0 && !negated {
			return nil, false, &UnsupportedError{p.s, `a class cannot begin with an escaped "^"`}
		}
		switch {
		case high < low && p.syntax == Minimatch:
			continue
		case high < low:
			high = low
		case p.fold:
			s = append(s, foldRange(low, high)...)
		}
		s = append(s, span{low, high})
	}
	if p.i >= len(p.s) {
		return nil, false, errUnclosed
	}
	p.i++
	return s, negated, nil
}

// member parses a member of a class.
func (p *parser) member() rune {
	if p.s[p.i] == '\\' && p.syntax != Ripgrep && p.i+1 < len(p.s) {
		p.i++
	}
	c, size := unit(p.s, p.i, p.syntax == Ignore)
	p.i += size
	return c
}

// named returns the POSIX class at p.i and its size, 0 if there is none. In git's classes one of
// an unknown name matches nothing.
func (p *parser) named() (s set, size int, err error) {
	rest := p.s[p.i:]
	if p.syntax != Ignore && p.syntax != Minimatch || !strings.HasPrefix(rest, "[:") {
		return nil, 0, nil
	}
	if p.syntax == Minimatch {
		rest = rest[:min(len(rest), len("[:xdigit:]"))]
	}
	end := strings.IndexByte(rest, ']')
	if end <= len("[:") || rest[end-1] != ':' {
		return nil, 0, nil
	}
	name := rest[len("[:") : end-1]
	s = posixClass(name)
	switch {
	case p.syntax == Minimatch && s != nil && (name == "graph" || name == "print" || name == "punct"):
		return nil, 0, &UnsupportedError{rest[:end+1], "this class is not supported; list the characters"}
	case p.syntax == Minimatch && name == "space":
		s = append(s, span{'\v', '\f'})
	case p.syntax == Minimatch && name == "ascii":
		s = set{{0, 0x7f}}
	case p.syntax == Minimatch && name == "word":
		s = append(posixClass("alnum"), span{'_', '_'})
	}
	if s == nil {
		if p.syntax == Ignore {
			return nil, 0, errNothing
		}
		return nil, 0, nil
	}
	return s, end + 1, nil
}

// posixClass returns a POSIX class as git defines it, or nil if there is none of that name. Spaces
// do not include vertical tab and form feed.
func posixClass(name string) set {
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

// byteSet returns the bytes of the characters of ranges. A range extends from the last byte of its
// beginning to the first byte of its end.
func byteSet(ranges set) (set, error) {
	var s set
	for _, r := range ranges {
		low, high := string(r.low), string(r.high)
		for _, c := range []byte(low + high) {
			s = append(s, span{rune(c), rune(c)})
		}
		if r.low == r.high {
			continue
		}
		if low[len(low)-1] > high[0] {
			return nil, errors.New("a range in brackets is reversed")
		}
		s = append(s, span{rune(low[len(low)-1]), rune(high[0])})
	}
	return s, nil
}
