package literal

import "bytes"

// A Finder finds the literals of a set. It is immutable.
//
// It has two methods: needles look for the rarest byte of each literal, a sampler for blocks of bytes at every few positions. Which of them
// is the faster, and with which bytes, depends on how frequent bytes are. At first, that is taken to be as in most text; where it turns
// out to be otherwise, it is learnt from the text.
type Finder struct {
	literals []Literal
	fold     bool
	plan     plan
}

// A plan is a method that has been chosen.
type plan struct {
	method method
	// cost is what is expected, in processor cycles per byte, as all costs are.
	cost float64
	// tooClose is how many bytes there should be for each miss, or else the cost is several times as high as expected.
	tooClose int
}

// A method finds the literals of a set.
type method interface {
	// find returns the start and the end of a literal in the first line from at on that contains one. at is the start of a line, or what
	// find has returned as next. It counts where it seemed to find a literal and did not. Soon after it has counted up to
	// enoughMisses, it returns -1 and where to go on; at the end of the text, that is the end.
	find(buf []byte, at int, misses *int) (start, end, next int)
}

// automatonCost is about what an automaton costs.
const automatonCost = 4

const (
	// enoughMisses is how many misses say something.
	enoughMisses = 128
	// enoughBytes is after how many bytes without that many misses it is worthwhile to learn from the text.
	enoughBytes = 1 << 20
)

// NewFinder returns a finder for a set, or nil if looking for its literals is not faster than an automaton.
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

// newPlan returns the plan that costs the least.
func newPlan(literals []Literal, f frequency) plan {
	n, s := newNeedles(literals, f), newSampler(literals, f)
	if n.cost < s.cost {
		return plan{n, n.cost, int(needleMissCost / (0.2 + 3*n.cost))}
	}
	return plan{s, s.cost, int(samplerMissCost / (0.2 + 3*s.cost))}
}

// A Cursor is the mutable state of looking with a Finder. Its zero value is ready for use.
type Cursor struct {
	// plan is what has been learnt from the text, or empty.
	plan plan
	// misses counts the misses of the plan, covered the bytes that were searched meanwhile.
	misses, covered int
	// failures counts the plans whose misses were too close.
	failures int
}

// Find returns the start and the end of a literal in the first line from at on that contains one, or -1. at is the start of a line. It
// reports false if its literals cannot be found quickly in this text; then it has not looked for them from at on.
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

// learn makes another plan for a text like that in buf, and reports whether it is faster than an automaton. It does so less and less often.
func (f *Finder) learn(c *Cursor, buf []byte) bool {
	if c.failures++; c.failures&(c.failures-1) != 0 || len(buf) < minSample {
		return false
	}
	c.misses, c.covered = 0, 0
	c.plan = newPlan(f.literals, learn(buf[:min(len(buf), maxSample)], f.fold))
	return c.plan.cost < automatonCost
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
