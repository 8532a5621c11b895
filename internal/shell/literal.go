package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// placeholder is in the place of an argument whose value is not known yet.
const placeholder = "\x00"

// literalTexts returns the texts of words, with placeholders, and whether all are literal.
func (e *environment) literalTexts(words []*syntax.Word) (texts []string, isLiteral bool) {
	isLiteral = true
	for _, w := range words {
		text, ok := e.literalText(w)
		if !ok {
			text, isLiteral = placeholder, false
		}
		texts = append(texts, text)
	}
	return texts, isLiteral
}

// literalText returns the text of a word if no value decides about it.
func (e *environment) literalText(w *syntax.Word) (string, bool) {
	word := *w
	if syntax.SplitBraces(&word) && slices.ContainsFunc(word.Parts, isBrace) {
		return "", false
	}
	isLiteral := true
	syntax.Walk(w, func(n syntax.Node) bool {
		switch n.(type) {
		case nil, *syntax.Word, *syntax.Lit, *syntax.SglQuoted, *syntax.DblQuoted:
		default:
			isLiteral = false
		}
		return isLiteral
	})
	if !isLiteral {
		return "", false
	}
	text := e.expand(w, false)
	isHome := strings.HasPrefix(text.Value, "~") && !text.IsQuoted(0)
	return text.Value, !isHome && (text.Value == "[" || !text.IsPattern())
}
