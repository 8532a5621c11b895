package syntax

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxPattern is the maximum size of a pattern in bytes.
const MaxPattern = 8 << 10

const (
	// maxDepth is the maximum nesting depth of groups and classes.
	maxDepth = 250
	// maxRanges is the maximum number of ranges of all classes together.
	maxRanges = 1 << 19
)

// eof represents the end of the pattern.
const eof rune = -1

// flags are the options that a pattern can change with (?flags).
type flags struct {
	ignoreCase, multiLine, dotAll, swapLazy, unicode, crlf, extended bool
}

// Options holds the initial flags of a pattern.
type Options struct {
	// IgnoreCase is the flag i: letters match regardless of case.
	IgnoreCase bool
	// CRLF is the flag R: ^ and $ also match at a carriage return. Only a literal carriage return
	// matches one.
	CRLF bool
}

// Parse parses a pattern. The error is an [*Error], a [*LengthError] or the error of ctx.
func Parse(ctx context.Context, pattern string, o Options) (n *Node, err error) {
	p := &parser{ctx: ctx, pattern: pattern}
	p.flags = flags{ignoreCase: o.IgnoreCase, crlf: o.CRLF, multiLine: true, unicode: true}
	defer p.recover(&err)
	p.checkLength()
	if at, ok := invalidUTF8(pattern); ok {
		p.failAt(at, `a pattern is UTF-8; write (?-u:\xNN) for a byte`)
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
	p := &parser{ctx: ctx, pattern: text, flags: flags{ignoreCase: o.IgnoreCase, unicode: true}}
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
			subs = append(subs, p.byteClass(Set{{rune(text[i]), rune(text[i])}}, i))
		default:
			subs = append(subs, p.literal(char{r: r}, i))
		}
	}
	return concat(subs), nil
}

// invalidUTF8 returns the offset of the first invalid byte, and reports whether there is one.
func invalidUTF8(s string) (int, bool) {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)) {
			return i, true
		}
	}
	return 0, false
}

// A parser parses one pattern by recursive descent. It panics with a failure if the pattern is
// invalid.
type parser struct {
	ctx     context.Context
	pattern string
	pos     int
	depth   int
	flags   flags
	names   map[string]bool
	// classes caches the sets of named classes.
	classes map[string]Set
	// folded caches the sets with the other case, by the address of the set.
	folded map[*Range]Set
	// ranges counts the ranges of all classes.
	ranges int
}

// fail ends the parse with an error at the current position.
func (p *parser) fail(message string) { p.failAt(p.pos, message) }

func (p *parser) failAt(pos int, message string) {
	panic(failure{&Error{Pattern: p.pattern, Offset: pos, Message: message}})
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
	if !p.flags.extended {
		return
	}
	for {
		switch r := p.peek(); {
		case unicode.Is(unicode.Pattern_White_Space, r):
			p.next()
		case r == '#':
			start := p.pos
			for r := p.next(); r != '\n'; r = p.next() {
				if r == eof {
					p.failAt(start, "a comment needs a line feed at its end")
				}
			}
		default:
			return
		}
	}
}

// enter begins another level of nesting.
func (p *parser) enter(pos int) {
	if p.depth++; p.depth > maxDepth {
		p.failAt(pos, "groups, classes and repetitions nest too deep")
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
			items[len(items)-1] = p.repetition(items[len(items)-1])
		case '(':
			n := p.group()
			if repeatable = n != nil; repeatable {
				items = append(items, n)
			}
		default:
			items = append(items, p.item())
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
		n := p.class()
		p.countRanges(n, pos)
		return n
	case '\\':
		n, c := p.escape()
		if n == nil {
			n = p.literal(c, pos)
		}
		p.countRanges(n, pos)
		return n
	}
	start, end := LineStart, LineEnd
	if p.flags.crlf && p.flags.multiLine {
		start, end = LineStartCRLF, LineEndCRLF
	}
	switch r := p.next(); r {
	case '.':
		return p.dot(pos)
	case '^':
		return &Node{Op: Assert, Look: start}
	case '$':
		return &Node{Op: Assert, Look: end}
	default:
		return p.literal(char{r: r}, pos)
	}
}

// A char is a literal character. If it was written as \xNN, it is a byte where the flag u is off.
type char struct {
	r    rune
	hexa bool
}

// literal returns a node that matches one character.
func (p *parser) literal(c char, pos int) *Node {
	s := Set{{c.r, c.r}}
	if !p.flags.unicode && c.hexa && c.r > unicode.MaxASCII {
		return p.byteClass(s, pos)
	}
	if p.flags.ignoreCase && p.flags.unicode {
		s = s.fold()
	} else if p.flags.ignoreCase {
		s = s.foldASCII()
	}
	return &Node{Op: Class, Set: s, pos: pos}
}

// byteClass returns a node that matches one byte of a set.
func (p *parser) byteClass(s Set, pos int) *Node {
	return &Node{Op: Class, Set: s, Bytes: true, pos: pos}
}

func (p *parser) dot(pos int) *Node {
	s := Set{{0, maxRune}}
	switch {
	case p.flags.dotAll:
	case p.flags.crlf:
		s = Set{{'\n', '\n'}, {'\r', '\r'}}.negate(maxRune)
	default:
		s = Set{{'\n', '\n'}}.negate(maxRune)
	}
	if !p.flags.unicode {
		return p.byteClass(s.intersect(Set{{0, maxByte}}), pos)
	}
	return &Node{Op: Class, Set: s, pos: pos}
}
