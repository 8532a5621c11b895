package shell

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/shell/command"
)

// maxPattern is the length of the longest pattern, in bytes. A text without special characters can
// be longer.
const maxPattern = 4096

// A pattern is a compiled pattern of the shell.
type pattern struct {
	text      string // what it matches, if it has no special character
	isLiteral bool
	items     []patternItem
	fold      bool
}

// A patternItem matches one character, or any text if it is a star.
type patternItem struct {
	isStar, isAny bool
	class         *class
	r             rune // a byte that is not UTF-8 has 1<<24 added
}

// A class is a set of characters in brackets.
type class struct {
	negated bool
	ranges  [][2]rune
	named   []func(rune) bool
}

// pattern compiles a word.
func (e *environment) pattern(w *syntax.Word, fold bool) *pattern {
	return compilePattern(e.expand(w, tildeFirst), fold)
}

// isPattern reports whether a field has a special character.
func (f field) isPattern() bool { return isPattern([]byte(f.text), f.quoted) }

func isPattern(text []byte, quoted []bool) bool {
	for i, c := range text {
		isSpecial := c == '*' || c == '?' || c == '['
		if isSpecial && len(quoted) > 0 && !quoted[i] {
			return true
		}
	}
	return false
}

// cut returns the part of a field from one offset to another.
func (f field) cut(from, to int) field {
	cut := field{text: f.text[from:to]}
	if len(f.quoted) > 0 {
		cut.quoted = f.quoted[from:to]
	}
	return cut
}

// char returns the character at an offset, and its size.
func (f field) char(at int) (rune, int) {
	r, n := utf8.DecodeRuneInString(f.text[at:])
	if r == utf8.RuneError && n == 1 {
		r = rune(f.text[at]) | 1<<24
	}
	return r, n
}

func (f field) isQuoted(at int) bool { return len(f.quoted) > 0 && f.quoted[at] }

