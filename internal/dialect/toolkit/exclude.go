package toolkit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"gander/internal/dialect"
)

// published are the default excludes of section 7: exact names, of directories and files alike.
func published(name string) bool {
	switch name {
	case ".git", "node_modules", "dist", "build", "target", ".vscode", ".DS_Store":
		return true
	}
	return false
}

// excludes are globs over workspace-relative paths. Nil excludes nothing.
type excludes struct{ globs []glob }

// A glob has patterns without braces, those that may match a path as it is and those that may match it as a directory.
type glob struct {
	plain, directory []string
	inverts          bool
}

const (
	// maxGlob is the longest glob, in bytes.
	maxGlob = 4096
	// maxGlobs is how much all globs may come to, in bytes, with their braces written out; it bounds what matching costs.
	maxGlobs = 128 << 10
)

var errTooMuch = errors.New("the globs come to too much once their braces are written out; use fewer, or fewer braces")

// compile checks globs and prepares them. Leading exclamation marks invert, each the one before it.
func compile(globs []string) (*excludes, error) {
	if len(globs) == 0 {
		return nil, nil
	}
	x := &excludes{}
	left := maxGlobs
	for _, whole := range globs {
		if err := check(whole); err != nil {
			return nil, err
		}
		pattern := strings.TrimLeft(whole, "!")
		patterns := expand(nil, pattern, &left)
		if left < 0 {
			return nil, errTooMuch
		}
		x.globs = append(x.globs, newGlob(patterns, (len(whole)-len(pattern))%2 == 1))
	}
	return x, nil
}

func check(whole string) error {
	switch {
	case whole == "":
		return errors.New("a glob must not be empty")
	case len(whole) > maxGlob:
		return fmt.Errorf("a glob must not be longer than %d bytes", maxGlob)
	case strings.ContainsRune(whole, 0):
		return errors.New("a glob must not contain a NUL character")
	case !balanced(whole, '[', ']'):
		return fmt.Errorf("the brackets of the glob \"%s\" are not balanced", dialect.Excerpt(whole))
	case !balanced(whole, '{', '}'):
		return fmt.Errorf("the braces of the glob \"%s\" are not balanced", dialect.Excerpt(whole))
	}
	return nil
}

// balanced reports whether every opening has its closing. As in the original, a backslash makes no difference.
func balanced(p string, opening, closing rune) bool {
	depth := 0
	for _, c := range p {
		switch c {
		case opening:
			depth++
		case closing:
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// expand appends the patterns that p stands for, the first braces of it written out and so on. It takes the bytes that it
// goes through from left, and gives up where that is used up.
func expand(patterns []string, p string, left *int) []string {
	if *left -= len(p); *left < 0 {
		return patterns
	}
	opening, depth := 0, 0
	var ends []int // of the alternatives
	for i := 0; i < len(p); i = after(p, i) {
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
				patterns = expand(patterns, p[:opening]+p[start:end]+p[i+1:], left)
				start = end + 1
			}
			return patterns
		}
	}
	return append(patterns, simplified(p))
}

// after returns where the item of p at i ends: an escaped character, a class, or a byte.
func after(p string, i int) int {
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

// newGlob prepares patterns. What ends in a slash matches directories alone, and x/** matches x/ and what is in it; that
// is written out, because the matcher takes it for x as well.
func newGlob(patterns []string, inverts bool) glob {
	g := glob{inverts: inverts}
	for _, p := range patterns {
		body, onlyDirectories := strings.CutSuffix(p, "/")
		if parent, ok := strings.CutSuffix(body, "/**"); ok {
			p = parent + "/**/*" + p[len(body):]
			g.directory = append(g.directory, parent+"/")
		}
		g.directory = append(g.directory, p)
		if !onlyDirectories {
			g.plain = append(g.plain, p)
		}
	}
	return g
}

// simplified writes several ** in a row as one, and several stars that are not a whole segment as one.
func simplified(p string) string {
	segments := strings.Split(p, "/")
	for i, s := range segments {
		if s != "**" {
			segments[i] = singleStars(s)
		}
	}
	return strings.Join(slices.CompactFunc(segments, func(a, b string) bool { return a == "**" && b == "**" }), "/")
}

// singleStars writes each run of stars as one star.
func singleStars(p string) string {
	var out strings.Builder
	star := false // what was written last
	for i := 0; i < len(p); {
		end := min(after(p, i), len(p))
		if !star || p[i] != '*' {
			out.WriteString(p[i:end])
		}
		star = p[i] == '*'
		i = end
	}
	return out.String()
}

func (x *excludes) empty() bool { return x == nil || len(x.globs) == 0 }

// match reports whether one of the globs excludes path, which is tried as it is and as a directory. Globs can be slow: once
// ctx is over, everything is excluded.
func (x *excludes) match(ctx context.Context, path string) bool {
	if x.empty() {
		return false
	}
	directory := path + "/"
	return slices.ContainsFunc(x.globs, func(g glob) bool {
		return ctx.Err() != nil || g.inverts != matches(g.plain, path) || g.inverts != matches(g.directory, directory)
	})
}

// matches reports whether one of the patterns matches. One that is not well-formed, as a class without characters, matches
// nothing.
func matches(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return doublestar.MatchUnvalidated(p, path) })
}
