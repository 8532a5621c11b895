package literal

import (
	"bytes"
	"cmp"
	"math"
)

// A Finder finds the literals of a set. It is immutable.
//
// A sampler looks up the block of bytes at every few positions, a needle the rarest byte of a single
// literal. Which is faster depends on the frequencies of bytes: first of typical text, and
// after too many misses of the text itself.
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

const enoughMisses = 128 // before a method is assessed

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
// than an automaton. If the last method was learned, it returns to the one for typical text: the
// text that it was learned from was unusual. Only attempts whose number is a power of two make a
// method.
func (f *Finder) learn(s *State, buf []byte) bool {
	if s.method != nil {
		s.method = nil
		return false
	}
	s.attempts++
	if s.attempts&(s.attempts-1) != 0 || len(buf) < minSample {
		return false
	}
	m := newMethod(f.set, learn(buf[:min(len(buf), maxSample)], f.set.Fold))
	if m.cost >= automatonCost {
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
		b := text[i]
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		if b != literal[i] {
			return false
		}
	}
	return true
}

// A needle looks for one literal by its rarest byte, with the vector instructions of the bytes
// package.
type needle struct {
	literal string
	offset  int // where the byte is in the literal
}

const (
	needleCost     = 0.04 // for each byte of text
	needleMissCost = 20
)

func newNeedle(literal string, f frequency) *method {
	n, cost := &needle{literal: literal}, needleCost+needleMissCost
	for offset := range len(literal) {
		if c := needleCost + needleMissCost*f(literal[offset:offset+1]); c < cost {
			n.offset, cost = offset, c
		}
	}
	return &method{n.find, cost, needleMissCost}
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

// A frequency estimates the number of occurrences of one to four bytes per byte of text.
type frequency func(text string) float64

// rarities holds '0' plus the rarity of the characters of ASCII from the space on.
const rarities = `3:7::::8778:666766677777776::7:::898989::8<;9999` +
	`8;8889::;;<::::6:5765466659856556:55467877:8:8:`

// rarity returns the rarity of a byte in source code and logs. About one byte in 2 to the power of
// rarity(b) is b.
func rarity(b byte) int {
	switch i := int(b) - ' '; {
	case b == '\n':
		return 5
	case b == '\t':
		return 6
	case i >= 0 && i < len(rarities):
		return int(rarities[i] - '0')
	case 0x80 <= b && b < 0xC0: // common where text is not English
		return 8
	case 0xC2 <= b && b <= 0xF4:
		return 9
	}
	return 15
}

// usual estimates frequencies in source code and logs. Neighboring bytes often occur together, so a
// text is more frequent than the product of the frequencies of its bytes.
func usual(text string) float64 {
	sum := 0
	for i := range len(text) {
		sum += rarity(text[i])
	}
	if len(text) > 1 {
		sum = sum * 4 / 5
	}
	return math.Exp2(-float64(sum))
}

const minSample, maxSample = 4 << 10, math.MaxUint16

// learn estimates frequencies from the pairs of bytes in a sample of at most maxSample bytes,
// regardless of case if fold is set.
func learn(sample []byte, fold bool) frequency {
	var single [256]uint16
	pairs := make([]uint16, 1<<16)
	last := byte('\n')
	for _, b := range sample {
		if fold && 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		single[b]++
		pairs[int(last)<<8|int(b)]++
		last = b
	}
	return func(text string) float64 {
		f := (float64(single[text[0]]) + 0.5) / float64(len(sample))
		for i := 1; i < len(text); i++ {
			pair := pairs[int(text[i-1])<<8|int(text[i])]
			f *= (float64(pair) + 0.5) / (float64(single[text[i-1]]) + 0.5)
		}
		return f
	}
}
