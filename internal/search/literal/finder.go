package literal

import (
	"bytes"
	"cmp"
)

// A Finder finds the literals of a set. It is immutable.
//
// A single literal in which case matters is found by one of its bytes: at first by the first one,
// and after many misses by the one that is the rarest in the text. If none of them is rare, all of
// the literal is looked for. Other sets are found by a sampler, which looks up the block of bytes at
// every few positions. It depends on the frequencies of bytes: first of typical text, and after too
// many misses of the text itself.
type Finder struct {
	set     Set
	literal string   // the only one, in which case matters
	sampler *sampler // for typical text, or nil if there is only one literal
}

const (
	automatonCost = 4   // the approximate cost per byte of an automaton, in processor cycles
	enoughMisses  = 128 // before the speed is assessed
)

// NewFinder returns a finder for a set, or nil if an automaton is expected to be as fast.
func NewFinder(set Set) *Finder {
	if len(set.Literals) == 0 {
		return nil
	}
	if len(set.Literals) == 1 && !set.Fold {
		return &Finder{set: set, literal: set.Literals[0]}
	}
	s := newSampler(set, usual{})
	if s.perByte > automatonCost {
		return nil
	}
	return &Finder{set: set, sampler: s}
}

// A State is the state of a search with a Finder. Its zero value is ready for use.
type State struct {
	offset   int      // of the byte by which a single literal is found
	sampler  *sampler // learned from the text, if any
	misses   int      // of the current sampler
	covered  int      // the bytes that it has searched
	attempts int      // to learn a sampler
}

// Find returns the start and the end of a literal in the first line at or after at that contains
// one, or -1. at is the start of a line. If ok is false, the literals cannot be found quickly in
// this text; the result is unknown.
func (f *Finder) Find(s *State, buf []byte, at int) (start, end int, ok bool) {
	if f.sampler == nil {
		start = f.find(s, buf, at)
		return start, start + len(f.literal), true
	}
	begin := at
	for at < len(buf) {
		m := cmp.Or(s.sampler, f.sampler)
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
		if s.sampler != nil && s.sampler != m { // it was learned, and begins with the line
			at = begin + bytes.LastIndexByte(buf[begin:at], '\n') + 1
		}
	}
	return -1, -1, true
}

// assess reports whether the search with a sampler is fast, or can go on with one learned from
// rest.
func (f *Finder) assess(s *State, m *sampler, rest []byte) bool {
	// The number of bytes for each miss at which the cost is about as expected.
	least := int(samplerMissCost / (0.2 + 3*m.perByte))
	isFast := s.covered >= s.misses*least
	s.misses, s.covered = 0, 0
	return isFast || f.learn(s, rest)
}

// learn learns a sampler for text similar to text, and reports whether it is expected to be faster
// than an automaton. If the last one was learned, it returns to the one for typical text: the text
// that it was learned from was unusual. Learning takes long, so only attempts whose number is a
// power of two do it.
func (f *Finder) learn(s *State, text []byte) bool {
	if s.sampler != nil {
		s.sampler = nil
		return false
	}
	s.attempts++
	if s.attempts&(s.attempts-1) != 0 || len(text) < minSample {
		return false
	}
	m := newSampler(f.set, newSample(text, f.set.Fold))
	if m.perByte >= automatonCost {
		return false
	}
	s.sampler = m
	return true
}

// find returns the start of the literal at or after at, or -1.
func (f *Finder) find(s *State, buf []byte, at int) int {
	misses := 0
	for len(buf)-at >= len(f.literal) {
		i := bytes.IndexByte(buf[at+s.offset:], f.literal[s.offset])
		if i < 0 {
			return -1
		}
		at += i
		if begins(buf[at:], f.literal, false) {
			return at
		}
		at++
		misses++
		if misses == enoughMisses {
			misses = 0
			if f.chooseByte(s, buf[at:]) {
				continue
			}
			if i = bytes.Index(buf[at:], []byte(f.literal)); i < 0 {
				return -1
			}
			return at + i
		}
	}
	return -1
}

// chooseByte chooses the byte of the literal that is the rarest in a text, and reports whether
// looking for it is fast, because it is rare enough.
func (f *Finder) chooseByte(s *State, text []byte) bool {
	text = text[:min(len(text), minSample)]
	least := len(text) + 1
	for i := range f.literal {
		if n := bytes.Count(text, []byte{f.literal[i]}); n < least {
			least, s.offset = n, i
		}
	}
	return least <= len(text)/32
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
