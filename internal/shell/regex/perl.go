package regex

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"gander/internal/search/syntax"
	"gander/internal/shell/command"
)

// perlEscapes are the escape sequences of grep -P that ripgrep's syntax reads in another way: in
// grep 3.8, classes are ASCII.
var perlEscapes = map[byte]string{
	'd': "[0-9]", 'D': "[^0-9]", 'w': "[0-9A-Za-z_]", 'W': "[^0-9A-Za-z_]", 's': `[\t-\r ]`,
	'S': `[^\t-\r ]`, '<': "<", '>': ">",
}

// keepGroup is the name of the group that stands for what follows \K.
const keepGroup = "keep"

// FromPerl translates a pattern in Perl's syntax, of grep -P if ascii, otherwise of rg -P, to
// ripgrep's syntax, which refuses most of what it does not have itself. The error is a Refusal of
// what it would read in another way.
func FromPerl(pattern string, ascii bool) (string, error) {
	var b strings.Builder
	repeated := false // a repetition has just ended
	depth := 0        // of groups
	hasChoice, keeps := false, false
	for rest := pattern; rest != ""; {
		text, size := perlPart(rest, ascii)
		isRepetition := strings.IndexByte("*+?{", rest[0]) >= 0
		keepsHere := strings.HasPrefix(rest, `\K`)
		switch {
		case keepsHere && !keeps && depth == 0:
			keeps = true
			text = "(?P<" + keepGroup + ">"
		case keepsHere, size == 0, repeated && rest[0] == '+':
			return "", refusePerl(pattern, rest)
		case rest[0] == '(':
			depth++
		case rest[0] == ')':
			depth--
		case rest[0] == '|' && depth == 0:
			hasChoice = true
		}
		repeated = isRepetition && !repeated
		b.WriteString(text)
		rest = rest[size:]
	}
	if keeps && hasChoice {
		return "", refusePerl(pattern, `\K`)
	}
	if keeps {
		b.WriteByte(')')
	}
	return b.String(), nil
}

// perlPart translates the beginning of a pattern, and returns its length, which is 0 if it is
// refused.
func perlPart(s string, ascii bool) (text string, size int) {
	switch {
	case s[0] == '\\' && len(s) > 1:
		return perlEscape(s, ascii)
	case s[0] == '[':
		return perlSet(s, ascii)
	case strings.HasPrefix(s, "{,"):
		return "", 0
	case s[0] == '{':
		size = strings.IndexByte(s, '}') + 1
		return s[:size], size
	}
	return s[:1], 1
}

// braced is an escape sequence with braces.
var braced = regexp.MustCompile(`^\\[pPx]\{[^}]*\}`)

func perlEscape(s string, ascii bool) (text string, size int) {
	switch {
	case perlEscapes[s[1]] != "" && (ascii || strings.IndexByte("<>", s[1]) >= 0):
		return perlEscapes[s[1]], 2
	case strings.IndexByte("uU", s[1]) >= 0, strings.HasPrefix(s[1:], "b{"):
		return "", 0
	}
	size = max(len(braced.FindString(s)), 2)
	return s[:size], size
}

// perlSet translates a set in brackets.
func perlSet(s string, ascii bool) (text string, size int) {
	var b strings.Builder
	at := len(s) - len(strings.TrimPrefix(s[1:], "^"))
	b.WriteString(s[:at])
	for first := at; at < len(s); {
		rest := s[at:]
		text, size := rest[:1], 1
		switch {
		case rest[0] == ']' && at > first:
			b.WriteByte(']')
			return b.String(), at + 1
		case rest[0] == '\\' && len(rest) > 1:
			text, size = perlEscape(rest, ascii)
		case strings.HasPrefix(rest, "[:"):
			size = strings.Index(rest, ":]") + 2
			text = rest[:size]
		case rest[0] == '[':
			text = `\[`
		case strings.HasPrefix(rest, "&&"), strings.HasPrefix(rest, "~~"), strings.HasPrefix(rest, "--"):
			return "", 0
		}
		if size == 0 {
			return "", 0
		}
		b.WriteString(text)
		at += size
	}
	return "", 0
}

func refusePerl(pattern, at string) error {
	return command.Refuse("the pattern %.100q: %.5q is not supported with -P; write it in another way",
		pattern, at)
}

// parsePerl parses a pattern in ripgrep's syntax, or of grep -P.
func (p *parser) parsePerl() (n *syntax.Node, err error) {
	pattern := p.s
	if p.o.Syntax == Perl {
		if pattern, err = FromPerl(p.s, true); err != nil {
			return nil, err
		}
	}
	n, err = syntax.Parse(context.Background(), pattern,
		syntax.Options{IgnoreCase: p.o.IgnoreCase, Groups: true})
	var e *syntax.Error
	switch {
	case errors.As(err, &e):
		return nil, command.Refuse("the pattern %.100q: %s", p.s, e.Message)
	case err != nil:
		return nil, command.Refuse("%v", err)
	}
	p.countGroups(n)
	return n, nil
}

// countGroups finds the last of the groups, and that of \K.
func (p *parser) countGroups(n *syntax.Node) {
	p.groups = max(p.groups, n.Group)
	if n.Name == keepGroup {
		p.keep = n.Group
	}
	for _, sub := range n.Subs {
		p.countGroups(sub)
	}
}
