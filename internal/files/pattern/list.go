package pattern

import (
	"context"
	"fmt"
	"strings"
	"unicode"
)

// A Verdict is the result of matching a path with a [List].
type Verdict uint8

const (
	None     Verdict = iota // no glob matches
	Included                // the last glob that matches includes it
	Excluded                // the last glob that matches begins with "!"
)

// A List is a list of globs for ripgrep 15's --glob. The last glob that matches decides. A glob has
// the syntax of a line of a .gitignore, plus braces. It matches bytes: ? is one byte, and a class
// may match a slash. A List is not safe for concurrent use.
type List struct {
	globs    []listGlob
	includes bool
	work     Work
}

type listGlob struct {
	*Pattern
	verdict Verdict
	dirOnly bool
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
		l.includes = l.includes || g.verdict == Included
	}
	return l, nil
}

// Empty reports whether the list is empty.
func (l *List) Empty() bool { return len(l.globs) == 0 }

// Includes reports whether there is a glob that does not begin with "!".
func (l *List) Includes() bool { return l.includes }

// Match returns the verdict on the path of a directory, if isDir is set, or of a file. It is
// unreliable once the context of the list is done.
func (l *List) Match(path []byte, isDir bool) Verdict {
	for i := len(l.globs) - 1; i >= 0; i-- {
		g := &l.globs[i]
		if g.dirOnly && !isDir {
			continue
		}
		if Match(&l.work, g.Pattern, path) {
			return g.verdict
		}
	}
	return None
}

// listGlob compiles a glob.
func (c *Compiler) listGlob(text string) (listGlob, error) {
	g := listGlob{verdict: Included}
	anchored := false
	if strings.HasPrefix(text, `\!`) || strings.HasPrefix(text, `\#`) {
		text = text[1:]
	} else {
		if text[0] == '!' {
			text, g.verdict = text[1:], Excluded
		}
		text, anchored = strings.CutPrefix(text, "/")
	}
	if text, g.dirOnly = strings.CutSuffix(text, "/"); g.dirOnly {
		text = strings.TrimSuffix(text, `\`)
	}
	if !anchored && !strings.Contains(text, "/") && text != "**" {
		text = "**/" + text
	}
	if strings.HasSuffix(text, "/**") {
		text += "/*" // matches the entries of the directory, but not the directory itself
	}
	if len(text) > maxLength {
		return g, fmt.Errorf("it is longer than %d bytes", maxLength)
	}
	var err error
	g.Pattern, err = c.Compile(Ripgrep, text, false)
	return g, err
}
