package native

import (
	"slices"
	"strings"
)

// A resultPage is the part of a list of results that a section shows: from an offset on, as many as
// the limit and the budget allow. It also counts the other results.
//
// A result is an item: one or more whole lines. The heading and the markers depend on the number of
// items shown, so they are written last, and items are dropped from the end until the section fits.
type resultPage struct {
	budget        budget
	offset, limit int

	found int  // results so far: before, on and after the page
	full  bool // further results are not on the page

	text     strings.Builder
	sizes    []size // of the text up to the end of each item, with a line feed
	lastPath string // above the last item, or ""
	files    int    // the number of paths above items
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

// add adds an item. If the items alone exceed the budget, it adds nothing and reports false, and
// the page is full.
func (p *resultPage) add(item []byte) bool {
	total := lineSize(item)
	if n := len(p.sizes); n > 0 {
		total = total.plus(p.sizes[n-1])
	}
	if !p.budget.fits(total) {
		p.full = true
		return false
	}
	p.text.Write(item)
	p.text.WriteByte('\n')
	p.sizes = append(p.sizes, total)
	return true
}

// addBelow is [resultPage.add] for an item below a path, which is omitted if the previous item has
// the same one.
func (p *resultPage) addBelow(path string, item []byte) bool {
	if path != p.lastPath {
		above := path + "\n"
		if p.files > 0 {
			above = "\n" + above
		}
		item = slices.Concat([]byte(above), item)
		p.lastPath = path
		p.files++
	}
	return p.add(item)
}

// clear removes the items, but keeps the counts.
func (p *resultPage) clear() {
	p.text.Reset()
	p.sizes, p.lastPath, p.files = p.sizes[:0], "", 0
}

// continues reports whether there are results after the first n items.
func (p *resultPage) continues(n int) bool { return p.offset+n <= p.found }

// isPart reports whether the first n items are not all results.
func (p *resultPage) isPart(n int) bool { return p.offset > 1 || p.continues(n) }

// section returns the section with as many items as fit, at least one if there are items. frame
// returns the section of n items without its body.
func (p *resultPage) section(frame func(n int) section) (section, error) {
	if p.found >= p.offset && len(p.sizes) == 0 {
		return section{}, p.budget.tooSmall()
	}
	text := p.text.String()
	return p.budget.largest(len(p.sizes), func(n int) section {
		s := frame(n)
		s.items = n
		if n > 0 {
			s.bodySize = p.sizes[n-1].minus(lineSize(""))
			s.body = text[:s.bodySize.bytes]
		}
		return s
	})
}
