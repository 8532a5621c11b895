package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// literalTexts returns the texts of words, with placeholders, and whether all are literal.
func literalTexts(words []*syntax.Word) (texts []string, isLiteral bool) {
	isLiteral = true
	for _, w := range words {
		text, ok := literalText(w)
		if !ok {
			text, isLiteral = placeholder, false
		}
		texts = append(texts, text)
	}
	return texts, isLiteral
}

// literalText returns the text of a word if no value decides about it.
func literalText(w *syntax.Word) (string, bool) {
	var b strings.Builder
	word := *w
	if syntax.SplitBraces(&word) && slices.ContainsFunc(word.Parts, isBrace) {
		return "", false
	}
	for i, p := range w.Parts {
		text, ok := "", false
		switch p := p.(type) {
		case *syntax.Lit:
			text, ok = literalPart(p.Value, i == 0)
		case *syntax.SglQuoted:
			text, ok = singleQuoted(p), true
		case *syntax.DblQuoted:
			text, ok = doubleQuoted(p)
		}
		if !ok {
			return "", false
		}
		b.WriteString(text)
	}
	return b.String(), true
}

// literalPart returns the text of a part that is not quoted.
func literalPart(s string, isFirst bool) (string, bool) {
	var b strings.Builder
	switch {
	case s == "[":
		return s, true
	case isFirst && strings.HasPrefix(s, "~"):
		return "", false
	}
	for at := 0; at < len(s); at++ {
		switch {
		case s[at] == '\\' && at+1 < len(s):
			at++
		case strings.IndexByte("*?[", s[at]) >= 0:
			return "", false
		}
		b.WriteByte(s[at])
	}
	return b.String(), true
}

func doubleQuoted(q *syntax.DblQuoted) (string, bool) {
	var b strings.Builder
	for _, p := range q.Parts {
		lit, ok := p.(*syntax.Lit)
		if !ok {
			return "", false
		}
		b.WriteString(quotedText(lit.Value, "$`\\\""))
	}
	return b.String(), true
}
