package literal

// A Finder finds the literals of a set. It is immutable.
//
// A sampler looks up the block of bytes at every few positions. The best blocks depend on the
// frequencies of bytes. A Finder first assumes the frequencies of typical text. If it then finds too
// many misses, or none in much text, it measures the frequencies in the text.
type Finder struct {
	literals []Literal
	fold     bool
	sampler  *sampler
}

// automatonCost is the approximate cost of an automaton.
const automatonCost = 4

const (
	// enoughMisses is the number of misses after which a sampler is assessed.
	enoughMisses = 128
	// enoughBytes is the number of bytes after which a sampler with fewer misses is replaced by one
	// learned from the text.
	enoughBytes = 1 << 20
)

// NewFinder returns a finder for a set, or nil if finding its literals is not expected to be faster than an automaton.
func NewFinder(set Set) *Finder {
	if len(set.Literals) == 0 {
		return nil
	}
	f := &Finder{literals: set.Literals, sampler: newSampler(set.Literals, usual)}
	for _, l := range f.literals {
		f.fold = f.fold || l.Fold
	}
	if f.sampler.cost > automatonCost {
		return nil
	}
	return f
}

// A Cursor is the mutable state of a search with a Finder. Its zero value is ready for use.
type Cursor struct {
	// sampler is the sampler learned from the text, if any.
	sampler *sampler
	// misses counts the misses of the current sampler, and covered the bytes that it has searched.
	misses, covered int
	// attempts counts the attempts to learn a sampler.
	attempts int
}

// Find returns the start and the end of a literal in the first line at or after at that contains one,
// or -1. at is the start of a line. If ok is false, the literals cannot be found quickly in this text,
// and there may be some at or after at.
func (f *Finder) Find(c *Cursor, buf []byte, at int) (start, end int, ok bool) {
	for at < len(buf) {
		s := c.sampler
		if s == nil {
			s = f.sampler
		}
		start, end, next := s.find(buf, at, &c.misses)
		if start >= 0 {
			next = end
		}
		c.covered += next - at
		if start >= 0 {
			return start, end, true
		}
		at = next
		if c.misses < enoughMisses {
			if c.sampler == nil && c.covered > enoughBytes && len(buf)-at >= minSample {
				f.learn(c, buf[at:])
			}
			continue
		}
		tooClose := c.covered < c.misses*s.tooClose()
		c.misses, c.covered = 0, 0
		if tooClose && !f.learn(c, buf[at:]) {
			return -1, -1, false
		}
	}
	return -1, -1, true
}

// learn makes a sampler for text like that in buf, and reports whether it is expected to be faster than
// an automaton. Only calls whose number is a power of two make a sampler.
func (f *Finder) learn(c *Cursor, buf []byte) bool {
	if c.attempts++; c.attempts&(c.attempts-1) != 0 || len(buf) < minSample {
		return false
	}
	c.misses, c.covered = 0, 0
	c.sampler = newSampler(f.literals, learn(buf[:min(len(buf), maxSample)], f.fold))
	return c.sampler.cost < automatonCost
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
