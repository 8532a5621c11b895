package automaton

import (
	"unicode"
	"unicode/utf8"

	"gander/internal/search/syntax"
)

// A Span is a part of a line: the bytes from Start up to End.
type Span struct{ Start, End int }

// A Spanner finds the matches in a line. It is not safe for concurrent use.
type Spanner struct {
	walker
	line []byte
	// before and after hold the properties of the text around each position, if the program has
	// conditions.
	before, after []surroundings
	now, then     threads // at the current and at the next position
}

// threads holds possible matches, preferred ones first: their next instructions,
// and their starts.
type threads struct {
	pcs    []int32
	starts []int
}

// NewSpanner returns a Spanner for a program. If stop is not nil, it is called occasionally. After
// it returns true, no more matches are found.
func NewSpanner(p *Program, stop func() bool) *Spanner {
	return &Spanner{walker: newWalker(p, stop)}
}

// Spans appends the matches in a line to dst, from left to right and without overlaps. Among
// matches at one position, it takes the preferred one. It omits an empty match directly after
// another match.
func (s *Spanner) Spans(dst []Span, line []byte) []Span {
	s.line = line
	s.findContexts()
	last := -1
	for at := 0; at <= len(line); {
		m, ok := s.find(at)
		if !ok {
			break
		}
		if at = m.End; m.Start == m.End {
			at++
			if m.End == last {
				continue
			}
		}
		last = m.End
		dst = append(dst, m)
	}
	s.line = nil
	return dst
}

// findContexts sets before and after.
func (s *Spanner) findContexts() {
	if s.p.needs == 0 {
		return
	}
	s.before, s.after = s.before[:0], s.after[:0]
	m := margin{before: edge}
	take := func(_ byte, before, after surroundings) {
		s.before, s.after = append(s.before, before), append(s.after, after)
	}
	for _, b := range s.line {
		m.add(b, s.p.needs, take)
	}
	m.add('\n', s.p.needs, take)
}

// find returns the first match at or after a position.
func (s *Spanner) find(at int) (m Span, found bool) {
	s.now.clear()
	s.nextRound()
	for ; at <= len(s.line); at++ {
		if s.run(len(s.now.pcs)); s.stopped {
			return Span{}, false
		}
		if len(s.now.pcs) == 0 && found {
			return m, true
		}
		if !found {
			s.start(&s.now, s.p.start, at, at)
		}
		s.then.clear()
		s.nextRound()
		for i, pc := range s.now.pcs {
			if pc == match {
				m, found = Span{s.now.starts[i], at}, true
				break
			}
			if at < len(s.line) {
				if next := s.p.step(pc, s.line[at]); next != none {
					s.start(&s.then, next, s.now.starts[i], at+1)
				}
			}
		}
		s.now, s.then = s.then, s.now
	}
	return m, found
}

// start adds the threads reached from pc at a position, for matches with a start.
func (s *Spanner) start(t *threads, pc int32, start, at int) {
	var before, after surroundings
	if s.p.needs != 0 {
		before, after = s.before[at], s.after[at]
	}
	t.pcs = s.follow(t.pcs, pc, before, after)
	for len(t.starts) < len(t.pcs) {
		t.starts = append(t.starts, start)
	}
}

func (t *threads) clear() { t.pcs, t.starts = t.pcs[:0], t.starts[:0] }

// surroundings holds the properties of the text on one side of a position, for conditions.
type surroundings uint8

const (
	edge    surroundings = 1 << iota // an end of the line
	word                             // a word character
	invalid                          // a byte that is not a character, or is within one
	carriageReturn
	unknown // the text after the position is not known yet
)

// needs returns the properties that determine a condition.
func needs(l syntax.Look) surroundings {
	switch l {
	case syntax.LineStart, syntax.LineEnd:
		return edge
	case syntax.LineEndCRLF:
		return edge | carriageReturn
	}
	return edge | word | invalid
}

func holds(l syntax.Look, before, after surroundings) bool {
	b, a := before&word != 0, after&word != 0
	switch l {
	case syntax.LineStart:
		return before&edge != 0
	case syntax.LineEnd:
		return after&edge != 0
	case syntax.LineEndCRLF: // not between a carriage return and a line feed
		return after&carriageReturn != 0 || after&edge != 0 && before&carriageReturn == 0
	case syntax.Boundary:
		return b != a
	case syntax.NotBoundary:
		return b == a && (before|after)&invalid == 0
	case syntax.WordStart:
		return !b && a
	case syntax.WordEnd:
		return b && !a
	case syntax.WordStartHalf:
		return !b && before&invalid == 0
	default:
		return !a && after&invalid == 0
	}
}

// byteContext returns the context of a byte of ASCII.
func byteContext(b byte) surroundings {
	switch {
	case b == '\n':
		return edge
	case b == '\r':
		return carriageReturn
	case b == '_' || b-'0' < 10 || b|0x20-'a' < 26:
		return word
	case b >= utf8.RuneSelf:
		return invalid
	}
	return 0
}

func runeContext(r rune) surroundings {
	switch {
	case r < utf8.RuneSelf:
		return byteContext(byte(r))
	case unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc,
		unicode.Other_Alphabetic, unicode.Join_Control):
		return word
	}
	return 0
}

// A margin describes the text before a position of a line.
type margin struct {
	before surroundings
	// pending holds the first waiting bytes of a character. They are passed on when the character is
	// complete, because conditions depend on the whole character.
	pending [utf8.UTFMax]byte
	waiting uint8
}

// add adds a byte. It passes each byte whose character is complete to take, with the properties
// among needs of the text before and after the position before the byte.
func (m *margin) add(
	b byte, needs surroundings, take func(b byte, before, after surroundings),
) {
	m.pending[m.waiting] = b
	m.waiting++
	for utf8.FullRune(m.pending[:m.waiting]) {
		r, size := utf8.DecodeRune(m.pending[:m.waiting])
		after := runeContext(r) & needs
		if r == utf8.RuneError && size == 1 {
			after = invalid
		}
		take(m.pending[0], m.before, after)
		for _, b := range m.pending[1:size] {
			take(b, invalid, invalid)
		}
		m.before = after
		m.waiting = uint8(copy(m.pending[:], m.pending[size:m.waiting]))
		clear(m.pending[m.waiting:]) // so that margins can be compared
	}
}
