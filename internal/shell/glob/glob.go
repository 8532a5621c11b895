// Package glob matches the patterns of the shell, of find -name and of grep --include.
package glob

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gander/internal/search/syntax"
	"gander/internal/shell/command"
	"gander/internal/shell/regex"
)

// maxPattern is the length of the longest pattern, in bytes. A text without special characters can
// be longer.
const maxPattern = 4096

// A Text is a text, and which of its bytes are quoted: they have no meaning in a pattern. Without
// Quoted, none is.
type Text struct {
	Value  string
	Quoted []bool
}

// A Pattern is a compiled pattern. "*" and "?" match any characters, also "/" and a leading dot.
type Pattern struct {
	text      string // what it matches, if it has no special character
	isLiteral bool
	items     []item
	fold      bool
}

// An item matches one character, or any text if it is a star.
type item struct {
	isStar, isAny bool
	class         *class
	r             rune // a byte that is not UTF-8 has 1<<24 added
}

// A class is a set of characters in brackets.
type class struct {
	negated bool
	ranges  [][2]rune
	named   []syntax.Set
}

// IsPattern reports whether t has a special character.
func (t Text) IsPattern() bool {
	for i, c := range []byte(t.Value) {
		isSpecial := c == '*' || c == '?' || c == '['
		if isSpecial && !t.IsQuoted(i) {
			return true
		}
	}
	return false
}

// Cut returns the part of t from one offset to another.
func (t Text) Cut(from, to int) Text {
	part := Text{Value: t.Value[from:to]}
	if len(t.Quoted) > 0 {
		part.Quoted = t.Quoted[from:to]
	}
	return part
}

// char returns the character at an offset, and its size.
func (t Text) char(at int) (rune, int) {
	r, n := utf8.DecodeRuneInString(t.Value[at:])
	if r == utf8.RuneError && n == 1 {
		r = rune(t.Value[at]) | 1<<24
	}
	return r, n
}

// IsQuoted reports whether the byte at an offset is quoted.
func (t Text) IsQuoted(at int) bool { return len(t.Quoted) > 0 && t.Quoted[at] }

