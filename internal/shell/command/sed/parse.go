package sed

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"gander/internal/shell/command"
	"gander/internal/shell/regex"
)

// A parser parses a script. It fails if it is invalid.
type parser struct {
	o      options
	s      string
	i      int
	script script
	blocks []int // the open blocks
	labels map[string]int
}

func parse(o options, text string) (s *script, err error) {
	if len(text) > maxScript {
		return nil, command.Refuse("a script of sed has at most %d bytes here", maxScript)
	}
	p := &parser{o: o, s: text, labels: make(map[string]int)}
	defer command.Catch(&err)
	p.script.quiet = strings.HasPrefix(text, "#n\n") || text == "#n"
	for p.skip(" \t\n;"); p.i < len(p.s); p.skip(" \t\n;") {
		p.instruction()
	}
	if len(p.blocks) > 0 {
		p.fail("unmatched `{'")
	}
	for i := range p.script.commands {
		p.resolve(&p.script.commands[i])
	}
	return &p.script, nil
}

func (p *parser) fail(format string, a ...any) {
	text := fmt.Sprintf(format, a...)
	command.Fail(fmt.Errorf("-e expression #1, char %d: %s", p.i, text))
}

func (p *parser) refuse(format string, a ...any) { command.Fail(command.Refuse(format, a...)) }

// resolve sets the target of a jump.
func (p *parser) resolve(in *instruction) {
	if strings.IndexByte("bt", in.name) < 0 {
		return
	}
	in.target = len(p.script.commands)
	if in.text == "" {
		return
	}
	target, ok := p.labels[in.text]
	if !ok {
		p.refuse("sed: the label %q is missing; write :%s", in.text, in.text)
	}
	in.target = target
}

// peek returns the next byte, or 0 at the end.
func (p *parser) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

func (p *parser) skip(bytes string) {
	for p.i < len(p.s) && strings.IndexByte(bytes, p.s[p.i]) >= 0 {
		p.i++
	}
}

// until returns the text up to one of some bytes, and moves there.
func (p *parser) until(ends string) string {
	rest := p.s[p.i:]
	if n := strings.IndexAny(rest, ends); n >= 0 {
		rest = rest[:n]
	}
	p.i += len(rest)
	return rest
}

// number parses digits, if there are any.
func (p *parser) number() (n int, ok bool) {
	start := p.i
	p.skip("0123456789")
	if p.i == start {
		return 0, false
	}
	n, err := strconv.Atoi(p.s[start:p.i])
	if err != nil {
		n = math.MaxInt
	}
	return n, true
}

func (p *parser) instruction() {
	in := instruction{depth: len(p.blocks)}
	in.from = p.address(false)
	p.skip(" \t")
	if in.from != nil && p.peek() == ',' {
		p.i++
		p.skip(" \t")
		in.to = p.address(true)
		if in.to == nil {
			p.fail("unexpected `,'")
		}
		in.state = p.script.ranges
		p.script.ranges++
	}
	isZero := in.from != nil && in.from.kind == lineNumber && in.from.n == 0
	if isZero && (in.to == nil || in.to.kind != matching) {
		p.fail("invalid usage of line address 0")
	}
	p.skip(" \t")
	for p.peek() == '!' {
		in.negated = true
		p.i++
		p.skip(" \t!")
	}
	if p.i == len(p.s) {
		p.fail("missing command")
	}
	in.name = p.s[p.i]
	p.i++
	p.arguments(&in)
}

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
		n, ok := p.number()
		if !ok {
			p.fail("expected number")
		}
		return &address{kind: plus, n: n}
	case isEnd && c == '~':
		p.refuse("sed: ranges up to ~N are not available here; write the number of the last line")
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
		return &address{kind: lineNumber, n: max(n, 1)}
	}
	return &address{kind: everyStep, n: n, step: step}
}