func compilePattern(f field, fold bool) *pattern {
	if !fold && !f.isPattern() && !strings.Contains(f.text, `\`) {
		return &pattern{text: f.text, isLiteral: true}
	}
	if len(f.text) > maxPattern {
		panic(command.Abort{Err: fmt.Errorf("a pattern is longer than %d bytes", maxPattern)})
	}
	p := &pattern{fold: fold}
	for at := 0; at < len(f.text); {
		r, n := f.char(at)
		item := patternItem{r: r}
		switch {
		case f.isQuoted(at):
		case r == '*':
			item = patternItem{isStar: true}
		case r == '?':
			item = patternItem{isAny: true}
		case r == '[':
			if c, size := parseClass(f.cut(at, len(f.text))); c != nil {
				item, n = patternItem{class: c}, size
			}
		case r == '\\' && at+1 < len(f.text):
			at++
			item.r, n = f.char(at)
		}
		if k := len(p.items); !item.isStar || k == 0 || !p.items[k-1].isStar {
			p.items = append(p.items, item)
		}
		at += n
	}
	return p
}

// classNamed returns the class [:NAME:], or nil.
func classNamed(name string) func(rune) bool {
	switch name {
	case "alpha":
		return unicode.IsLetter
	case "digit":
		return func(r rune) bool { return r >= '0' && r <= '9' }
	case "alnum":
		return func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	case "upper":
		return unicode.IsUpper
	case "lower":
		return unicode.IsLower
	case "space":
		return unicode.IsSpace
	case "blank":
		return func(r rune) bool { return r == ' ' || r == '\t' }
	case "punct":
		return func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }
	case "cntrl":
		return unicode.IsControl
	case "print":
		return unicode.IsPrint
	case "graph":
		return unicode.IsGraphic
	case "xdigit":
		return func(r rune) bool { return strings.ContainsRune("0123456789abcdefABCDEF", r) }
	case "word":
		return func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	}
	return nil
}

// parseClass parses the class at the beginning of f, and returns its size. It is nil without an end.
func parseClass(f field) (*class, int) {
	c := &class{}
	at := 1
	if at < len(f.text) && !f.isQuoted(at) && strings.IndexByte("!^", f.text[at]) >= 0 {
		c.negated = true
		at++
	}
	for first := at; at < len(f.text); {
		if f.text[at] == ']' && at > first && !f.isQuoted(at) {
			return c, at + 1
		}
		if size := c.addNamed(f.text[at:]); size > 0 {
			at += size
			continue
		}
		low, n := classChar(f, at)
		at += n
		high := low
		isRange := at+1 < len(f.text) && f.text[at] == '-' && !f.isQuoted(at)
		if isRange && f.text[at+1] != ']' {
			high, n = classChar(f, at+1)
			at += 1 + n
		}
		c.ranges = append(c.ranges, [2]rune{low, high})
	}
	return nil, 0
}

// addNamed adds a [:NAME:] at the beginning of s, and returns its size.
func (c *class) addNamed(s string) int {
	rest, ok := strings.CutPrefix(s, "[:")
	name, _, hasEnd := strings.Cut(rest, ":]")
	named := classNamed(name)
	if !ok || !hasEnd || named == nil {
		return 0
	}
	c.named = append(c.named, named)
	return len(name) + 4
}

func classChar(f field, at int) (r rune, n int) {
	if f.text[at] == '\\' && !f.isQuoted(at) && at+1 < len(f.text) {
		r, n = f.char(at + 1)
		return r, n + 1
	}
	return f.char(at)
}

func (c *class) has(r rune) bool {
	for _, pair := range c.ranges {
		if r >= pair[0] && r <= pair[1] {
			return !c.negated
		}
	}
	for _, named := range c.named {
		if named(r) {
			return !c.negated
		}
	}
	return c.negated
}

func (p *pattern) matchesChar(item patternItem, r rune) bool {
	switch {
	case item.isAny:
		return true
	case item.class == nil:
		return item.r == r || p.fold && unicode.ToLower(item.r) == unicode.ToLower(r)
	}
	return item.class.has(r) ||
		p.fold && (item.class.has(unicode.ToLower(r)) || item.class.has(unicode.ToUpper(r)))
}

// matches reports whether p matches all of a text. It takes time in proportion to the product of
// their lengths.
func (p *pattern) matches(account *command.Account, text string) bool {
	if p.isLiteral {
		return text == p.text
	}
	f := field{text: text}
	at, k := 0, 0
	star, starAt := -1, 0
	for at < len(text) {
		account.Tick()
		if k < len(p.items) && p.items[k].isStar {
			star, starAt = k, at
			k++
			continue
		}
		r, n := f.char(at)
		if k < len(p.items) && p.matchesChar(p.items[k], r) {
			at += n
			k++
			continue
		}
		if star < 0 {
			return false
		}
		_, n = f.char(starAt)
		starAt += n
		at, k = starAt, star+1
	}
	return k == len(p.items) || k == len(p.items)-1 && p.items[k].isStar
}

// prefix returns the length of the shortest or the longest prefix that matches, or -1.
func (p *pattern) prefix(account *command.Account, text string, longest bool) int {
	if p.isLiteral {
		if strings.HasPrefix(text, p.text) {
			return len(p.text)
		}
		return -1
	}
	m := matcher{p: p, account: account, text: field{text: text}}
	return m.run(longest, false)
}

// suffix returns where the shortest or the longest suffix that matches begins, or -1.
func (p *pattern) suffix(account *command.Account, text string, longest bool) int {
	if p.isLiteral {
		if strings.HasSuffix(text, p.text) {
			return len(text) - len(p.text)
		}
		return -1
	}
	m := matcher{p: p, account: account, text: field{text: text}}
	n := m.run(longest, true)
	if n < 0 {
		return -1
	}
	return len(text) - n
}

// A matcher matches a beginning or an end of a text, with the set of items that can be next.
type matcher struct {
	p       *pattern
	account *command.Account
	text    field
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
		if done == len(m.text.text) || best >= 0 && !longest {
			return best
		}
		r, n := m.char(done, fromEnd)
		clear(next)
		isAlive := false
		for k := range count {
			m.account.Tick()
			item := m.item(k, fromEnd)
			switch {
			case !now[k]:
			case item.isStar:
				next[k], isAlive = true, true
			case m.p.matchesChar(item, r):
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

func (m *matcher) item(k int, fromEnd bool) patternItem {
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
	_, n := utf8.DecodeLastRuneInString(m.text.text[:len(m.text.text)-done])
	return m.text.char(len(m.text.text) - done - n)
}
