package automaton

import (
	"math"
	"slices"
)

// A Span is a part of a line: the bytes from Start up to End.
type Span struct{ Start, End int64 }

// A Text is the text of a line, without its line feed.
type Text interface {
	// From returns a part of the text that begins at an offset. It is empty only at the end of the
	// line, and valid until the next call.
	From(offset int64) ([]byte, error)
}

// Bytes is a [Text] in memory.
type Bytes []byte

// From returns the rest of the text.
func (b Bytes) From(offset int64) ([]byte, error) { return b[offset:], nil }

// A Spanner finds the matches in a line of any length. It is not safe for concurrent use.
//
// It reads the line once and follows all possible matches together, preferred ones first. Behind
// them it already looks for the matches that follow. If two possible matches reach the same
// instruction, the preferred one is kept: either both become matches or neither does. So the work
// for each byte is bounded by the size of the program.
//
// The matches found are certain when all possible matches that are preferred to one of them have
// failed.
type Spanner struct {
	walker
	dfa   *DFA // passes the text between the matches
	limit int
	yield func(Span) bool
	done  bool // yield has returned false

	margin
	at      int64    // the offset in the line
	open    []thread // the possible matches that have begun
	reached []thread // at the instructions that consume the byte at the offset
	scratch []int32
	next    int64 // the offset from which another match can begin

	found   int    // the number of matches if all open threads fail
	pending []Span // the last of them, which are uncertain
	yielded int    // the number of the others
	last    int64  // the end of the last of the others
}

// A thread is a possible match. Threads are in order of preference.
type thread struct {
	pc    int32 // the next instruction
	start int64 // where the match begins
	found int   // the number of matches before it
}

// maxPending is the maximum number of uncertain matches, so that their memory is bounded. When
// there are more, the possible matches that are preferred to them are given up.
const maxPending = 1 << 15

// never is the offset where another match can begin if none is wanted.
const never = math.MaxInt64

// NewSpanner returns a Spanner for the program of d, which it uses. No more matches are found after
// the Stop of d has returned true.
func NewSpanner(d *DFA) *Spanner {
	return &Spanner{walker: newWalker(d.p, d.limits.Stop), dfa: d}
}

// Spans yields the matches in a line from left to right and without overlaps, at most limit, until
// yield returns false. Among matches at one position, it takes the preferred one. It omits an empty
// match directly after another match. The time is proportional to the length of the line, on which
// the memory does not depend. The error is an error of the text.
//
// A match that contains more than 32,768 others, which would be matches without it, is replaced by
// them.
func (s *Spanner) Spans(text Text, limit int, yield func(Span) bool) error {
	s.begin(limit, yield)
	defer func() { s.yield = nil }()
	for !s.ended() {
		piece, err := text.From(s.at + int64(s.waiting))
		if err != nil {
			return err
		}
		if len(piece) == 0 {
			s.add('\n')
			s.settle()
			return nil
		}
		s.addPiece(piece)
	}
	return nil
}

func (s *Spanner) begin(limit int, yield func(Span) bool) {
	s.limit, s.yield, s.done = limit, yield, false
	s.margin = margin{before: edge}
	s.at, s.next, s.open = 0, 0, s.open[:0]
	s.found, s.pending, s.yielded, s.last = 0, s.pending[:0], 0, -1
}

func (s *Spanner) ended() bool { return s.done || s.stopped || s.yielded >= s.limit }

// addPiece adds the bytes of a piece, unless it ends.
func (s *Spanner) addPiece(piece []byte) {
	for i := 0; i < len(piece) && !s.stopped; i++ {
		if len(s.open) == 0 {
			i += s.skip(piece[i:])
			if i == len(piece) {
				return
			}
		}
		s.add(piece[i])
		if len(s.pending) == 0 {
			continue
		}
		s.settle()
		if s.ended() {
			return
		}
	}
}

// skip passes bytes that no match contains, and returns their number.
func (s *Spanner) skip(piece []byte) (n int) {
	if s.waiting > 0 || s.at < s.next {
		return 0
	}
	n, s.before = s.dfa.Idle(s.before, piece)
	s.at += int64(n)
	return n
}

// add adds a byte. A line feed ends the line.
func (s *Spanner) add(b byte) {
	s.margin.add(b, s.p.needs, s.take)
}

// take consumes the byte at the offset. before and after describe the text around the offset.
func (s *Spanner) take(b byte, before, after surroundings) {
	s.spend(len(s.open))
	s.reach(before, after)
	s.open = s.open[:0]
	for _, t := range s.reached {
		t.pc = s.p.step(t.pc, b)
		if t.pc != none {
			s.open = append(s.open, t)
		}
	}
	s.at++
}

// reach follows the open threads to their next instructions. At a match it drops the threads after
// it, which are less preferred, and begins to look for the next match.
func (s *Spanner) reach(before, after surroundings) {
	s.reached = s.reached[:0]
	s.nextRound()
	for _, t := range s.open {
		if s.advance(t, before, after) {
			s.addMatch(t)
			s.nextRound() // the dropped threads may have passed instructions of the next
			break
		}
	}
	if s.at < s.next {
		return
	}
	if t := (thread{s.p.start, s.at, s.found}); s.advance(t, before, after) {
		s.addMatch(t)
	}
}

// advance adds the threads reached from t, up to a match. It reports whether there is one.
func (s *Spanner) advance(t thread, before, after surroundings) (matched bool) {
	s.scratch = s.follow(s.scratch[:0], t.pc, before, after)
	for _, t.pc = range s.scratch {
		if t.pc == matchInst {
			return true
		}
		s.reached = append(s.reached, t)
	}
	return false
}

// addMatch adds the match of a thread, which ends at the offset. It replaces the matches found
// since the thread began.
func (s *Spanner) addMatch(t thread) {
	s.pending = s.pending[:t.found-s.yielded]
	last := s.last
	if n := len(s.pending); n > 0 {
		last = s.pending[n-1].End
	}
	s.found, s.next = t.found, s.at
	if t.start < s.at || last < s.at {
		s.pending = append(s.pending, Span{t.start, s.at})
		s.found++
	}
	if t.start == s.at {
		s.next++
	}
	if s.found == s.limit {
		s.next = never
	}
}

// settle yields the pending matches that have become certain.
func (s *Spanner) settle() {
	if len(s.pending) >= maxPending {
		s.open = slices.DeleteFunc(s.open, func(t thread) bool { return t.found < s.found })
	}
	certain := s.found
	if len(s.open) > 0 {
		certain = s.open[0].found
	}
	n := certain - s.yielded
	for _, m := range s.pending[:n] {
		if !s.done {
			s.done = !s.yield(m)
			s.last = m.End
			s.yielded++
		}
	}
	if n == len(s.pending) {
		s.pending = s.pending[:0]
	} else {
		s.pending = s.pending[n:]
	}
}
