package automaton

// A simple finds the matches in a line one by one, each from the end of the one before. So it can
// take time proportional to the square of the length of the line.
type simple struct {
	walker
	line          []byte
	before, after []surroundings // around each position
	now, then     []thread       // at the current and at the next position
	scratch       []int32
}

func newSimple(p *Program) *simple { return &simple{walker: newWalker(p, nil)} }

func (s *simple) spans(line []byte) (spans []Span) {
	s.line = line
	s.findContexts()
	last := int64(-1)
	for at := 0; at <= len(line); {
		m, ok := s.find(at)
		if !ok {
			break
		}
		at = int(m.End)
		if m.Start == m.End {
			at++
			if m.End == last {
				continue
			}
		}
		last = m.End
		spans = append(spans, m)
	}
	return spans
}

func (s *simple) findContexts() {
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
func (s *simple) find(at int) (m Span, found bool) {
	s.now = s.now[:0]
	s.nextRound()
	for ; at <= len(s.line); at++ {
		if len(s.now) == 0 && found {
			return m, true
		}
		if !found {
			s.now = s.add(s.now, thread{pc: s.p.start, start: int64(at)}, at)
		}
		s.then = s.then[:0]
		s.nextRound()
		for _, t := range s.now {
			if t.pc == matchInst {
				m, found = Span{t.start, int64(at)}, true
				break
			}
			if at == len(s.line) {
				continue
			}
			t.pc = s.p.step(t.pc, s.line[at])
			if t.pc != none {
				s.then = s.add(s.then, t, at+1)
			}
		}
		s.now, s.then = s.then, s.now
	}
	return m, found
}

// add adds the threads reached from t at a position.
func (s *simple) add(threads []thread, t thread, at int) []thread {
	s.scratch = s.follow(s.scratch[:0], t.pc, s.before[at], s.after[at])
	for _, t.pc = range s.scratch {
		threads = append(threads, t)
	}
	return threads
}
