package automaton

import (
	"slices"
	"unicode/utf8"
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
// failed. At maxPending uncertain matches, the Spanner looks ahead until this is decided, and
// then continues where it was. The possible matches that failed remain as ghosts: others that
// reach one of their instructions fail too. So it looks ahead from a part of the line at
// most once for each instruction.
type Spanner struct {
	walker
	dfa   *DFA // passes the text between the matches
	limit int
	yield func(Span) bool

	position
	reached threads  // at the instructions that consume the byte at the position, or match
	passed  int      // the first of these are ghosts
	looking bool     // ahead of saved
	saved   position // where to return if all its ghosts fail

	pending []Span // the uncertain matches
	room    int    // the maximum number of them
	yielded int    // the number of matches before them
	last    int64  // the end of the last of these
	done    bool   // yield has returned false
}

// maxPending is the maximum number of uncertain matches in memory.
const maxPending = 1 << 13

// NewSpanner returns a Spanner for the program of d, which it uses. No more matches are found after
// the Stop of d has returned true.
func NewSpanner(d *DFA) *Spanner {
	return &Spanner{walker: newWalker(d.p, d.limits.Stop), dfa: d, room: maxPending}
}

// Spans yields the matches in a line from left to right and without overlaps, at most limit, until
// yield returns false. Among matches at one position, it takes the preferred one. It omits an empty
// match directly after another match. The time is proportional to the length of the line, and the
// memory to the size of the program. The error is an error of the text.
func (s *Spanner) Spans(text Text, limit int, yield func(Span) bool) error {
	s.begin(limit, yield)
	defer func() { s.yield = nil }()
	for !s.ended() {
		piece, err := text.From(s.offset())
		if err != nil {
			return err
		}
		if len(piece) > 0 {
			s.search(piece)
			continue
		}
		s.add('\n')
		isOver := !s.looking || s.undecided()
		s.settle()
		if isOver {
			return nil
		}
		s.goBack()
	}
	return nil
}

func (s *Spanner) begin(limit int, yield func(Span) bool) {
	s.limit, s.yield = limit, yield
	s.open.cut(0)
	s.position = position{margin: margin{before: edge}, open: s.open}
	s.looking, s.done = false, false
	s.pending, s.yielded, s.last = s.pending[:0], 0, -1
}

func (s *Spanner) ended() bool { return s.done || s.stopped || s.yielded >= s.limit }

// offset returns the offset of the next byte to be added.
func (s *Spanner) offset() int64 { return s.at + int64(s.waiting) }

// undecided reports whether there are possible matches that are not ghosts.
func (s *Spanner) undecided() bool { return s.ghosts < len(s.open.pcs) }

// search adds the bytes of a piece, unless it ends, looks ahead or goes back.
func (s *Spanner) search(piece []byte) {
	for i := 0; i < len(piece) && !s.stopped; i++ {
		if len(s.open.pcs) == 0 {
			i += s.skip(piece[i:])
			if i == len(piece) {
				return
			}
		}
		s.add(piece[i])
		if len(s.pending) == 0 && !s.looking {
			continue
		}
		s.settle()
		switch {
		case s.ended():
			return
		case s.looking && !s.undecided():
			s.goBack()
			return
		case !s.looking && len(s.pending) >= s.room:
			s.lookAhead()
		}
	}
}

// skip passes bytes that no match contains, and returns their number.
func (s *Spanner) skip(piece []byte) (n int) {
	if s.waiting > 0 || s.looking || s.at < s.next {
		return 0
	}
	n, s.before = s.dfa.Idle(s.before, piece)
	s.at += int64(n)
	return n
}

// add adds a byte. A line feed ends the line.
func (s *Spanner) add(b byte) {
	switch needs := s.p.needs; {
	case needs == 0:
		s.take(b, 0, 0)
	case s.waiting == 0 && b < utf8.RuneSelf:
		after := byteSurroundings(b) & needs
		s.take(b, s.before, after)
		s.before = after
	default:
		s.margin.add(b, needs, s.take)
	}
}

// take consumes the byte at the position. before and after describe the text around the position.
func (s *Spanner) take(b byte, before, after surroundings) {
	s.run(len(s.open.pcs))
	s.reach(before, after)
	s.open.cut(0)
	s.ghosts = 0
	for i, pc := range s.reached.pcs {
		if next := s.p.step(pc, b); next != none {
			s.open.pcs = append(s.open.pcs, next)
			s.open.origins = append(s.open.origins, s.reached.origins[i])
			if i < s.passed {
				s.ghosts++
			}
		}
	}
	s.at++
}

// reach follows the open threads to their next instructions. At a match it drops the threads after
// it, which are less preferred, and begins to look for the next match.
func (s *Spanner) reach(before, after surroundings) {
	s.reached.cut(0)
	s.passed = 0
	s.nextRound()
	for i, pc := range s.open.pcs {
		o := s.open.origins[i]
		matched := s.advance(pc, o, before, after)
		if i < s.ghosts {
			s.passed = len(s.reached.pcs)
			continue // it cannot match, unless the text has changed
		}
		if matched {
			s.addMatch(o)
			s.nextRound() // the dropped threads may have passed instructions of the next
			break
		}
	}
	if o := (origin{s.at, s.found}); s.at >= s.next && s.advance(s.p.start, o, before, after) {
		s.addMatch(o)
	}
}

// advance adds the threads reached from pc, up to a match. It reports whether there is one.
func (s *Spanner) advance(pc int32, o origin, before, after surroundings) (matched bool) {
	from := len(s.reached.pcs)
	s.reached.pcs = s.follow(s.reached.pcs, pc, before, after)
	if n := slices.Index(s.reached.pcs[from:], matchInst); n >= 0 {
		s.reached.pcs, matched = s.reached.pcs[:from+n], true
	}
	for len(s.reached.origins) < len(s.reached.pcs) {
		s.reached.origins = append(s.reached.origins, o)
	}
	return matched
}

// addMatch adds the match from an origin to the position. It replaces the matches after that origin.
func (s *Spanner) addMatch(o origin) {
	s.pending = s.pending[:o.found-s.yielded]
	last := s.last
	if n := len(s.pending); n > 0 {
		last = s.pending[n-1].End
	}
	s.found, s.next, s.looking = o.found, s.at, false
	if o.start < s.at || last < s.at {
		s.pending = append(s.pending, Span{o.start, s.at})
		s.found++
	}
	if o.start == s.at {
		s.next++
	}
	if s.found == s.limit {
		s.next = never
	}
}

// settle yields the pending matches that have become certain.
func (s *Spanner) settle() {
	certain := s.found
	if s.undecided() {
		certain = s.open.origins[s.ghosts].found
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
