package literal

import "cmp"

// A Finder finds the literals of a set. It is immutable.
//
// A sampler looks up the block of bytes at every few positions. A needle looks for the rarest byte
// of a single literal. The faster method depends on the frequencies of bytes. A Finder first
// assumes the frequencies of typical text. After too many misses, or none in much text, it measures
// the frequencies in the text.
type Finder struct {
	set    Set
	method *method
}

// A method finds the literals of a set. It is immutable.
type method struct {
	// find returns the start and the end of a literal in the first line with one at or after at. at
	// is the start of a line or a previous result next. find counts resembling texts in misses.
	// Soon after enoughMisses, it returns -1 and the position next to continue at. At the end of
	// the text, next is len(buf).
	find func(buf []byte, at int, misses *int) (start, end, next int)
	// cost is the expected cost in processor cycles per byte, and missCost the cost of a miss.
	cost, missCost float64
}

// newMethod returns the method with the lowest cost.
func newMethod(set Set, f frequency) *method {
	best := newSampler(set, f)
	// A needle finds a rare literal at 21 GB/s, a sampler at 10.
	if len(set.Literals) == 1 && !set.Fold {
		if n := newNeedle(set.Literals[0], f); n.cost < best.cost {
			best = n
		}
	}
	return best
}

// automatonCost is the approximate cost of an automaton.
const automatonCost = 4

const (
	// enoughMisses is the number of misses before a method is assessed.
	enoughMisses = 128
	// enoughBytes is the number of bytes before a method with fewer misses is replaced with one
	// learned from the text.
	enoughBytes = 1 << 20
)

// NewFinder returns a finder for a set, or nil if an automaton is expected to be as fast.
func NewFinder(set Set) *Finder {
	if len(set.Literals) == 0 {
		return nil
	}
	f := &Finder{set: set, method: newMethod(set, usual)}
	if f.method.cost > automatonCost {
		return nil
	}
	return f
}

// A State is the state of a search with a Finder. Its zero value is ready for use.
type State struct {
	method *method // learned from the text, if any
	// misses counts the misses of the current method, covered the bytes that it has searched, and
	// attempts the attempts to learn a method.
	misses, covered, attempts int
}

// Find returns the start and the end of a literal in the first line at or after at that contains
// one, or -1. at is the start of a line. If ok is false, the literals cannot be found quickly in
// this text; the result is unknown.
func (f *Finder) Find(s *State, buf []byte, at int) (start, end int, ok bool) {
	for at < len(buf) {
		m := cmp.Or(s.method, f.method)
		start, end, next := m.find(buf, at, &s.misses)
		if start >= 0 {
			next = end
		}
		s.covered += next - at
		if start >= 0 {
			return start, end, true
		}
		at = next
		if s.misses < enoughMisses {
			if s.method == nil && s.covered > enoughBytes && len(buf)-at >= minSample {
				f.learn(s, buf[at:])
			}
			continue
		}
		// With fewer bytes for each miss, the cost is several times the expected cost.
		tooClose := s.covered < s.misses*int(m.missCost/(0.2+3*m.cost))
		s.misses, s.covered = 0, 0
		if tooClose && !f.learn(s, buf[at:]) {
			return -1, -1, false
		}
	}
	return -1, -1, true
}

// learn makes a method for text similar to buf, and reports whether it is expected to be faster
// than an automaton. Only calls whose number is a power of two make a method.
func (f *Finder) learn(s *State, buf []byte) bool {
	if s.attempts++; s.attempts&(s.attempts-1) != 0 || len(buf) < minSample {
		return false
	}
	s.misses, s.covered = 0, 0
	s.method = newMethod(f.set, learn(buf[:min(len(buf), maxSample)], f.set.Fold))
	return s.method.cost < automatonCost
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
		if b := text[i]; b != literal[i] && (b < 'A' || b > 'Z' || b+'a'-'A' != literal[i]) {
			return false
		}
	}
	return true
}
