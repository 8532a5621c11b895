package native

import "slices"

// A pager counts results, of which a page has limit from an offset on.
type pager struct {
	offset, limit int
	found         int // results so far: before, on and after the page
}

// next counts a result. It reports whether the result is on the page.
func (p *pager) next() bool {
	p.found++
	return p.found >= p.offset && p.found-p.offset < p.limit
}

// isFull reports whether all results of the page are counted.
func (p *pager) isFull() bool { return p.found-p.offset+1 >= p.limit }

// A resultPage is the page of results that a section shows, if the budget allows. It is closed by the
// first result after it, or when what it shows exceeds the budget.
type resultPage struct {
	pager
	budget budget
	closed bool // further results are only counted; the page does not open again
}

func (p *resultPage) close() { p.closed = true }

// next is [pager.next]. The first result after the page closes it.
func (p *resultPage) next() bool {
	isOnPage := p.pager.next()
	isAfter := p.found >= p.offset && !isOnPage
	if isAfter {
		p.close()
	}
	return isOnPage && !p.closed
}

// checkSize closes the page if its items exceed the budget. The section leaves out the last one.
func (p *resultPage) checkSize(items size) {
	if !p.budget.fits(items) {
		p.close()
	}
}

// isNear reports whether what follows can belong to a result on the page: the last or the next one.
func (p *resultPage) isNear() bool { return !p.closed && p.found >= p.offset-1 }

// continues reports whether there are results after the first n items.
func (p *resultPage) continues(n int) bool { return p.offset+n <= p.found }

// isPart reports whether the first n items are not all results.
func (p *resultPage) isPart(n int) bool { return p.offset > 1 || p.continues(n) }

// An itemList is the text of items, which are one or more whole lines each.
type itemList struct {
	text  []byte
	sizes []size // the size of the text up to the end of each item, with a line feed
	path  string // the last one above an item, or ""
	paths int    // the number of paths above items
}

func (l *itemList) add(item []byte) {
	l.text = append(l.text, item...)
	l.text = append(l.text, '\n')
	l.sizes = append(l.sizes, l.size().plus(lineSize(item)))
}

// addBelow adds an item below a path, which is omitted if the previous item has the same one.
func (l *itemList) addBelow(path string, item []byte) {
	if path != l.path {
		above := path + "\n"
		if l.paths > 0 {
			above = "\n" + above
		}
		item = slices.Concat([]byte(above), item)
		l.path = path
		l.paths++
	}
	l.add(item)
}

// size returns the size of all items, with line feeds.
func (l *itemList) size() size {
	if len(l.sizes) == 0 {
		return size{}
	}
	return l.sizes[len(l.sizes)-1]
}

// section returns the section with as many items as fit, but at least one. frame returns the section of
// n items without its body: the heading and the markers depend on how many are shown.
func (l *itemList) section(b budget, frame func(n int) section) section {
	text := string(l.text)
	return b.largest(len(l.sizes), func(n int) section {
		s := frame(n)
		s.items = n
		if n > 0 {
			s.bodySize = l.sizes[n-1].minus(lineSize(""))
			s.body = text[:s.bodySize.bytes]
		}
		return s
	})
}
