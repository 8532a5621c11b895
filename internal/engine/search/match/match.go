// Package match finds the lines that match a pattern.
package match

import (
	"bytes"
	"errors"

	"gander/internal/engine/search/automaton"
	"gander/internal/engine/search/literal"
	"gander/internal/engine/search/syntax"
)

// defaultProgram is the default of [Options.MaxProgram].
const defaultProgram = 1 << 19

// Options change what a pattern means.
type Options struct {
	// Literal says that the pattern is text, not an expression.
	Literal bool
	// IgnoreCase says that letters match whatever their case.
	IgnoreCase bool
	// MaxProgram bounds the size of the compiled program, in instructions and byte ranges; 0 stands for a default.
	MaxProgram int
}

// A Matcher is a compiled pattern. It is immutable and safe for concurrent use.
type Matcher struct {
	program *automaton.Program
	// finder finds literals of which every matching line contains one; it may be nil. With exact, each line that contains one matches.
	finder *literal.Finder
	exact  bool
	// single is the text that the pattern stands for, if it is just that.
	single []byte
}

// Compile compiles a pattern. Its error is a [*syntax.Error].
func Compile(pattern string, o Options) (*Matcher, error) {
	parse := syntax.Parse
	if o.Literal {
		parse = syntax.Literal
	}
	n, err := parse(pattern, o.IgnoreCase)
	if err != nil {
		return nil, err
	}
	if o.MaxProgram == 0 {
		o.MaxProgram = defaultProgram
	}
	p, err := automaton.Compile(n, o.MaxProgram)
	if large, ok := errors.AsType[*automaton.SizeError](err); ok {
		return nil, &syntax.Error{Pattern: pattern, Message: large.Error()}
	}
	literals := literal.Extract(n)
	m := &Matcher{program: p, finder: literal.NewFinder(literals), exact: literals.Exact}
	if l := literals.Literals; m.exact && len(l) == 1 && !l[0].Fold {
		m.single = []byte(l[0].Text)
	}
	return m, nil
}

// A Searcher searches with a Matcher. It holds the mutable state of one goroutine.
type Searcher struct {
	m       *Matcher
	dfa     *automaton.DFA
	spanner *automaton.Spanner
	cursor  literal.Cursor
	stop    func() bool
	// failed counts the lines that contained a literal without matching, passed the bytes up to them.
	failed, passed int
	// detour is how many bytes are to be searched without the finder, because too many lines contain a literal around here.
	detour int
}

const (
	// enoughFailed is how many failed lines say something, tooFrequent how many bytes there should be for each of them.
	enoughFailed = 64
	tooFrequent  = 128
	// detour is how many bytes are searched without the finder before it gets another chance.
	detour = 128 << 10
)

// NewSearcher returns a Searcher for one goroutine.
func (m *Matcher) NewSearcher() *Searcher {
	return &Searcher{m: m, dfa: automaton.NewDFA(m.program)}
}

// StopWhen makes the searcher ask now and then, where a pattern is slow, whether to stop: at least for every 256 bytes that are simulated.
// Once stop has reported true, the searcher finds nothing more and is to be dropped. It is for cancellation.
func (s *Searcher) StopWhen(stop func() bool) {
	s.stop = stop
	s.dfa.StopWhen(stop)
}

// NextLine returns the bounds of the first matching line that starts at or after at, where a line starts. buf holds whole lines;
// the last may lack its line feed. The end is before the line feed.
func (s *Searcher) NextLine(buf []byte, at int) (start, end int, ok bool) {
	for s.m.finder != nil && s.detour <= 0 && at < len(buf) {
		found, foundEnd, quick := s.m.finder.Find(&s.cursor, buf, at)
		if !quick {
			s.detour = detour
			break
		}
		if found < 0 {
			return 0, 0, false
		}
		start, end = lineAround(buf, at, found, foundEnd)
		if s.m.exact || s.dfa.Find(buf[start:min(end+1, len(buf))]) >= 0 {
			return start, end, true
		}
		if s.dfa.Stopped() {
			return 0, 0, false
		}
		s.passed += end - at
		if s.failed++; s.failed == enoughFailed {
			if s.passed < enoughFailed*tooFrequent && !s.dfa.Slow() {
				s.detour = detour
			}
			s.failed, s.passed = 0, 0
		}
		at = end + 1
	}
	if at >= len(buf) {
		return 0, 0, false
	}
	found := s.dfa.Find(buf[at:])
	if found < 0 {
		s.detour -= len(buf) - at
		return 0, 0, false
	}
	s.detour -= found
	start, end = lineAround(buf, at, at+found, at+found)
	return start, end, true
}

// lineAround returns the bounds of the line that contains first to last, or ends at last, if it starts at or after at.
func lineAround(buf []byte, at, first, last int) (start, end int) {
	start = at + bytes.LastIndexByte(buf[at:first], '\n') + 1
	end = len(buf)
	if n := bytes.IndexByte(buf[last:], '\n'); n >= 0 {
		end = last + n
	}
	return start, end
}

// A Span is a part of a line: the bytes from Start up to End.
type Span = automaton.Span

// Spans appends the matches in a line, which has no line feed, to dst: leftmost first, not overlapping. It takes time for each byte of
// the line and each match, which can be their product: callers bound the lines.
func (s *Searcher) Spans(dst []Span, line []byte) []Span {
	if s.m.single != nil {
		for at := 0; ; {
			n := bytes.Index(line[at:], s.m.single)
			if n < 0 {
				return dst
			}
			dst = append(dst, Span{Start: at + n, End: at + n + len(s.m.single)})
			at += n + len(s.m.single)
		}
	}
	if s.spanner == nil {
		s.spanner = automaton.NewSpanner(s.m.program)
		s.spanner.Stop = s.stop
	}
	return s.spanner.Spans(dst, line)
}

// StartLine begins a line that comes in pieces, because it is too long for a buffer.
func (s *Searcher) StartLine() { s.dfa.StartLine() }

// Piece takes the next piece of the line and reports whether the line matches whatever follows.
func (s *Searcher) Piece(piece []byte) bool { return s.dfa.Feed(piece) }

// EndLine ends the line and reports whether it matches.
func (s *Searcher) EndLine() bool { return s.dfa.EndLine() }
