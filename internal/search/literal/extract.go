// Package literal finds the text that every match of a pattern must contain.
//
// [Extract] derives a set of literals from a pattern. Every match contains at least one of them. A
// [Finder] finds the next one at several gigabytes per second, so the slower automaton searches
// only lines that contain one.
package literal

import (
	"slices"
	"unicode/utf8"

	"gander/internal/search/syntax"
)

const (
	maxSet     = 128 // literals in a set
	maxProduct = 16  // literals in the concatenation of two sets
	maxLength  = 64  // bytes in a literal
	maxClass   = 4   // characters of a class that each become a literal
)

// A Set holds literals. Every match of the pattern contains at least one.
type Set struct {
	Literals []Literal
	Exact    bool // every line that contains a literal matches
}

// A Literal is text. With Fold, its ASCII letters are lower case and match both cases.
type Literal struct {
	Text string
	Fold bool
}

// A unit is a byte of an incomplete literal. With the bit folded, it is a letter that matches both
// cases.
type unit uint16

const folded unit = 1 << 8

// An info describes the strings that a node matches.
type info struct {
	all         [][]unit // all the strings, preferred ones first, or nil if there are too many
	some        [][]unit // if not nil, each string contains one of them
	conditional bool     // a match also depends on a condition
}

// Extract returns the set of literals that restricts a search the most. It is empty if no literals
// are required.
func Extract(n *syntax.Node) Set {
	i := analyze(n)
	best, whole := i.required()
	if score(best) == 0 {
		return Set{}
	}
	s := Set{Exact: whole && !i.conditional}
	for _, units := range best {
		l := Literal{}
		for _, u := range units {
			l.Fold = l.Fold || u&folded != 0
		}
		text := make([]byte, len(units))
		for i, u := range units {
			text[i] = byte(u)
			if l.Fold && 'A' <= text[i] && text[i] <= 'Z' {
				text[i] += 'a' - 'A'
			}
			if l.Fold && u&folded == 0 && isLetter(byte(u)) {
				s.Exact = false // the other case of the letter does not match
			}
		}
		l.Text = string(text)
		s.Literals = append(s.Literals, l)
	}
	return s
}

// required returns the better of all and some, and reports whether it is all.
func (i info) required() (set [][]unit, whole bool) {
	if score(i.all) >= score(i.some) {
		return i.all, i.all != nil
	}
	return i.some, false
}

func analyze(n *syntax.Node) info {
	switch n.Op {
	case syntax.Class:
		return info{all: classUnits(n)}
	case syntax.Concat:
		return concat(parts(n.Subs))
	case syntax.Repeat:
		return concat(parts([]*syntax.Node{n}))
	case syntax.Alternate:
		return alternate(n.Subs)
	}
	return info{all: [][]unit{{}}, conditional: n.Op == syntax.Assert}
}

// classUnits returns the characters of a class, or nil if they exceed maxClass.
func classUnits(n *syntax.Node) [][]unit {
	count := 0
	for _, r := range n.Set {
		if count += int(r.High-r.Low) + 1; count > maxClass {
			return nil
		}
	}
	var all [][]unit
	for _, r := range n.Set {
		for c := r.Low; c <= r.High; c++ {
			other := c ^ 0x20 // the other case of c, if c is an ASCII letter
			bothCases := c < utf8.RuneSelf && isLetter(byte(c)) && n.Set.Contains(other)
			switch {
			case bothCases && c > other:
				all = append(all, []unit{folded | unit(c)})
			case bothCases:
			case n.Bytes:
				all = append(all, []unit{unit(c)})
			default:
				var units []unit
				for _, b := range utf8.AppendRune(nil, c) {
					units = append(units, unit(b))
				}
				all = append(all, units)
			}
		}
	}
	return all
}

// concat describes the strings of parts one after another.
func concat(parts []info) info {
	out := info{all: [][]unit{{}}}
	run := [][]unit{{}} // the strings of the last parts
	for _, i := range parts {
		out.conditional = out.conditional || i.conditional
		if joined := product(run, i.all); joined != nil {
			run = joined
			continue
		}
		out.all = nil
		out.some = better(better(out.some, run), i.some)
		run = [][]unit{{}}
		if i.all != nil {
			run = i.all
		}
	}
	if out.all != nil {
		out.all = run
	} else {
		out.some = better(out.some, run)
	}
	return out
}

// alternate describes the strings of alternatives.
func alternate(subs []*syntax.Node) info {
	out := info{all: [][]unit{}, some: [][]unit{}}
	for _, sub := range subs {
		i := analyze(sub)
		out.conditional = out.conditional || i.conditional
		if out.all != nil && i.all != nil && len(out.all)+len(i.all) <= maxSet {
			out.all = append(out.all, i.all...)
		} else {
			out.all = nil
		}
		required, _ := i.required()
		if out.some != nil && score(required) > 0 && len(out.some)+len(required) <= maxSet {
			out.some = append(out.some, required...)
		} else {
			out.some = nil
		}
	}
	return out
}

// parts returns what the parts of a concatenation match. A repetition becomes its required
// repetitions, followed by an optional part.
func parts(subs []*syntax.Node) []info {
	var out []info
	for _, n := range subs {
		if n.Op != syntax.Repeat {
			out = append(out, analyze(n))
			continue
		}
		i := analyze(n.Subs[0])
		required := min(n.Min, maxLength)
		out = append(out, slices.Repeat([]info{i}, required)...)
		switch {
		case n.Max == 1 && required == 0 && i.all != nil && len(i.all) < maxProduct:
			i.all = append([][]unit{{}}, i.all...)
			out = append(out, i)
		case n.Max != required:
			out = append(out, info{conditional: i.conditional})
		}
	}
	return out
}

// product returns each string of a followed by each of b, or nil if they are too many or too long.
func product(a, b [][]unit) [][]unit {
	if a == nil || b == nil || len(a)*len(b) > maxProduct && len(a) > 1 && len(b) > 1 {
		return nil
	}
	out := make([][]unit, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			if len(x)+len(y) > maxLength {
				return nil
			}
			out = append(out, slices.Concat(x, y))
		}
	}
	return out
}

func better(a, b [][]unit) [][]unit {
	if score(b) > score(a) {
		return b
	}
	return a
}

// score returns how much a set of literals restricts a search, or 0 if it does not.
func score(set [][]unit) int {
	worst := 0
	for i, units := range set {
		s := 0
		for _, u := range units {
			s += rarity(byte(u))
		}
		if i == 0 || s < worst {
			worst = s
		}
	}
	return max(0, worst*8/(7+len(set)))
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
