// Package syntax parses patterns in the syntax of ripgrep 15, the syntax of Rust's regex crate,
// into a tree of [Node]s.
//
// As in ripgrep, classes and word boundaries use Unicode, ^ and $ match at the ends of a line, and
// no match contains a line feed. [Options.CRLF] corresponds to rg --crlf.
//
// Differences from ripgrep 15:
//
//   - The flags are i and U. The flags m and s are accepted without effect, as is u. The flags x
//     and R are not supported, and u cannot be switched off, so no pattern matches single bytes.
//   - The set operation ~~ is not supported, and no properties other than general categories,
//     scripts by their long names, Alphabetic, Lowercase, Uppercase and White_Space.
//   - A pattern has at most 8 KiB. Programs are limited to a smaller size than ripgrep's: \w{300}
//     is accepted, \w{1000} is not. The Unicode tables are Go's.
//   - The names of groups are not checked.
//   - ripgrep puts a pattern into (?:...) and therefore accepts a)(b. Here it is an error.
//   - With [Options.CRLF], ^ does not match after a carriage return within a line, a pattern may
//     contain a literal carriage return, and an empty match after the last one has a span.
//   - Word boundaries beside invalid UTF-8 can differ: to ripgrep, up to three continuation bytes
//     belong to the character before them.
//   - The first match is the leftmost. ripgrep sometimes shows a later one: it finds a and b with
//     (_-.)?[a-c] in x_-ab, but _-ab with _-.[a-c]|[a-c], which means the same.
//   - \A and \z, and ^ and $ without the flag m, mean ^ and $: their spans are at the ends of the
//     line, not of the buffer. An empty match at the end of a last line without a line feed has a
//     span, except after a carriage return with [Options.CRLF].
package syntax

import (
	"context"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"gander/internal/files/text"
)

const (
	maxPattern = 8 << 10 // bytes
	// maxDepth is the maximum nesting depth of groups, classes and repetitions.
	maxDepth = 250
	// maxRanges is the maximum number of ranges of all classes and their parts together.
	maxRanges = 1 << 16
	// maxShown is the maximum number of bytes of a pattern in an error.
	maxShown = 300
)

const (
	tooDeep = "groups, classes and repetitions nest too deep"
	noEnd   = `"(" without ")"; write \( for the character`
)

// eof represents the end of the pattern.
const eof rune = -1

// Options holds options for the whole pattern.
type Options struct {
	// Literal specifies that the pattern is text, without special characters.
	Literal bool
	// IgnoreCase is the flag i.
	IgnoreCase bool
	// CRLF specifies that $ also matches before a carriage return, and that only a literal carriage
	// return matches one.
	CRLF bool
	// Groups specifies that each capturing group is a node of its own, with its number.
	Groups bool
}

// An Error describes an invalid pattern.
type Error struct {
	Pattern string
	Offset  int    // where the problem is in the pattern, in bytes
	Message string // the problem and its fix, if known
}

func (e *Error) Error() string {
	shown := text.Cut(e.Pattern, maxShown)
	if len(shown) < len(e.Pattern) {
		shown += "..."
	}
	return fmt.Sprintf("%s at byte %d of the pattern %q", e.Message, e.Offset, shown)
}

// A parser parses one pattern by recursive descent. It panics with a failure if the pattern is
// invalid.
type parser struct {
	ctx     context.Context // checked at each step of the descent
	pattern string
	pos     int
	depth   int
	crlf    bool
	flags   flags
	ranges  int // the number of ranges in all classes and their parts
	groups  int // the number of capturing groups so far, or negative if they have no nodes
}

// flags are the options that a group can change.
type flags struct{ ignoreCase, swapLazy bool }

// A failure is the panic value that ends a parse.
type failure struct{ err error }

