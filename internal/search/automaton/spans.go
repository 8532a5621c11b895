package automaton

// A Span is a part of a line: the bytes from Start up to End.
type Span struct{ Start, End int }

// A Spanner finds the matches in a line. It is not safe for concurrent use.
type Spanner struct {
	p    *Program
	line []byte
	stop func() bool
	work int // instructions since the last call of stop

	seen  visited
	stack []int32
	// now and then hold the threads at the current and the next position, preferred ones first.
	now, then []thread
}

// A thread is a possible match that begins at start and continues at the instruction pc.
type thread struct {
	pc    int32
	start int
}

// NewSpanner returns a Spanner for a program. If stop is not nil, it is called occasionally. After
// it returns true, no more matches are found.
func NewSpanner(p *Program, stop func() bool) *Spanner {
	return &Spanner{p: p, stop: stop, seen: visited{marks: make([]uint32, len(p.insts))}}
}

// Spans appends the matches in a line to dst, from left to right and without overlaps. Among
// matches at one position, it takes the preferred one. It omits an empty match directly after
// another match.
func (s *Spanner) Spans(dst []Span, line []byte) []Span {
	s.line = line
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

// find returns the first match at or after a position.
func (s *Spanner) find(at int) (m Span, found bool) {
	s.now = s.now[:0]
	s.seen.nextRound()
	for ; at <= len(s.line); at++ {
		if s.work += 1 + len(s.now); s.work >= workPerStop {
			s.work = 0
			if s.stop != nil && s.stop() {
				return Span{}, false
			}
		}
		if len(s.now) == 0 && found {
			return m, true
		}
		if len(s.now) == 0 && s.p.first != nil { // the next match begins with one of the first bytes
			for at < len(s.line) && !s.p.first[s.line[at]] {
				at++
			}
			s.seen.nextRound() // conditions that did not hold at the earlier position may hold here
		}
		if !found {
			s.follow(&s.now, s.p.start, at, at)
		}
		s.then = s.then[:0]
		s.seen.nextRound()
		for _, t := range s.now {
			in := &s.p.insts[t.pc]
			if in.op == opMatch {
				m, found = Span{t.start, at}, true
				break
			}
			if at < len(s.line) {
				if next := s.p.step(in, s.line[at]); next != none {
					s.follow(&s.then, next, t.start, at+1)
				}
			}
		}
		s.now, s.then = s.then, s.now
	}
	return m, found
}

// follow adds the threads reached from pc at a position, preferred ones first.
func (s *Spanner) follow(threads *[]thread, pc int32, start, at int) {
	var before, after surroundings
	if s.p.needs != 0 {
		before, after = neighbours(s.line, at)
	}
	stack := append(s.stack[:0], pc)
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !s.seen.visit(pc) {
			continue
		}
		switch in := &s.p.insts[pc]; in.op {
		case opSplit:
			stack = append(stack, in.b, in.a)
		case opAssert:
			if holds(in.look, before, after) {
				stack = append(stack, in.a)
			}
		default:
			*threads = append(*threads, thread{pc, start})
		}
	}
	s.stack = stack
}
