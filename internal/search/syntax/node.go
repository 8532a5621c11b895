package syntax

import (
	"slices"
	"unicode"
)

// An Op is the kind of a Node.
type Op uint8

const (
	// Empty matches the empty string.
	Empty Op = iota
	// Class matches one character or byte of a set. With the empty set it matches nothing.
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

// A Node is a parsed expression. Flags and groups have no nodes: the parser applies them to the
// nodes that they affect.
type Node struct {
	Op   Op
	Subs []*Node
	// Set holds the characters of a Class, or its bytes if Bytes is set.
	Set   Set
	Bytes bool
	// Min and Max bound a Repeat. A negative Max means no upper bound. Lazy prefers fewer repetitions.
	Min, Max int
	Lazy     bool
	// Look is the condition of an Assert.
	Look Look
	// pos is the offset of a Class in the pattern, for errors.
	pos int
}

// A Look is a condition on a position that depends on the text before and after it.
type Look uint8

const (
	// LineStart and LineEnd hold at the ends of a line. With CRLF, a carriage return also ends a line.
	LineStart Look = iota
	LineEnd
	LineStartCRLF
	LineEndCRLF
	// The rest are word boundaries, first for the word characters of Unicode, then of ASCII.
	Boundary
	NotBoundary
	WordStart
	WordEnd
	WordStartHalf
	WordEndHalf
	BoundaryASCII
	NotBoundaryASCII
	WordStartASCII
	WordEndASCII
	WordStartHalfASCII
	WordEndHalfASCII
)

// Unicode reports whether the condition depends on the word characters of Unicode.
func (l Look) Unicode() bool { return l >= Boundary && l < BoundaryASCII }

func concat(subs []*Node) *Node {
	switch len(subs) {
	case 0:
		return &Node{Op: Empty}
	case 1:
		return subs[0]
	}
	return &Node{Op: Concat, Subs: subs}
}

// alternate returns a node that matches one of subs. It is a class if all of them are single
// characters or all are single bytes.
func alternate(subs []*Node) *Node {
	if len(subs) == 1 {
		return subs[0]
	}
	n := &Node{Op: Alternate, Subs: subs}
	merged := &Node{Op: Class, pos: subs[0].pos}
	first := -1 // the first of subs beyond ASCII, where characters and bytes differ
	for i, sub := range subs {
		if !sub.singleton() {
			return n
		}
		merged.Set = append(merged.Set, sub.Set...)
		switch {
		case sub.Set[0].Low <= unicode.MaxASCII:
		case first < 0:
			first, merged.Bytes = i, sub.Bytes
		case sub.Bytes != merged.Bytes:
			return n
		}
	}
	merged.Set = merged.Set.canonical()
	return merged
}

// repeat returns a node that matches n at least low and at most high times.
func repeat(n *Node, low, high int, lazy bool) *Node {
	switch {
	case high == 0:
		return &Node{Op: Empty}
	case low == 1 && high == 1:
		return n
	}
	return &Node{Op: Repeat, Subs: []*Node{n}, Min: low, Max: high, Lazy: lazy}
}

// negate complements the set of a class.
func (n *Node) negate() {
	last := rune(unicode.MaxRune)
	if n.Bytes {
		last = maxByte
	}
	n.Set = n.Set.negate(last)
}

// singleton reports whether the node matches exactly one character or byte.
func (n *Node) singleton() bool {
	return n.Op == Class && len(n.Set) == 1 && n.Set[0].Low == n.Set[0].High
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
	if n.Op != Class {
		return nil
	}
	switch {
	case !n.singleton():
		n.Set = n.Set.minus(Set{{'\n', '\n'}})
		if crlf {
			n.Set = n.Set.minus(Set{{'\r', '\r'}})
		}
	case n.Set.Contains('\n'):
		return n
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
