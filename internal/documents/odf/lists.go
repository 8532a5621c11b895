package odf

import (
	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// maxListLevel is the maximum number of levels of a list that are told apart.
const maxListLevel = 10

// The listLevels of a list say how the items of its levels, from 1, are numbered.
type listLevels [maxListLevel + 1]listLevel

// A listLevel says how the items of a level are numbered. That of a list around the text counts
// them: the next number is the one of the current item.
type listLevel struct {
	numbering documents.Numbering
	shown     int // levels that a label shows

	style   string // of the list
	pending bool   // the current item has no paragraph yet
}

// levelOf returns how a level of a list is numbered. Its format can show no number.
func levelOf(s *markup.Scanner) listLevel {
	style := s.Attr("num-format")
	return listLevel{
		numbering: documents.Numbering{
			Numbered: style != "", Next: s.Integer("start-value", 1) - 1, Style: style,
			Before: documents.Name(s.Attr("num-prefix")), After: documents.Name(s.Attr("num-suffix")),
		},
		shown: s.Number("display-levels", maxListLevel),
	}
}

// label returns the bullet or the number of the current item of the last level, with the numbers of
// the levels around it that it shows.
func label(levels []listLevel) string {
	last := len(levels) - 1
	own := levels[last]
	for _, around := range levels[max(last+1-max(own.shown, 1), 0):last] {
		if n := around.numbering; n.Numbered {
			own.numbering.Before += documents.Number(n.Style, n.Next) + "."
		}
	}
	return own.numbering.Label()
}

// startList begins a list, or one in an item, whose style can be that of the outer list.
func (w *writer) startList(s *markup.Scanner) {
	n := len(w.lists)
	style := s.Attr("style-name")
	if style == "" && n > 0 {
		style = w.lists[n-1].style
	}
	var l listLevel
	if levels := w.overview.lists[style]; levels != nil {
		l = levels[min(n+1, maxListLevel)]
	}
	l.style = style
	isNumbered := l.numbering.Numbered
	if n == 0 && isNumbered != w.ended.Numbered && !w.joins() {
		w.out.Gap()
	}
	isContinued := isNumbered && s.Attr("continue-numbering") == "true"
	if isContinued && w.ended.Numbered {
		l.numbering.Next = w.ended.Next
	}
	w.lists = append(w.lists, l)
}

func (w *writer) endList() {
	n := len(w.lists) - 1
	w.ended = w.lists[n].numbering
	w.lists = w.lists[:n]
}

// item returns the level of the current item, or nil.
func (w *writer) item() *listLevel {
	if len(w.lists) == 0 {
		return nil
	}
	return &w.lists[len(w.lists)-1]
}

// startItem begins an item of a list, which can have a number of its own, with its first paragraph.
func (w *writer) startItem(s *markup.Scanner) {
	if l := w.item(); l != nil {
		l.numbering.Next = s.Integer("start-value", l.numbering.Next+1)
		l.pending = true
	}
}

// endItem ends an item. One without paragraphs is not counted.
func (w *writer) endItem() {
	l := w.item()
	if l != nil && l.pending {
		l.numbering.Next--
		l.pending = false
	}
}

// beginItem begins the item of a list whose first paragraph begins, and returns its label, or "".
func (w *writer) beginItem() string {
	l := w.item()
	if l == nil || !l.pending {
		return ""
	}
	l.pending = false
	label := label(w.lists)
	w.out.Item(len(w.lists)-1, label)
	return label
}

// headingLabel counts a heading, and returns its number, or "".
func (w *writer) headingLabel(s *markup.Scanner, level int) string {
	level = min(level, maxListLevel)
	unused := w.overview.outline
	if !unused[level].numbering.Numbered || s.Attr("is-list-header") == "true" {
		return ""
	}
	for outer := 1; outer < level; outer++ {
		current := &w.outline[outer].numbering.Next
		*current = max(*current, unused[outer].numbering.Next+1)
	}
	w.outline[level].numbering.Next++
	copy(w.outline[level+1:], unused[level+1:])
	return label(w.outline[1 : level+1])
}
