// Package match finds the lines that match a pattern.
package match

import (
	"bytes"
	"regexp"

	"gander/internal/engine/search/syntax"
)

// Options change what a pattern means.
type Options struct {
	// Literal says that the pattern is text, not an expression.
	Literal bool
	// IgnoreCase says that letters match whatever their case.
	IgnoreCase bool
	// MaxProgram bounds the size of the compiled program in instructions; 0 is the default.
	MaxProgram int
}

// A Matcher is a compiled pattern. It is immutable and safe for concurrent use.
type Matcher struct {
	re *regexp.Regexp
}

// Compile compiles a pattern. Its error is a [*syntax.Error].
func Compile(pattern string, o Options) (*Matcher, error) {
	text := pattern
	if o.Literal {
		text = regexp.QuoteMeta(text)
	}
	if o.IgnoreCase {
		text = "(?i)" + text
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, &syntax.Error{Pattern: pattern, Message: err.Error()}
	}
	return &Matcher{re}, nil
}

// A Searcher searches with a Matcher. It holds the mutable state of one goroutine.
type Searcher struct {
	m *Matcher
	// line holds the pieces of the current line.
	line []byte
}

// NewSearcher returns a Searcher for one goroutine.
func (m *Matcher) NewSearcher() *Searcher { return &Searcher{m: m} }

// NextLine returns the bounds of the first matching line that starts at or after at, where a line starts. buf holds whole lines;
// the last may lack its line feed. The end is before the line feed.
func (s *Searcher) NextLine(buf []byte, at int) (start, end int, ok bool) {
	for at < len(buf) {
		end = len(buf)
		if i := bytes.IndexByte(buf[at:], '\n'); i >= 0 {
			end = at + i
		}
		if s.m.re.Match(buf[at:end]) {
			return at, end, true
		}
		at = end + 1
	}
	return 0, 0, false
}

// A Span is a part of a line: the bytes from Start up to End.
type Span struct{ Start, End int }

// Spans appends the matches in a line, which has no line feed, to dst: leftmost first, not overlapping.
func (s *Searcher) Spans(dst []Span, line []byte) []Span {
	for _, m := range s.m.re.FindAllIndex(line, -1) {
		dst = append(dst, Span{m[0], m[1]})
	}
	return dst
}

// StartLine begins a line that comes in pieces, because it is too long for a buffer.
func (s *Searcher) StartLine() { s.line = s.line[:0] }

// Piece takes the next piece of the line and reports whether the line matches whatever follows.
func (s *Searcher) Piece(piece []byte) bool {
	s.line = append(s.line, piece...)
	return false
}

// EndLine ends the line and reports whether it matches. The line's pieces are not kept.
func (s *Searcher) EndLine() bool { return s.m.re.Match(s.line) }
