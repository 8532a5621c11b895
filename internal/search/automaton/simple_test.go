package automaton

// A simple finds the matches in a line one by one, each from the end of the one before. So it can
// take time proportional to the square of the length of the line.
type simple struct {
	walker
	line          []byte
	before, after []surroundings // around each position
	now, then     threads        // at the current and at the next position
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
	s.now.cut(0)
	s.nextRound()
	for ; at <= len(s.line); at++ {
		if len(s.now.pcs) == 0 && found {
			return m, true
		}
		if !found {
			s.start(&s.now, s.p.start, int64(at), at)
		}
		s.then.cut(0)
		s.nextRound()
		for i, pc := range s.now.pcs {
			start := s.now.origins[i].start
			if pc == matchInst {
				m, found = Span{start, int64(at)}, true
				break
			}
			if at < len(s.line) {
				if next := s.p.step(pc, s.line[at]); next != none {
					s.start(&s.then, next, start, at+1)
				}
			}
		}
		s.now, s.then = s.then, s.now
	}
	return m, found
}

// start adds the threads reached from pc at a position, for matches with a start.
func (s *simple) start(t *threads, pc int32, start int64, at int) {
	t.pcs = s.follow(t.pcs, pc, s.before[at], s.after[at])
	for len(t.origins) < len(t.pcs) {
		t.origins = append(t.origins, origin{start: start})
	}
}
