package syntax

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gander/internal/files/text"
)

const (
	// maxPattern is the maximum size of a pattern in bytes.
	maxPattern = 8 << 10
	// maxDepth is the maximum nesting depth of groups, classes and repetitions.
	maxDepth = 250
	// maxRanges is the maximum number of ranges of all classes and their parts together.
	maxRanges = 1 << 17
	// maxShown is the maximum number of bytes of a pattern in the text of an error.
	maxShown = 300
)

const tooDeep = "groups, classes and repetitions nest too deep"

// eof represents the end of the pattern.
const eof rune = -1

// A flag is an option that a pattern can change with (?flags). letters contains their letters.
type flag int

const (
	ignoreCase flag = iota
	multiLine
	dotAll
	swapLazy
	unicodeMode
	crlf
	extended
	letters = "imsUuRx"
)

type flags [len(letters)]bool

// Options holds the initial flags of a pattern.
type Options struct {
	// IgnoreCase is the flag i: letters match regardless of case.
	IgnoreCase bool
	// CRLF is the flag R: ^ and $ also match at a carriage return. Only a literal carriage return
	// matches one.
	CRLF bool
}

// An Error describes an invalid pattern.
type Error struct {
	Pattern string
	// Offset is the byte offset of the problem in the pattern.
	Offset int
	// Message describes the problem and its fix, if known.
	Message string
}

func (e *Error) Error() string {
	shown := text.Cut(e.Pattern, maxShown)
	if len(shown) < len(e.Pattern) {
		shown += "..."
	}
	return fmt.Sprintf("%s at byte %d of the pattern %q", e.Message, e.Offset, shown)
}

// Parse parses a pattern. The error is an [*Error], the error of ctx, or an error about the length
// of the pattern.
func Parse(ctx context.Context, pattern string, o Options) (n *Node, err error) {
	p := newParser(ctx, pattern, o)
	p.flags[multiLine], p.flags[crlf] = true, o.CRLF
	defer p.recover(&err)
	p.checkLength()
	for i, r := range pattern {
		if r == utf8.RuneError && !strings.HasPrefix(pattern[i:], string(r)) {
			p.failAt(i, `a pattern is UTF-8; write (?-u:\xNN) for a byte`)
		}
	}
	n = p.alternatives()
	if p.peek() == ')' {
		p.fail(`")" without "("; write \) for the character`)
	}
	p.check()
	if bad := n.removeLineEnds(o.CRLF); bad != nil {
		p.failAt(bad.pos, "a match lies within one line, so a pattern cannot ask for a line feed")
	}
	return n, nil
}

// Literal returns a node that matches text literally. The errors are as for [Parse].
func Literal(ctx context.Context, text string, o Options) (n *Node, err error) {
	p := newParser(ctx, text, o)
	defer p.recover(&err)
	p.checkLength()
	var subs []*Node
	for i, size := 0, 0; i < len(text); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\n':
			p.failAt(i, "a match lies within one line, so the text cannot contain a line feed")
		case r == utf8.RuneError && size == 1:
			b := rune(text[i])
			subs = append(subs, &Node{Op: Class, Set: Set{{b, b}}, Bytes: true, pos: i})
		default:
			subs = append(subs, p.literal(char{r: r}, i))
		}
	}
	return concat(subs), nil
}

// A parser parses one pattern by recursive descent. It panics with a failure if the pattern is
// invalid.
type parser struct {
	ctx     context.Context
	pattern string
	pos     int
	depth   int
	flags   flags
	names   map[string]bool // of groups
	ranges  int             // of all classes and their parts
}

