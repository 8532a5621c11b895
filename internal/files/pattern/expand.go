package pattern

import (
	"errors"
	"fmt"
	"strings"
)

// An expander replaces braces or groups by their alternatives.
type expander struct {
	*Compiler
	language
	s     string
	pairs bool // a group has an end
	stray bool // an end belongs to no group
}

// errOpen reports a group without an end.
var errOpen = errors.New("a group has no end")

// expand returns the patterns without braces that together match the same as s.
func (c *Compiler) expand(l language, s string) ([]string, error) {
	e := &expander{Compiler: c, language: l, s: s}
	all, _, err := e.sequence(0, false)
	if err != nil && err != errOpen {
		return nil, err
	}
	strayCounts := e.stray && !e.strayIsText
	unbalanced := err == errOpen || strayCounts
	if !unbalanced {
		return all, nil
	}
	if e.malformed != nil {
		return nil, e.malformed
	}
	if e.pairs {
		return nil, &UnsupportedError{s, "braces without a counterpart are not supported; quote them"}
	}
	return []string{s}, nil
}

// sequence returns the expansions of the text from i to the end of the pattern or, in a group, of
// the alternative, and where that is.
func (e *expander) sequence(i int, inGroup bool) ([]string, int, error) {
	all := []string{""}
	from := i // the text before it is expanded
	for i < len(e.s) {
		kind, next := e.item(i)
		if kind == '{' {
			values, after, err := e.group(i, next)
			if err == errOpen && e.groups && !inGroup { // the rest is text
				break
			}
			if err != nil {
				return nil, 0, err
			}
			all, err = e.product(all, e.s[from:i], values)
			if err != nil {
				return nil, 0, err
			}
			i, from = after, after
			continue
		}
		if kind != 0 && inGroup {
			all, err := e.product(all, e.s[from:i], []string{""})
			return all, i, err
		}
		e.stray = e.stray || kind == '}'
		i = next
	}
	if inGroup {
		return nil, 0, errOpen
	}
	all, err := e.product(all, e.s[from:], []string{""})
	return all, len(e.s), err
}

// item returns the end of the item at i, and '{', ',' or '}' if it is that or its equivalent. The
// end is beyond the end of the pattern if the item has none.
func (e *expander) item(i int) (kind byte, end int) {
	c := e.s[i]
	switch {
	case c == '\\':
		return 0, i + 2
	case c == '[' && !e.bash:
		return 0, e.class(i + 1)
	case e.groups:
		return e.groupItem(i)
	case strings.IndexByte("{,}", c) >= 0:
		return c, i + 1
	}
	return 0, i + 1
}

// groupItem is item for groups.
func (e *expander) groupItem(i int) (kind byte, end int) {
	c := e.s[i]
	switch {
	case c == '|':
		return ',', i + 1
	case c == ')':
		return '}', i + 1
	case strings.IndexByte("!?+*@", c) >= 0 && strings.HasPrefix(e.s[i+1:], "("):
		return '{', i + 2
	}
	return 0, i + 1
}

// class returns the end of the class whose members begin at i. [parser.members] then parses it.
func (e *expander) class(i int) int {
	if rest := e.s[i:]; rest != "" && (rest[0] == '!' || rest[0] == '^') {
		i++
	}
	for first := i; i < len(e.s); i++ {
		switch c := e.s[i]; {
		case c == ']' && (e.closes || i > first):
			return i + 1
		case c == '\\' && !e.rawClass:
			i++
		}
	}
	return len(e.s) + 1
}

// group returns the values of the group at begin, whose first alternative is at i, and its end.
func (e *expander) group(begin, i int) (values []string, end int, err error) {
	all, parts, end, err := e.alternatives(i)
	if err != nil {
		return nil, 0, err
	}
	e.pairs = true
	whole, before, after := e.s[begin:end], "", ""
	switch {
	case e.groups && whole[0] != '@' && whole[0] != '?':
		problem := whole[:1] + "(...) is not supported; use @(...), ?(...) or braces"
		return nil, 0, &UnsupportedError{whole, problem}
	case e.bash && strings.HasSuffix(e.s[:begin], "$"):
		return []string{whole}, end, nil
	case e.bash && parts == 1 && strings.Contains(whole, ".."):
		problem := "ranges in braces are not supported; list the alternatives"
		return nil, 0, &UnsupportedError{whole, problem}
	case e.bash && parts == 1: // {a} is text, and {{a,b}} is {a} and {b}
		before, after = "{", "}"
	}
	for _, v := range all {
		if !e.skipsEmpty || v != "" {
			values = append(values, before+v+after)
		}
	}
	if len(values) == 0 || whole[0] == '?' {
		values = append(values, "")
	}
	return values, end, nil
}

