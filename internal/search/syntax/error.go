package syntax

import (
	"fmt"
	"unicode/utf8"
)

// maxShown is the maximum number of bytes of a pattern in the text of an error.
const maxShown = 300

// An Error describes an invalid pattern.
type Error struct {
	Pattern string
	// Offset is the byte offset of the problem in the pattern.
	Offset int
	// Message describes the problem and its fix, if known.
	Message string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s at byte %d of the pattern %q", e.Message, e.Offset, cut(e.Pattern))
}

// cut returns at most maxShown bytes of a pattern.
func cut(pattern string) string {
	if len(pattern) <= maxShown {
		return pattern
	}
	end := maxShown
	for end > 0 && !utf8.RuneStart(pattern[end]) {
		end--
	}
	return pattern[:end] + "..."
}

// A LengthError reports a pattern that is longer than [MaxPattern].
type LengthError struct{ Length int }

func (e *LengthError) Error() string {
	const format = "pattern: %d bytes, must be at most %d; search for a part of it"
	return fmt.Sprintf(format, e.Length, MaxPattern)
}

// A failure is the panic value that ends a parse.
type failure struct{ err error }

// recover recovers from a failure and stores its error in err.
func (p *parser) recover(err *error) {
	if r := recover(); r != nil {
		f, ok := r.(failure)
		if !ok {
			panic(r)
		}
		*err = f.err
	}
}

// checkLength fails if the pattern is too long.
func (p *parser) checkLength() {
	if len(p.pattern) > MaxPattern {
		panic(failure{&LengthError{Length: len(p.pattern)}})
	}
}

// check fails if the context is done.
func (p *parser) check() {
	if err := p.ctx.Err(); err != nil {
		panic(failure{err})
	}
}

// countRanges counts the ranges of a class, and fails if there are too many.
func (p *parser) countRanges(n *Node, pos int) {
	if p.ranges += len(n.Set); p.ranges > maxRanges {
		p.failAt(pos, "the classes of the pattern are too large together")
	}
}
