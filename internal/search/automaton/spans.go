package automaton

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

// threads holds possible matches, preferred ones first: the instructions at which they continue,
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
