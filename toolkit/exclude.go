package toolkit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gander/internal/files/pattern"
	"gander/internal/files/text"
)

// defaultExcludes are the names that are excluded by default.
var defaultExcludes = []string{
	".git", "node_modules", "dist", "build", "target", ".vscode", ".DS_Store",
}

// excludes are globs for paths relative to the workspace root.
type excludes []exclude

type exclude struct {
	*pattern.Pattern
	inverted bool
}

const maxGlob = 4096 // bytes

var errTooMuch = errors.New("the globs come to too much once their braces are written out; " +
	"use fewer, or fewer braces")

// compile compiles globs. Each leading exclamation mark inverts a glob.
func compile(ctx context.Context, globs []string) (excludes, error) {
	var x excludes
	c := pattern.NewCompiler(ctx)
	for _, whole := range globs {
		if err := check(whole); err != nil {
			return nil, err
		}
		glob := strings.TrimLeft(whole, "!")
		p, err := c.Compile(pattern.Toolkit, glob, false)
		if errors.Is(err, pattern.ErrTooLarge) {
			err = errTooMuch
		}
		if err != nil {
			return nil, err
		}
		x = append(x, exclude{p, (len(whole)-len(glob))%2 == 1})
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
		return fmt.Errorf("the brackets of the glob \"%s\" are not balanced", text.Excerpt(whole))
	case !balanced(whole, '{', '}'):
		return fmt.Errorf("the braces of the glob \"%s\" are not balanced", text.Excerpt(whole))
	}
	return nil
}

// balanced reports whether brackets are balanced. As in the original, a backslash does not quote
// them.
func balanced(p string, opening, closing rune) bool {
	depth := 0
	for _, c := range p {
		switch c {
		case opening:
			depth++
		case closing:
			depth--
			if depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// match reports whether a glob excludes the path, with or without a trailing slash. After ctx is
// done, it excludes every path.
func (x excludes) match(ctx context.Context, path string) bool {
	directory := path + "/"
	w := pattern.NewWork(ctx)
	return slices.ContainsFunc(x, func(e exclude) bool {
		return ctx.Err() != nil ||
			e.inverted != pattern.Match(&w, e.Pattern, path) ||
			e.inverted != pattern.Match(&w, e.Pattern, directory)
	})
}
