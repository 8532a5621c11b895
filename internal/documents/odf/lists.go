package odf

import (
	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// A list is a list around the text.
type list struct {
	documents.List
	style string
}

func (w *writer) startList(s *markup.Scanner) {
	l := list{style: s.Attr("style-name")}
	n := len(w.lists)
	if l.style == "" && n > 0 {
		l.style = w.lists[n-1].style
	}
	if levels := w.overview.lists[l.style]; levels != nil {
		l.Numbering = levels[min(n+1, maxListLevel)]
	}
	isApart := n == 0 && l.Numbered != w.ended.Numbered
	if isApart && !w.joins() {
		w.out.Gap()
	}
	isContinued := s.Attr("continue-numbering") == "true" && l.Numbered
	if isContinued && w.ended.Numbered {
		l.Next = w.ended.Next
	}
	w.lists = append(w.lists, l)
}

func (w *writer) endList() {
	n := len(w.lists) - 1
	w.ended = w.lists[n].Numbering
	w.lists = w.lists[:n]
}

// startItem begins an item of a list, which can have a number of its own, with its first paragraph.
func (w *writer) startItem(s *markup.Scanner) {
	n := len(w.lists)
	if n == 0 {
		return
	}
	l := &w.lists[n-1]
	l.Pending = true
	l.Next = s.Integer("start-value", l.Next)
}

// beginPendingItem begins the item of a list whose first paragraph begins, and reports whether there is one.
func (w *writer) beginPendingItem() bool {
	n := len(w.lists)
	return n > 0 && w.out.NextItem(n-1, &w.lists[n-1].List)
}
