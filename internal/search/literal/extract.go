// Package literal finds the text that every match of a pattern must contain.
//
// [Extract] derives a set of literals from a pattern. Every match contains at least one of them. A
// [Finder] finds the next one at several gigabytes per second, so the slower automaton searches
// only lines that contain one.
package literal

import (
	"slices"
	"unicode"

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
	Literals []string
	Fold     bool // ASCII letters of the literals are lower case and match both cases
	Exact    bool // every line that contains a literal matches
}

// A list is a list of strings, preferred ones first. It is unknown if there are too many.
type list struct {
	texts []string // nil if unknown
	fold  bool     // there is a letter, in lower case, that matches both cases
	cased bool     // there is a letter that does not
}

// An info describes the strings that a node matches.
type info struct {
	all         list // all the strings
	some        list // if known, each string contains one of them, so none is empty
	conditional bool // a match also depends on a condition
}

func (l list) known() bool { return l.texts != nil }

func nothing() list { return list{texts: []string{""}} }

// Extract returns the set of literals that restricts a search the most. It is empty if no literals
// are required.
func Extract(n *syntax.Node) Set {
	pattern := analyze(n)
	best, whole := pattern.required()
	if best.score() == 0 {
		return Set{}
	}
	if best.fold {
		for i, text := range best.texts {
			best.texts[i] = lowered(text)
		}
	}
	isLooser := best.fold && best.cased // than the pattern, in which the case of some letters matters
	isExact := whole && !pattern.conditional
	return Set{Literals: best.texts, Fold: best.fold, Exact: isExact && !isLooser}
}

// lowered returns text with ASCII letters in lower case.
func lowered(text string) string {
	out := []byte(text)
	for i, b := range out {
		out[i] = lower(b)
	}
	return string(out)
}

// required returns the better of all and some, and reports whether it is all.
func (i info) required() (l list, whole bool) {
	if i.all.score() >= i.some.score() {
		return i.all, i.all.known()
	}
	return i.some, false
}

func analyze(n *syntax.Node) info {
	switch n.Op {
	case syntax.Class:
		return info{all: characters(n)}
	case syntax.Concat:
		return concat(parts(n.Subs))
	case syntax.Repeat:
		return concat(parts([]*syntax.Node{n}))
	case syntax.Alternate:
		return alternate(n.Subs)
	}
	return info{all: nothing(), conditional: n.Op == syntax.Assert}
}

// characters returns the characters of a class, unless they exceed maxClass.
func characters(n *syntax.Node) list {
	count := 0
	for _, r := range n.Set {
		count += int(r.High-r.Low) + 1
		if count > maxClass {
			return list{}
		}
	}
	var l list
	for _, r := range n.Set {
		for c := r.Low; c <= r.High; c++ {
			letter := c <= unicode.MaxASCII && unicode.IsLetter(c)
			other := c ^ 0x20 // the other case of a letter
			switch {
			case letter && n.Set.Contains(other):
				l.fold = true
				if c < other {
					continue
				}
			case letter:
				l.cased = true
			}
			l.texts = append(l.texts, string(c))
		}
	}
	return l
}

func concat(parts []info) info {
	out := info{all: nothing()}
	run := nothing() // the strings of the last parts
	for _, i := range parts {
		out.conditional = out.conditional || i.conditional
		if joined := run.product(i.all); joined.known() {
			run = joined
			continue
		}
		out.all = list{}
		out.some = better(better(out.some, run), i.some)
		run = nothing()
		if i.all.known() {
			run = i.all
		}
	}
	if out.all.known() {
		out.all = run
	} else {
		out.some = better(out.some, run)
	}
	return out
}

func alternate(subs []*syntax.Node) info {
	var out info
	for n, sub := range subs {
		i := analyze(sub)
		out.conditional = out.conditional || i.conditional
		required, _ := i.required()
		if required.score() == 0 {
			required = list{}
		}
		if n == 0 {
			out.all, out.some = i.all, required
			continue
		}
		out.all, out.some = out.all.union(i.all), out.some.union(required)
	}
	return out
}

// parts describes the parts of a concatenation. A repetition becomes its required repetitions,
// followed by an optional part.
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
		isOptional := n.Max == 1 && required == 0
		canBeEmpty := i.all.known() && len(i.all.texts) < maxProduct // without too many texts
		switch {
		case isOptional && canBeEmpty:
			all := list{append([]string{""}, i.all.texts...), i.all.fold, i.all.cased}
			out = append(out, info{all: all, conditional: i.conditional})
		case n.Max != required:
			out = append(out, info{conditional: i.conditional})
		}
	}
	return out
}

func (l list) union(m list) list {
	if !l.known() || !m.known() || len(l.texts)+len(m.texts) > maxSet {
		return list{}
	}
	return list{slices.Concat(l.texts, m.texts), l.fold || m.fold, l.cased || m.cased}
}

// product returns each string of l followed by each of m, unknown if they are too many or too long.
func (l list) product(m list) list {
	a, b := len(l.texts), len(m.texts)
	if !l.known() || !m.known() {
		return list{}
	}
	grows := a > 1 && b > 1
	if grows && a*b > maxProduct {
		return list{}
	}
	out := list{make([]string, 0, a*b), l.fold || m.fold, l.cased || m.cased}
	for _, x := range l.texts {
		for _, y := range m.texts {
			if len(x)+len(y) > maxLength {
				return list{}
			}
			out.texts = append(out.texts, x+y)
		}
	}
	return out
}

func better(a, b list) list {
	if b.score() > a.score() {
		return b
	}
	return a
}

// score returns how much a set of literals restricts a search, or 0 if it does not.
func (l list) score() int {
	worst := 0
	for i, text := range l.texts {
		s := 0
		for _, b := range []byte(text) {
			s += rarity(b)
		}
		if i == 0 || s < worst {
			worst = s
		}
	}
	return max(0, worst*8/(7+len(l.texts)))
}
