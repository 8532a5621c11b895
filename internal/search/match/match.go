// Package match finds the lines that match a pattern.
package match

import (
	"bytes"
	"context"
	"errors"

	"gander/internal/search/automaton"
	"gander/internal/search/literal"
	"gander/internal/search/syntax"
)

// maxProgram limits the size of a compiled pattern, in instructions and byte ranges.
const maxProgram = 1 << 19

// Options change what a pattern means.
type Options struct {
	// Literal says that the pattern is text instead of a regular expression.
	Literal bool
	// IgnoreCase says that letters match regardless of case.
	IgnoreCase bool
	// CRLF makes ^ and $ match at a carriage return too, as ripgrep's flag --crlf does.
	CRLF bool
}

// A Matcher is a compiled pattern. It is immutable and safe for concurrent use.
type Matcher struct {
	program *automaton.Program
	// finder, unless nil, finds literals of which every matching line contains at least one. With exact, every line that contains one
	// matches.
	finder *literal.Finder
	exact  bool
	// single is the only text that the pattern matches. It is nil if there are several.
	single []byte
}

// Compile compiles a pattern. The error is a [*syntax.Error], a [*syntax.LengthError] or the error of
// ctx.
func Compile(ctx context.Context, pattern string, o Options) (*Matcher, error) {
	parse := syntax.Parse
	if o.Literal {
		parse = syntax.Literal
	}
	n, err := parse(ctx, pattern, syntax.Options{IgnoreCase: o.IgnoreCase, CRLF: o.CRLF})
	if err != nil {
		return nil, err
	}
	p, err := automaton.Compile(ctx, n, maxProgram)
	if e, ok := errors.AsType[*automaton.SizeError](err); ok {
		return nil, &syntax.Error{Pattern: pattern, Message: e.Error()}
	}
	if err != nil {
		return nil, err
	}
	literals := literal.Extract(n)
	m := &Matcher{program: p, finder: literal.NewFinder(literals), exact: literals.Exact}
	if l := literals.Literals; m.exact && len(l) == 1 && !l[0].Fold {
		m.single = []byte(l[0].Text)
	}
	return m, nil
}

// Size returns the size of the program of the pattern, in instructions and byte ranges.
func (m *Matcher) Size() int { return m.program.Size() }

// A Searcher searches with a Matcher. It is not safe for concurrent use.
type Searcher struct {
	m       *Matcher
	dfa     *automaton.DFA
	spanner *automaton.Spanner
	cursor  literal.Cursor
	stop    func() bool
	// failed counts the lines that contained a literal and did not match, and passed the bytes up to their ends.
	failed, passed int
	// pause is the number of bytes to be searched without the finder, because too many lines contain a literal.
	pause int
}

const (
	// The finder pauses after enoughFailed lines have failed, if there were fewer than minDistance bytes
	// for each of them, which is about one line.
	enoughFailed = 64
	minDistance  = 32
	// pauseLength is the number of bytes that are searched without the finder before it is used again.
	pauseLength = 128 << 10
)

// NewSearcher returns a Searcher.
func (m *Matcher) NewSearcher() *Searcher {
	return &Searcher{m: m, dfa: automaton.NewDFA(m.program)}
}

// StopWhen makes the searcher call stop now and then where a pattern is slow. Once stop has returned true, the searcher finds nothing
// more and cannot be used again. StopWhen is for cancellation.
func (s *Searcher) StopWhen(stop func() bool) {
	s.stop = stop
	s.dfa.StopWhen(stop)
}

// LimitMemory limits the memory of the states of the automaton, in bytes.
func (s *Searcher) LimitMemory(bytes int) { s.dfa.LimitMemory(bytes) }

// ReserveWith makes the searcher call reserve before the states of the automaton exceed a small size. If
// reserve returns false, they do not.
func (s *Searcher) ReserveWith(reserve func() bool) { s.dfa.ReserveWith(reserve) }

// NextLine returns the bounds of the first matching line at or after at, which is the start of a line. The end is before the line
// feed. buf holds whole lines, of which the last may lack its line feed.
func (s *Searcher) NextLine(buf []byte, at int) (start, end int, ok bool) {
	for s.m.finder != nil && s.pause <= 0 && at < len(buf) {
		found, foundEnd, ok := s.m.finder.Find(&s.cursor, buf, at)
		if !ok {
			s.pause = pauseLength
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
			if s.passed < enoughFailed*minDistance {
				s.pause = pauseLength
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
		s.pause -= len(buf) - at
		return 0, 0, false
	}
	s.pause -= found
	start, end = lineAround(buf, at, at+found, at+found)
	return start, end, true
}

// lineAround returns the bounds of the line that contains the bytes from first up to last. at is at or before its start.
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

// Spans appends the matches in a line, which has no line feed, to dst, from left to right and without overlaps. It may take time
// proportional to the number of matches times the length of the line, so callers limit the length.
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

// StartLine begins a line that comes in pieces because it is too long for a buffer.
func (s *Searcher) StartLine() { s.dfa.StartLine() }

// Piece searches the next piece of the line, and reports whether the line matches, whatever follows.
func (s *Searcher) Piece(piece []byte) bool { return s.dfa.Feed(piece) }

// EndLine ends the line and reports whether it matches.
func (s *Searcher) EndLine() bool { return s.dfa.EndLine() }
