package native

import (
	"slices"
	"strings"

	"gander/internal/layout"
	"gander/internal/tools/shared"
	"gander/tool"
)

// A section is the part of a result about one path.
type section struct {
	layout.Section
	hasBody   bool
	bodySize  size // if known
	truncated bool
	nothing   bool        // a search found nothing
	data      []tool.Part // images
}

// text returns the text of the section.
func (s section) text() string {
	if s.Error != "" {
		return "error: " + s.Error
	}
	text := s.Heading
	if s.hasBody && text != "" {
		text += "\n"
	}
	return joinLines(text+s.Body, s.Markers)
}

// size returns the size of the text of a section that is not an error.
func (s section) size() size {
	total := sizeOf(joinLines(s.Heading, s.Markers))
	if s.bodySize == (size{}) {
		s.bodySize = sizeOf(s.Body)
	}
	if s.hasBody && total != (size{}) {
		total = total.plus(size{1, 1})
	}
	return total.plus(s.bodySize)
}

// joinLines joins lines, which may be empty, with a line feed.
func joinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// heading returns a section that is a single line.
func (b budget) heading(line string) (section, error) {
	return b.only(section{Section: layout.Section{Heading: line}})
}

// only returns a section if it fits.
func (b budget) only(s section) (section, error) {
	if !b.fits(s.size()) {
		return section{}, b.tooSmall()
	}
	return s, nil
}

// largest returns the section with the largest number of items, from lo to hi, that fits.
func (b budget) largest(lo, hi int, write func(n int) section) (best section, err error) {
	n := shared.Largest(lo, hi, func(n int) bool {
		s := write(n)
		fits := b.fits(s.size())
		if fits {
			best = s
		}
		return fits
	})
	if n < lo {
		return section{}, b.tooSmall()
	}
	return best, nil
}

// items collects the items of a section. An item is one or more whole lines. The heading and the
// markers depend on the number of items shown, so they are written last, and items are dropped from
// the end until the section fits the budget.
type items struct {
	budget budget
	text   strings.Builder
	sizes  []size // of the text up to the end of each item, with a line feed
	full   bool
	path   string // above the last item, or ""
	files  int    // the number of paths above items
}

// addBelow is [items.add] for an item below a path, unless the previous item has the same path.
func (a *items) addBelow(path string, item []byte) bool {
	if path != a.path {
		if item = slices.Concat([]byte(path+"\n"), item); a.files > 0 {
			item = slices.Concat([]byte("\n"), item)
		}
		a.path = path
		a.files++
	}
	return a.add(item)
}

// add adds an item. It adds nothing and reports false if the items alone exceed the budget.
func (a *items) add(item []byte) bool {
	total := sizeOf(item).plus(size{1, 1})
	if n := len(a.sizes); n > 0 {
		total = total.plus(a.sizes[n-1])
	}
	if a.full = a.full || !a.budget.fits(total); a.full {
		return false
	}
	a.text.Write(item)
	a.text.WriteByte('\n')
	a.sizes = append(a.sizes, total)
	return true
}

// finish returns the section with as many items as fit, at least one if there are items. frame
// returns the section of n items without its body.
func (a *items) finish(frame func(n int) section) (section, error) {
	if a.full && len(a.sizes) == 0 {
		return section{}, a.budget.tooSmall()
	}
	text := a.text.String()
	return a.budget.largest(min(1, len(a.sizes)), len(a.sizes), func(n int) section {
		s := frame(n)
		s.truncated = s.truncated || a.full || n < len(a.sizes)
		if s.hasBody = n > 0; s.hasBody {
			s.bodySize = a.sizes[n-1].plus(size{-1, -1})
			s.Body = text[:s.bodySize.bytes]
		}
		return s
	})
}
