package regex

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gander/internal/search/syntax"
	"gander/internal/shell/command"
)

const (
	maxDepth  = 200
	maxRepeat = 32767
	maxRanges = 1 << 14 // of all sets in brackets
	unbounded = -1
)

// parse parses the pattern.
func (p *parser) parse() (n *syntax.Node, err error) {
	switch p.o.Syntax {
	case Fixed:
		var subs []*syntax.Node
		for _, r := range p.s {
			subs = append(subs, p.char(r))
		}
		return syntax.NewConcat(subs), nil
	case Perl, Ripgrep:
		return p.parsePerl()
	}
	defer command.Catch(&err)
	p.extended = p.o.Syntax != Basic
	n = p.alternatives()
	if p.i < len(p.s) {
		p.fail("Unmatched ) or \\)")
	}
	if p.brace && (p.boundary || p.o.Spans) {
		p.refuse(`a "{" at the beginning matches nothing there in GNU grep; write \{`)
	}
	if p.copied && (p.boundary || p.o.Spans || p.o.Sed || p.o.Syntax == Awk) {
		p.refuse("a repetition of what has a condition such as ^ or \\b is matched in another way " +
			"by GNU's programs; write it out or leave the condition out")
	}
	return n, nil
}

func (p *parser) fail(text Error) { command.Fail(text) }

func (p *parser) refuse(text string) {
	command.Fail(command.Refuse("the pattern %.100q: %s", p.s, text))
}

// A parser parses a basic or extended pattern.
type parser struct {
	s        string
	i        int
	o        Options
	extended bool
	depth    int
	groups   int    // the number of groups
	closed   uint64 // a bit for each of those that have ended
	keep     int    // the group of what follows \K, or 0
	ranges   int
	brace    bool // there is a "{" at the beginning of an alternative
	copied   bool // there is a condition in a repetition that GNU compiles to copies
	boundary bool // there is a condition about words
	complex  bool // there is a set of more than listed ASCII characters
}

// A token is a character, or an operator: one of * + ? { ( ) | ^ $ . [, \ for an escape sequence,
// and 0 for the end. r is the character, and size the length in the pattern.
type token struct {
	op   byte
	r    rune
	size int
}

const char = 'c' // the op of a character

// peek returns the next token. start says that it begins an alternative.
func (p *parser) peek(start bool) token {
	if p.i == len(p.s) {
		return token{}
	}
	rest := p.s[p.i:]
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case r == '\\':
		return p.peekEscape(rest)
	case r == '.', r == '[', r == '*',
		p.extended && strings.ContainsRune("+?{(|)^$", r),
		r == '^' && start,
		r == '$' && size == len(rest),
		strings.HasPrefix(rest, `$\)`), strings.HasPrefix(rest, `$\|`):
		return token{byte(r), r, size}
	}
	return token{char, r, size}
}

func (p *parser) alternatives() *syntax.Node {
	subs := []*syntax.Node{p.sequence()}
	for p.peek(false).op == '|' {
		p.i += p.peek(false).size
		subs = append(subs, p.sequence())
	}
	return syntax.NewAlternate(subs)
}

// sequence parses one alternative.
func (p *parser) sequence() *syntax.Node {
	var items []*syntax.Node
	start := true    // nothing but anchors so far
	repetitions := 0 // how often the last item is repeated
	for {
		t := p.peek(start)
		switch {
		case t.op == 0, t.op == '|', t.op == ')' && p.ends():
			return syntax.NewConcat(items)
		case strings.IndexByte("*+?{", t.op) >= 0:
			nothing := len(items) == 0 || items[len(items)-1].Op == syntax.Assert
			p.checkRepetition(t, nothing, repetitions > 0)
			low, high, ok := p.repetition(t, start || nothing && p.o.Sed)
			if !ok {
				p.brace = p.brace || nothing && t.op == '{'
				items = append(items, p.char(t.r))
				break
			}
			if nothing && p.o.Syntax == Awk {
				p.refuse(nothingRepeated)
			}
			repetitions++
			if repetitions > maxDepth {
				p.fail(errTooBig)
			}
			if len(items) > 0 {
				isCopied := high > 1 || high == unbounded && low > 0
				p.copied = p.copied || isCopied && hasCondition(items[len(items)-1])
				items[len(items)-1] = syntax.NewRepeat(items[len(items)-1], low, high, false)
			}
			continue
		default:
			p.i += t.size
			items = append(items, p.item(t))
		}
		repetitions = 0
		start = start && t.op == '^'
	}
}

const nothingRepeated = "a repetition of nothing; write a backslash before it for the character"

