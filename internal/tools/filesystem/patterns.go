package filesystem

import (
	"context"
	"errors"
	"strings"

	"gander/internal/files/pattern"
	"gander/internal/tools/shared"
)

// patterns are minimatch patterns. As in the original, an invalid pattern is an error only when it
// is tried.
type patterns struct {
	list []triedPattern
	work pattern.Work
	err  error // of the first invalid pattern that was tried
}

type triedPattern struct {
	*pattern.Pattern
	err error
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
		p.list = append(p.list, triedPattern{compiled, err})
	}
	return p, ctx.Err()
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

// match reports whether a pattern matches. After an error it reports false.
func (p *patterns) match(path string) bool {
	for _, tried := range p.list {
		if p.err == nil {
			p.err = tried.err
		}
		if p.err != nil {
			return false
		}
		if tried.MatchWork(&p.work, path) {
			return true
		}
	}
	return false
}
