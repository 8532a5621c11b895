package sed

import (
	"errors"
	"strings"
	"unicode/utf8"

	"gander/internal/shell/command"
	"gander/internal/shell/regex"
)

// address parses an address, or returns nil without one.
func (p *parser) address(isEnd bool) *address {
	c := p.peek()
	switch {
	case c == '$':
		p.i++
		return &address{kind: lastLine}
	case c == '/':
		p.i++
		return p.regexAddress('/')
	case c == '\\' && p.i+1 < len(p.s):
		p.i += 2
		return p.regexAddress(p.s[p.i-1])
	case isEnd && c == '+':
		p.i++
		n, _ := p.number()
		return &address{kind: plus, n: n}
	case isEnd && c == '~':
		p.i++
		n, _ := p.number()
		return &address{kind: multiple, n: n}
	}
	n, ok := p.number()
	if !ok {
		return nil
	}
	if p.peek() != '~' {
		return &address{kind: lineNumber, n: n}
	}
	p.i++
	step, _ := p.number()
	if step == 0 {
		return &address{kind: lineNumber, n: n}
	}
	return &address{kind: everyStep, n: n, step: step}
}

func (p *parser) regexAddress(delimiter byte) *address {
	text, ok := p.delimited(delimiter, true)
	if !ok {
		p.fail("unterminated address regex")
	}
	p.skip(" \t")
	isFolded := p.peek() == 'I'
	p.skip("I \t")
	if p.peek() == 'M' {
		p.refuse("sed: the flag M of an address is not available here; leave it out")
	}
	if isFolded && text == "" {
		p.fail("cannot specify modifiers on empty regexp")
	}
	return &address{kind: matching, regex: p.expression(text, isFolded)}
}

// delimited returns the text up to a delimiter, and moves behind it. In a regular expression, \n is
// a line feed.
func (p *parser) delimited(delimiter byte, isRegex bool) (text string, ok bool) {
	if delimiter == '\n' || delimiter == '\\' || delimiter >= utf8.RuneSelf {
		return "", false
	}
	var b strings.Builder
	for p.i < len(p.s) && p.s[p.i] != '\n' {
		c := p.s[p.i]
		if c == '[' && isRegex && c != delimiter {
			size := setSize(p.s[p.i:])
			b.WriteString(p.s[p.i : p.i+size])
			p.i += size
			continue
		}
		p.i++
		switch {
		case c == delimiter:
			return b.String(), true
		case c != '\\' || p.i == len(p.s):
			b.WriteByte(c)
			continue
		}
		c = p.s[p.i]
		p.i++
		isKept := c != delimiter || !isRegex && c == '&'
		switch {
		case c == 'n' && isRegex:
			c = '\n'
		case c != '\n' && isKept:
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return "", false
}

// setSize returns the length of a set in brackets, in which a delimiter does not end a pattern.
func setSize(s string) int {
	at := 1
	if strings.HasPrefix(s[at:], "^") {
		at++
	}
	for first := at; at < len(s) && s[at] != '\n'; at++ {
		switch {
		case s[at] == ']' && at > first:
			return at + 1
		case s[at] != '[' || at+1 == len(s) || strings.IndexByte(":.=", s[at+1]) < 0:
		default:
			end := strings.Index(s[at+2:], s[at+1:at+2]+"]")
			at += max(end+3, 0)
		}
	}
	return at
}

// An expression is a regular expression. It is nil in place of the last one that was used.
type expression = regex.Regexp

func (p *parser) expression(text string, isFolded bool) *expression {
	if text == "" {
		return nil
	}
	o := regex.Options{Sed: true, IgnoreCase: isFolded}
	if p.o.extended {
		o.Syntax = regex.Extended
	}
	re, err := regex.Compile(o, text)
	var wrong regex.Error
	switch {
	case errors.As(err, &wrong):
		p.fail("%v", wrong)
	case err != nil:
		command.Fail(err)
	}
	return re
}
