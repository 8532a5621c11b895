package automaton

import "math"

// A position is a position in a line, and what is known there.
type position struct {
	margin
	at     int64   // the offset
	open   threads // the possible matches that have begun
	ghosts int     // the first of them, which will fail
	found  int     // the number of matches if all open threads fail
	next   int64   // the offset from which another match can begin
}

// never is the offset where another match can begin if none is wanted.
const never = math.MaxInt64

// threads holds possible matches, preferred ones first, by their next instructions.
type threads struct {
	pcs     []int32
	origins []origin
}

// An origin is the start of a possible match, and the number of matches before it.
type origin struct {
	start int64
	found int
}

// cut keeps the first n threads.
func (t *threads) cut(n int) { t.pcs, t.origins = t.pcs[:n], t.origins[:n] }

// copy makes p a copy of q.
func (p *position) copy(q *position) {
	open := p.open
	*p = *q
	p.open.pcs = append(open.pcs[:0], q.open.pcs...)
	p.open.origins = append(open.origins[:0], q.open.origins...)
}

// lookAhead saves the position, and follows only the threads that make a pending match uncertain.
func (s *Spanner) lookAhead() {
	n := s.ghosts
	for n < len(s.open.pcs) && s.open.origins[n].found < s.found {
		n++
	}
	s.saved.copy(&s.position)
	s.saved.ghosts = n
	s.open.cut(n)
	s.next = never
	s.looking = true
}

// goBack returns to the saved position, because the threads that were followed have failed.
func (s *Spanner) goBack() {
	s.position.copy(&s.saved)
	s.looking = false
}
