// Package regex runs the regular expressions of GNU grep, sed and gawk in the C.UTF-8 locale: POSIX
// basic and extended ones with GNU's additions, and those of grep -P that need no more than the
// syntax of ripgrep.
//
// Back-references in a pattern are refused. Invalid UTF-8 in a text matches nothing, and in a
// pattern is refused. Time is proportional to the product of the sizes of the pattern and the text.
package regex

import (
	"bytes"
	"context"
	"slices"
	"unicode/utf8"

	"gander/internal/search/automaton"
	"gander/internal/search/match"
	"gander/internal/search/syntax"
	"gander/internal/shell/command"
)

const (
	maxPattern = 16 << 10 // bytes, of all patterns of an expression
	// searcherMemory is the memory for the states of a searcher of lines, in bytes.
	searcherMemory = 512 << 10
)

// A Syntax is the language of a pattern.
type Syntax uint8

const (
	Basic Syntax = iota
	Extended
	Awk     // extended, with awk's escape sequences
	Fixed   // text
	Perl    // of grep -P
	Ripgrep // in which the first match of an alternation is preferred, as in Perl
)

// Options says how a pattern is read.
type Options struct {
	Syntax     Syntax
	IgnoreCase bool
	// Sed takes escape sequences such as \n, and refuses what only grep accepts, such as a repetition
	// of nothing.
	Sed bool
	// Word and Line ask for whole words or lines, as grep's -w and -x do. Line prevails.
	Word, Line bool
	// Spans tells that Find and All will be used.
	Spans bool
}

// An Error says what is wrong with a pattern, in the words of GNU.
type Error string

func (e Error) Error() string { return string(e) }

// programMemory is the memory that is tried for a program and what runs it, in bytes.
var programMemory = [...]int{256 << 10, 8 << 20}

const errTooBig = Error("Regular expression too big")

// A Regexp is a compiled expression. It is immutable.
type Regexp struct {
	node   *syntax.Node
	groups int
	o      Options
	// bytewise says that after an empty match, the next begins a byte later, even within a character:
	// in ripgrep, and in sed if the pattern is simple.
	bytewise bool
	keep     int // the group that is the match, because it follows \K, or 0
}

// Compile compiles patterns, one of which must match. The error is an Error or a command.Refusal.
func Compile(o Options, patterns ...string) (*Regexp, error) {
	re := &Regexp{o: o}
	var alternatives []*syntax.Node
	size := 0
	for _, pattern := range patterns {
		size += len(pattern)
		if size > maxPattern {
			return nil, command.Refuse("a pattern of more than %d bytes is too long here; "+
				"search for a part of it", maxPattern)
		}
		if !utf8.ValidString(pattern) {
			return nil, command.Refuse("the pattern %.100q: not UTF-8, which is not supported here; "+
				"write a dot for the byte", pattern)
		}
		p := &parser{s: pattern, o: o}
		n, err := p.parse()
		if err != nil {
			return nil, err
		}
		re.groups, re.keep = max(re.groups, p.groups), p.keep
		isSimple := o.Sed && !p.complex && !o.IgnoreCase
		re.bytewise = isSimple || o.Syntax == Ripgrep
		alternatives = append(alternatives, n)
	}
	if len(alternatives) == 0 {
		alternatives = []*syntax.Node{{Op: syntax.Class}} // which matches nothing
	}
	re.node = syntax.NewAlternate(alternatives)
	switch {
	case o.Line && o.Word && o.Spans:
		return nil, command.Refuse("-o with both -w and -x is not supported; leave one out")
	case o.Line:
		re.node = between(syntax.LineStart, re.node, syntax.LineEnd)
	case o.Word && re.node.Nullable():
		return nil, command.Refuse("-w with a pattern that also matches the empty string is not " +
			"supported; leave -w out")
	case o.Word && o.Spans && hasNonWord(re.node, false):
		return nil, command.Refuse("-o with -w is supported only for a text and for the characters " +
			"of words; leave -w out and write \\b")
	case o.Word:
		re.node = between(syntax.WordStartHalf, re.node, syntax.WordEndHalf)
	}
	return re, nil
}

// hasNonWord reports whether n matches other characters than those of words by choice. GNU grep
// does not find all parts of them that are words.
func hasNonWord(n *syntax.Node, choice bool) bool {
	isSet := n.Op == syntax.Class && (len(n.Set) != 1 || n.Set[0].Low < n.Set[0].High)
	choice = choice || isSet || n.Op == syntax.Alternate || n.Op == syntax.Repeat
	if choice && len(n.Set.Minus(classes()[`\w`])) > 0 {
		return true
	}
	return slices.ContainsFunc(n.Subs, func(sub *syntax.Node) bool { return hasNonWord(sub, choice) })
}

func between(before syntax.Look, n *syntax.Node, after syntax.Look) *syntax.Node {
	return syntax.NewConcat([]*syntax.Node{assert(before), n, assert(after)})
}

