package globset

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// An itemKind is the kind of an item.
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

// An item is a part of a glob.
type item struct {
	kind    itemKind
	text    string     // a literal, or the regular expression for a class
	choices []globText // the alternatives in braces
}

// A globText is a parsed glob, or an alternative in braces.
type globText []item

const (
	maxGlob    = 4096 // the length of a glob in bytes
	maxNesting = 64   // the depth of braces
)

// A globParser parses a glob as ripgrep does. For example, a class may contain a slash, and two stars are special only where they
// are a whole component.
type globParser struct {
	todo       []rune
	prev, last rune // the last two characters that were consumed; 0 at the beginning
	// stack holds the alternatives so far: of the whole glob, which has only one, and of the braces that are open.
	stack [][]globText
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

// take consumes the next character and returns it.
func (p *globParser) take() rune {
	p.prev, p.last = p.last, p.todo[0]
	p.todo = p.todo[1:]
	return p.last
}

// next returns the next character, or 0 at the end.
func (p *globParser) next() rune {
	if len(p.todo) == 0 {
		return 0
	}
	return p.todo[0]
}

// current returns the alternative that is being parsed.
func (p *globParser) current() *globText {
	choices := p.stack[len(p.stack)-1]
	return &choices[len(choices)-1]
}

// add adds an item to the current alternative.
func (p *globParser) add(kind itemKind, text string) {
	c := p.current()
	*c = append(*c, item{kind: kind, text: text})
}

// item parses the item that begins with c, which has been consumed.
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

// star parses an item that begins with a star.
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

// class parses a class. The only special characters in it are "]", "-" and, at the beginning, "!" and "^".
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
		writeBytes(&b, string(r[0]))
		if r[0] < r[1] {
			b.WriteByte('-')
			writeBytes(&b, string(r[1]))
		}
	}
	b.WriteByte(']')
	return b.String()
}

// writeBytes writes a regular expression for the bytes of a text, each of which is matched as a character.
func writeBytes(b *strings.Builder, text string) {
	for _, c := range []byte(text) {
		fmt.Fprintf(b, `\x{%x}`, c)
	}
}

// expression returns a regular expression for the glob.
func (g globText) expression() string {
	var b strings.Builder
	for _, i := range g {
		switch i.kind {
		case literalItem:
			writeBytes(&b, i.text)
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

// expression returns a regular expression for braces. Like ripgrep, it omits empty alternatives.
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

// literal returns the only text that the glob matches, and reports whether the glob consists of literals.
func (g globText) literal() (text string, ok bool) {
	for _, i := range g {
		if i.kind != literalItem {
			return "", false
		}
		text += i.text
	}
	return text, true
}

// endings returns texts such that every path that the glob matches ends with one of them, or nil if there are none. exact reports
// that every path that ends with one of them matches.
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
