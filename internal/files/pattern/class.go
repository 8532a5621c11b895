package pattern

import (
	"cmp"
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"

	"gander/internal/files/text"
)

// A span is a range of units.
type span struct{ low, high rune }

// A set is a set of units. Before it is used to match, it is sorted and has no overlaps.
type set []span

// complement returns the units that are not in the set, in ascending order.
func (s set) complement() set {
	slices.SortFunc(s, func(a, b span) int { return cmp.Compare(a.low, b.low) })
	var out set
	next := rune(0)
	for _, r := range append(s, span{maxUnit + 1, maxUnit + 1}) {
		if next < r.low && r.low <= r.high {
			out = append(out, span{next, r.low - 1})
		}
		next = max(next, r.high+1)
	}
	return out
}

// contains reports whether a sorted set contains c.
func (s set) contains(c rune) bool {
	i, _ := slices.BinarySearchFunc(s, c, func(r span, c rune) int { return cmp.Compare(r.high, c) })
	return i < len(s) && s[i].low <= c
}

// errUnclosed reports a class without an end.
var errUnclosed = errors.New("the class has no end")

func (p *parser) class() error {
	start := p.i
	s, negated, err := p.members()
	if e := p.compiler.spend(p.i - start + 4*len(s)); e != nil {
		return e
	}
	switch {
	case err == errUnclosed && p.malformed == nil:
		p.i = start + 1
		p.literal('[')
		return nil
	case err == errUnclosed, err == nil && len(s) == 0:
		return cmp.Or(p.malformed, errNothing)
	case err != nil:
		return err
	}
	if !negated {
		s = s.complement()
	}
	if !p.slashes {
		s = append(s, span{'/', '/'})
	}
	s = s.complement()
	if len(s) == 0 {
		return cmp.Or(p.malformed, errNothing)
	}
	p.emit(opClass - rune(len(p.classes)))
	p.classes = append(p.classes, s)
	return nil
}

// members parses a class. The expander, which splits no class, looks for its end, too: see
// [expander.class].
func (p *parser) members() (s set, negated bool, err error) {
	p.i++
	if c := p.at(0); c == '!' || c == '^' {
		negated = true
		p.i++
	}
	for first := p.i; p.at(0) != ']' || p.i == first && !p.closes; {
		if c := p.at(0); c < 0 || c == '/' && p.slashEnds {
			return s, negated, errUnclosed
		}
		named, err := p.namedClass()
		if err != nil {
			return s, negated, err
		}
		if named != nil {
			s = append(s, named...)
			continue
		}
		low := p.member()
		isQuotedCaret := low == '^' && p.i == first+2
		if isQuotedCaret && p.quotedCaret != nil {
			return s, negated, p.quotedCaret
		}
		high := low
		for p.at(0) == '-' && p.at(1) >= 0 && p.at(1) != ']' {
			p.i++
			high = p.member()
			if high < low && p.reversed == reversedIsError {
				return s, negated, fmt.Errorf("the range %c-%c is reversed", low, high)
			}
			if !p.rawClass { // where [a-b-c] is a-c
				break
			}
		}
		if high < low {
			if p.reversed == reversedIsNothing {
				continue
			}
			high = low
		}
		s = append(s, span{low, high})
		for c := low; p.fold && c <= min(high, 0x1ffff); c++ {
			if f := text.FoldRune(c); f != c {
				s = append(s, span{f, f})
			}
		}
	}
	p.i++
	return s, negated, nil
}

func (p *parser) member() rune {
	if p.at(0) == '\\' && p.at(1) >= 0 && !p.rawClass {
		p.i++
	}
	p.i++
	return p.s[p.i-1]
}

// namedClass parses a class such as [:alpha:] in a class, if any. In git's syntax, a class of an
// unknown name matches nothing.
func (p *parser) namedClass() (set, error) {
	if !p.named || p.at(0) != '[' || p.at(1) != ':' {
		return nil, nil
	}
	rest := p.s[p.i:]
	end := slices.Index(rest, ']')
	if err := p.compiler.spend(max(end, 0)); err != nil {
		return nil, err
	}
	if end < 0 {
		p.i = len(p.s)
		return nil, errUnclosed
	}
	if end <= len("[:") || rest[end-1] != ':' {
		return nil, nil
	}
	name := string(rest[:end+1])
	class, err := syntax.Parse("["+name+"]", 0)
	unknown := err != nil || name[len("[:")] == '^'
	if unknown || slices.Contains(p.otherNames, name) {
		if p.unknownName != nil {
			return nil, p.unknownName
		}
		return nil, &UnsupportedError{name, "this class is not supported; list the characters"}
	}
	p.i += end + 1
	if p.git && name == "[:space:]" { // without the vertical tab and the form feed
		return set{{'\t', '\n'}, {'\r', '\r'}, {' ', ' '}}, nil
	}
	var s set
	for bounds := range slices.Chunk(class.Rune, 2) {
		s = append(s, span{bounds[0], bounds[1]})
	}
	return s, nil
}