func (p *parser) regexAddress(delimiter byte) *address {
	text, ok := p.delimited(delimiter, true)
	if !ok {
		p.fail("unterminated address regex")
	}
	isFolded := p.peek() == 'I'
	if isFolded {
		p.i++
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

const (
	noArguments = "=dDgGhHnNpPx"
	// refused are the commands that are not available, among them those that write or run programs.
	refused = "erRwWlLvyzFT"
)

// arguments parses what follows the name of a command.
func (p *parser) arguments(in *instruction) {
	next := len(p.script.commands)
	switch in.name {
	case '#':
		if in.from != nil {
			p.fail("comments don't accept any addresses")
		}
		p.until("\n")
		return
	case '{':
		p.blocks = append(p.blocks, next)
		p.script.commands = append(p.script.commands, *in)
		return
	case '}':
		p.closeBlock(in)
		return
	case ':':
		p.label(in)
		return
	case 'a', 'i', 'c':
		in.text = p.text()
	case 'b', 't':
		p.skip(" \t")
		in.text = p.until("; \t\n}")
		p.end()
	case 'q', 'Q':
		p.skip(" \t")
		in.number, _ = p.number()
		p.end()
	case 's':
		p.substitution(in)
		p.end()
	default:
		if strings.IndexByte(refused, in.name) >= 0 {
			p.refuse("sed: the command %c is not available here; use another command, such as tr or cat",
				in.name)
		}
		if strings.IndexByte(noArguments, in.name) < 0 {
			p.fail("unknown command: `%c'", in.name)
		}
		p.end()
	}
	if in.to != nil && (in.name == 'q' || in.name == 'Q') {
		p.fail("command only uses one address")
	}
	p.script.commands = append(p.script.commands, *in)
}

// end moves to the end of a command.
func (p *parser) end() {
	p.skip(" \t")
	switch p.peek() {
	case ';', '\n':
		p.i++
	case '}', '#':
	default:
		if p.i < len(p.s) {
			p.fail("unknown option or extra characters after command")
		}
	}
}

func (p *parser) closeBlock(in *instruction) {
	if in.from != nil {
		p.fail("} doesn't want any addresses")
	}
	if len(p.blocks) == 0 {
		p.fail("unexpected `}'")
	}
	last := len(p.blocks) - 1
	p.script.commands[p.blocks[last]].target = len(p.script.commands)
	p.blocks = p.blocks[:last]
	p.end()
}

func (p *parser) label(in *instruction) {
	if in.from != nil {
		p.fail(": doesn't want any addresses")
	}
	p.skip(" \t")
	name := p.until(";\n")
	trimmed := strings.TrimRight(name, " \t")
	switch {
	case trimmed == "":
		p.fail("\":\" lacks a label")
	case strings.ContainsAny(trimmed, " \t"):
		p.refuse("sed: the label %q contains a space; use a name without", trimmed)
	}
	p.labels[trimmed] = len(p.script.commands)
}

// text parses the text of a, i or c.
func (p *parser) text() string {
	p.skip(" \t")
	switch {
	case p.i == len(p.s):
		p.fail("expected \\ after `a', `c' or `i'")
	case p.s[p.i:] == `\`:
		p.i++
		return ""
	case strings.HasPrefix(p.s[p.i:], "\\\n"):
		p.i += 2
	case p.s[p.i] == '\\':
		p.i++
		if blank := strings.TrimLeft(p.s[p.i:], " \t"); strings.HasPrefix(blank, "\n") {
			p.i = len(p.s) - len(blank) + 1
		}
	}
	var b strings.Builder
	for p.i < len(p.s) && p.s[p.i] != '\n' {
		rest := p.s[p.i:]
		if rest[0] != '\\' || len(rest) == 1 {
			b.WriteByte(rest[0])
			p.i++
			continue
		}
		value, size := regex.Escape(rest, false)
		if size == 0 {
			value, size = rest[1], 2
		}
		b.WriteByte(value)
		p.i += size
	}
	p.i = min(p.i+1, len(p.s))
	return b.String() + "\n"
}
