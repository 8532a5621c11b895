package native

import (
	"slices"
	"strings"
)

// A resultPage is the part of a list of results that a section shows: from an offset on, as many as the
// limit and the budget allow. It also counts the other results.
//
// A result is an item: one or more whole lines. The heading and the markers depend on the number of
// items shown, so they are written last, and items are dropped from the end until the section fits.
type resultPage struct {
	budget        budget
	offset, limit int

	found     int  // the known results: before, on and after the page
	partial   bool // there may be results that are not counted
	full      bool // further results are not on the page
	inSection int  // the number of items in the section that was made last

	text  strings.Builder
	sizes []size // of the text up to the end of each item, with a line feed
	path  string // above the last item, or ""
	files int    // the number of paths above items
	over  bool   // an item did not fit
}

func newPage(b budget, offset, limit int) *resultPage {
	return &resultPage{budget: b, offset: offset, limit: limit}
}

// next counts a result. It reports whether the result is on the page.
func (p *resultPage) next() bool {
	p.found++
	if p.found < p.offset {
		return false
	}
	p.full = p.full || p.found-p.offset >= p.limit
	return !p.full
}

// add adds an item. It adds nothing and reports false if the items alone exceed the budget.
func (p *resultPage) add(item []byte) bool {
	total := sizeOf(item).plus(size{1, 1})
	if n := len(p.sizes); n > 0 {
		total = total.plus(p.sizes[n-1])
	}
	p.over = p.over || !p.budget.fits(total)
	p.full = p.full || p.over
	if p.over {
		return false
	}
	p.text.Write(item)
	p.text.WriteByte('\n')
	p.sizes = append(p.sizes, total)
	return true
}

// addBelow is [resultPage.add] for an item below a path, unless the previous item has the same path.
func (p *resultPage) addBelow(path string, item []byte) bool {
	if path != p.path {
		item = slices.Concat([]byte(path+"\n"), item)
		if p.files > 0 {
			item = slices.Concat([]byte("\n"), item)
		}
		p.path = path
		p.files++
	}
	return p.add(item)
}

// clear removes the items, but keeps the counts.
func (p *resultPage) clear() {
	p.text.Reset()
	p.sizes, p.path, p.files, p.over = p.sizes[:0], "", 0, false
}

// continues reports whether there are results after the first n items.
func (p *resultPage) continues(n int) bool { return p.offset+n <= p.found }

// isPart reports whether the first n items are not all results.
func (p *resultPage) isPart(n int) bool { return p.offset > 1 || p.continues(n) }

// section returns the section with as many items as fit, at least one if there are items. frame
// returns the section of n items without its body.
func (p *resultPage) section(frame func(n int) section) (section, error) {
	if p.full && len(p.sizes) == 0 {
		return section{}, p.budget.tooSmall()
	}
	text := p.text.String()
	return p.budget.largest(min(1, len(p.sizes)), len(p.sizes), func(n int) section {
		p.inSection = n
		s := frame(n)
		s.hasBody = n > 0
		if s.hasBody {
			s.bodySize = p.sizes[n-1].plus(size{-1, -1})
			s.body = text[:s.bodySize.bytes]
		}
		return s
	})
}
