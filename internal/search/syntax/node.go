package syntax

import (
	"cmp"
	"slices"
	"unicode"
)

// An Op is the kind of a Node.
type Op uint8

const (
	// Empty matches the empty string.
	Empty Op = iota
	// Class matches one character of a set. With the empty set it matches nothing.
	Class
	// Concat matches its Subs one after another.
	Concat
	// Alternate matches one of its Subs, preferring earlier ones.
	Alternate
	// Repeat matches its only sub between Min and Max times.
	Repeat
	// Assert matches the empty string where its Look holds.
	Assert
)

// A Node is a parsed expression. The parser applies flags and groups to the nodes they affect.
type Node struct {
	Op   Op
	Subs []*Node
	Set  Set // the characters of a Class
	// Min and Max bound a Repeat. A negative Max means no upper bound. Lazy prefers fewer repetitions.
	Min, Max int
	Lazy     bool
	Look     Look // what an Assert requires
	// Group is the number of the capturing group that the node is, from 1, and Name its name, if any.
	Group int
	Name  string
	pos   int // where a Class is in the pattern, for errors
}

// A Look is a condition on a position that depends on the text before and after it.
type Look uint8

const (
	LineStart Look = iota
	LineEnd
	LineEndCRLF // also before a carriage return
	Boundary    // a boundary of words, as are the others
	NotBoundary
	WordStart
	WordEnd
	WordStartHalf // not after a word character
	WordEndHalf
)

// NewConcat returns a node that matches subs one after another.
func NewConcat(subs []*Node) *Node {
	switch len(subs) {
	case 0:
		return &Node{Op: Empty}
	case 1:
		return subs[0]
	}
	return &Node{Op: Concat, Subs: subs}
}

// NewAlternate returns a node that matches one of subs. It is a class if all of them are single
// characters, except that a carriage return remains one, see removeLineEnds.
func NewAlternate(subs []*Node) *Node {
	if len(subs) == 1 {
		return subs[0]
	}
	merged := &Node{Op: Class, pos: subs[0].pos}
	for _, sub := range subs {
		if !sub.Set.single() || sub.Set.Contains('\r') {
			return &Node{Op: Alternate, Subs: subs}
		}
		merged.Set = append(merged.Set, sub.Set...)
	}
	merged.Set = merged.Set.Canonical()
	return merged
}

// NewRepeat returns a node that matches n at least low and at most high times.
func NewRepeat(n *Node, low, high int, lazy bool) *Node {
	switch {
	case high == 0:
		return &Node{Op: Empty}
	case low == 1 && high == 1:
		return n
	}
	return &Node{Op: Repeat, Subs: []*Node{n}, Min: low, Max: high, Lazy: lazy}
}

// removeLineEnds removes the line feed from all classes, because no match contains one. With crlf,
// it also removes the carriage return from classes of several characters. It returns the first
// class that matches only a line feed, if any.
func (n *Node) removeLineEnds(crlf bool) *Node {
	for _, sub := range n.Subs {
		if bad := sub.removeLineEnds(crlf); bad != nil {
			return bad
		}
	}
	switch {
	case n.Set.single() && n.Set.Contains('\n'):
		return n
	case n.Set.single():
		return nil
	}
	n.Set = n.Set.Minus(Set{{'\n', '\n'}})
	if crlf {
		n.Set = n.Set.Minus(Set{{'\r', '\r'}})
	}
	return nil
}

// Nullable reports whether the node can match the empty string.
func (n *Node) Nullable() bool {
	switch n.Op {
	case Class:
		return false
	case Concat:
		return !slices.ContainsFunc(n.Subs, func(s *Node) bool { return !s.Nullable() })
	case Alternate:
		return slices.ContainsFunc(n.Subs, (*Node).Nullable)
	case Repeat:
		return n.Min == 0 || n.Subs[0].Nullable()
	}
	return true
}

// A Range is the characters from Low to High, inclusive.
type Range struct{ Low, High rune }

// A Set is a set of characters: ranges in ascending order with gaps between them.
type Set []Range

// Contains reports whether r is in the set.
func (s Set) Contains(r rune) bool {
	i, _ := slices.BinarySearchFunc(s, r, func(x Range, r rune) int { return cmp.Compare(x.High, r) })
	return i < len(s) && s[i].Low <= r
}

// single reports whether the set has exactly one character.
func (s Set) single() bool { return len(s) == 1 && s[0].Low == s[0].High }

// Canonical sorts the ranges and joins overlapping and adjacent ones. It reuses the memory of s.
func (s Set) Canonical() Set {
	slices.SortFunc(s, func(a, b Range) int { return cmp.Compare(a.Low, b.Low) })
	out := s[:0]
	for _, r := range s {
		if n := len(out); n > 0 && r.Low <= out[n-1].High+1 {
			out[n-1].High = max(out[n-1].High, r.High)
		} else {
			out = append(out, r)
		}
	}
	return out
}

// Negate returns the complement, which is not nil.
func (s Set) Negate() Set {
	out := Set{}
	next := rune(0)
	for _, r := range s {
		if r.Low > next {
			out = append(out, Range{next, r.Low - 1})
		}
		next = r.High + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, Range{next, unicode.MaxRune})
	}
	return out
}

func (s Set) intersect(t Set) Set {
	var out Set
	for i, j := 0, 0; i < len(s) && j < len(t); {
		if low, high := max(s[i].Low, t[j].Low), min(s[i].High, t[j].High); low <= high {
			out = append(out, Range{low, high})
		}
		if s[i].High < t[j].High {
			i++
		} else {
			j++
		}
	}
	return out
}

// Minus returns the characters of s that are not in t.
func (s Set) Minus(t Set) Set { return s.intersect(t.Negate()) }

// Fold adds the characters that simple case folding equates with one in the set.
func (s Set) Fold() Set {
	out := slices.Clone(s)
	if s.Contains('ß') { // whose other case unicode.CaseRanges lacks
		out = append(out, Range{'ẞ', 'ẞ'})
	}
	end := func(c unicode.CaseRange, low rune) int { return cmp.Compare(rune(c.Hi), low) }
	for _, r := range s {
		first, _ := slices.BinarySearchFunc(unicode.CaseRanges, r.Low, end)
		for _, c := range unicode.CaseRanges[first:] {
			if rune(c.Lo) > r.High {
				break
			}
			for x := max(r.Low, rune(c.Lo)); x <= min(r.High, rune(c.Hi)); x++ {
				for f := unicode.SimpleFold(x); f != x; f = unicode.SimpleFold(f) {
					out = append(out, Range{f, f})
				}
			}
		}
	}
	return out.Canonical()
}
