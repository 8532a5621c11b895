package globset

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// An itemKind is the kind of an item of a glob.
type itemKind uint8

const (
	literalItem itemKind = iota
	anyItem              // ?
	starItem             // *
	classItem            // [a-z]
	prefixItem           // **/ at the beginning
	middleItem           // /**/
	suffixItem           // /** at the end
	choiceItem           // {a,b}
)

// An item is an item of a glob.
type item struct {
	kind    itemKind
	text    string     // of a literal, or the expression of a class
	choices []globText // of braces
}

// A globText is a glob, or one of several in braces.
type globText []item

const (
	maxGlob    = 4096 // bytes
	maxNesting = 64   // of braces
)

// A globParser parses a glob as ripgrep does, which reads it character by character: for example, a class may hold a slash, and two
// stars are special only as a whole component.
type globParser struct {
	todo  []rune
	prev  rune // the one before the last that was taken; 0 at the beginning
	last  rune
	stack [][]globText // of the braces that are open, and the glob itself: the alternatives so far
}

// parseGlob parses a glob.
func parseGlob(text string) (globText, error) {
	if len(text) > maxGlob {
		return nil, fmt.Errorf("it is longer than %d bytes", maxGlob)
	}
	p := &globParser{todo: []rune(text), stack: [][]globText{{nil}}}
	for len(p.todo) > 0 {
		if err := p.item(p.take()); err != nil {
			return nil, err
		}
	}
	if len(p.stack) > 1 {
		return nil, errors.New(`a "{" has no "}"; write "[{]" for the character`)
	}
	return p.stack[0][0], nil
}

func (p *globParser) take() rune {
	p.prev, p.last = p.last, p.todo[0]
	p.todo = p.todo[1:]
	return p.last
}

// next returns the character that follows, or 0.
func (p *globParser) next() rune {
	if len(p.todo) == 0 {
		return 0
	}
	return p.todo[0]
}

// current returns the alternative that is being read.
func (p *globParser) current() *globText {
	choices := p.stack[len(p.stack)-1]
	return &choices[len(choices)-1]
}

func (p *globParser) add(kind itemKind, text string) {
	c := p.current()
	*c = append(*c, item{kind: kind, text: text})
}

func (p *globParser) item(c rune) error {
	top := len(p.stack) - 1
	switch {
	case c == '?':
		p.add(anyItem, "")
	case c == '*':
		p.star()
	case c == '[':
		return p.class()
	case c == '{' && top == maxNesting:
		return fmt.Errorf("its braces are nested more than %d deep", maxNesting)
	case c == '{':
		p.stack = append(p.stack, []globText{nil})
	case c == '}' && top == 0:
		return errors.New(`a "}" has no "{"; write "[}]" for the character`)
	case c == '}':
		choices := p.stack[top]
		p.stack = p.stack[:top]
		cur := p.current()
		*cur = append(*cur, item{kind: choiceItem, choices: choices})
	case c == ',' && top > 0:
		p.stack[top] = append(p.stack[top], nil)
	case c == '\\' && len(p.todo) == 0:
		return errors.New(`a "\" has no character after it`)
	case c == '\\':
		p.add(literalItem, string(p.take()))
	default:
		p.add(literalItem, string(c))
	}
	return nil
}

// star adds what begins with a star.
func (p *globParser) star() {
	before := p.prev
	if p.next() != '*' {
		p.add(starItem, "")
		return
	}
	p.take()
	cur, next, nested := p.current(), p.next(), len(p.stack) > 1
	if len(*cur) == 0 {
		if next != 0 && next != '/' {
			p.add(starItem, "")
			return
		}
		p.add(prefixItem, "")
		if next == '/' {
			p.take()
		}
		return
	}
	isSuffix := next == 0 || nested && (next == ',' || next == '}')
	if before != '/' && !(nested && (before == ',' || before == '{')) || !isSuffix && next != '/' {
		p.add(starItem, "")
		return
	}
	if !isSuffix {
		p.take()
	}
	last := &(*cur)[len(*cur)-1]
	switch {
	case last.kind == prefixItem || last.kind == suffixItem:
	case isSuffix:
		*last = item{kind: suffixItem}
	default:
		*last = item{kind: middleItem}
	}
}

