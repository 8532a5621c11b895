package literal

import "bytes"

// A Finder finds the literals of a set. It is immutable.
//
// It has up to two methods: needles look for the rarest byte of each literal, a sampler for blocks of bytes at every few positions. It
// takes the one that is expected to be the faster, and the other where the text is not as expected.
type Finder struct {
	methods []method
	// tooClose is for each method how many bytes there should be for each miss, or else the next is faster.
	tooClose []int
}

// A method finds the literals of a set.
type method interface {
	// find returns the start and the end of a literal in the first line from at on that contains one. at is the start of a line, or what
	// find has returned as next. It counts where it seemed to find a literal and did not. Soon after it has counted up to
	// enoughMisses, it returns -1 and where to go on; at the end of the text, that is the end.
	find(buf []byte, at int, misses *int) (start, end, next int)
}

// automatonCost is about what an automaton costs, in processor cycles per byte, as all costs are.
const automatonCost = 4

// NewFinder returns a finder for a set, or nil if looking for its literals is not faster than an automaton.
func NewFinder(set Set) *Finder {
	if len(set.Literals) == 0 {
		return nil
	}
	n, s := newNeedles(set.Literals), newSampler(set.Literals)
	switch {
	case min(n.cost, s.cost) > automatonCost:
		return nil
	case s.cost > automatonCost:
		return &Finder{[]method{n}, []int{needleMissCost / automatonCost}}
	case n.cost > automatonCost:
		return &Finder{[]method{s}, []int{samplerMissCost / automatonCost}}
	case n.cost < s.cost:
		return &Finder{[]method{n, s}, []int{int(needleMissCost / s.cost), samplerMissCost / automatonCost}}
	default:
		return &Finder{[]method{s, n}, []int{int(samplerMissCost / n.cost), needleMissCost / automatonCost}}
	}
}

// A Cursor is the mutable state of looking with a Finder. Its zero value is ready for use.
type Cursor struct {
	// misses counts the misses of the method, covered the bytes that were searched meanwhile.
	misses, covered int
	// method is the index of the method in use. If it is not the first, detour is how many bytes it is still to be used for.
	method, detour int
}

const (
	// enoughMisses is how many misses say something.
	enoughMisses = 128
	// detour is how many bytes are searched with another method before the first gets another chance.
	detour = 256 << 10
)

// Find returns the start and the end of a literal in the first line from at on that contains one, or -1. at is the start of a line. It
// reports false if its literals cannot be found quickly in this text; then it has not looked for them from at on.
func (f *Finder) Find(c *Cursor, buf []byte, at int) (start, end int, ok bool) {
	for at < len(buf) {
		start, end, next := f.methods[c.method].find(buf, at, &c.misses)
		if start >= 0 {
			next = end
		}
		c.covered += next - at
		if c.detour > 0 {
			if c.detour -= next - at; c.detour <= 0 {
				*c = Cursor{}
			}
		}
		if start >= 0 {
			return start, end, true
		}
		if c.misses >= enoughMisses {
			if c.covered < c.misses*f.tooClose[c.method] {
				if c.method++; c.method == len(f.methods) {
					*c = Cursor{}
					return -1, -1, false
				}
				c.detour = detour
			}
			c.misses, c.covered = 0, 0
		}
		at = next
	}
	return -1, -1, true
}

// needles are bytes to look for one by one: the rarest of each literal, in both cases if need be.
type needles struct {
	needles []needle
	cost    float64
}

// A needle is a byte at an offset in a literal.
type needle struct {
	b       byte
	offset  int
	literal *Literal
}

const (
	// firstWindow and lastWindow are how many bytes are searched for one needle before the next.
	firstWindow, lastWindow = 256, 16 << 10
	// needleCost is the cost of looking for a needle, needleMissCost that of a miss.
	needleCost     = 0.04
	needleMissCost = 20
)

// newNeedles returns the needles of literals.
func newNeedles(literals []Literal) *needles {
	n := &needles{}
	for i := range literals {
		l := &literals[i]
		best, lowest := 0, 0.0
		for offset := range len(l.Text) {
			c := needleCost + needleMissCost*frequency(l.Text[offset:offset+1])
			if l.Fold && isLetter(l.Text[offset]) {
				c += needleCost + needleMissCost*frequency(string(l.Text[offset]^0x20))
			}
			if offset == 0 || c < lowest {
				best, lowest = offset, c
			}
		}
		n.cost += lowest
		b := l.Text[best]
		n.needles = append(n.needles, needle{b, best, l})
		if l.Fold && isLetter(b) {
			n.needles = append(n.needles, needle{b ^ 0x20, best, l})
		}
	}
	return n
}

func (n *needles) find(buf []byte, at int, misses *int) (start, end, next int) {
	for window := firstWindow; at < len(buf) && *misses < enoughMisses; window = min(2*window, lastWindow) {
		limit := min(at+window, len(buf))
		var found *Literal
		for i := range n.needles {
			if start := n.needles[i].find(buf, at, limit, misses); start >= 0 {
				limit, found = start, n.needles[i].literal
			}
		}
		if found != nil {
			return limit, limit + len(found.Text), 0
		}
		at = limit
	}
	return -1, -1, at
}

// find returns where the literal of a needle begins first between at and limit, or -1.
func (n *needle) find(buf []byte, at, limit int, misses *int) int {
	for at < limit {
		end := min(limit+n.offset, len(buf))
		if at+n.offset >= end {
			return -1
		}
		i := bytes.IndexByte(buf[at+n.offset:end], n.b)
		if i < 0 {
			return -1
		}
		if at += i; n.literal.matches(buf[at:]) {
			return at
		}
		*misses++
		at++
	}
	return -1
}

// matches reports whether the literal is at the beginning of text.
func (l *Literal) matches(text []byte) bool {
	if len(text) < len(l.Text) {
		return false
	}
	if !l.Fold {
		return string(text[:len(l.Text)]) == l.Text
	}
	for i := range len(l.Text) {
		if b := text[i]; b != l.Text[i] && (b < 'A' || b > 'Z' || b+'a'-'A' != l.Text[i]) {
			return false
		}
	}
	return true
}