// checkRepetition fails where GNU's programs disagree with each other or with themselves about a
// repetition: of nothing, which can be a condition, and for sed in basic syntax of a repetition.
func (p *parser) checkRepetition(t token, nothing, isRepeated bool) {
	isFirst := p.i == 0 || p.s[:p.i] == "^" && !p.extended
	isSecond := !p.extended && isRepeated && strings.IndexByte("*{", t.op) >= 0
	isInvalid := isSecond || nothing && p.extended
	switch {
	case p.o.Sed && isInvalid:
		p.fail("Invalid preceding regular expression")
	case p.o.Sed, !nothing, isFirst, t.op == '{':
	default:
		p.refuse(nothingRepeated)
	}
}

// ends reports whether a ")" ends a sequence. In grep and awk, one without "(" is a character.
func (p *parser) ends() bool {
	isText := p.depth == 0 && p.extended && !p.o.Sed
	if isText && (p.o.Word || p.o.Line) {
		p.refuse(`a ")" without "(" together with -w or -x; write \)`)
	}
	return !isText
}

// hasCondition reports whether n has a condition about its place.
func hasCondition(n *syntax.Node) bool {
	return n.Op == syntax.Assert || slices.ContainsFunc(n.Subs, hasCondition)
}

// repetition consumes a repetition. It is not ok if its operator is a character, which is consumed.
func (p *parser) repetition(t token, start bool) (low, high int, ok bool) {
	p.i += t.size
	switch {
	case start && !p.extended && t.op == '{':
		p.fail("Invalid preceding regular expression")
	case start && !p.extended:
		return 0, 0, false
	}
	switch t.op {
	case '*':
		return 0, unbounded, true
	case '+':
		return 1, unbounded, true
	case '?':
		return 0, 1, true
	}
	return p.interval()
}

// interval parses the numbers of a repetition, after "{".
func (p *parser) interval() (low, high int, ok bool) {
	end := "}"
	if !p.extended {
		end = `\}`
	}
	body, rest, ended := strings.Cut(p.s[p.i:], end)
	isNumbers := body != "" && strings.Trim(body, "0123456789,") == "" && strings.Count(body, ",") <= 1
	switch {
	case ended && isNumbers:
	case ended && body == "" && p.extended && !p.o.Sed && p.i > 1:
		p.fail("Invalid content of \\{\\}")
	case p.extended && !p.o.Sed:
		return 0, 0, false
	case !ended, p.extended:
		p.fail("Unmatched \\{")
	default:
		p.fail("Invalid content of \\{\\}")
	}
	p.i = len(p.s) - len(rest)
	first, second, comma := strings.Cut(body, ",")
	low = p.count(first, 0)
	high = low
	if comma {
		high = p.count(second, unbounded)
	}
	if high != unbounded && low > high {
		p.fail("Invalid content of \\{\\}")
	}
	return low, high, true
}

func (p *parser) count(digits string, missing int) int {
	if digits == "" {
		return missing
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n > maxRepeat {
		p.fail(errTooBig)
	}
	return n
}

// item returns the node of a token that was consumed, and consumes what belongs to it.
func (p *parser) item(t token) *syntax.Node {
	switch t.op {
	case '.':
		return p.class(syntax.Set{{Low: 0, High: utf8.MaxRune}})
	case '[':
		return p.class(p.bracket())
	case '^':
		return assert(syntax.LineStart)
	case '$':
		return assert(syntax.LineEnd)
	case '(':
		return p.group()
	case '\\':
		return p.escape(t)
	}
	return p.char(t.r)
}

func (p *parser) group() *syntax.Node {
	p.depth++
	if p.depth > maxDepth {
		p.fail(errTooBig)
	}
	p.groups++
	number := p.groups
	n := p.alternatives()
	if p.i == len(p.s) {
		p.fail("Unmatched ( or \\(")
	}
	p.i += p.peek(false).size
	p.depth--
	p.closed |= 1 << min(number, 63)
	return &syntax.Node{Op: syntax.Concat, Subs: []*syntax.Node{n}, Group: number}
}

func (p *parser) char(r rune) *syntax.Node { return p.class(syntax.Set{{Low: r, High: r}}) }

// class returns the node of a set, regardless of case if that is ignored.
func (p *parser) class(s syntax.Set) *syntax.Node {
	if p.o.IgnoreCase {
		s = p.limited(s.Fold())
	}
	return &syntax.Node{Op: syntax.Class, Set: s}
}

// limited counts the ranges of a set that was made for the pattern.
func (p *parser) limited(s syntax.Set) syntax.Set {
	p.ranges += len(s)
	if p.ranges > maxRanges {
		p.fail(errTooBig)
	}
	return s
}