// Compile compiles a pattern, without regard to case if fold is set. The error is a refusal.
func Compile(t Text, fold bool) (*Pattern, error) {
	if !fold && !t.IsPattern() && !strings.Contains(t.Value, `\`) {
		return &Pattern{text: t.Value, isLiteral: true}, nil
	}
	if len(t.Value) > maxPattern {
		return nil, command.Refuse("a pattern is longer than %d bytes; use a shorter one", maxPattern)
	}
	p := &Pattern{fold: fold}
	for at := 0; at < len(t.Value); {
		r, n := t.char(at)
		next := item{r: r}
		switch {
		case t.IsQuoted(at):
		case r == '*':
			next = item{isStar: true}
		case r == '?':
			next = item{isAny: true}
		case r == '[':
			c, size, err := parseClass(t.Cut(at, len(t.Value)))
			if err != nil {
				return nil, err
			}
			if c != nil {
				next, n = item{class: c}, size
			}
		case r == '\\' && at+1 < len(t.Value):
			at++
			next.r, n = t.char(at)
		}
		if k := len(p.items); !next.isStar || k == 0 || !p.items[k-1].isStar {
			p.items = append(p.items, next)
		}
		at += n
	}
	return p, nil
}

// parseClass parses the class at the beginning of t, and returns its size. It is nil without an
// end.
func parseClass(t Text) (*class, int, error) {
	c := &class{}
	at := 1
	if at < len(t.Value) && !t.IsQuoted(at) && strings.IndexByte("!^", t.Value[at]) >= 0 {
		c.negated = true
		at++
	}
	for first := at; at < len(t.Value); {
		if t.Value[at] == ']' && at > first && !t.IsQuoted(at) {
			return c, at + 1, nil
		}
		size, err := c.addNamed(t.Value[at:])
		if err != nil {
			return nil, 0, err
		}
		if size > 0 {
			at += size
			continue
		}
		low, n := classChar(t, at)
		at += n
		high := low
		isRange := at+1 < len(t.Value) && t.Value[at] == '-' && !t.IsQuoted(at)
		if isRange && t.Value[at+1] != ']' {
			high, n = classChar(t, at+1)
			at += 1 + n
		}
		c.ranges = append(c.ranges, [2]rune{low, high})
	}
	return nil, 0, nil
}

// addNamed adds a [:NAME:] at the beginning of s, and returns its size, which is 0 if there is
// none.
func (c *class) addNamed(s string) (int, error) {
	if strings.HasPrefix(s, "[.") || strings.HasPrefix(s, "[=") {
		return 0, command.Refuse("%.9s in brackets is not available here; write the character", s)
	}
	rest, ok := strings.CutPrefix(s, "[:")
	name, _, hasEnd := strings.Cut(rest, ":]")
	if !ok || !hasEnd {
		return 0, nil
	}
	named := regex.Class(name)
	if named == nil {
		return 0, command.Refuse("[:%.20s:] is no class of characters; use one such as [:alpha:]", name)
	}
	c.named = append(c.named, named)
	return len(name) + 4, nil
}

func classChar(t Text, at int) (r rune, n int) {
	if t.Value[at] == '\\' && !t.IsQuoted(at) && at+1 < len(t.Value) {
		r, n = t.char(at + 1)
		return r, n + 1
	}
	return t.char(at)
}

func (c *class) has(r rune) bool {
	for _, pair := range c.ranges {
		if r >= pair[0] && r <= pair[1] {
			return !c.negated
		}
	}
	for _, named := range c.named {
		if named.Contains(r) {
			return !c.negated
		}
	}
	return c.negated
}

func (p *Pattern) matchesChar(i item, r rune) bool {
	switch {
	case i.isAny:
		return true
	case i.class == nil:
		return i.r == r || p.fold && unicode.ToLower(i.r) == unicode.ToLower(r)
	}
	return i.class.has(r) ||
		p.fold && (i.class.has(unicode.ToLower(r)) || i.class.has(unicode.ToUpper(r)))
}

// Matches reports whether p matches all of a text. It takes time in proportion to the product of
// their lengths.
func (p *Pattern) Matches(account *command.Account, text string) bool {
	return p.Prefix(account, text, true) == len(text)
}

// Prefix returns the length of the shortest or the longest prefix that matches, or -1.
func (p *Pattern) Prefix(account *command.Account, text string, longest bool) int {
	if p.isLiteral {
		return literalSize(strings.HasPrefix, text, p.text)
	}
	m := matcher{p: p, account: account, text: Text{Value: text}}
	return m.run(longest, false)
}

// Suffix returns the length of the shortest or the longest suffix that matches, or -1.
func (p *Pattern) Suffix(account *command.Account, text string, longest bool) int {
	if p.isLiteral {
		return literalSize(strings.HasSuffix, text, p.text)
	}
	m := matcher{p: p, account: account, text: Text{Value: text}}
	return m.run(longest, true)
}

func literalSize(has func(s, part string) bool, text, part string) int {
	if has(text, part) {
		return len(part)
	}
	return -1
}

// A matcher matches a beginning or an end of a text, with the set of items that can be next.
type matcher struct {
	p       *Pattern
	account *command.Account
	text    Text
}

// run returns the number of bytes at the beginning that match, or at the end.
func (m *matcher) run(longest, fromEnd bool) int {
	count := len(m.p.items)
	now, next := make([]bool, count+1), make([]bool, count+1)
	now[0] = true
	best := -1
	for done := 0; ; {
		m.skipStars(now, fromEnd)
		if now[count] {
			best = done
		}
		if done == len(m.text.Value) || best >= 0 && !longest {
			return best
		}
		r, n := m.char(done, fromEnd)
		clear(next)
		isAlive := false
		for k := range count {
			m.account.Tick()
			tried := m.item(k, fromEnd)
			switch {
			case !now[k]:
			case tried.isStar:
				next[k], isAlive = true, true
			case m.p.matchesChar(tried, r):
				next[k+1], isAlive = true, true
			}
		}
		if !isAlive {
			return best
		}
		now, next = next, now
		done += n
	}
}

// skipStars adds the items after stars, which can match nothing.
func (m *matcher) skipStars(now []bool, fromEnd bool) {
	for k := range m.p.items {
		if now[k] && m.item(k, fromEnd).isStar {
			now[k+1] = true
		}
	}
}

func (m *matcher) item(k int, fromEnd bool) item {
	if fromEnd {
		return m.p.items[len(m.p.items)-1-k]
	}
	return m.p.items[k]
}

// char returns the character after done bytes.
func (m *matcher) char(done int, fromEnd bool) (rune, int) {
	if !fromEnd {
		return m.text.char(done)
	}
	_, n := utf8.DecodeLastRuneInString(m.text.Value[:len(m.text.Value)-done])
	return m.text.char(len(m.text.Value) - done - n)
}
