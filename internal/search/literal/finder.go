package literal

// A Finder finds the literals of a set. It is immutable.
//
// A sampler looks up the block of bytes at every few positions. A needle looks for the rarest byte of a
// single literal. Which is faster, and with which bytes, depends on the frequencies of bytes. A Finder
// first assumes the frequencies of typical text. If it then finds too many misses, or none in much
// text, it measures the frequencies in the text.
type Finder struct {
	literals []Literal
	fold     bool
	method   method
}

// A method finds the literals of a set. It is immutable.
type method interface {
	// find returns the start and the end of a literal in the first line at or after at that contains
	// one. at is the start of a line or a result next of an earlier call. find adds to misses how often
	// a text only looked like a literal. Soon after there are enoughMisses, it returns -1 and the
	// position next at which to continue. At the end of the text, next is len(buf).
	find(buf []byte, at int, misses *int) (start, end, next int)
	// expected returns the expected cost in processor cycles per byte, the unit of all costs here.
	expected() float64
	// tooClose returns the minimum number of bytes for each miss. With fewer, the cost is several
	// times the expected cost.
	tooClose() int
}

// newMethod returns the method with the lowest cost.
func newMethod(literals []Literal, f frequency) method {
	s := newSampler(literals, f)
	if len(literals) == 1 && !literals[0].Fold {
		if n := newNeedle(&literals[0], f); n.cost < s.cost {
			return n
		}
	}
	return s
}

// automatonCost is the approximate cost of an automaton.
const automatonCost = 4

const (
	// enoughMisses is the number of misses after which a method is assessed.
	enoughMisses = 128
	// enoughBytes is the number of bytes after which a method with fewer misses is replaced by one
	// learned from the text.
	enoughBytes = 1 << 20
)

// NewFinder returns a finder for a set, or nil if finding its literals is not expected to be faster than an automaton.
func NewFinder(set Set) *Finder {
	if len(set.Literals) == 0 {
		return nil
	}
	f := &Finder{literals: set.Literals, method: newMethod(set.Literals, usual)}
	for _, l := range f.literals {
		f.fold = f.fold || l.Fold
	}
	if f.method.expected() > automatonCost {
		return nil
	}
	return f
}

// A Cursor is the mutable state of a search with a Finder. Its zero value is ready for use.
type Cursor struct {
	// method is the method learned from the text, if any.
	method method
	// misses counts the misses of the current method, and covered the bytes that it has searched.
	misses, covered int
	// attempts counts the attempts to learn a method.
	attempts int
}

// Find returns the start and the end of a literal in the first line at or after at that contains one,
// or -1. at is the start of a line. If ok is false, the literals cannot be found quickly in this text,
// and there may be some at or after at.
func (f *Finder) Find(c *Cursor, buf []byte, at int) (start, end int, ok bool) {
	for at < len(buf) {
		m := c.method
		if m == nil {
			m = f.method
		}
		start, end, next := m.find(buf, at, &c.misses)
		if start >= 0 {
			next = end
		}
		c.covered += next - at
		if start >= 0 {
			return start, end, true
		}
		at = next
		if c.misses < enoughMisses {
			if c.method == nil && c.covered > enoughBytes && len(buf)-at >= minSample {
				f.learn(c, buf[at:])
			}
			continue
		}
		tooClose := c.covered < c.misses*m.tooClose()
		c.misses, c.covered = 0, 0
		if tooClose && !f.learn(c, buf[at:]) {
			return -1, -1, false
		}
	}
	return -1, -1, true
}

// learn makes a method for text like that in buf, and reports whether it is expected to be faster than
// an automaton. Only calls whose number is a power of two make a method.
func (f *Finder) learn(c *Cursor, buf []byte) bool {
	if c.attempts++; c.attempts&(c.attempts-1) != 0 || len(buf) < minSample {
		return false
	}
	c.misses, c.covered = 0, 0
	c.method = newMethod(f.literals, learn(buf[:min(len(buf), maxSample)], f.fold))
	return c.method.expected() < automatonCost
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