// alternatives returns the expansions of the alternatives of a group, the first of which is at i,
// how many alternatives are written, and the end of the group.
func (e *expander) alternatives(i int) (all []string, parts, end int, err error) {
	for kind := byte(0); kind != '}'; parts++ {
		if err := e.spend(1 << 9); err != nil { // which bounds the depth of the recursion
			return nil, 0, 0, err
		}
		part, at, err := e.sequence(i, true)
		if err != nil {
			return nil, 0, 0, err
		}
		all = append(all, part...)
		kind, i = e.item(at)
	}
	return all, parts, i, nil
}

// product returns every prefix followed by middle and every value.
func (c *Compiler) product(prefixes []string, middle string, values []string) ([]string, error) {
	n := len(prefixes) * len(values)
	if err := c.spend(n); err != nil {
		return nil, err
	}
	out := make([]string, 0, n)
	for _, prefix := range prefixes {
		for _, v := range values {
			if err := c.spend(len(prefix) + len(middle) + len(v)); err != nil {
				return nil, err
			}
			out = append(out, prefix+middle+v)
		}
	}
	return out, nil
}

// An UnsupportedError reports an unsupported construct of minimatch.
type UnsupportedError struct{ Construct, Problem string }

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("%.40q: %s", e.Construct, e.Problem)
}

// minimatch expands the braces and groups of a pattern of minimatch. If negated is set, the pattern
// matches the paths that none of the expansions matches.
func (c *Compiler) minimatch(pattern string) (all []string, negated bool, err error) {
	if len(pattern) > maxMinimatch {
		return nil, false, ErrTooLarge
	}
	if pattern == "" || pattern[0] == '#' {
		return nil, false, nil
	}
	pattern = strings.ToValidUTF8(pattern, "\ufffd")
	rest := strings.TrimLeft(pattern, "!")
	globs := []string{rest}
	if open := strings.IndexByte(rest, '{'); open >= 0 && strings.Contains(rest[open:], "}") {
		globs, err = c.expand(languages[Minimatch], rest)
		escapes := strings.NewReplacer(`\\`, `\`, `\{`, "{", `\}`, "}", `\,`, ",", `\.`, ".")
		for i := range globs {
			globs[i] = escapes.Replace(globs[i])
		}
	}
	for i := 0; i < len(globs) && err == nil; i++ {
		var ways []string
		ways, err = c.expandGroups(globs[i])
		all = append(all, ways...)
	}
	return all, (len(pattern)-len(rest))%2 == 1, err
}

// expandGroups expands the groups of a pattern. No group contains a slash.
func (c *Compiler) expandGroups(glob string) ([]string, error) {
	for strings.Contains(glob, "//") {
		glob = strings.ReplaceAll(glob, "//", "/")
	}
	ways, slash, before := []string{""}, "", ""
	for part := range strings.SplitSeq(glob, "/") {
		if part == ".." && strings.Trim(before, ".") != "" && before != "**" {
			return nil, &UnsupportedError{glob, `".." after a name is not supported; leave both out`}
		}
		before = part
		rest := strings.TrimLeft(part, part[:min(len(part), 1)])
		if part != rest && strings.Contains("*?", part[:1]) && !strings.ContainsAny(rest, "+@!?*[(") {
			// minimatch compares the text after stars or question marks with its backslashes.
			part = strings.ReplaceAll(part, `\`, `\\`)
		}
		values, err := c.expand(minimatchGroups, part)
		if err == nil && part != "" && strings.Join(values, "") == "" {
			err = &UnsupportedError{part, "an empty group is not supported"}
		}
		if err == nil {
			for i, v := range values {
				if v == "**" && part != "**" { // stars in a group match no slash
					values[i] = "*"
				}
			}
			ways, err = c.product(ways, slash, values)
		}
		if err != nil {
			return nil, err
		}
		slash = "/"
	}
	return ways, nil
}