func assert(look syntax.Look) *syntax.Node { return &syntax.Node{Op: syntax.Assert, Look: look} }

// Groups returns the number of groups.
func (re *Regexp) Groups() int { return re.groups }

// A Searcher searches with a Regexp. It is not safe for concurrent use. Its methods end the script
// when its context is done.
type Searcher struct {
	re      *Regexp
	ctx     context.Context // of the script
	account *command.Account
	lines   *match.Searcher   // nil until needed
	spans   *automaton.Groups // nil until needed
}

// NewSearcher returns a Searcher, which takes its memory from an account.
func (re *Regexp) NewSearcher(ctx context.Context, a *command.Account) *Searcher {
	return &Searcher{re: re, ctx: ctx, account: a}
}

// lineSearcher returns the searcher for texts without a line feed.
func (s *Searcher) lineSearcher() *match.Searcher {
	if s.lines != nil {
		return s.lines
	}
	m := compile(s, match.New, withoutLineFeed(s.re.node))
	s.account.Grab(searcherMemory / 16)
	s.lines = m.NewSearcher(automaton.Limits{
		Memory: searcherMemory,
		Reserve: func() bool {
			s.account.Grab(searcherMemory)
			return true
		},
		Stop: func() bool { return s.ctx.Err() != nil },
	})
	return s.lines
}

// groups returns what finds the groups in any text.
func (s *Searcher) groups() *automaton.Groups {
	if s.spans != nil {
		return s.spans
	}
	p := compile(s, automaton.Compile, s.re.node)
	s.account.Grab(automaton.GroupsSize(p, s.re.groups))
	g := automaton.NewGroups(p, s.re.groups)
	g.Longest = s.re.o.Syntax < Perl
	g.Tick = func(instructions int) {
		for range 1 + instructions/64 {
			s.account.Tick()
		}
	}
	s.spans = g
	return g
}

// compile compiles a node with a function that takes the maximum size of the program.
func compile[T interface{ Size() int }](
	s *Searcher, f func(context.Context, *syntax.Node, int) (T, error), n *syntax.Node,
) T {
	for _, limit := range programMemory {
		s.account.Grab(limit)
		compiled, err := f(s.ctx, n, limit)
		s.account.Check()
		if err == nil {
			s.account.Drop(limit - compiled.Size())
			return compiled
		}
		s.account.Drop(limit)
	}
	panic(command.Abort{Err: command.Refuse("a pattern is too large for this shell; repeat less, " +
		"or repeat smaller classes")})
}

// withoutLineFeed returns a copy of n whose classes have no line feed.
func withoutLineFeed(n *syntax.Node) *syntax.Node {
	c := *n
	c.Subs = make([]*syntax.Node, len(n.Subs))
	for i, sub := range n.Subs {
		c.Subs[i] = withoutLineFeed(sub)
	}
	if c.Set.Contains('\n') {
		c.Set = c.Set.Minus(syntax.Set{{Low: '\n', High: '\n'}})
	}
	return &c
}

// NextLine returns the bounds of the next matching line at or after at, the start of a line, as
// match.Searcher does.
func (s *Searcher) NextLine(buf []byte, at int) (start, end int, ok bool) {
	start, end, ok = s.lineSearcher().NextLine(buf, at)
	if !ok {
		s.account.Check() // a search that was stopped finds nothing
	}
	return start, end, ok
}

// Match reports whether there is a match in a text, which can contain line feeds.
func (s *Searcher) Match(text []byte) bool {
	s.account.Tick()
	if bytes.IndexByte(text, '\n') >= 0 {
		return s.groups().Find(text, 0) != nil
	}
	if lines := s.lineSearcher(); len(text) == 0 {
		lines.StartLine()
		return lines.EndLine()
	}
	_, _, ok := s.NextLine(text, 0)
	return ok
}

// Find returns the first match at or after an offset, the longest of those at its position: the
// bounds of the match, and of each group, which are -1 if it has none. It is nil if there is no
// match, and valid until the next call. The text before the offset is context.
func (s *Searcher) Find(text []byte, at int) []int {
	m := s.groups().Find(text, at)
	if m != nil && s.re.keep > 0 {
		m[0] = m[2*s.re.keep]
	}
	return m
}

// All yields the matches in a text from left to right, as Find returns them, without an empty one
// directly after another, until yield returns false.
func (s *Searcher) All(text []byte, yield func(m []int) bool) {
	last := -1
	for at := 0; at <= len(text); {
		m := s.Find(text, at)
		if m == nil {
			return
		}
		start, end := m[0], m[1]
		if (start < end || start != last) && !yield(m) {
			return
		}
		at, last = end, end
		switch {
		case start < end:
		case s.re.bytewise:
			at++
		default:
			_, n := utf8.DecodeRune(text[end:])
			at += max(n, 1)
		}
	}
}
