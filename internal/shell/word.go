package shell

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/shell/command"
)

// parts adds parts that are not inside quotes. With tilde, "~" at the beginning is the home
// directory.
func (x *expander) parts(parts []syntax.WordPart, tilde bool) {
	for i, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			text := p.Value
			hasTilde := strings.HasPrefix(text, "~/") || text == "~" && len(parts) == 1
			if user := userOf(parts); tilde && user != "" {
				panic(command.Abort{Err: refuseUser(user)})
			}
			if tilde && hasTilde && i == 0 {
				home, _ := x.e.value("HOME")
				x.add(home, true)
				text = text[1:]
			}
			x.literal(text)
		case *syntax.SglQuoted:
			x.begun = true
			x.add(singleQuoted(p), true)
		case *syntax.DblQuoted:
			isNone := len(x.e.parameters) == 0 && slices.ContainsFunc(p.Parts, isAllParameters)
			x.begun = x.begun || !isNone
			x.quotedParts(p.Parts, "$`\\\"")
		default:
			x.part(p, false)
		}
	}
}

// userOf returns the name in ~NAME at the beginning of a word, or "".
func userOf(parts []syntax.WordPart) string {
	if len(parts) == 0 {
		return ""
	}
	lit, ok := parts[0].(*syntax.Lit)
	if !ok || !strings.HasPrefix(lit.Value, "~") {
		return ""
	}
	name, _, isPath := strings.Cut(lit.Value[1:], "/")
	if strings.Contains(name, `\\`) || !isPath && len(parts) > 1 {
		return ""
	}
	return name
}

func refuseUser(name string) error {
	return command.Refuse("~%s: only ~ and ~/ are available here; write the path, or quote it", name)
}

// isAllParameters reports whether a part is $@. Quoted and without parameters, it is no field.
func isAllParameters(part syntax.WordPart) bool {
	p, ok := part.(*syntax.ParamExp)
	return ok && p.Param.Value == "@"
}

// literal adds text in which a backslash quotes the next character.
func (x *expander) literal(s string) {
	for {
		before, after, isEscape := strings.Cut(s, `\`)
		x.unquoted(before)
		if !isEscape {
			return
		}
		_, size := utf8.DecodeRuneInString(after)
		x.add(cmp.Or(after[:size], `\`), true)
		s = after[size:]
	}
}

// unquoted adds text that is not quoted.
func (x *expander) unquoted(s string) {
	if x.splitsLiterals {
		x.split(s)
	} else {
		x.add(s, false)
	}
}

// quotedParts adds parts inside double quotes, where a backslash quotes the characters of escapes.
func (x *expander) quotedParts(parts []syntax.WordPart, escapes string) {
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			x.add(quotedText(p.Value, escapes), true)
		case *syntax.SglQuoted: // in "${x:-'y'}"
			if p.Dollar || strings.ContainsAny(p.Value, "$`\\}\"") {
				command.Stop("'%.40s' in quotes has a meaning; write it without", p.Value)
			}
			x.add("'"+p.Value+"'", true)
		case *syntax.DblQuoted:
			x.quotedParts(p.Parts, escapes)
		default:
			x.part(p, true)
		}
	}
}

// backslash matches a backslash and the character behind it.
var backslash = regexp.MustCompile(`(?s)\\.`)

// quotedText interprets backslashes inside double quotes. They quote the characters of escapes.
func quotedText(s, escapes string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return backslash.ReplaceAllStringFunc(s, func(pair string) string {
		switch {
		case pair == "\\\n":
			return ""
		case strings.Contains(escapes, pair[1:]):
			return pair[1:]
		}
		return pair
	})
}

func singleQuoted(q *syntax.SglQuoted) string {
	if !q.Dollar {
		return q.Value
	}
	text, _ := unescape(q.Value, escapesOfQuotes)
	text, _, _ = strings.Cut(text, "\x00")
	return text
}
