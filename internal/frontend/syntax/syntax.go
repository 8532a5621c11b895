// Package syntax knows which parts of a line of source text are comments, strings, numbers and keywords, well enough for
// reading it, in languages that are common. It knows no colour and no file.
package syntax

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Kind is what a part of a line is.
type Kind uint8

// The kinds of parts.
const (
	Plain Kind = iota
	Comment
	String
	Number
	Keyword
)

// A Span is a part of a line.
type Span struct {
	Kind Kind
	Text string
}

// A Highlighter goes through the lines of a text. Nil takes everything for plain.
type Highlighter struct {
	language *language
	keywords map[string]bool
	comments []string
	open     *pair // what a line before has begun and not ended
}

// New returns a highlighter for the file called name, whose first line may name an interpreter; nil where the language is
// not known.
func New(name, firstLine string) *Highlighter {
	base := strings.ToLower(path.Base(name))
	names := []string{base, strings.TrimPrefix(path.Ext(base), ".")}
	if rest, ok := strings.CutPrefix(firstLine, "#!"); ok {
		for word := range strings.FieldsSeq(rest) {
			if word = path.Base(word); word != "env" {
				names = append(names, strings.TrimRight(word, "0123456789."))
			}
		}
	}
	for _, name := range names {
		if l := find(name); l != nil {
			h := &Highlighter{language: l, keywords: map[string]bool{}, comments: strings.Fields(l.comment)}
			for word := range strings.FieldsSeq(l.keywords) {
				h.keywords[word] = true
			}
			return h
		}
	}
	return nil
}

// Line returns the parts of the next line, which has no end, in order: together they are the line.
func (h *Highlighter) Line(line string) []Span {
	if h == nil {
		return []Span{{Plain, line}}
	}
	s := spans{line: line}
	if h.open != nil {
		s.add(h.open.kind(), h.close(line, h.open))
	}
	for before := ' '; s.end < len(line); {
		rest := line[s.end:]
		kind, size := h.next(rest, before)
		if before, _ = utf8.DecodeLastRuneInString(rest[:size]); kind == String || kind == Comment {
			before = ' '
		}
		s.add(kind, size)
	}
	return s.list
}

// next returns the kind and the length of what rest begins with, behind the character before.
func (h *Highlighter) next(rest string, before rune) (Kind, int) {
	for _, mark := range h.comments {
		if strings.HasPrefix(rest, mark) && (mark != "#" || strings.ContainsRune(" \t)]},;:", before)) {
			return Comment, len(rest)
		}
	}
	for _, p := range h.language.pairs {
		if strings.HasPrefix(rest, p.begin) {
			size := len(p.begin)
			return p.kind(), size + h.close(rest[size:], &p)
		}
	}
	r, size := utf8.DecodeRuneInString(rest)
	if inWord(before) || !inWord(r) {
		return Plain, size
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return !inWord(r) })
	if end < 0 {
		end = len(rest)
	}
	text := rest[:end]
	if h.language.fold {
		text = strings.ToLower(text)
	}
	switch {
	case '0' <= r && r <= '9':
		return Number, end
	case h.keywords[text]:
		return Keyword, end
	default:
		return Plain, end
	}
}

// close returns how far the pair p, which has begun before rest, goes, and notes whether it goes on in the next line.
func (h *Highlighter) close(rest string, p *pair) int {
	h.open = nil
	for i := 0; i < len(rest); i++ {
		switch {
		case strings.HasPrefix(rest[i:], p.end):
			return i + len(p.end)
		case p.escape && rest[i] == '\\':
			i++
		}
	}
	if p.lines {
		h.open = p
	}
	return len(rest)
}

func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// spans are the parts of a line up to end.
type spans struct {
	line string
	end  int
	list []Span
}

// add adds the next bytes of the line, to the last part where that is of their kind.
func (s *spans) add(kind Kind, size int) {
	start := s.end
	s.end += size
	if last := len(s.list) - 1; last >= 0 && s.list[last].Kind == kind {
		s.list[last].Text = s.line[start-len(s.list[last].Text) : s.end]
	} else if size > 0 {
		s.list = append(s.list, Span{kind, s.line[start:s.end]})
	}
}
