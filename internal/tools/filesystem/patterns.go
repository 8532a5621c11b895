package filesystem

import (
	"context"
	"errors"
	"strings"

	"gander/internal/files/pattern"
	"gander/internal/tools/shared"
)

// patterns are minimatch patterns, one of which must match. As upstream, where patterns are
// compiled when they are first tried, an invalid one does no harm before.
type patterns struct {
	list []triedPattern
	work pattern.Work
	err  error // of the first that was tried and is invalid
}

type triedPattern struct {
	*pattern.Pattern
	err error
}

// newPatterns compiles patterns with a compiler for all patterns of a call. It fails if they need a
// construct that is not supported, or are too large together.
func newPatterns(ctx context.Context, c *pattern.Compiler, list []string) (*patterns, error) {
	p := &patterns{work: pattern.NewWork(ctx)}
	for _, text := range list {
		compiled, err := c.Compile(pattern.Minimatch, text, false)
		if errors.Is(err, pattern.ErrTooLarge) {
			return nil, shared.BadArguments("patterns: too large together once their braces are expanded; use fewer or shorter ones")
		}
		if unsupported, ok := errors.AsType[*pattern.UnsupportedError](err); ok {
			return nil, shared.BadArguments("pattern %v", unsupported)
		}
		p.list = append(p.list, triedPattern{compiled, err})
	}
	return p, ctx.Err()
}

// treePatterns returns the patterns of directory_tree: one without a star is also tried at any
// depth, and with everything below.
func treePatterns(list []string) []string {
	var all []string
	for _, s := range list {
		if all = append(all, s); !strings.Contains(s, "*") {
			all = append(all, "**/"+s, "**/"+s+"/**")
		}
	}
	return all
}

// match reports whether one of the patterns matches. After an error it reports false.
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
