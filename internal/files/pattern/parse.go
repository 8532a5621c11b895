package pattern

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gander/internal/files/text"
	"gander/internal/paths"
)

// A parser compiles a pattern without braces.
type parser struct {
	compiler *Compiler
	language
	fold      bool   // emit the form that [text.Fold] makes of each character
	s         []rune // units
	i         int
	begin     int // where stars count as at the beginning
	code      []rune
	classes   []set
	component int // where the current component of the code begins
}

// parse compiles a pattern without braces.
func (c *Compiler) parse(l language, pattern string, fold bool) (program, error) {
	if err := c.spend(perByte * (len(pattern) + perPattern)); err != nil {
		return program{}, err
	}
	if l.strict {
		if err := checkStart(pattern); err != nil {
			return program{}, err
		}
	}
	p := &parser{compiler: c, language: l, fold: fold}
	u := p.units
	p.s = split(u, nil, pattern)
	p.code = make([]rune, 0, len(p.s)+2)
	prefix, suffix := pattern, ""
	if at := strings.IndexAny(pattern, `*?[\`); at >= 0 {
		prefix, suffix = pattern[:at], pattern[strings.LastIndexAny(pattern, `*?[\]/`)+1:]
	}
	if fold {
		prefix, suffix = text.Fold(prefix), text.Fold(suffix)
	}
	skip := len(split(u, nil, prefix))
	if p.git { // which begins to match after the literal beginning
		p.begin = skip
	}
	for p.i < len(p.s) {
		if err := p.item(p.s[p.i]); err != nil {
			return program{}, err
		}
	}
	if err := p.endComponent(); err != nil {
		return program{}, err
	}
	whole := append([]rune{opDeep, opInside, opStar}, split(u, nil, suffix)...)
	out := program{
		prefix: prefix, suffix: suffix, code: p.code[skip:], classes: p.classes,
		bySuffix: suffix != "" && slices.Equal(p.code, whole), units: u,
	}
	ending := suffix
	if len(out.code) == 0 {
		ending = prefix
	}
	if ending != "" {
		out.last = ending[len(ending)-1]
	}
	return out, nil
}

// at returns the unit n units after the current one, or -1.
func (p *parser) at(n int) rune {
	if p.i+n >= len(p.s) {
		return -1
	}
	return p.s[p.i+n]
}

func (p *parser) emit(code ...rune) { p.code = append(p.code, code...) }

// literal emits a unit that matches itself.
func (p *parser) literal(c rune) {
	if p.fold && c < invalidByte {
		c = text.FoldRune(c)
	}
	p.emit(c)
}

func (p *parser) item(c rune) error {
	switch {
	case c == '*':
		p.star()
		return nil
	case c == '[' && !p.plain:
		return p.class()
	case c == '\\' && !p.plain:
		return p.escape()
	}
	p.i++
	switch {
	case c == '?' && p.plain:
		p.emit(opInLine)
	case c == '?':
		p.emit(opAny)
	case c == '/':
		err := p.endComponent()
		p.literal('/')
		p.component = len(p.code)
		return err
	default:
		p.literal(c)
	}
	return nil
}

func (p *parser) escape() error {
	p.i++
	switch c := p.at(0); {
	case (c < 0 || c == '/') && p.malformed == nil:
		p.literal('\\')
	case c == '/': // it separates
	case c < 0:
		return p.malformed
	case p.strict && isAlphanumeric(c):
		return errBackslash
	default:
		p.literal(c)
		p.i++
	}
	return nil
}

// isAlphanumeric reports whether c is an ASCII letter or digit.
func isAlphanumeric(c rune) bool {
	return c < utf8.RuneSelf && (unicode.IsLetter(c) || unicode.IsDigit(c))
}

// star compiles a run of stars. Two are special as a whole component.
func (p *parser) star() {
	start := p.i
	for p.at(0) == '*' {
		p.i++
	}
	n, next := p.i-start, p.at(0)
	begins := start <= p.begin || p.s[start-1] == '/'
	ends := next == '/' || next < 0
	if p.git {
		ends = ends || next == '\\' && p.at(1) == '/'
		n = min(n, 2)
	}
	switch {
	case p.plain:
		p.emit(opLine)
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
	if !p.strict {
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

var errBackslash = errors.New(
	`a backslash quotes the character after it; separate directories with "/"`)

// Alternatives expands the braces of a path glob.
func (c *Compiler) Alternatives(glob string) ([]string, error) {
	switch {
	case glob == "":
		return nil, errors.New("it is empty")
	case len(glob) > maxLength:
		return nil, fmt.Errorf("it is longer than %d bytes", maxLength)
	case strings.ContainsRune(glob, 0):
		return nil, errors.New("it contains a NUL")
	case glob[0] == '!':
		return nil, errors.New(`"!" does not negate here; write "\!" for a name that begins with it`)
	case strings.HasPrefix(glob, `\\`), paths.HasDrive(glob) && strings.HasPrefix(glob[2:], `\`):
		return nil, errBackslash
	}
	return c.expand(languages[Path], glob)
}

// checkStart checks how an alternative of a path glob begins.
func checkStart(a string) error {
	switch {
	case a == "~" || strings.HasPrefix(a, "~/"):
		return errors.New(`"~" does not stand for a home directory; write the path in full`)
	case strings.HasPrefix(a, "/"), paths.HasDrive(a) && (len(a) == 2 || a[2] == '/'):
		return errors.New("it is absolute, and only relative paths are matched")
	}
	return nil
}

// Slashed returns a glob with slashes for the backslashes that separate directories, as they do on
// Windows. A backslash remains before a bracket, a brace, a comma beside braces, and an exclamation
// mark at the beginning. No name on Windows contains a star or a question mark, so these need no
// escape.
func Slashed(glob string) string {
	rest, quoted := strings.CutPrefix(glob, `\!`)
	if !strings.Contains(rest, "{") {
		rest = strings.ReplaceAll(rest, `\,`, "/,")
	}
	rest = strings.NewReplacer(
		`\[`, `\[`, `\]`, `\]`, `\{`, `\{`, `\}`, `\}`, `\,`, `\,`, `\`, "/").Replace(rest)
	if quoted {
		return `\!` + rest
	}
	return rest
}
