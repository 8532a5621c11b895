package regex

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"gander/internal/search/syntax"
)

func (p *parser) peekEscape(rest string) token {
	if len(rest) == 1 {
		if p.o.Syntax == Awk {
			return token{char, '\\', 1}
		}
		p.fail("Trailing backslash")
	}
	r, size := utf8.DecodeRuneInString(rest[1:])
	switch {
	case !p.extended && strings.ContainsRune("+?{(|)", r):
		return token{byte(r), r, 1 + size}
	case strings.ContainsRune("wWsSbB<>`'y", r), p.o.Syntax != Awk && r >= '1' && r <= '9':
		return token{'\\', r, 1 + size}
	}
	if value, n := p.escaped(rest); n > 0 {
		return token{char, value, n}
	}
	return token{char, r, 1 + size}
}

// escaped returns the character of an escape sequence such as \n, and its length, which is 0 if there
// is none. It refuses one that sed or awk takes for an operator, or that ends a set.
func (p *parser) escaped(rest string) (rune, int) {
	if !p.o.Sed && p.o.Syntax != Awk {
		return 0, 0
	}
	value, n := Escape(rest, p.o.Syntax == Awk)
	switch {
	case n == 0:
	case value >= utf8.RuneSelf:
		p.refuse("an escape sequence for a byte above 127 is not supported; write the character")
	case strings.IndexByte(`^$.*[]\+?(){}|-`, value) >= 0:
		p.refuse(`an escape sequence for an operator; write the character behind a backslash`)
	}
	return rune(value), n
}

// Escape returns the byte of an escape sequence such as \n or \x41, at the beginning of s, and its
// length, which is 0 if it is none.
func Escape(s string, awk bool) (value byte, size int) {
	if i := strings.IndexByte("afnrtv", s[1]); i >= 0 {
		return "\a\f\n\r\t\v"[i], 2
	}
	digits := func(from, most, base int) (byte, int) {
		n, size := Digits(s[from:], most, base)
		if size == 0 {
			return 0, 0
		}
		return byte(n), from + size
	}
	switch {
	case s[1] == 'x':
		return digits(2, 2, 16)
	case awk && s[1] == 'b':
		return '\b', 2
	case awk:
		return digits(1, 3, 8)
	case s[1] == 'o':
		return digits(2, 3, 8)
	case s[1] == 'd':
		return digits(2, 3, 10)
	case s[1] == 'c' && len(s) > 2:
		return s[2]&^0x20 ^ 0x40, 3
	}
	return 0, 0
}

// Digits parses at most most digits in the base 8, 10 or 16 at the beginning of s, and returns how
// many there are.
func Digits(s string, most, base int) (n int64, size int) {
	set := "0123456789abcdefABCDEF"
	if base < 16 {
		set = set[:base]
	}
	size = min(most, len(s)-len(strings.TrimLeft(s, set)))
	n, _ = strconv.ParseInt("0"+s[:size], base, 64)
	return n, size
}

// looks are the conditions of escape sequences.
var looks = map[rune]syntax.Look{
	'b': syntax.Boundary, 'y': syntax.Boundary, 'B': syntax.NotBoundary, '<': syntax.WordStart,
	'>': syntax.WordEnd, '`': syntax.LineStart, '\'': syntax.LineEnd,
}

// escape returns the node of an escape sequence.
func (p *parser) escape(t token) *syntax.Node {
	awk := p.o.Syntax == Awk
	set := classes()[`\`+string(t.r)]
	p.complex = p.complex || set != nil
	switch {
	case set != nil:
		return p.class(set)
	case t.r >= '1' && t.r <= '9':
		return p.backReference(t)
	case t.r == 'y' && !awk:
		return p.char('y')
	case t.r == 'b' && awk:
		return p.char('\b')
	case t.r == 'B' && p.o.Sed:
		p.refuse(`\B is not supported in sed`)
	}
	look := looks[t.r]
	p.boundary = p.boundary || look >= syntax.Boundary
	p.complex = p.complex || p.boundary
	return assert(look)
}

func (p *parser) backReference(t token) *syntax.Node {
	if p.closed>>(t.r-'0')&1 == 0 {
		p.fail("Invalid back reference")
	}
	p.refuse("back-references such as " + `\1` + " are not supported in a pattern; write the " +
		"alternatives out, or compare fields in awk")
	return nil
}
