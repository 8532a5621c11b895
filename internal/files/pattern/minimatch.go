package pattern

import (
	"fmt"
	"regexp"
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
	globs, err := c.expandBraces(rest)
	for i := 0; i < len(globs) && err == nil; i++ {
		var ways []string
		ways, err = c.expandGroups(globs[i])
		all = append(all, ways...)
	}
	return all, (len(pattern)-len(rest))%2 == 1, err
}

// expandBraces expands braces. If a pattern has any, the escapes of braces, commas, periods and
// backslashes are removed.
func (c *Compiler) expandBraces(pattern string) ([]string, error) {
	open := strings.IndexByte(pattern, '{')
	if open < 0 || !strings.Contains(pattern[open:], "}") {
		return []string{pattern}, c.take(pattern)
	}
	if strings.ContainsFunc(pattern, isLineEnd) {
		return nil, &UnsupportedError{pattern, "a line end together with braces is not supported"}
	}
	if rest, ok := strings.CutPrefix(pattern, "{}"); ok {
		pattern = `\{\}` + rest // as in Bash
	}
	all, err := c.expand(Minimatch, pattern)
	escapes := strings.NewReplacer(`\\`, `\`, `\{`, "{", `\}`, "}", `\,`, ",", `\.`, ".")
	for i := range all {
		all[i] = escapes.Replace(all[i])
	}
	return all, err
}

// isText reports whether minimatch reads a pair of braces as text.
func (e *expander) isText(begin, end int) bool {
	return e.syntax == Minimatch &&
		(!strings.Contains(e.s[begin:end], ",") || strings.HasSuffix(e.s[:begin], "$"))
}

// lastSet returns the beginning of the last alternative that may end in a brace, or -1. Before it,
// minimatch reads the brace of {a} as part of an alternative: {a},b} is {a\},b}.
func (e *expander) lastSet() int {
	set, comma := -1, -1
	for i := 0; i < len(e.s) && e.syntax == Minimatch; i = e.skip(i) {
		switch {
		case e.s[i] == '}':
			set = comma
		case e.s[i] == ',' && !strings.HasPrefix(e.s[i+1:], ","):
			comma = i
		}
	}
	return set
}

// closes reports whether minimatch reads the brace at end as the end of the one at begin, although
// an alternative that may end in a brace follows. A range contains no other brace.
func (e *expander) closes(begin, end int) bool {
	body := e.s[begin+1 : end]
	return strings.Contains(body, ",") || strings.HasSuffix(e.s[:begin], "$") ||
		!strings.Contains(body, "}") && isRange(e.s[begin:end+1])
}

// isRange reports whether minimatch reads the text as a range, regardless of the preceding text.
func isRange(text string) bool {
	if !strings.Contains(text, "..") {
		return false
	}
	const ranges = `^\{(-?\d+\.\.-?\d+|[A-Za-z]\.\.[A-Za-z])(\.\.-?\d+)?\}$`
	found, err := regexp.MatchString(ranges, text)
	return err == nil && found
}

// checkRange returns an error if braces after before are a range.
func checkRange(before, braces string) error {
	if strings.HasSuffix(before, "$") || !isRange(braces) {
		return nil
	}
	return &UnsupportedError{braces, "ranges in braces are not supported; list the alternatives"}
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
		if backslashes := len(part) - len(strings.TrimRight(part, `\`)); backslashes%2 == 1 {
			part += `\`
		}
		if part == "@()" || part == "?()" {
			part = `\` + part // it is text
		}
		values, err := c.expand(groups, part)
		if err == nil && part != "" && isEmpty(strings.Join(values, "")) {
			err = &UnsupportedError{part, "an empty group is not supported"}
		}
		if err == nil {
			ways, err = c.product(ways, slash, values)
		}
		if err != nil {
			return nil, err
		}
		slash = "/"
	}
	return ways, nil
}
