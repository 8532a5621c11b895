package odf

import (
	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// A list is a list around the text.
type list struct {
	documents.List
	style string
	shown int // levels that a label shows
}

func (w *writer) startList(s *markup.Scanner) {
	l := list{style: s.Attr("style-name")}
	n := len(w.lists)
	if l.style == "" && n > 0 {
		l.style = w.lists[n-1].style
	}
	if levels := w.overview.lists[l.style]; levels != nil {
		level := levels[min(n+1, maxListLevel)]
		l.Numbering, l.shown = level.Numbering, level.shown
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

// beginPendingItem begins the item of a list whose first paragraph begins, and returns its label,
// or "".
func (w *writer) beginPendingItem() string {
	n := len(w.lists)
	if n == 0 || !w.lists[n-1].Pending {
		return ""
	}
	l := w.lists[n-1].List // with the numbers of the levels around it
	outer := ""
	for i := max(n-w.lists[n-1].shown, 0); i < n-1; i++ {
		around := w.lists[i]
		current := around.Next
		if !around.Pending {
			current--
		}
		if around.Numbered {
			outer += documents.Number(around.Style, current) + "."
		}
	}
	l.Before += outer
	label := l.Label()
	w.out.NextItem(n-1, &l)
	w.lists[n-1].Pending, w.lists[n-1].Next = false, l.Next
	return label
}

// headingLabel counts a heading, and returns its number, or "".
func (w *writer) headingLabel(s *markup.Scanner, level int) string {
	level = min(level, maxListLevel)
	numbering := w.overview.outline[level]
	if !numbering.Numbered || s.Attr("is-list-header") == "true" {
		return ""
	}
	w.headings[level]++
	clear(w.headings[level+1:])
	outer := ""
	for l := max(level-numbering.shown+1, 1); l < level; l++ {
		around := w.overview.outline[l]
		if around.Numbered {
			outer += documents.Number(around.Style, around.Next+max(w.headings[l]-1, 0)) + "."
		}
	}
	n := numbering.Numbering
	n.Next += w.headings[level] - 1
	n.Before += outer
	return n.Label()
}
