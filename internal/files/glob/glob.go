// Package glob matches paths with patterns.
//
// A path is relative to some directory: components separated by slashes, none of which is empty, "." or "..". A pattern is
// matched with the whole of it:
//
//	?       one character
//	*       any number of characters within a component
//	**      as a whole component, any number of components; elsewhere the same as *
//	[a-z]   one of the characters, in any order and with ranges; [!a-z] and [^a-z] any other character
//	{a,b}   one of the alternatives, which may be empty, hold slashes, and be nested
//	\c      the character c
//
// Only ** matches a slash. A dot at the start of a name is not special. The pattern dir/** matches dir and all below it.
//
// [Compile] refuses a pattern that can match no path, because it cannot be what its author meant.
package glob

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"gander/internal/files/text"
)

// Options change what a pattern matches.
type Options struct {
	// IgnoreCase makes a character match every other that Unicode's simple case folding maps to the same.
	IgnoreCase bool
	// AnyDepth makes a pattern without a slash match at any depth, as in .gitignore: *.go means **/*.go.
	AnyDepth bool
	// Absolute also admits patterns for absolute paths. These begin with a slash or, for Windows, with a drive (C:/dir) or
	// two slashes (//server/share); the paths are expected in the same form.
	Absolute bool
}

const (
	// maxLength is the length of the longest pattern, in bytes.
	maxLength = 4096
	// maxExpansion is how many bytes the alternatives of a pattern may take. It bounds the cost of matching.
	maxExpansion = 128 << 10
)

// A Pattern is a compiled glob. It is immutable and safe for concurrent use.
type Pattern struct {
	fold         bool
	alternatives []alternative
}

// Compile compiles a pattern. The error names the pattern and says why it is not well-formed or can match nothing.
func Compile(pattern string, o Options) (*Pattern, error) {
	p, err := compile(pattern, o)
	if err != nil {
		return nil, fmt.Errorf("glob %.100q: %w", pattern, err)
	}
	return p, nil
}

func compile(pattern string, o Options) (*Pattern, error) {
	if err := checkSyntax(pattern); err != nil {
		return nil, err
	}
	p := &Pattern{fold: o.IgnoreCase}
	if o.AnyDepth && !strings.Contains(pattern, "/") {
		pattern = "**/" + pattern
	}
	left := maxExpansion
	for _, a := range Expand(pattern, &left) {
		a, err := normalize(a, p.fold)
		if err == nil {
			err = checkPath(a, o.Absolute)
		}
		if err != nil {
			return nil, err
		}
		p.alternatives = append(p.alternatives, newAlternative(a))
		if dir, ok := strings.CutSuffix(a, "*/**"); ok {
			p.alternatives = append(p.alternatives, newAlternative(dir+"*")) // doublestar does not see that dir*/** matches dir*
		}
	}
	if left < 0 {
		return nil, errors.New("its braces stand for too many alternatives")
	}
	return p, nil
}

// Unchecked returns a Pattern that matches what any of the patterns matches, none of which has braces. It is for a tool
// whose published rules accept everything: a pattern that is malformed or can match no path matches nothing. In contrast to
// Compile, a class may match a slash, and paths may end in one.
func Unchecked(patterns ...string) *Pattern {
	p := new(Pattern)
	for _, a := range patterns {
		p.alternatives = append(p.alternatives, newAlternative(a))
	}
	return p
}

// Match reports whether the pattern matches path.
func (p *Pattern) Match(path string) bool {
	if p.fold {
		path = text.Fold(path)
	}
	for i := range p.alternatives {
		if p.alternatives[i].match(path) {
			return true
		}
	}
	return false
}

// An alternative is a pattern without braces. What it matches begins with prefix and ends with suffix.
type alternative struct{ pattern, prefix, suffix string }

func newAlternative(pattern string) alternative {
	a := alternative{pattern: pattern, prefix: pattern}
	if first := strings.IndexAny(pattern, `*?[{\`); first >= 0 {
		a.prefix = strings.TrimSuffix(pattern[:first], "/") // dir/** matches dir
	}
	if !strings.ContainsAny(pattern, `[{\`) {
		a.suffix = strings.TrimPrefix(pattern[strings.LastIndexAny(pattern, "*?")+1:], "/") // **/name matches name
	}
	return a
}

func (a *alternative) match(path string) bool {
	return strings.HasPrefix(path, a.prefix) && strings.HasSuffix(path, a.suffix) && doublestar.MatchUnvalidated(a.pattern, path)
}

// Expand returns the patterns without braces that together match the same as pattern, and in which runs of stars are as
// short as they can be. It subtracts the bytes it handles from budget, and stops when that is negative; the result is then
// incomplete. Braces that are not balanced remain.
func Expand(pattern string, budget *int) []string { return expand(nil, pattern, budget) }

func expand(patterns []string, p string, budget *int) []string {
	if *budget -= len(p); *budget < 0 {
		return patterns
	}
	opening, depth := 0, 0
	var ends []int // of the alternatives
	for i := 0; i < len(p); i = itemEnd(p, i) {
		switch {
		case p[i] == '{':
			if depth++; depth == 1 {
				opening, ends = i, nil
			}
		case p[i] == ',' && depth == 1:
			ends = append(ends, i)
		case p[i] == '}' && depth > 0:
			if depth--; depth > 0 {
				continue
			}
			start := opening + 1
			for _, end := range append(ends, i) {
				patterns = expand(patterns, p[:opening]+p[start:end]+p[i+1:], budget)
				start = end + 1
			}
			return patterns
		}
	}
	return append(patterns, shortenStars(p))
}

// itemEnd returns where the item of p at i ends: an escaped character, a class, or one byte. It may lie beyond p.
func itemEnd(p string, i int) int {
	switch p[i] {
	case '\\':
		return i + 2
	case '[':
		for i++; i < len(p) && p[i] != ']'; i++ {
			if p[i] == '\\' {
				i++
			}
		}
	}
	return i + 1
}

// shortenStars writes several components ** in a row as one, and several stars that are not a whole component as one.
func shortenStars(p string) string {
	components := strings.Split(p, "/")
	for i, c := range components {
		if c != "**" {
			components[i] = singleStars(c)
		}
	}
	return strings.Join(slices.CompactFunc(components, func(a, b string) bool { return a == "**" && b == "**" }), "/")
}

// singleStars writes every run of stars as one star.
func singleStars(p string) string {
	var out strings.Builder
	afterStar := false
	for i := 0; i < len(p); {
		end := min(itemEnd(p, i), len(p))
		if !afterStar || p[i] != '*' {
			out.WriteString(p[i:end])
		}
		afterStar = p[i] == '*'
		i = end
	}
	return out.String()
}
