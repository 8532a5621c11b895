package pattern

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gander/internal/files/text"
)

// A parser compiles a pattern without braces.
type parser struct {
	compiler  *Compiler
	syntax    Syntax
	fold      bool   // emit the form that [text.Fold] makes of each character
	s         []rune // units
	i         int
	code      []rune
	classes   []set
	component int // where the current component of the code begins
}

// parse compiles a pattern without braces.
func (c *Compiler) parse(s Syntax, pattern string, fold bool) (Program, error) {
	u := s.units()
	p := &parser{compiler: c, syntax: s, fold: fold, s: split(u, nil, pattern)}
	p.code = make([]rune, 0, len(p.s)+2)
	for p.i < len(p.s) {
		if err := p.item(p.s[p.i]); err != nil {
			return Program{}, err
		}
	}
	if err := p.endComponent(); err != nil {
		return Program{}, err
	}
	plain := pattern
	if s == Ripgrep || s == Minimatch {
		plain = strings.ReplaceAll(strings.ReplaceAll(plain, marks[:1], ""), marks[1:], "")
	}
	prefix, suffix := plain, ""
	if at := strings.IndexAny(plain, `*?[\`); at >= 0 {
		prefix, suffix = plain[:at], plain[strings.LastIndexAny(plain, `*?[\]/`)+1:]
	}
	if fold {
		prefix, suffix = text.Fold(prefix), text.Fold(suffix)
	}
	whole := append([]rune{opDeep, opInside, opStar}, split(u, nil, suffix)...)
	return Program{
		prefix: prefix, suffix: suffix, code: p.code[len(split(u, nil, prefix)):], classes: p.classes,
		bySuffix: suffix != "" && slices.Equal(p.code, whole), units: u,
	}, nil
}

// Gitignore compiles a pattern of git's wildmatch, which has no braces and matches bytes. It
// reports false if the pattern can match nothing. As in git, the stars of x**/y count as at the
// beginning, because matching begins after the literal beginning.
func Gitignore(pattern string) (p Program, ok bool) {
	literal := pattern
	if at := strings.IndexAny(pattern, `*?[\`); at >= 0 {
		literal = pattern[:at]
	}
	c := &Compiler{ctx: context.Background(), steps: maxExpanding}
	p, err := c.parse(Ignore, pattern[len(literal):], false)
	p.prefix = literal + p.prefix
	return p, err == nil
}

// at returns the unit n units after the current one, or -1.
func (p *parser) at(n int) rune {
	if p.i+n >= len(p.s) {
		return -1
	}
	return p.s[p.i+n]
}

// emit appends instructions or units to the code.
func (p *parser) emit(code ...rune) { p.code = append(p.code, code...) }

// literal emits a unit that matches itself.
func (p *parser) literal(c rune) {
	if p.fold && c < invalidByte {
		c = text.FoldRune(c)
	}
	p.emit(c)
}

// item compiles the item that begins with c.
func (p *parser) item(c rune) error {
	gemini := p.syntax == Gemini
	switch {
	case c == '*':
		p.star()
		return nil
	case c == '[' && !gemini:
		return p.class()
	case c == '\\' && !gemini:
		return p.escape()
	case c == '{' && p.syntax == Toolkit:
		return errNothing // it has no end
	}
	p.i++
	switch {
	case c == '?' && gemini:
		p.emit(opLineUnit)
	case c == '?':
		p.emit(opAny)
	case c == '/':
		err := p.endComponent()
		p.literal('/')
		p.component = len(p.code)
		return err
	case !p.isMark(c):
		p.literal(c)
	}
	return nil
}

// escape compiles a backslash and the character after it.
func (p *parser) escape() error {
	p.i++
	switch c := p.at(0); {
	case c == '/': // it separates
	case c >= 0:
		p.literal(c)
		p.i++
	case p.syntax == Ripgrep:
		return errors.New(`a "\" has no character after it`)
	default:
		return errNothing
	}
	return nil
}

// isMark reports whether a unit delimits an alternative.
func (p *parser) isMark(c rune) bool {
	return p.syntax == Ripgrep && (c == openMark || c == closeMark) ||
		p.syntax == Minimatch && (c == invalidByte+openMark || c == invalidByte+closeMark)
}

// star compiles a run of stars. Two are special as a whole component.
func (p *parser) star() {
	start, before := p.i, rune('/')
	if start > 0 {
		before = p.s[start-1]
	}
	for p.at(0) == '*' && (p.syntax != Ripgrep || p.i < start+2) {
		p.i++
	}
	n, next := p.i-start, p.at(0)
	begins, ends := before == '/', next == '/' || next < 0
	switch p.syntax {
	case Gemini:
		p.emit(opLine)
		return
	case Ignore:
		ends = ends || next == '\\' && p.at(1) == '/'
		n = min(n, 2)
	case Ripgrep:
		ends = ends || next == closeMark && begins
		begins = begins || before == openMark && next == '/'
		if start == 0 && n == 2 && next == '/' && p.at(1) < 0 {
			p.i++
			next = end
		}
	}
	switch {
	case n != 2 || !begins || !ends:
		p.emit(opStar)
	case next != '/':
		p.emit(opAll)
	default:
		p.i++
		if n := len(p.code); n == 0 || p.code[n-1] != opInside {
			p.emit(opDeep, opInside)
		}
		p.component = len(p.code)
	}
}

// endComponent checks the component that ends here.
func (p *parser) endComponent() error {
	if p.syntax != Path {
		return nil
	}
	switch name := string(p.code[p.component:]); name {
	case "":
		return errors.New(`no path has an empty component, as "a/", "a//b" and "{a,}" have`)
	case ".", "..":
		return fmt.Errorf("no path has a component %q", name)
	}
	return nil
}
