package filesystem

import (
	"context"
	"errors"
	"slices"
	"strings"

	"gander/internal/files/pattern"
	"gander/internal/tools/shared"
)

// patterns matches a path if one of its minimatch patterns does.
type patterns struct {
	list []*pattern.Pattern
	work pattern.Work
}

// newPatterns compiles patterns. The compiler limits the total size of the patterns of a call. The
// error is about an unsupported construct or the size.
func newPatterns(ctx context.Context, c *pattern.Compiler, list []string) (*patterns, error) {
	p := &patterns{work: pattern.NewWork(ctx)}
	for _, text := range list {
		compiled, err := c.Compile(pattern.Minimatch, text, false)
		if errors.Is(err, pattern.ErrTooLarge) {
			return nil, shared.BadArguments("patterns: too large together once their braces are expanded; " +
				"use fewer or shorter ones")
		}
		if unsupported, ok := errors.AsType[*pattern.UnsupportedError](err); ok {
			return nil, shared.BadArguments("pattern %v", unsupported)
		}
		if err != nil {
			return nil, err // the context is done
		}
		p.list = append(p.list, compiled)
	}
	return p, nil
}

// treePatterns returns the patterns of directory_tree. A pattern without a star also matches at any
// depth, with everything below.
func treePatterns(list []string) []string {
	var all []string
	for _, s := range list {
		if all = append(all, s); !strings.Contains(s, "*") {
			all = append(all, "**/"+s, "**/"+s+"/**")
		}
	}
	return all
}

// match reports whether one of the patterns matches.
func (p *patterns) match(path string) bool {
	return slices.ContainsFunc(p.list, func(q *pattern.Pattern) bool {
		return pattern.Match(&p.work, q, path)
	})
}