// class adds a class. In it no character is special but "]", "-" and at the beginning "!" and "^".
func (p *globParser) class() error {
	negated := p.next() == '!' || p.next() == '^'
	if negated {
		p.take()
	}
	var ranges [][2]rune
	inRange := false
	for first := true; ; first = false {
		if len(p.todo) == 0 {
			return errors.New(`a "[" has no "]"; write "[[]" for the character`)
		}
		c := p.take()
		switch {
		case c == ']' && !first:
			if inRange {
				ranges = append(ranges, [2]rune{'-', '-'})
			}
			p.add(classItem, classExpression(negated, ranges))
			return nil
		case inRange:
			last := &ranges[len(ranges)-1]
			if last[1], inRange = c, false; last[1] < last[0] {
				return fmt.Errorf("the range %c-%c is reversed", last[0], last[1])
			}
		case c == '-' && !first:
			inRange = true
		default:
			ranges = append(ranges, [2]rune{c, c})
		}
	}
}

// classExpression returns a regular expression for a class.
func classExpression(negated bool, ranges [][2]rune) string {
	var b strings.Builder
	b.WriteByte('[')
	if negated {
		b.WriteByte('^')
	}
	for _, r := range ranges {
		writeBytes(&b, r[0])
		if r[0] < r[1] {
			b.WriteByte('-')
			writeBytes(&b, r[1])
		}
	}
	b.WriteByte(']')
	return b.String()
}

// writeBytes writes the bytes of a character as an expression for characters that stand for bytes.
func writeBytes(b *strings.Builder, r rune) {
	for _, c := range []byte(string(r)) {
		fmt.Fprintf(b, `\x{%x}`, c)
	}
}

// expression returns a regular expression for the glob.
func (g globText) expression() string {
	var b strings.Builder
	for _, i := range g {
		switch i.kind {
		case literalItem:
			for _, c := range []byte(i.text) {
				fmt.Fprintf(&b, `\x{%x}`, c)
			}
		case anyItem:
			b.WriteString(`[^/]`)
		case starItem:
			b.WriteString(`[^/]*`)
		case classItem:
			b.WriteString(i.text)
		case prefixItem:
			if len(g) == 1 {
				b.WriteString(`.*`)
			} else {
				b.WriteString(`(?:/?|.*/)`)
			}
		case middleItem:
			b.WriteString(`(?:/|/.*/)`)
		case suffixItem:
			b.WriteString(`/.*`)
		case choiceItem:
			b.WriteString(i.expression())
		}
	}
	return b.String()
}

// expression returns a regular expression for braces, of which empty alternatives are left out.
func (i item) expression() string {
	var choices []string
	for _, c := range i.choices {
		if e := c.expression(); e != "" {
			choices = append(choices, e)
		}
	}
	if len(choices) == 0 {
		return ""
	}
	return "(?:" + strings.Join(choices, "|") + ")"
}

// literal returns the text that the glob stands for, if it is nothing else.
func (g globText) literal() (text string, ok bool) {
	for _, i := range g {
		if i.kind != literalItem {
			return "", false
		}
		text += i.text
	}
	return text, true
}

// endings returns texts with one of which every path ends that the glob matches, or nothing, and whether every path that does
// matches.
func (g globText) endings() (endings []string, exact bool) {
	at := len(g)
	for at > 0 && g[at-1].kind == literalItem {
		at--
	}
	end, _ := g[at:].literal()
	if at > 0 && g[at-1].kind == choiceItem {
		at--
		for _, c := range g[at].choices {
			if text, ok := c.literal(); ok && text != "" {
				endings = append(endings, text+end)
			} else if !ok {
				return nil, false
			}
		}
	} else if end != "" {
		endings = []string{end}
	}
	exact = at == 2 && g[0].kind == prefixItem && g[1].kind == starItem
	return endings, exact && !slices.ContainsFunc(endings, func(e string) bool { return strings.Contains(e, "/") })
}