// Parse parses a pattern. The error is an [*Error], the error of ctx, or an error about the length
// of the pattern.
func Parse(ctx context.Context, pattern string, o Options) (n *Node, err error) {
	if len(pattern) > maxPattern {
		const format = "pattern: %d bytes, must be at most %d; search for a part of it"
		return nil, fmt.Errorf(format, len(pattern), maxPattern)
	}
	p := &parser{ctx: ctx, pattern: pattern, crlf: o.CRLF, flags: flags{ignoreCase: o.IgnoreCase}}
	if !o.Groups {
		p.groups = math.MinInt
	}
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(failure)
			if !ok {
				panic(r)
			}
			err = f.err
		}
	}()
	for i, r := range pattern {
		if r == utf8.RuneError && !strings.HasPrefix(pattern[i:], string(r)) {
			p.failAt(i, "a pattern is UTF-8")
		}
	}
	if o.Literal {
		var chars []*Node
		for pos := 0; p.peek() != eof; pos = p.pos {
			chars = append(chars, p.char(p.next(), pos))
		}
		n = NewConcat(chars)
	} else {
		n = p.alternatives()
		if p.peek() == ')' {
			p.fail(`")" without "("; write \) for the character`)
		}
	}
	p.check()
	if bad := n.removeLineEnds(o.CRLF); bad != nil {
		p.failAt(bad.pos, "a match lies within one line, so a pattern cannot ask for a line feed")
	}
	return n, nil
}

// fail ends the parse with an error at the current position.
func (p *parser) fail(message string) { p.failAt(p.pos, message) }

func (p *parser) failAt(pos int, message string) {
	panic(failure{&Error{Pattern: p.pattern, Offset: pos, Message: message}})
}

// check fails if the context is done.
func (p *parser) check() {
	if err := p.ctx.Err(); err != nil {
		panic(failure{err})
	}
}

// peek returns the next character without consuming it.
func (p *parser) peek() rune {
	if p.pos >= len(p.pattern) {
		return eof
	}
	r, _ := utf8.DecodeRuneInString(p.pattern[p.pos:])
	return r
}

// next consumes the next character and returns it.
func (p *parser) next() rune {
	r := p.peek()
	if r != eof {
		p.pos += utf8.RuneLen(r)
	}
	return r
}

// take consumes s if the rest of the pattern begins with it, and reports whether it does.
func (p *parser) take(s string) bool {
	ok := p.looking(s)
	if ok {
		p.pos += len(s)
	}
	return ok
}

// looking reports whether the rest of the pattern begins with s.
func (p *parser) looking(s string) bool { return strings.HasPrefix(p.pattern[p.pos:], s) }

// until consumes the text up to end, and end. It returns the text, and reports whether there is an
// end.
func (p *parser) until(end string) (text string, ok bool) {
	text, rest, ok := strings.Cut(p.pattern[p.pos:], end)
	p.pos = len(p.pattern) - len(rest)
	return text, ok
}

// enter begins another level of nesting.
func (p *parser) enter(pos int) {
	p.depth++
	if p.depth > maxDepth {
		p.failAt(pos, tooDeep)
	}
}

// alternatives parses alternatives up to the end of the group or pattern.
func (p *parser) alternatives() *Node {
	subs := []*Node{p.sequence()}
	for p.take("|") {
		subs = append(subs, p.sequence())
	}
	return NewAlternate(subs)
}

// sequence parses one alternative.
func (p *parser) sequence() *Node {
	var items []*Node
	repeatable := false // the last item is not flags
	repetitions := 0    // how often the last item is repeated
	for {
		p.check()
		pos := p.pos
		var n *Node
		switch r := p.peek(); r {
		case eof, '|', ')':
			return NewConcat(items)
		case '*', '+', '?', '{':
			if !repeatable {
				const format = `nothing to repeat before "%c"; write \%[1]c for the character`
				p.failAt(pos, fmt.Sprintf(format, r))
			}
			repetitions++
			if repetitions > maxDepth {
				p.failAt(pos, tooDeep)
			}
			items[len(items)-1] = p.repetition(items[len(items)-1])
			continue
		case '(':
			n = p.group()
		default:
			n = p.item()
		}
		repeatable = n != nil
		if repeatable {
			items, repetitions = append(items, n), 0
		}
	}
}

// item parses an expression that is neither a group nor a repetition.
func (p *parser) item() *Node {
	pos := p.pos
	switch r := p.next(); r {
	case '[':
		return &Node{Op: Class, Set: p.bracket(), pos: pos}
	case '\\':
		n := p.escape()
		n.Set = p.fold(n.Set)
		return n
	case '.':
		return &Node{Op: Class, Set: Set{{0, utf8.MaxRune}}, pos: pos}
	case '^':
		return &Node{Op: Assert, Look: LineStart}
	case '$':
		return &Node{Op: Assert, Look: p.lineEnd()}
	default:
		return p.char(r, pos)
	}
}

// char returns a node that matches one character.
func (p *parser) char(r rune, pos int) *Node {
	return &Node{Op: Class, Set: p.fold(Set{{r, r}}), pos: pos}
}
