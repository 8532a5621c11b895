package regex

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"gander/internal/search/syntax"
)

// classes returns the characters of POSIX classes, and of the escape sequences \w, \W, \s and \S.
var classes = sync.OnceValue(func() map[string]syntax.Set {
	digit := ranges('0', '9')
	noBreak := ranges(0xA0, 0xA0, 0x2007, 0x2007, 0x202F, 0x202F)
	blank := syntax.TableSet(unicode.Zs).Minus(noBreak)
	alpha := syntax.TableSet(unicode.L, unicode.Nl, unicode.Nd, unicode.Other_Alphabetic).Minus(digit)
	alnum := union(alpha, digit)
	print := syntax.TableSet(unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Zs,
		unicode.Cf)
	graph := print.Minus(blank)
	space := union(ranges('\t', '\r', 0x2028, 0x2029), blank)
	word := union(alnum, ranges('_', '_'))
	return map[string]syntax.Set{
		"alpha": alpha, "digit": digit, "alnum": alnum, "print": print, "graph": graph, "space": space,
		"upper": syntax.TableSet(unicode.Lu, unicode.Lt, unicode.Other_Uppercase),
		"lower": union(syntax.TableSet(unicode.Ll, unicode.Other_Lowercase),
			ranges(0x1C5, 0x1C5, 0x1C8, 0x1C8, 0x1CB, 0x1CB, 0x1F2, 0x1F2)),
		"blank":  union(ranges('\t', '\t'), blank),
		"cntrl":  union(syntax.TableSet(unicode.Cc), ranges(0x2028, 0x2029)),
		"punct":  graph.Minus(alnum),
		"xdigit": ranges('0', '9', 'A', 'F', 'a', 'f'),
		`\w`:     word, `\W`: word.Negate(), `\s`: space, `\S`: space.Negate(),
	}
})

// Class returns the characters of a POSIX class, such as "alpha", or nil.
func Class(name string) syntax.Set { return classes()[name] }

// ranges returns a set of pairs of bounds.
func ranges(bounds ...rune) syntax.Set {
	var s syntax.Set
	for pair := range slices.Chunk(bounds, 2) {
		s = append(s, syntax.Range{Low: pair[0], High: pair[1]})
	}
	return s
}

func union(sets ...syntax.Set) syntax.Set { return syntax.Set(slices.Concat(sets...)).Canonical() }

// bracket parses a set in brackets after its "[".
func (p *parser) bracket() syntax.Set {
	negated := strings.HasPrefix(p.s[p.i:], "^")
	if negated {
		p.i++
	}
	begin := p.i
	var s syntax.Set
	for first := true; ; first = false {
		rest := p.s[p.i:]
		switch {
		case rest == "":
			p.fail("Unmatched [, [^, [:, [., or [=")
		case rest[0] == ']' && !first:
			p.checkClassSyntax(p.s[begin:p.i], negated)
			p.i++
			s = s.Canonical()
			if p.o.IgnoreCase {
				s = s.Fold()
			}
			if negated {
				s = s.Negate()
			}
			return p.limited(s)
		case rest[0] == '-' && !first && !strings.HasPrefix(rest, "-]"):
			p.fail("Invalid range end") // "-" stands for itself only at one of the ends
		case strings.HasPrefix(rest, "[:"):
			s = append(s, p.namedClass()...)
			p.complex = true
		default:
			r := p.bracketRange()
			s = append(s, r)
			p.complex = p.complex || negated || r.Low < r.High || r.High >= utf8.RuneSelf
		}
	}
}

// checkClassSyntax refuses [:space:] in place of [[:space:]], as grep and sed do.
func (p *parser) checkClassSyntax(inside string, negated bool) {
	isNamed := len(inside) > 2 && inside[0] == ':' && inside[len(inside)-1] == ':'
	if isNamed && !negated && p.o.Syntax < Awk {
		p.refuse("[:space:] stands in brackets of its own: write [[:space:]]")
	}
}

func (p *parser) namedClass() syntax.Set {
	name, rest, ok := strings.Cut(p.s[p.i+len("[:"):], ":]")
	if !ok {
		p.fail("Unmatched [, [^, [:, [., or [=")
	}
	p.i = len(p.s) - len(rest)
	if p.o.IgnoreCase && (name == "upper" || name == "lower") {
		name = "alpha"
	}
	s, ok := classes()[name]
	if !ok || name[0] == '\\' {
		p.fail("Invalid character class name")
	}
	return s
}

func (p *parser) bracketRange() syntax.Range {
	low := p.bracketChar()
	rest := p.s[p.i:]
	if !strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "-]") {
		return syntax.Range{Low: low, High: low}
	}
	p.i++
	if p.i == len(p.s) {
		p.fail("Unmatched [, [^, [:, [., or [=")
	}
	high := p.bracketChar()
	if high < low {
		p.fail("Invalid range end")
	}
	return syntax.Range{Low: low, High: high}
}

// bracketChar parses a character in brackets.
func (p *parser) bracketChar() rune {
	rest := p.s[p.i:]
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case strings.HasPrefix(rest, "[."), strings.HasPrefix(rest, "[="):
		p.refuse("[.x.] and [=x=] in brackets are not supported; write the characters")
	case r == '\\' && len(rest) > 1:
		if value, n := p.escaped(rest); n > 0 {
			r, size = value, n
		} else if p.o.Syntax == Awk {
			r, size = utf8.DecodeRuneInString(rest[1:])
			size++
		}
	}
	p.i += size
	return r
}
