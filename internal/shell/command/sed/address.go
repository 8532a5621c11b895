package sed

import (
	"errors"
	"regexp"
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
			set := setForm.FindString(p.s[p.i:])
			b.WriteString(set)
			p.i += len(set)
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

// setForm matches a set in brackets, in which a delimiter does not end a pattern.
var setForm = regexp.MustCompile(
	`(?s)^\[\^?\]?(\[:(\]|.*?:\])|\[\.(\]|.*?\.\])|\[=(\]|.*?=\])|[^\]\n])*\]?`)

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

// A lineRange is the state of a range of lines.
type lineRange struct {
	active bool
	closed bool // it has been active
	last   int  // the number of its last line, or 0
}

// unwanted returns the number of the next lines that no command selects and that are not printed.
func (s *state) unwanted() int {
	if !s.quiet || s.separate {
		return 0
	}
	next := s.input.line + 1
	unwanted := all
	for i := range s.script.commands {
		in := &s.script.commands[i]
		if in.depth > 0 {
			continue
		}
		isNumber := in.from != nil && in.from.kind == lineNumber && !in.negated
		switch {
		case !isNumber, in.to != nil && s.ranges[in.state].active:
			return 0
		case in.to != nil && s.ranges[in.state].isLate(in, next):
			return 0
		case in.from.n >= next:
			unwanted = min(unwanted, in.from.n-next)
		}
	}
	return unwanted
}

// selects reports whether the addresses of a command select the line.
func (s *state) selects(in *instruction) bool {
	switch {
	case in.from == nil:
		return true
	case in.to == nil:
		return s.matches(in.from)
	}
	r := &s.ranges[in.state]
	line := s.input.line
	if r.active {
		switch {
		case in.to.kind >= plus && line > r.last:
			command.Stop("sed: the line that ends a range by + or ~ did not reach the command; " +
				"use numbers of lines")
		case r.last > 0:
			r.active = line < r.last
			return line <= r.last
		case s.matches(in.to):
			r.active = false
		}
		return true
	}
	if !s.matches(in.from) && !r.isLate(in, line) {
		return false
	}
	*r = lineRange{closed: true}
	switch in.to.kind {
	case lineNumber:
		r.last = max(in.to.n, line)
	case plus:
		r.last = line + in.to.n
	case multiple:
		r.last = line
		if in.to.n > 0 {
			r.last += in.to.n - line%in.to.n
		}
	}
	r.active = r.last == 0 || line < r.last
	return true
}

// isLate reports whether a range begins only at this line, because its command was not reached at
// the first line of the range.
func (r *lineRange) isLate(in *instruction, line int) bool {
	isPast := in.to.kind == lineNumber && line > in.to.n
	return in.from.kind == lineNumber && line > in.from.n && !r.closed && !isPast
}

func (s *state) matches(a *address) bool {
	line := s.input.line
	switch a.kind {
	case lineNumber:
		return line == a.n
	case lastLine:
		return s.input.isLast()
	case everyStep:
		return line >= a.n && (line-a.n)%a.step == 0
	default:
		return s.searcher(a.regex).Match(s.space.text)
	}
}
