// Package match finds the lines that match a pattern.
package match

import (
	"bytes"
	"context"

	"gander/internal/admission"
	"gander/internal/search/automaton"
	"gander/internal/search/literal"
	"gander/internal/search/syntax"
)

// programMemory is how much memory a pattern may need, in bytes. What is above the first is
// reserved, so that many calls at once need little, and what is above the last is refused.
var programMemory = [...]int{256 << 10, 4 << 20, 28 << 20}

// Options modifies a pattern as ripgrep's --fixed-strings, --ignore-case and --crlf do.
type Options = syntax.Options

// A Matcher is a compiled pattern. It is immutable and safe for concurrent use.
type Matcher struct {
	program *automaton.Program
	// finder, if not nil, finds literals. Every matching line contains at least one. If exact,
	// every line with a literal matches.
	finder *literal.Finder
	exact  bool
}

// Compile compiles a pattern. The memory of a large one remains reserved until ctx is done (see
// [admission.Reserve]). The error is a [*syntax.Error], the error of ctx or of reserving memory, or
// an error about the length of the pattern.
func Compile(ctx context.Context, pattern string, o Options) (*Matcher, error) {
	n, err := syntax.Parse(ctx, pattern, o)
	if err != nil {
		return nil, err
	}
	m, err := compile(ctx, n)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err == automaton.ErrTooLarge:
		return nil, &syntax.Error{Pattern: pattern, Message: err.Error()}
	case err != nil:
		return nil, err
	}
	return m, nil
}

// New compiles a parsed pattern, whose classes contain no line feed, without reserving memory. The
// error is that of ctx, or [automaton.ErrTooLarge] if the [Matcher.Size] would be more than limit.
func New(ctx context.Context, n *syntax.Node, limit int) (*Matcher, error) {
	p, err := automaton.Compile(ctx, n, limit)
	if err != nil {
		return nil, err
	}
	literals := literal.Extract(n)
	return &Matcher{program: p, finder: literal.NewFinder(literals), exact: literals.Exact}, nil
}

// compile compiles a pattern in as little reserved memory as it needs.
func compile(ctx context.Context, n *syntax.Node) (*Matcher, error) {
	m, err := New(ctx, n, programMemory[0])
	for _, limit := range programMemory[1:] {
		if err != automaton.ErrTooLarge {
			break
		}
		if err := admission.Reserve(ctx, int64(limit)); err != nil {
			return nil, err
		}
		m, err = New(ctx, n, limit)
		needed := 0
		if err == nil {
			needed = m.Size()
			context.AfterFunc(ctx, func() { admission.Release(ctx, int64(needed)) })
		}
		admission.Release(ctx, int64(limit-needed))
	}
	return m, err
}

// Size returns the number of bytes that the pattern and a Searcher need, apart from the states of
// its automaton.
func (m *Matcher) Size() int { return m.program.Size() }

// WorkerMemory returns the number of bytes that each Searcher on another goroutine needs, apart
// from the states of its automaton.
func (m *Matcher) WorkerMemory() int { return m.program.DFAMemory() }

// A Searcher searches with a Matcher. It is not safe for concurrent use.
type Searcher struct {
	m        *Matcher
	dfa      *automaton.DFA
	spanner  *automaton.Spanner // nil until needed
	literals literal.State
	pause    int // bytes to search without the finder, which is slow in this text; none if negative
}

const pauseLength = 128 << 10 // bytes

// NewSearcher returns a Searcher. It cannot be used after l.Stop has returned true.
func (m *Matcher) NewSearcher(l automaton.Limits) *Searcher {
	return &Searcher{m: m, dfa: automaton.NewDFA(m.program, l)}
}

// NextLine returns the bounds of the first matching line at or after at, which is the start of a
// line. The end excludes the line feed. buf holds whole lines. The last can lack its line feed.
func (s *Searcher) NextLine(buf []byte, at int) (start, end int, ok bool) {
	for at < len(buf) {
		if s.m.finder == nil || s.pause > 0 {
			return s.byAutomaton(buf, at)
		}
		first, last, isFast := s.m.finder.Find(&s.literals, buf, at)
		switch {
		case !isFast:
			s.pause = pauseLength
			continue
		case first < 0:
			return 0, 0, false
		}
		start, end = lineAround(buf, at, first, last)
		if s.m.exact || s.dfa.Find(buf[start:min(end+1, len(buf))]) >= 0 {
			return start, end, true
		}
		at = end + 1
	}
	return 0, 0, false
}

// byAutomaton finds the next matching line without literals. at is in buf.
func (s *Searcher) byAutomaton(buf []byte, at int) (start, end int, ok bool) {
	found := s.dfa.Find(buf[at:])
	if found < 0 {
		s.pause -= len(buf) - at
		return 0, 0, false
	}
	s.pause -= found
	start, end = lineAround(buf, at, at+found, at+found)
	return start, end, true
}

// lineAround returns the bounds of the line that contains the bytes from first up to last. at is at
// or before its start.
func lineAround(buf []byte, at, first, last int) (start, end int) {
	start = at + bytes.LastIndexByte(buf[at:first], '\n') + 1
	end = len(buf)
	if n := bytes.IndexByte(buf[last:], '\n'); n >= 0 {
		end = last + n
	}
	return start, end
}

type (
	Span  = automaton.Span
	Text  = automaton.Text
	Bytes = automaton.Bytes
)

// Spans yields the matches in a line as [automaton.Spanner.Spans] does.
func (s *Searcher) Spans(text Text, limit int, yield func(Span) bool) error {
	if s.spanner == nil {
		s.spanner = automaton.NewSpanner(s.dfa)
	}
	return s.spanner.Spans(text, limit, yield)
}

// StartLine begins a line that is too long for a buffer and is searched in pieces.
func (s *Searcher) StartLine() { s.dfa.StartLine() }

// Feed searches the next piece of the line. It reports whether the line matches regardless of the
// rest.
func (s *Searcher) Feed(piece []byte) bool { return s.dfa.Feed(piece) }

// EndLine reports whether the line matches.
func (s *Searcher) EndLine() bool { return s.dfa.EndLine() }
