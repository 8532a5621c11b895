package literal

import (
	"bytes"
	"cmp"
)

// A Finder finds the literals of a set. It is immutable.
//
// Its method is a sampler, which looks up the block of bytes at every few positions, or a needle,
// which looks for the rarest byte of a single literal. Which is faster depends on the frequencies
// of bytes: first of typical text, and after too many misses of the text itself.
type Finder struct {
	set    Set
	method method
}

// A method finds the literals of a set. It is immutable.
type method interface {
	// find returns the start and the end of a literal in the first line with one at or after at. at
	// is the start of a line or a previous result next of the same method, which can be after the
	// start of a literal that the method is about to find. find counts resembling texts in misses.
	// Soon after enoughMisses, it returns -1 and the position next to continue at. At the end of
	// the text, next is len(buf).
	find(buf []byte, at int, misses *int) (start, end, next int)
	expected() costs
}

// costs are in processor cycles.
type costs struct{ perByte, perMiss float64 }

func (c costs) expected() costs { return c }

const (
	automatonCost = 4   // the approximate cost per byte of an automaton
	enoughMisses  = 128 // before a method is assessed
)

// newMethod returns the best method for text with the frequencies.
func newMethod(set Set, f frequencies) method {
	s := newSampler(set, f)
	if len(set.Literals) == 1 && !set.Fold {
		if n := newNeedle(set.Literals[0], f); n.perByte < s.perByte {
			return n
		}
	}
	return s
}

// NewFinder returns a finder for a set, or nil if an automaton is expected to be as fast.
func NewFinder(set Set) *Finder {
	if len(set.Literals) == 0 {
		return nil
	}
	m := newMethod(set, usual{})
	if m.expected().perByte > automatonCost {
		return nil
	}
	return &Finder{set: set, method: m}
}

// A State is the state of a search with a Finder. Its zero value is ready for use.
type State struct {
	method   method // learned from the text, if any
	misses   int    // of the current method
	covered  int    // the bytes that it has searched
	attempts int    // to learn a method
}

// Find returns the start and the end of a literal in the first line at or after at that contains
// one, or -1. at is the start of a line. If ok is false, the literals cannot be found quickly in
// this text; the result is unknown.
func (f *Finder) Find(s *State, buf []byte, at int) (start, end int, ok bool) {
	begin := at
	for at < len(buf) {
		m := cmp.Or(s.method, f.method)
		start, end, next := m.find(buf, at, &s.misses)
		if start >= 0 {
			s.covered += end - at
			return start, end, true
		}
		s.covered += next - at
		at = next
		if s.misses < enoughMisses {
			continue
		}
		if !f.assess(s, m, buf[at:]) {
			return -1, -1, false
		}
		if s.method != nil && s.method != m { // it was learned, and begins with the line
			at = begin + bytes.LastIndexByte(buf[begin:at], '\n') + 1
		}
	}
	return -1, -1, true
}

// assess reports whether the search with a method is fast, or can go on with one learned from rest.
func (f *Finder) assess(s *State, m method, rest []byte) bool {
	c := m.expected()
	// The number of bytes for each miss at which the cost is about as expected.
	least := int(c.perMiss / (0.2 + 3*c.perByte))
	isFast := s.covered >= s.misses*least
	s.misses, s.covered = 0, 0
	return isFast || f.learn(s, rest)
}

// learn learns a method for text similar to text, and reports whether it is expected to be faster
// than an automaton. If the last method was learned, it returns to the one for typical text: the
// text that it was learned from was unusual. Learning takes long, so only attempts whose number is
// a power of two do it.
func (f *Finder) learn(s *State, text []byte) bool {
	if s.method != nil {
		s.method = nil
		return false
	}
	s.attempts++
	if s.attempts&(s.attempts-1) != 0 || len(text) < minSample {
		return false
	}
	m := newMethod(f.set, newSample(text, f.set.Fold))
	if m.expected().perByte >= automatonCost {
		return false
	}
	s.method = m
	return true
}

// begins reports whether text begins with a literal. With fold, it ignores the case of ASCII
// letters, which are lower case in the literal.
func begins(text []byte, literal string, fold bool) bool {
	if len(text) < len(literal) {
		return false
	}
	if !fold {
		return string(text[:len(literal)]) == literal
	}
	for i := range len(literal) {
		if lower(text[i]) != literal[i] {
			return false
		}
	}
	return true
}

// lower returns a letter of ASCII in lower case, and any other byte unchanged.
func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

// A needle looks for one literal by its rarest byte, with the vector instructions of the bytes
// package.
type needle struct {
	literal string
	offset  int // where the byte is in the literal
	costs
}

const (
	needleCost     = 0.04 // per byte, without misses
	needleMissCost = 20
)

func newNeedle(literal string, f frequencies) *needle {
	n := &needle{literal, 0, costs{needleCost + needleMissCost, needleMissCost}}
	for offset := range len(literal) {
		cost := needleCost + needleMissCost*f.of(literal[offset:offset+1])
		if cost < n.perByte {
			n.offset, n.perByte = offset, cost
		}
	}
	return n
}

func (n *needle) find(buf []byte, at int, misses *int) (start, end, next int) {
	b, size := n.literal[n.offset], len(n.literal)
	for *misses < enoughMisses {
		if len(buf)-at < size {
			return -1, -1, len(buf)
		}
		i := bytes.IndexByte(buf[at+n.offset:], b)
		if i < 0 {
			return -1, -1, len(buf)
		}
		at += i
		if begins(buf[at:], n.literal, false) {
			return at, at + size, 0
		}
		*misses++
		at++
	}
	return -1, -1, min(at, len(buf))
}
