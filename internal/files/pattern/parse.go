package pattern

import (
	"errors"
	"fmt"
	"strings"

	"gander/internal/files/text"
)

// A parser compiles a pattern without braces.
type parser struct {
	*Compiler // nil for git's patterns, which are short
	syntax    Syntax
	s         string
	i         int
	narrow    bool // units are bytes
	fold      bool // emit the form that [text.Fold] makes of each character

	prog      []byte
	head      int // the length of the literal that the program begins with, -1 while it extends
	tail      int // where the literal that the program ends with begins
	component int // where the current component of the program begins
	deep      int // the end of the last opDeep
}

// op emits an instruction.
func (p *parser) op(code ...byte) {
	if p.head < 0 {
		p.head = len(p.prog)
	}
	p.prog = append(p.prog, code...)
	p.tail = len(p.prog)
}

// literal emits text that matches itself.
func (p *parser) literal(s string) {
	for i := range len(s) {
		if s[i] < opCount {
			p.op(opQuote)
			p.op(s[i])
			continue
		}
		p.prog = append(p.prog, s[i])
	}
}

// literalUnit emits a unit that matches itself.
func (p *parser) literalUnit(c rune) {
	switch {
	case p.narrow:
		p.literal(string([]byte{byte(c)}))
	case c >= invalidByte:
		p.literal(string([]byte{byte(c - invalidByte)}))
	case 0xd800 <= c && c < 0xe000:
		p.literal(string([]byte{0xed, 0x80 | byte(c>>6)&0x3f, 0x80 | byte(c)&0x3f}))
	default:
		p.literal(string(c))
	}
}

// parse compiles p.s.
func (p *parser) parse() error {
	for p.i < len(p.s) {
		if err := p.item(p.s[p.i]); err != nil {
			return err
		}
	}
	return p.endComponent(true)
}

// item compiles the item that begins with c.
func (p *parser) item(c byte) error {
	switch {
	case c == '*':
		p.star()
	case c == '?' && p.syntax == Gemini:
		p.i++
		p.emitSet(set{{'\n', '\n'}, {'\r', '\r'}, {'\u2028', '\u2029'}}, true)
	case c == '?':
		p.i++
		p.op(opAny)
	case c == '[' && p.syntax != Gemini:
		return p.class()
	case c == '\\' && p.syntax != Gemini:
		return p.escape()
	case c == '{' && p.syntax == Toolkit:
		return errNothing // it has no end
	case c == '/':
		if err := p.endComponent(false); err != nil {
			return err
		}
		p.i++
		p.literal("/")
		p.component = len(p.prog)
	case p.syntax == Ripgrep && (c == openMark || c == closeMark):
		p.i++
	default:
		c, size := unit(p.s, p.i, p.narrow)
		p.i += size
		if p.fold && c < invalidByte {
			c = text.FoldRune(c)
		}
		p.literalUnit(c)
	}
	return nil
}

// escape compiles a backslash and the character after it.
func (p *parser) escape() error {
	if p.i++; p.i == len(p.s) {
		switch p.syntax {
		case Minimatch:
			p.literal(`\`)
			return nil
		case Ripgrep:
			return errors.New(`a "\" has no character after it`)
		}
		return errNothing
	}
	c, size := unit(p.s, p.i, p.narrow)
	if c == '/' && p.syntax == Path {
		return nil // it separates
	}
	if p.i += size; p.fold && c < invalidByte {
		c = text.FoldRune(c)
	}
	p.literalUnit(c)
	return nil
}

// star compiles a run of stars.
func (p *parser) star() {
	start := p.i
	rest := strings.TrimLeft(p.s[p.i:], "*")
	p.i = len(p.s) - len(rest)
	begins := start == 0 || p.s[start-1] == '/'
	ends := rest == "" || rest[0] == '/'
	switch p.syntax {
	case Gemini:
		p.op(opLine)
		return
	case Minimatch: // whose components are compiled one by one
		begins = false
	case Ripgrep:
		p.ripgrepStar(start)
		return
	case Ignore:
		if p.i-start > 1 && begins && (rest == "" || strings.HasPrefix(rest, `\/`)) {
			p.op(opAll)
			return
		}
		begins = begins && p.i-start > 1
	default:
		begins = begins && p.i-start == 2
	}
	switch {
	case !begins || !ends:
		p.op(opStar)
	case rest == "":
		p.allBelow()
	default:
		p.i++
		p.components()
	}
}

// components emits opDeep, unless the program ends with it.
func (p *parser) components() {
	if p.deep == 0 || p.deep != len(p.prog) {
		p.op(opDeep, opInside)
		p.deep = len(p.prog)
	}
	p.component = len(p.prog)
}

// allBelow emits the instruction for ** as the last component.
func (p *parser) allBelow() {
	if p.deep > 0 && p.deep == len(p.prog) {
		p.prog = p.prog[:p.deep-2]
		p.tail = len(p.prog)
	}
	if n := len(p.prog); n > 0 && p.syntax == Path {
		p.prog = p.prog[:n-1] // the slash
		p.head = min(p.head, n-1)
		p.tail = n - 1
		p.op(opTail, opAll)
	} else {
		p.op(opAll)
	}
	p.component = -1
}

// ripgrepStar compiles the first one or two stars at start. Two are special only as a whole
// component, or at the beginning of an alternative.
func (p *parser) ripgrepStar(start int) {
	p.i = start + 1
	rest := p.s[p.i:]
	if !strings.HasPrefix(rest, "*") {
		p.op(opStar)
		return
	}
	p.i++
	rest = rest[1:]
	first := start == 0 || p.s[start-1] == openMark
	isLast := rest == "" || rest[0] == closeMark
	slash := rest != "" && rest[0] == '/'
	switch {
	case start == 0 && (rest == "" || rest == "/"):
		p.i = len(p.s)
		p.op(opAll)
	case first && (rest == "" || slash):
		p.i += min(len(rest), 1)
		p.components()
	case first || p.s[start-1] != '/' || !isLast && !slash:
		p.op(opStar)
	case isLast:
		p.op(opAll)
	default:
		p.i++
		p.components()
	}
}

// endComponent checks the component that ends here.
func (p *parser) endComponent(last bool) error {
	if p.syntax != Path || p.component < 0 {
		return nil
	}
	switch name := string(p.prog[p.component:]); name {
	case "":
		return errors.New(`no path has an empty component, as "a/", "a//b" and "{a,}" have`)
	case ".", "..":
		return fmt.Errorf("no path has a component %q", name)
	}
	return nil
}

// program returns the compiled pattern.
func (p *parser) program() Program {
	code, head := string(p.prog), p.head
	c := Program{prefix: code, utf16: p.syntax == Minimatch || p.syntax == Gemini}
	if head < 0 {
		return c
	}
	c.prefix, c.code, c.suffix = code[:head], code[head:], code[max(p.tail, head):]
	any := strings.HasPrefix(c.code, string([]byte{opDeep, opInside, opStar}))
	c.bySuffix = head == 0 && any && p.tail == 3 && c.suffix != "" && !strings.Contains(c.suffix, "/")
	return c
}
