package pattern

import (
	"fmt"
	"slices"
	"strings"
)

// An UnsupportedError reports a construct of minimatch that is not supported.
type UnsupportedError struct{ Construct, Problem string }

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("%.40q: %s", e.Construct, e.Problem)
}

// groupMark begins a component whose groups are expanded. Like [openMark] it occurs in no UTF-8.
const groupMark = "\xfe"

// minimatch compiles a pattern of minimatch into p.
func (c *Compiler) minimatch(p *Pattern, pattern string) error {
	if len(pattern) > maxMinimatch {
		return ErrTooLarge
	}
	if pattern == "" || pattern[0] == '#' {
		return nil
	}
	pattern = strings.ToValidUTF8(pattern, "\ufffd")
	rest := strings.TrimLeft(pattern, "!")
	p.negated = (len(pattern)-len(rest))%2 == 1
	globs, err := c.expandBash(rest)
	if err != nil {
		return err
	}
	e := expander{Compiler: c, syntax: Minimatch}
	for _, glob := range globs {
		ways, before := []string{""}, ""
		for i, part := range strings.Split(collapseSlashes(glob), "/") {
			if part == ".." && strings.Trim(before, ".") != "" && before != "**" {
				return &UnsupportedError{glob, `".." after a name is not supported; leave both out`}
			}
			variants, err := c.variants(part)
			if err != nil {
				return err
			}
			if i > 0 {
				err = e.product(&ways, "/", variants)
			} else {
				err = e.product(&ways, "", variants)
			}
			if err != nil {
				return err
			}
			before = part
		}
		for _, way := range ways {
			if err := c.take(way); err != nil {
				return err
			}
			from := &parser{Compiler: c, syntax: Minimatch, head: -1}
			if err := p.add(from, from.parseComponents(way)); err != nil {
				return err
			}
		}
	}
	return nil
}

// parseComponents compiles a pattern without braces and groups. Its units are those of UTF-16.
func (p *parser) parseComponents(way string) error {
	parts := strings.Split(way, "/")
	for i, part := range parts {
		last := i == len(parts)-1
		switch {
		case part == "**" && last:
			p.allBelow()
			continue
		case part == "**":
			p.components()
			continue
		}
		p.s, p.i = units(strings.TrimPrefix(part, groupMark)), 0
		if err := p.parse(); err != nil {
			return err
		}
		if !last {
			p.literal("/")
		}
	}
	return nil
}

// variants returns the expansions of the groups of a component, with groupMark, or the component if
// it has none.
func (c *Compiler) variants(part string) ([]string, error) {
	if rest := strings.TrimLeft(part, part[:min(len(part), 1)]); isLeading(part, rest) {
		part = strings.ReplaceAll(part, `\`, `\\`)
	}
	all, err := c.expandGroups(part)
	switch {
	case err != nil || len(all) == 1 && all[0] == part:
	case !slices.ContainsFunc(all, func(v string) bool { return v != "" }):
		err = &UnsupportedError{part, "an empty group is not supported"}
	default:
		for i := range all {
			all[i] = groupMark + all[i]
		}
	}
	return all, err
}

// isLeading reports whether a component consists of stars or question marks and rest, which is
// text. minimatch compares such text with its backslashes.
func isLeading(part, rest string) bool {
	return part != "" && strings.Contains("*?", part[:1]) && !strings.ContainsAny(rest, "+@!?*[(")
}

// expandGroups returns the expansions of the groups @(...) and ?(...) of s. A group without an end
// is text.
func (c *Compiler) expandGroups(s string) ([]string, error) {
	e := expander{Compiler: c, syntax: Minimatch}
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
			problem := fmt.Sprintf("%c(...) is not supported; use @(...), ?(...) or braces", s[i])
			return nil, &UnsupportedError{s[i:end], problem}
		}
		var values []string
		for _, part := range parts {
			more, err := c.expandGroups(part)
			if err != nil {
				return nil, err
			}
			values = append(values, more...)
		}
		if s[i] == '?' {
			values = append(values, "")
		}
		if err := e.product(&done, s[begin:i], values); err != nil {
			return nil, err
		}
		i, begin = end, end
	}
	return done, e.product(&done, s[begin:], []string{""})
}

// isGroup reports whether a group begins at i.
func isGroup(s string, i int) bool {
	return i+1 < len(s) && s[i+1] == '(' && strings.IndexByte("!?+*@", s[i]) >= 0
}

// groupParts returns the alternatives of the group whose parenthesis ends at i, and the end of the
// group, or -1 if it has none.
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

// skipClass returns the end of an escaped character, a class, or one byte. A class without an end
// extends to the end of s.
func skipClass(s string, i int) int {
	if s[i] == '\\' {
		return min(i+2, len(s))
	}
	if s[i] == '[' {
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

// collapseSlashes replaces runs of slashes by one.
func collapseSlashes(glob string) string {
	for strings.Contains(glob, "//") {
		glob = strings.ReplaceAll(glob, "//", "/")
	}
	return glob
}
