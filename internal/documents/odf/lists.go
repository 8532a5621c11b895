package odf

import "gander/internal/documents/markup"

// A list is a list around the text.
type list struct {
	style string
	next  int
	item  bool // the next paragraph begins an item
}

func (t *text) startList(s *markup.Scanner) {
	l := list{style: s.Attr("style-name")}
	n := len(t.lists)
	if l.style == "" && n > 0 {
		l.style = t.lists[n-1].style
	}
	if levels := t.overview.numbers[l.style]; levels != nil {
		l.next = levels[min(n+1, maxDepth)]
	}
	numbered := l.next > 0
	isApart := n == 0 && numbered != (t.ended > 0)
	if isApart && !t.joins() {
		t.w.Gap()
	}
	if numbered && t.ended > 0 && s.Attr("continue-numbering") == "true" {
		l.next = t.ended
	}
	t.lists = append(t.lists, l)
}

func (t *text) endList() {
	n := len(t.lists) - 1
	t.ended = t.lists[n].next
	t.lists = t.lists[:n]
}

// item begins an item of a list, if the paragraph is the first one of the item.
func (t *text) item() bool {
	n := len(t.lists)
	if n == 0 || !t.lists[n-1].item {
		return false
	}
	l := &t.lists[n-1]
	l.item = false
	t.w.NextItem(n-1, &l.next)
	return true
}