func newParser(ctx context.Context, pattern string, o Options) *parser {
	p := &parser{ctx: ctx, pattern: pattern, names: map[string]bool{}}
	p.flags[ignoreCase], p.flags[unicodeMode] = o.IgnoreCase, true
	return p
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

// fail ends the parse with an error at the current position.
func (p *parser) fail(message string) { p.failAt(p.pos, message) }

func (p *parser) failAt(pos int, message string) {
	panic(failure{&Error{Pattern: p.pattern, Offset: pos, Message: message}})
}

func (p *parser) checkLength() {
	if n := len(p.pattern); n > maxPattern {
		const format = "pattern: %d bytes, must be at most %d; search for a part of it"
		panic(failure{fmt.Errorf(format, n, maxPattern)})
	}
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

// space skips the white space and the comments that the flag x allows.
func (p *parser) space() {
	for p.flags[extended] {
		start, r := p.pos, p.peek()
		if r != '#' && !unicode.Is(unicode.Pattern_White_Space, r) {
			return
		}
		for p.next(); r == '#' && !p.take("\n"); p.next() {
			if p.peek() == eof {
				p.failAt(start, "a comment needs a line feed at its end")
			}
		}
	}
}

// enter begins another level of nesting.
func (p *parser) enter(pos int) {
	if p.depth++; p.depth > maxDepth {
		p.failAt(pos, tooDeep)
	}
}

// alternatives parses alternatives up to the end of the group or pattern.
func (p *parser) alternatives() *Node {
	subs := []*Node{p.sequence()}
	for p.take("|") {
		subs = append(subs, p.sequence())
	}
	return alternate(subs)
}

// sequence parses one alternative.
func (p *parser) sequence() *Node {
	var items []*Node
	repeatable := false // the last item is not flags
	repetitions := 0    // of the last item
	for {
		p.space()
		pos := p.pos
		switch r := p.peek(); r {
		case eof, '|', ')':
			return concat(items)
		case '*', '+', '?', '{':
			if !repeatable {
				const format = `nothing to repeat before "%c"; write \%[1]c for the character`
				p.failAt(pos, fmt.Sprintf(format, r))
			}
			if repetitions++; repetitions > maxDepth {
				p.failAt(pos, tooDeep)
			}
			items[len(items)-1] = p.repetition(items[len(items)-1])
		case '(':
			n := p.group()
			if repeatable = n != nil; repeatable {
				items, repetitions = append(items, n), 0
			}
		default:
			items, repetitions = append(items, p.item()), 0
			repeatable = true
		}
	}
}

// item parses an expression that is neither a group nor a repetition.
func (p *parser) item() *Node {
	pos := p.pos
	p.check()
	switch p.peek() {
	case '[':
		return p.bracket()
	case '\\':
		n, c := p.escape()
		if n == nil {
			n = p.literal(c, pos)
		}
		return n
	}
	var ends Look
	if p.flags[crlf] && p.flags[multiLine] {
		ends = LineStartCRLF - LineStart
	}
	switch r := p.next(); r {
	case '.':
		return p.dot(pos)
	case '^':
		return &Node{Op: Assert, Look: LineStart + ends}
	case '$':
		return &Node{Op: Assert, Look: LineEnd + ends}
	default:
		return p.literal(char{r: r}, pos)
	}
}

func (p *parser) dot(pos int) *Node {
	n := &Node{Op: Class, Bytes: !p.flags[unicodeMode], pos: pos}
	switch {
	case p.flags[dotAll]:
	case p.flags[crlf]:
		n.Set = Set{{'\n', '\n'}, {'\r', '\r'}}
	default:
		n.Set = Set{{'\n', '\n'}}
	}
	n.negate()
	return n
}

// unbounded is the Max of a repetition without an upper bound.
const unbounded = -1

// repetition parses a repetition operator, such as "*?" or "{2,3}", and returns n repeated.
func (p *parser) repetition(n *Node) *Node {
	start := p.pos
	low, high := 0, unbounded
	switch p.next() {
	case '?':
		high = 1
	case '+':
		low = 1
	case '{':
		low, high = p.counts(start)
		p.space()
	}
	lazy := p.take("?") != p.flags[swapLazy]
	return repeat(n, low, high, lazy)
}

// counts parses the numbers of a repetition and the "}". start is the offset of the "{".
func (p *parser) counts(start int) (low, high int) {
	low = p.count()
	high = low
	if p.take(",") {
		high = unbounded
		if p.space(); p.peek() != '}' {
			high = p.count()
		}
	}
	if !p.take("}") {
		p.failAt(start, `"{" without "}"; write \{ for the character`)
	}
	if high != unbounded && low > high {
		p.failAt(start, "in a repetition the smaller number comes first")
	}
	return low, high
}

// count parses a number with white space around it.
func (p *parser) count() int {
	skip := func() {
		for p.space(); unicode.IsSpace(p.peek()); p.space() {
			p.next()
		}
	}
	skip()
	start := p.pos
	for '0' <= p.peek() && p.peek() <= '9' {
		p.next()
	}
	digits := p.pattern[start:p.pos]
	if digits == "" {
		p.failAt(start, `"{" repeats, so a number must follow; write \{ for the character`)
	}
	n, err := strconv.ParseUint(digits, 10, 32)
	if err != nil {
		p.failAt(start, "the number of a repetition is too large")
	}
	skip()
	return int(n)
}
