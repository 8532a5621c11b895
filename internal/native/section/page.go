package section

import (
	"slices"

	"gander/internal/files/text"
	"gander/internal/native/wording"
	"gander/tool"
)

// A Page is the page of results that a section shows, if the budget allows: those from Offset on,
// at most Limit. It is closed by the first result after it, or when what it shows exceeds the
// budget.
type Page struct {
	Offset, Limit int
	Found         int // results so far: before, on and after the page
	Budget        Budget
	Closed        bool // further results are only counted; the page does not open again
}

func (p *Page) Close() { p.Closed = true }

// Next counts a result. It reports whether the result is on the page.
func (p *Page) Next() bool {
	p.Found++
	isAfter := p.Found-p.Offset >= p.Limit
	if isAfter {
		p.Close()
	}
	return p.Found >= p.Offset && !p.Closed
}

// CheckSize closes the page if its items exceed the budget. The section leaves out the last one.
func (p *Page) CheckSize(items Size) {
	if !p.Budget.Fits(items) {
		p.Close()
	}
}

// IsNear reports whether what follows can belong to a result on the page: the last or the next one.
func (p *Page) IsNear() bool { return !p.Closed && p.Found >= p.Offset-1 }

// Continues reports whether there are results after the first n items.
func (p *Page) Continues(n int) bool { return p.Offset+n <= p.Found }

// IsPart reports whether the first n items are not all results.
func (p *Page) IsPart(n int) bool { return p.Offset > 1 || p.Continues(n) }

// An Items is the text of items, which are one or more whole lines each.
type Items struct {
	text  []byte
	sizes []Size // the size of the text up to the end of each item, with a line feed
	path  string // the last one above an item, or ""
	Paths int    // the number of paths above items
}

func (l *Items) Add(item []byte) {
	l.text = append(l.text, item...)
	l.text = append(l.text, '\n')
	l.sizes = append(l.sizes, l.Size().Plus(LineSize(item)))
}

// AddBelow adds an item below a path, which is omitted if the previous item has the same one.
func (l *Items) AddBelow(path string, item []byte) {
	if path != l.path {
		above := path + "\n"
		if l.Paths > 0 {
			above = "\n" + above
		}
		item = slices.Concat([]byte(above), item)
		l.path = path
		l.Paths++
	}
	l.Add(item)
}

// Size returns the size of all items, with line feeds.
func (l *Items) Size() Size {
	if len(l.sizes) == 0 {
		return Size{}
	}
	return l.sizes[len(l.sizes)-1]
}

// Section returns the section with as many items as fit, but at least one. frame returns the
// section of n items without its body: the heading and the markers depend on how many are shown.
func (l *Items) Section(b Budget, frame func(n int) Section) Section {
	text := string(l.text)
	return b.Largest(len(l.sizes), func(n int) Section {
		s := frame(n)
		s.Items = n
		if n > 0 {
			s.bodySize = l.sizes[n-1].Minus(LineSize(""))
			s.Body = text[:s.bodySize.Bytes]
		}
		return s
	})
}

// A Section is the part of a result about one path.
type Section struct {
	Heading string // the first line, which describes the range shown; never empty

	Body      string // the entries: lines of a file, paths or matches
	Markers   string // the lines after the entries, about omitted entries and how to get them
	Items     int    // the number of items in the body; without any, it is no line
	bodySize  Size   // if known
	Truncated bool
	Nothing   bool // a search found nothing
	// unreadable says that files or directories below the path could not be read.
	Unreadable bool
	Data       []tool.Part // images
}

func (s Section) text() string {
	heading, markers := s.frame()
	if s.Items > 0 {
		heading += "\n"
	}
	return wording.JoinLines(heading+s.Body, markers)
}

// frame returns the heading, which is one line whatever the names in it contain, and the markers.
func (s Section) frame() (heading, markers string) {
	return text.Escape(s.Heading), text.EscapeLines(s.Markers)
}

func (s Section) Size() Size {
	frame := wording.JoinLines(s.frame())
	total := SizeOf(frame)
	if s.Items > 0 {
		total = LineSize(frame)
	}
	if s.bodySize == (Size{}) {
		s.bodySize = SizeOf(s.Body)
	}
	return total.Plus(s.bodySize)
}

// WithHint returns the section with a hint at the end of the heading, and with a marker at its end:
// what is left, and the hint.
func (s Section) WithHint(left, hint string) Section {
	s.Heading += "; " + hint
	s.Markers = "[" + left + "; " + hint + "]"
	return s
}
