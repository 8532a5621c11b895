package odf

import "gander/internal/documents/markup"

// A list is a list around the text.
type list struct {
	style string
	next  int
	item  bool // the next paragraph begins an item
}

func (w *writer) startList(s *markup.Scanner) {
	l := list{style: s.Attr("style-name")}
	n := len(w.lists)
	if l.style == "" && n > 0 {
		l.style = w.lists[n-1].style
	}
	if numbers := w.overview.numbers[l.style]; numbers != nil {
		l.next = numbers[min(n+1, maxDepth)]
	}
	numbered := l.next > 0
	isApart := n == 0 && numbered != (w.ended > 0)
	if isApart && !w.joins() {
		w.out.Gap()
	}
	if numbered && w.ended > 0 && s.Attr("continue-numbering") == "true" {
		l.next = w.ended
	}
	w.lists = append(w.lists, l)
}

func (w *writer) endList() {
	n := len(w.lists) - 1
	w.ended = w.lists[n].next
	w.lists = w.lists[:n]
}

// item begins an item of a list, if the paragraph is the first one of the item.
func (w *writer) item() bool {
	n := len(w.lists)
	if n == 0 || !w.lists[n-1].item {
		return false
	}
	l := &w.lists[n-1]
	l.item = false
	w.out.NextItem(n-1, &l.next)
	return true
}
