package pattern

import (
	"fmt"
	"strings"
)

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
