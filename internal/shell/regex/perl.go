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

// perlPart and perlSetPart match a part of a pattern in Perl's syntax, outside of a set and in it.
var (
	perlPart    = regexp.MustCompile(`(?s)^(\\[pPx]\{[^}]*\}|\\b\{|\\.|\{[^}]*\}|\[\^?\]?|.)`)
	perlSetPart = regexp.MustCompile(`(?s)^(\\[pPx]\{[^}]*\}|\\b\{|\\.|\[:[^\]]*:\]|&&|~~|--|.)`)
)

// perlClassRange matches a range in a set with a class for one of its ends, which is an error.
var perlClassRange = regexp.MustCompile(
	`(?s)^((\\[dDsSwW]|\\[pP](\{[^}]*\}|.)|\[:[^\]]*:\])-[^\]]|(\\.|[^\\])-(\\[dDsSwWpP]|\[:))`)

// FromPerl translates a pattern in Perl's syntax, of grep -P if ascii, otherwise of rg -P, to
// ripgrep's syntax, which refuses most of what it does not have itself. The error is a Refusal of
// what it would read in another way.
func FromPerl(pattern string, ascii bool) (string, error) {
	var b strings.Builder
	repeated := false // a repetition has just ended
	depth := 0        // of groups
	inSet, hasChoice, keeps := false, false, false
	for rest := pattern; rest != ""; {
		parts := perlPart
		if inSet {
			parts = perlSetPart
		}
		part := parts.FindString(rest)
		text := fromPerlPart(part, ascii, inSet)
		isRepetition := !inSet && strings.IndexByte("*+?{", part[0]) >= 0
		switch {
		case part == `\K` && !inSet && !keeps && depth == 0:
			keeps = true
			text = "(?P<" + keepGroup + ">"
		case part == `\K`, text == "", repeated && part == "+",
			inSet && perlClassRange.MatchString(rest):
			return "", refusePerl(pattern, rest)
		case inSet:
			inSet = part != "]"
		case part[0] == '[':
			inSet = true
		case part == "(":
			depth++
		case part == ")":
			depth--
		case part == "|" && depth == 0:
			hasChoice = true
		}
		repeated = isRepetition && !repeated
		b.WriteString(text)
		rest = rest[len(part):]
	}
	switch {
	case inSet:
		return "", refusePerl(pattern, "[")
	case keeps && hasChoice:
		return "", refusePerl(pattern, `\K`)
	case keeps:
		b.WriteByte(')')
	}
	return b.String(), nil
}

// fromPerlPart translates a part of a pattern. It is empty if that is refused.
func fromPerlPart(part string, ascii, inSet bool) string {
	switch {
	case part[0] == '\\' && len(part) > 1:
		c := part[1]
		known := perlEscapes[c]
		switch {
		case known != "" && (ascii || c == '<' || c == '>'):
			return known
		case c == 'u', c == 'U', part == `\b{`:
			return ""
		}
	case inSet && part == "[":
		return `\[`
	case !inSet && (part == "{" || strings.HasPrefix(part, "{,")):
		return ""
	case inSet && (part == "&&" || part == "~~" || part == "--"):
		return ""
	}
	return part
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
