// Package globset matches paths with globs as ripgrep 15 does for --glob.
//
// A glob has the syntax of a line of a .gitignore, and braces. Without a slash it matches names at any depth, with a slash it matches
// whole paths, and with a slash at its end it matches only directories. As in ripgrep, a glob matches bytes: "?" is one byte, and a
// class may match a slash. A glob that ripgrep refuses is an error; a glob that can match nothing is not.
package globset

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Verdict is the result of matching a path with a list of globs.
type Verdict uint8

const (
	None     Verdict = iota // no glob matches
	Included                // the last glob that matches includes it
	Excluded                // the last glob that matches begins with "!"
)

// A List is a list of globs, of which the last that matches decides. It is not safe for concurrent use.
type List struct {
	globs    []globMatcher
	includes bool
	text     []byte // the path that is matched, with each byte as a character
}

// A globMatcher is a compiled glob.
type globMatcher struct {
	verdict Verdict
	dirOnly bool
	// Every path that the glob matches ends with one of endings, unless that is empty. With exact, every path that ends so matches.
	endings []string
	exact   bool
	expr    *regexp.Regexp // matches a path with each byte as a character
}

// Compile compiles globs. The error names the malformed glob. A glob that begins with "#" is a comment.
func Compile(globs []string) (*List, error) {
	l := new(List)
	for _, written := range globs {
		text := written
		if !strings.HasSuffix(text, `\ `) {
			text = strings.TrimRightFunc(text, unicode.IsSpace)
		}
		if text == "" || text[0] == '#' {
			continue
		}
		m, err := compile(text)
		if err != nil {
			return nil, fmt.Errorf("glob %.100q: %w", written, err)
		}
		l.globs = append(l.globs, m)
		l.includes = l.includes || m.verdict == Included
	}
	return l, nil
}

// Empty reports whether there are no globs.
func (l *List) Empty() bool { return len(l.globs) == 0 }

// Includes reports whether there is a glob that does not begin with "!".
func (l *List) Includes() bool { return l.includes }

// Match returns the verdict on a path, which is that of a directory if isDir is set.
func (l *List) Match(path []byte, isDir bool) Verdict {
	for i := len(l.globs) - 1; i >= 0; i-- {
		if m := &l.globs[i]; (isDir || !m.dirOnly) && l.matches(m, path) {
			return m.verdict
		}
	}
	return None
}

// compile compiles a glob.
func compile(text string) (globMatcher, error) {
	m := globMatcher{verdict: Included}
	anchored := false
	if strings.HasPrefix(text, `\!`) || strings.HasPrefix(text, `\#`) {
		text = text[1:]
	} else {
		if text[0] == '!' {
			text, m.verdict = text[1:], Excluded
		}
		text, anchored = strings.CutPrefix(text, "/")
	}
	if text, m.dirOnly = strings.CutSuffix(text, "/"); m.dirOnly {
		text = strings.TrimSuffix(text, `\`)
	}
	if !anchored && !strings.Contains(text, "/") && text != "**" {
		text = "**/" + text
	}
	if strings.HasSuffix(text, "/**") {
		text += "/*" // matches the entries of the directory, but not the directory itself
	}
	items, err := parseGlob(text)
	if err != nil {
		return m, err
	}
	if m.expr, err = regexp.Compile(`(?s)\A` + items.expression() + `\z`); err != nil {
		return m, errors.New("it is too large, or a range in brackets is reversed")
	}
	m.endings, m.exact = items.endings()
	return m, nil
}

// matches reports whether a glob matches a path.
func (l *List) matches(m *globMatcher, path []byte) bool {
	if len(m.endings) > 0 {
		ends := false
		for _, ending := range m.endings {
			ends = ends || len(path) >= len(ending) && string(path[len(path)-len(ending):]) == ending
		}
		if !ends || m.exact {
			return ends
		}
	}
	l.text = l.text[:0]
	for _, c := range path {
		l.text = utf8.AppendRune(l.text, rune(c))
	}
	return m.expr.Match(l.text)
}
