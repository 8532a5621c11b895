package pattern

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A List is a list of globs for ripgrep 15's --glob. The last glob that matches decides. A glob has
// the syntax of a line of a .gitignore, plus braces. It matches bytes: ? is one byte, and a class
// may match a slash. A List is not safe for concurrent use.
type List struct {
	Includes bool // a glob does not begin with "!"
	globs    []listGlob
	work     Work
}

type listGlob struct {
	*Pattern
	excludes, dirOnly bool
}

// CompileList compiles globs. The error names the malformed glob. A glob that begins with "#" is a
// comment.
func CompileList(ctx context.Context, globs []string) (*List, error) {
	c := NewCompiler(ctx)
	l := &List{work: NewWork(ctx)}
	for _, written := range globs {
		text := strings.ToValidUTF8(written, "\ufffd")
		if !strings.HasSuffix(text, `\ `) {
			text = strings.TrimRightFunc(text, unicode.IsSpace)
		}
		if text == "" || text[0] == '#' {
			continue
		}
		g, err := c.listGlob(text)
		if err != nil {
			return nil, fmt.Errorf("glob %.100q: %w", written, err)
		}
		l.globs = append(l.globs, g)
		l.Includes = l.Includes || !g.excludes
	}
	return l, nil
}

func (l *List) Empty() bool { return len(l.globs) == 0 }

// Match reports whether a glob matches the path of a directory, if isDir is set, or of a file, and
// whether the last such glob begins with "!". It is unreliable once the context of the list is
// done.
func (l *List) Match(path []byte, isDir bool) (matched, excluded bool) {
	for _, g := range slices.Backward(l.globs) {
		if (isDir || !g.dirOnly) && Match(&l.work, g.Pattern, path) {
			return true, g.excludes
		}
	}
	return false, false
}

func (c *Compiler) listGlob(text string) (g listGlob, err error) {
	text, g.excludes = strings.CutPrefix(text, "!")
	text, anchored := strings.CutPrefix(text, "/")
	text, g.dirOnly = strings.CutSuffix(text, "/")
	if g.dirOnly {
		text = strings.TrimSuffix(text, `\`)
	}
	switch {
	case anchored || strings.Contains(text, "/"):
	case text == "":
		text = "**"
	case text != "**":
		text = "**/" + text
	}
	if strings.HasSuffix(text, "/**") {
		text += "/*" // matches the entries of the directory, but not the directory itself
	}
	if len(text) > maxLength {
		return g, fmt.Errorf("it is longer than %d bytes", maxLength)
	}
	g.Pattern, err = c.Compile(Ripgrep, text, false)
	return g, err
}
