// Package globset matches paths with the globs of ripgrep's --glob.
//
// A glob is a line of a .gitignore to ripgrep, with braces: without a slash it matches names at any depth, with one it is matched with
// the whole path, and with one at its end only directories. It is read as ripgrep 15 reads it, which works on bytes: "?" is a byte,
// and a class may match a slash. What is malformed to ripgrep is an error here; what matches nothing is none.
package globset

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Verdict is what a list of globs says about a path.
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
	text     []byte // the path that is judged, with its bytes as characters
}

// A globMatcher is one glob.
type globMatcher struct {
	verdict Verdict
	dirOnly bool
	// endings are texts with one of which every path ends that the glob matches. There are none if that is not known. With
	// exact, every such path matches.
	endings []string
	exact   bool
	expr    *regexp.Regexp // for paths whose bytes are characters
}

// Compile compiles globs. The error names the one that is malformed. A glob that begins with "#" is a comment.
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

// Judge returns what the globs say about a path, which is that of a directory if isDir is set.
func (l *List) Judge(path []byte, isDir bool) Verdict {
	for i := len(l.globs) - 1; i >= 0; i-- {
		if m := &l.globs[i]; (isDir || !m.dirOnly) && l.matches(m, path) {
			return m.verdict
		}
	}
	return None
}

// compile compiles one glob, which is a line of a .gitignore to ripgrep.
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
		text += "/*" // what lies in the directory, but not the directory itself
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
	for _, c := range path { // as ripgrep matches bytes, not characters
		l.text = utf8.AppendRune(l.text, rune(c))
	}
	return m.expr.Match(l.text)
}
