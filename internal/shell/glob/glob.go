// Package glob matches the patterns of the shell, of find -name and of grep --include.
package glob

import (
	"slices"
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
	text  string // what it matches, if it has no special character and thus no items
	items []item
	fold  bool
}

// An item matches one character that is in one of its sets, or in none if it is negated, or any
// text if it is a star.
type item struct {
	isStar, negated bool
	sets            []syntax.Set // a byte that is not UTF-8 has 1<<24 added
}

func (i *item) has(r rune) bool {
	for _, set := range i.sets {
		if set.Contains(r) {
			return !i.negated
		}
	}
	return i.negated
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

// firstChar returns the character at the beginning of a text, and its size.
func firstChar(s string) (rune, int) {
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 {
		r = rune(s[0]) | 1<<24
	}
	return r, n
}

// lastChar returns the character at the end of a text, and its size.
func lastChar(s string) (rune, int) {
	_, n := utf8.DecodeLastRuneInString(s)
	return firstChar(s[len(s)-n:])
}

// IsQuoted reports whether the byte at an offset is quoted.
func (t Text) IsQuoted(at int) bool { return len(t.Quoted) > 0 && t.Quoted[at] }

// Compile compiles a pattern, without regard to case if fold is set. The error is a refusal.
func Compile(t Text, fold bool) (*Pattern, error) {
	if !fold && !t.IsPattern() && !strings.Contains(t.Value, `\`) {
		return &Pattern{text: t.Value}, nil
	}
	if len(t.Value) > maxPattern {
		return nil, command.Refuse("a pattern is longer than %d bytes; use a shorter one", maxPattern)
	}
	p := &Pattern{fold: fold}
	for rest := t; rest.Value != ""; {
		next, size, err := parseItem(rest, fold)
		if err != nil {
			return nil, err
		}
		if k := len(p.items); !next.isStar || k == 0 || !p.items[k-1].isStar {
			p.items = append(p.items, next)
		}
		rest = rest.Cut(size, len(rest.Value))
	}
	return p, nil
}

// parseItem parses the item at the beginning of t, and returns its size.
func parseItem(t Text, fold bool) (item, int, error) {
	switch c := t.Value[0]; {
	case t.IsQuoted(0):
	case c == '*':
		return item{isStar: true}, 1, nil
	case c == '?':
		return item{negated: true}, 1, nil
	case c == '[':
		class, size, err := parseClass(t)
		if size > 0 || err != nil {
			return class, size, err
		}
	}
	r, size := t.char(0)
	if fold {
		r = unicode.ToLower(r)
	}
	return item{sets: []syntax.Set{one(r, r)}}, size, nil
}

func one(low, high rune) syntax.Set { return syntax.Set{{Low: low, High: high}} }

// char returns the character at an offset, which can be behind a backslash, and its size.
func (t Text) char(at int) (r rune, size int) {
	if t.Value[at] == '\\' && !t.IsQuoted(at) && at+1 < len(t.Value) {
		r, size = firstChar(t.Value[at+1:])
		return r, 1 + size
	}
	return firstChar(t.Value[at:])
}

// parseClass parses the characters in brackets at the beginning of t, and returns their size, which
// is 0 without an end.
func parseClass(t Text) (c item, size int, err error) {
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
			return c, 0, err
		}
		if size > 0 {
			at += size
			continue
		}
		low, n := t.char(at)
		at += n
		high := low
		isRange := at+1 < len(t.Value) && t.Value[at] == '-' && !t.IsQuoted(at)
		if isRange && t.Value[at+1] != ']' {
			high, n = t.char(at + 1)
			at += 1 + n
		}
		c.sets = append(c.sets, one(low, high))
	}
	return c, 0, nil
}

// addNamed adds a [:NAME:] at the beginning of s, and returns its size, which is 0 if there is
// none.
func (i *item) addNamed(s string) (int, error) {
	if strings.HasPrefix(s, "[.") || strings.HasPrefix(s, "[=") {
		return 0, command.Refuse("%.9s in brackets is not available here; write the character", s)
	}
	rest, ok := strings.CutPrefix(s, "[:")
	name, _, hasEnd := strings.Cut(rest, ":]")
	if !ok {
		return 0, nil
	}
	if !hasEnd {
		return 0, command.Refuse("[: in brackets is not available here without :]; write : before [")
	}
	named := regex.Class(name)
	if named == nil {
		return 0, command.Refuse("[:%.20s:] is no class of characters; use one such as [:alpha:]", name)
	}
	i.sets = append(i.sets, named)
	return len(name) + 4, nil
}

func (p *Pattern) matchesChar(i *item, r rune) bool {
	return i.has(r) || p.fold && (i.has(unicode.ToLower(r)) || i.has(unicode.ToUpper(r)))
}

// Matches reports whether p matches all of a text. It takes time in proportion to the product of
// their lengths.
func (p *Pattern) Matches(account *command.Account, text string) bool {
	return p.Prefix(account, text, true) == len(text)
}

// Prefix returns the length of the shortest or the longest prefix that matches, or -1.
func (p *Pattern) Prefix(account *command.Account, text string, longest bool) int {
	switch {
	case len(p.items) > 0:
		return p.match(account, longest, p.items, func(done int) (rune, int) {
			return firstChar(text[done:])
		}, len(text))
	case strings.HasPrefix(text, p.text):
		return len(p.text)
	}
	return -1
}

// Suffix returns the length of the shortest or the longest suffix that matches, or -1.
func (p *Pattern) Suffix(account *command.Account, text string, longest bool) int {
	switch {
	case len(p.items) > 0:
		items := slices.Clone(p.items)
		slices.Reverse(items)
		return p.match(account, longest, items, func(done int) (rune, int) {
			return lastChar(text[:len(text)-done])
		}, len(text))
	case strings.HasSuffix(text, p.text):
		return len(p.text)
	}
	return -1
}

// match returns how many of size bytes items match, with the set of items that can be next. char
// returns the character after a number of bytes, and its size.
func (p *Pattern) match(
	account *command.Account, longest bool, items []item, char func(done int) (rune, int), size int,
) int {
	count := len(items)
	now, next := make([]bool, count+1), make([]bool, count+1)
	now[0] = true
	best := -1
	for done := 0; ; {
		for k := range items { // a star can match nothing
			now[k+1] = now[k+1] || now[k] && items[k].isStar
		}
		if now[count] {
			best = done
		}
		if done == size || best >= 0 && !longest {
			return best
		}
		r, n := char(done)
		clear(next)
		isAlive := false
		for k := range items {
			account.Tick()
			switch {
			case !now[k]:
			case items[k].isStar:
				next[k], isAlive = true, true
			case p.matchesChar(&items[k], r):
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
