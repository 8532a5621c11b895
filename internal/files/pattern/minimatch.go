package pattern

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// An InvalidError reports a component for which minimatch makes a regular expression that is not valid.
type InvalidError struct{ Component string }

func (e *InvalidError) Error() string { return "Invalid regular expression: " + e.Component }

// minimatch compiles a pattern of minimatch into p.
func (c *Compiler) minimatch(p *Pattern, pattern string) error {
	if unitCount(pattern) > maxUnits {
		return ErrTooLong
	}
	if pattern == "" || pattern[0] == '#' {
		return nil
	}
	rest := strings.TrimLeft(pattern, "!")
	p.negated = (len(pattern)-len(rest))%2 == 1
	globs, err := c.bash(rest)
	if err != nil {
		return err
	}
	for _, glob := range globs {
		ways := [][]component{nil}
		for _, text := range resolveDots(splitSlashes(glob)) {
			variants, err := c.variants(text)
			if err != nil {
				return err
			}
			if ways, err = c.append(ways, text, variants); err != nil {
				return err
			}
		}
		for _, way := range ways {
			a, err := c.compileComponents(way)
			if err == errNothing {
				continue
			}
			if err != nil {
				return err
			}
			p.alternatives = append(p.alternatives, a)
		}
	}
	return nil
}

// A component is a component of a pattern whose braces and groups are expanded.
type component struct {
	text string
	kind componentKind
}

type componentKind uint8

const (
	plainComponent   componentKind = iota // without groups
	groupComponent                        // one of the expansions of groups
	literalComponent                      // text that matches itself
)

// append appends each variant of a component to each of the ways through the components before it.
func (c *Compiler) append(ways [][]component, text string, variants []string) ([][]component, error) {
	kind := groupComponent
	switch {
	case len(variants) == 1 && variants[0] == text:
		kind = plainComponent
	case !slices.ContainsFunc(variants, func(v string) bool { return v != "" }): // such as @()
		kind, variants = literalComponent, []string{text}
	}
	var all [][]component
	for _, way := range ways {
		for _, v := range variants {
			c.left -= len(v) + perPattern
			if err := c.spend(len(way) + len(v)); err != nil || c.left < 0 {
				return nil, cmp.Or(err, ErrTooLarge)
			}
			all = append(all, append(slices.Clip(way), component{v, kind}))
		}
	}
	return all, nil
}

// variants returns what a component stands for once its groups @(...) and ?(...) are expanded. A group without an
// end is text.
func (c *Compiler) variants(s string) ([]string, error) {
	e := expander{Compiler: c}
	done, begin := []string{""}, 0
	for i := 0; i < len(s); {
		if !isGroup(s, i) {
			i = skipClass(s, i)
			continue
		}
		parts, end := groupParts(s, i+len("@("))
		if err := c.spend(len(s) - i); err != nil {
			return nil, err
		}
		if end < 0 {
			break
		}
		if s[i] != '@' && s[i] != '?' {
			return nil, &UnsupportedError{s[i:end], fmt.Sprintf("%c(...) is not supported; use @(...), ?(...) or braces", s[i])}
		}
		var values []string
		for _, part := range parts {
			more, err := c.variants(part)
			if err != nil {
				return nil, err
			}
			values = append(values, more...)
		}
		if s[i] == '?' {
			values = append(values, "")
		}
		var err error
		if done, err = e.product(done, s[begin:i], values, nil); err != nil {
			return nil, err
		}
		i, begin = end, end
	}
	return e.product(done, s[begin:], []string{""}, nil)
}

// isGroup reports whether a group begins at i.
func isGroup(s string, i int) bool {
	return i+1 < len(s) && s[i+1] == '(' && strings.IndexByte("!?+*@", s[i]) >= 0
}

