package odf

import (
	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// A list is a list around the text.
type list struct {
	style     string
	numbering documents.Numbering
	item      bool // the next paragraph begins an item
}

func (w *writer) startList(s *markup.Scanner) {
	l := list{style: s.Attr("style-name")}
	n := len(w.lists)
	if l.style == "" && n > 0 {
		l.style = w.lists[n-1].style
	}
	if levels := w.overview.lists[l.style]; levels != nil {
		l.numbering = levels[min(n+1, maxDepth)]
	}
	isApart := n == 0 && l.numbering.Numbered != w.ended.Numbered
	if isApart && !w.joins() {
		w.out.Gap()
	}
	isContinued := s.Attr("continue-numbering") == "true" && l.numbering.Numbered
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

// startItem begins an item of a list, which can have a number of its own, with its first paragraph.
func (w *writer) startItem(s *markup.Scanner) {
	n := len(w.lists)
	if n == 0 {
		return
	}
	l := &w.lists[n-1]
	l.item = true
	l.numbering.Next = s.Integer("start-value", l.numbering.Next)
}

// item begins an item of a list, if the paragraph is the first one of the item.
func (w *writer) item() bool {
	n := len(w.lists)
	if n == 0 || !w.lists[n-1].item {
		return false
	}
	l := &w.lists[n-1]
	l.item = false
	w.out.NextItem(n-1, &l.numbering)
	return true
}
