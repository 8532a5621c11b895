package literal

import "bytes"

// A Finder finds the literals of a set. It is immutable.
//
// There are two methods: needles look for the rarest byte of each literal, and a sampler looks up the block of bytes at every few
// positions. Which method is faster, and with which bytes, depends on the frequencies of bytes. At first a Finder assumes the
// frequencies of typical text. If it then finds too many or too few misses, it measures the frequencies in the text.
type Finder struct {
	literals []Literal
	fold     bool
	plan     plan
}

// A plan is a method with its expected cost.
type plan struct {
	method method
	// cost is the expected cost in processor cycles per byte, the unit of all costs here.
	cost float64
	// tooClose is the least number of bytes for each miss. With fewer, the cost is several times as high as expected.
	tooClose int
}

// A method finds the literals of a set.
type method interface {
	// find returns the start and the end of a literal in the first line at or after at that contains one. at is the start of a line or
	// a result next of an earlier call. find adds to misses how often a text looked like a literal and was none. Soon after there
	// are enoughMisses, it returns -1 and the position next at which to continue. At the end of the text, next is len(buf).
	find(buf []byte, at int, misses *int) (start, end, next int)
}

// automatonCost is the approximate cost of an automaton.
const automatonCost = 4

const (
	// enoughMisses is the number of misses after which a plan is judged.
	enoughMisses = 128
	// enoughBytes is the number of bytes after which a plan with fewer misses is replaced by one learned from the text.
	enoughBytes = 1 << 20
)

// NewFinder returns a finder for a set, or nil if finding its literals is not expected to be faster than an automaton.
func NewFinder(set Set) *Finder {
	if len(set.Literals) == 0 {
		return nil
	}
	f := &Finder{literals: set.Literals, plan: newPlan(set.Literals, usual)}
	for _, l := range f.literals {
		f.fold = f.fold || l.Fold
	}
	if f.plan.cost > automatonCost {
		return nil
	}
	return f
}

// newPlan returns the plan with the lowest cost.
func newPlan(literals []Literal, f frequency) plan {
	n, s := newNeedles(literals, f), newSampler(literals, f)
	if n.cost < s.cost {
		return plan{n, n.cost, int(needleMissCost / (0.2 + 3*n.cost))}
	}
	return plan{s, s.cost, int(samplerMissCost / (0.2 + 3*s.cost))}
}

// A Cursor is the mutable state of a search with a Finder. Its zero value is ready for use.
type Cursor struct {
	// plan is the plan learned from the text. It has no method if nothing has been learned.
	plan plan
	// misses counts the misses of the current plan, and covered the bytes that it has searched.
	misses, covered int
	// attempts counts the attempts to learn a plan.
	attempts int
}

// Find returns the start and the end of a literal in the first line at or after at that contains one, or -1. at is the start of a
// line. If ok is false, the literals cannot be found quickly in this text, and there may be some at or after at.
func (f *Finder) Find(c *Cursor, buf []byte, at int) (start, end int, ok bool) {
	for at < len(buf) {
		p := &c.plan
		if p.method == nil {
			p = &f.plan
		}
		start, end, next := p.method.find(buf, at, &c.misses)
		if start >= 0 {
			next = end
		}
		c.covered += next - at
		if start >= 0 {
			return start, end, true
		}
		at = next
		if c.misses < enoughMisses {
			if c.plan.method == nil && c.covered > enoughBytes && len(buf)-at >= minSample {
				f.learn(c, buf[at:])
			}
			continue
		}
		tooClose := c.covered < c.misses*p.tooClose
		c.misses, c.covered = 0, 0
		if tooClose && !f.learn(c, buf[at:]) {
			return -1, -1, false
		}
	}
	return -1, -1, true
}

// learn makes another plan for text like that in buf, and reports whether it is expected to be faster than an automaton. Of its
// calls, only those whose number is a power of two make a plan.
func (f *Finder) learn(c *Cursor, buf []byte) bool {
	if c.attempts++; c.attempts&(c.attempts-1) != 0 || len(buf) < minSample {
		return false
	}
	c.misses, c.covered = 0, 0
	c.plan = newPlan(f.literals, learn(buf[:min(len(buf), maxSample)], f.fold))
	return c.plan.cost < automatonCost
}

// needles is a method that looks for the rarest byte of each literal, in both cases if the literal is folded.
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
	// Each needle is looked for in a window of the text before the next needle is. The windows grow from the first size to the last.
	firstWindow, lastWindow = 256, 16 << 10
	// needleCost is the cost of looking for one needle, needleMissCost that of a miss.
	needleCost     = 0.04
	needleMissCost = 20
)

// newNeedles returns the needles for literals.
func newNeedles(literals []Literal, f frequency) *needles {
	n := &needles{}
	for i := range literals {
		l := &literals[i]
		best, lowest := 0, 0.0
		for offset := range len(l.Text) {
			c := needleCost + needleMissCost*f(l.Text[offset:offset+1])
			if l.Fold && isLetter(l.Text[offset]) {
				c += needleCost + needleMissCost*f(string(l.Text[offset]^0x20))
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

// find returns the first position between at and limit at which the literal of a needle begins, or -1.
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

// matches reports whether text begins with the literal.
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