// groupParts returns the alternatives of the group whose parenthesis ends at i, and the end of the group, or -1 if it
// has none.
func groupParts(s string, i int) (parts []string, end int) {
	begin, depth := i, 0
	for i < len(s) {
		switch {
		case isGroup(s, i):
			depth++
			i++
		case s[i] == '|' && depth == 0:
			parts = append(parts, s[begin:i])
			begin = i + 1
		case s[i] == ')' && depth == 0:
			return append(parts, s[begin:i]), i + 1
		case s[i] == ')':
			depth--
		}
		i = skipClass(s, i)
	}
	return nil, -1
}

// skipClass returns the end of an escaped character, a class, or one byte. A class without an end extends to the end
// of s.
func skipClass(s string, i int) int {
	switch s[i] {
	case '\\':
		return min(i+2, len(s))
	case '[':
		if i++; i < len(s) && (s[i] == '!' || s[i] == '^') {
			i++
		}
		for first := i; i < len(s) && (s[i] != ']' || i == first); i++ {
			if s[i] == '\\' {
				i++
			}
		}
	}
	return min(i+1, len(s))
}

// compileComponents compiles components that are joined by slashes. They match UTF-16 units, or characters if one of
// them has a class that asks for these.
func (c *Compiler) compileComponents(way []component) (alternative, error) {
	p := &parser{Compiler: c, syntax: Minimatch, head: -1}
	if err := p.join(way, units); err != nil || !p.posix {
		a := p.alternative()
		a.utf16 = true
		return a, err
	}
	p = &parser{Compiler: c, syntax: Minimatch, head: -1}
	err := p.join(way, strings.Clone)
	return p.alternative(), err
}

// join compiles components that are joined by slashes. It calls convert with the text of each.
func (p *parser) join(way []component, convert func(string) string) error {
	posix, afterStars := false, true
	for i, c := range way {
		if !afterStars {
			p.literal("/")
		}
		afterStars = c.kind == plainComponent && c.text == "**"
		lead, rest := leadOf(c)
		switch {
		case afterStars && i == len(way)-1:
			p.op(opAll)
		case afterStars:
			p.op(opDeep, opInside)
		case c.kind == literalComponent:
			p.literal(convert(c.text))
		case lead == '*':
			p.op(opStar)
			p.literal(convert(rest))
		case lead == '?':
			for range len(c.text) - len(rest) {
				p.op(opAny)
			}
			p.literal(convert(rest))
		default:
			p.s, p.i, p.posix, p.escapes = convert(c.text), 0, false, false
			p.bracket = strings.LastIndexByte(p.s, ']')
			for p.i < len(p.s) {
				if err := p.item(p.s[p.i]); err != nil {
					return err
				}
			}
			if p.posix && p.escapes {
				return &InvalidError{c.text}
			}
			posix = posix || p.posix
		}
	}
	p.posix = posix
	return nil
}

// leadOf returns the star or question mark that a component begins with, if only text follows the run of them, and
// that text. minimatch compares the text including backslashes.
func leadOf(c component) (lead byte, rest string) {
	if c.kind != plainComponent || c.text == "" {
		return 0, ""
	}
	lead = c.text[0]
	rest = strings.TrimLeft(c.text, string(lead))
	if lead != '*' && lead != '?' || strings.ContainsAny(rest, "+@!?*[(") {
		return 0, ""
	}
	return lead, rest
}

// splitSlashes splits a glob at runs of slashes.
func splitSlashes(glob string) []string {
	parts := strings.Split(glob, "/")
	kept := parts[:1]
	for i, part := range parts[1:] {
		if part != "" || i == len(parts)-2 {
			kept = append(kept, part)
		}
	}
	return kept
}

// resolveDots removes "x/.." and repeated "**".
func resolveDots(parts []string) []string {
	var kept []string
	for _, part := range parts {
		last := ""
		if len(kept) > 0 {
			last = kept[len(kept)-1]
		}
		switch {
		case part == "**" && last == "**":
		case part == ".." && !slices.Contains([]string{"", "..", ".", "**"}, last):
			kept = kept[:len(kept)-1]
		default:
			kept = append(kept, part)
		}
	}
	if len(kept) == 0 {
		return []string{""}
	}
	return kept
}
