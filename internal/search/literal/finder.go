package literal

import (
	"bytes"
	"cmp"
)

// A Finder finds the literals of a set with a sampler, which looks up the block of bytes at every
// few positions. Which blocks are the best depends on the frequencies of bytes: first of typical
// text, and after too many misses of the text itself. A Finder is immutable.
type Finder struct {
	set     Set
	sampler *sampler
}

const (
	automatonCost = 4   // the approximate cost per byte of an automaton
	enoughMisses  = 128 // before a sampler is assessed
)

// NewFinder returns a finder for a set, or nil if an automaton is expected to be as fast.
func NewFinder(set Set) *Finder {
	if len(set.Literals) == 0 {
		return nil
	}
	typical := newSampler(set, usual{})
	if typical.cost > automatonCost {
		return nil
	}
	return &Finder{set, typical}
}

// A State is the state of a search with a Finder. Its zero value is ready for use.
type State struct {
	learned  *sampler // from the text, if any
	misses   int      // of the current sampler
	covered  int      // the bytes that it has searched
	attempts int      // to learn one
}

// Find returns the start and the end of a literal in the first line at or after at that contains
// one, or -1. at is the start of a line. If ok is false, the literals cannot be found quickly in
// this text; the result is unknown.
func (f *Finder) Find(s *State, buf []byte, at int) (start, end int, ok bool) {
	begin := at
	for at < len(buf) {
		now := cmp.Or(s.learned, f.sampler)
		start, end, next := now.find(buf, at, &s.misses)
		if start >= 0 {
			s.covered += end - at
			return start, end, true
		}
		s.covered += next - at
		at = next
		if s.misses < enoughMisses {
			continue
		}
		if !f.assess(s, now, buf[at:]) {
			return -1, -1, false
		}
		if s.learned != nil && s.learned != now { // it begins with the line
			at = begin + bytes.LastIndexByte(buf[begin:at], '\n') + 1
		}
	}
	return -1, -1, true
}

// assess reports whether the search with a sampler is fast, or can go on with one learned from
// rest.
func (f *Finder) assess(s *State, now *sampler, rest []byte) bool {
	// The number of bytes for each miss at which the cost is about as expected.
	least := int(missCost / (0.2 + 3*now.cost))
	isFast := s.covered >= s.misses*least
	s.misses, s.covered = 0, 0
	return isFast || f.learn(s, rest)
}

// learn learns a sampler for text similar to text, and reports whether it is expected to be faster
// than an automaton. If the last one was learned, it returns to the one for typical text: the text
// that it was learned from was unusual. Learning takes long, so only attempts whose number is a
// power of two do it.
func (f *Finder) learn(s *State, text []byte) bool {
	if s.learned != nil {
		s.learned = nil
		return false
	}
	s.attempts++
	if s.attempts&(s.attempts-1) != 0 || len(text) < minSample {
		return false
	}
	learned := newSampler(f.set, newSample(text, f.set.Fold))
	if learned.cost >= automatonCost {
		return false
	}
	s.learned = learned
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
