// Package match finds the lines that match a pattern.
package match

import (
	"bytes"
	"errors"

	"gander/internal/engine/search/automaton"
	"gander/internal/engine/search/syntax"
)

// defaultProgram is the default of [Options.MaxProgram].
const defaultProgram = 1 << 17

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
	return &Matcher{program: p}, nil
}

// A Searcher searches with a Matcher. It holds the mutable state of one goroutine.
type Searcher struct {
	m       *Matcher
	dfa     *automaton.DFA
	spanner *automaton.Spanner
}

// NewSearcher returns a Searcher for one goroutine.
func (m *Matcher) NewSearcher() *Searcher {
	return &Searcher{m: m, dfa: automaton.NewDFA(m.program)}
}

// NextLine returns the bounds of the first matching line that starts at or after at, where a line starts. buf holds whole lines;
// the last may lack its line feed. The end is before the line feed.
func (s *Searcher) NextLine(buf []byte, at int) (start, end int, ok bool) {
	if at >= len(buf) {
		return 0, 0, false
	}
	found := s.dfa.Find(buf[at:])
	if found < 0 {
		return 0, 0, false
	}
	start, end = lineAround(buf, at, at+found)
	return start, end, true
}

// lineAround returns the bounds of the line that a position is in or at the end of, if it starts at or after at.
func lineAround(buf []byte, at, position int) (start, end int) {
	start = at + bytes.LastIndexByte(buf[at:position], '\n') + 1
	end = len(buf)
	if n := bytes.IndexByte(buf[position:], '\n'); n >= 0 {
		end = position + n
	}
	return start, end
}

// A Span is a part of a line: the bytes from Start up to End.
type Span = automaton.Span

// Spans appends the matches in a line, which has no line feed, to dst: leftmost first, not overlapping.
func (s *Searcher) Spans(dst []Span, line []byte) []Span {
	if s.spanner == nil {
		s.spanner = automaton.NewSpanner(s.m.program)
	}
	return s.spanner.Spans(dst, line)
}

// StartLine begins a line that comes in pieces, because it is too long for a buffer.
func (s *Searcher) StartLine() { s.dfa.StartLine() }

// Piece takes the next piece of the line and reports whether the line matches whatever follows.
func (s *Searcher) Piece(piece []byte) bool { return s.dfa.Feed(piece) }

// EndLine ends the line and reports whether it matches.
func (s *Searcher) EndLine() bool { return s.dfa.EndLine() }
