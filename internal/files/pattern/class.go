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
var errUnclosed = errors.New(`a "[" has no "]"; write "[[]" for the character`)

// class compiles a class. Only classes of ripgrep and the toolkit match a slash.
func (p *parser) class() error {
	start := p.i
	s, negated, err := p.members()
	if e := p.compiler.spend(p.i - start + 4*len(s)); e != nil {
		return e
	}
	switch {
	case err == errUnclosed && p.syntax == Minimatch:
		p.i = start + 1
		p.literal('[')
		return nil
	case err == errUnclosed && p.syntax != Ripgrep:
		return errNothing
	case err != nil:
		return err
	case len(s) == 0:
		return errNothing
	}
	if !negated {
		s = s.complement()
	}
	if p.syntax != Ripgrep && p.syntax != Toolkit {
		s = append(s, span{'/', '/'})
	}
	if s = s.complement(); len(s) == 0 && p.syntax == Path {
		return errors.New("a class that holds only a slash matches nothing")
	}
	if len(s) == 1 && s[0].low == s[0].high {
		p.emit(s[0].low)
		return nil
	}
	p.emit(opClass - rune(len(p.classes)))
	p.classes = append(p.classes, s)
	return nil
}

// members parses a class.
func (p *parser) members() (s set, negated bool, err error) {
	p.i++
	if c := p.at(0); c == '!' || c == '^' {
		negated = true
		p.i++
	}
	first := p.i // where a bracket does not end the class
	if p.syntax == Path || p.syntax == Toolkit {
		first = -1
	}
	for p.at(0) != ']' || p.i == first {
		if c := p.at(0); c < 0 || c == '/' && p.syntax == Minimatch {
			return s, negated, errUnclosed
		}
		named, err := p.named()
		if err != nil {
			return s, negated, err
		}
		if named != nil {
			s = append(s, named...)
			continue
		}
		low := p.member()
		high := low
		for p.at(0) == '-' && p.at(1) >= 0 && p.at(1) != ']' {
			p.i++
			if named, _ := p.named(); named != nil && p.syntax == Minimatch {
				return s, negated, errNothing
			}
			high = p.member()
			if high < low && (p.syntax == Path || p.syntax == Ripgrep) {
				return s, negated, fmt.Errorf("the range %c-%c is reversed", low, high)
			}
			if p.syntax != Ripgrep { // where [a-b-c] is a-c
				break
			}
		}
		if p.syntax == Minimatch && low == '^' && len(s) == 0 && !negated &&
			(high > low || p.at(0) != ']') { // minimatch reads [\^a] as [^a]
			if negated = true; high > low {
				s = append(s, span{'-', '-'}, span{high, high})
			}
			continue
		}
		if high < low {
			if p.syntax == Minimatch {
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

// member parses a member of a class.
func (p *parser) member() rune {
	if p.at(0) == '\\' && p.at(1) >= 0 && p.syntax != Ripgrep {
		p.i++
	}
	p.i++
	return p.s[p.i-1]
}

// named parses a class such as [:alpha:] in a class, if any. In git's syntax, a class of an unknown
// name matches nothing.
func (p *parser) named() (set, error) {
	if p.syntax != Ignore && p.syntax != Minimatch || p.at(0) != '[' || p.at(1) != ':' {
		return nil, nil
	}
	rest := p.s[p.i:]
	if p.syntax == Minimatch {
		rest = rest[:min(len(rest), len("[:xdigit:]"))]
	}
	end := slices.Index(rest, ']')
	if end < 0 && p.syntax == Ignore {
		return nil, errUnclosed
	}
	if end <= len("[:") || rest[end-1] != ':' {
		return nil, nil
	}
	name := string(rest[len("[:") : end-1])
	if p.syntax == Minimatch && (name == "graph" || name == "print" || name == "punct") {
		problem := "this class is not supported; list the characters"
		return nil, &UnsupportedError{string(rest[:end+1]), problem}
	}
	ranges := p.posixClass(name)
	if ranges == nil && p.syntax == Ignore {
		return nil, errNothing
	}
	if ranges == nil {
		return nil, nil
	}
	p.i += end + 1
	var s set
	for bounds := range slices.Chunk(ranges, 2) {
		s = append(s, span{bounds[0], bounds[1]})
	}
	return s, nil
}

// posixClass returns the bounds of the ranges of a POSIX class, or nil.
func (p *parser) posixClass(name string) []rune {
	classes := []string{
		"alnum=09AZaz", "alpha=AZaz", "blank=\t\t  ", "cntrl=\x00\x1f\x7f\x7f", "digit=09", "graph=!~",
		"lower=az", "print= ~", "punct=!/:@[`{~", "space=\t\n\r\r  ", "upper=AZ", "xdigit=09AFaf",
	}
	if p.syntax == Minimatch {
		classes = append(classes, "ascii=\x00\x7f", "word=09AZ__az")
		classes[9] = "space=\t\r  "
	}
	for _, class := range classes {
		if ranges, ok := strings.CutPrefix(class, name+"="); ok {
			return []rune(ranges)
		}
	}
	return nil
}
