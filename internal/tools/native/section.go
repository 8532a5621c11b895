package native

import (
	"gander/internal/layout"
	"gander/internal/tools/shared"
	"gander/tool"
)

// A section is the part of a result about one path.
type section struct {
	layout.Section
	hasBody   bool
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
	if s.hasBody {
		text = joinLines(text, s.Body)
	}
	if s.Markers != "" {
		text = joinLines(text, s.Markers)
	}
	return text
}

func joinLines(a, b string) string {
	if a == "" {
		return b
	}
	return a + "\n" + b
}

// heading returns a section that is a single line without entries.
func (b budget) heading(line string) (section, error) {
	return b.checked(section{Section: layout.Section{Heading: line}})
}

// entry returns a section that is a single entry.
func (b budget) entry(line string) (section, error) {
	return b.checked(section{Section: layout.Section{Body: line}, hasBody: true})
}

// checked returns s, or an error if it is not within the budget.
func (b budget) checked(s section) (section, error) {
	if !b.fits(sizeOf(s.text())) {
		return section{}, b.tooSmall()
	}
	return s, nil
}

// largest returns the section with the largest number of items, from least to limit, that fits.
func (b budget) largest(least, limit int, write func(n int) section) (section, int, error) {
	var best section
	n := shared.Largest(least, limit, func(n int) bool {
		s := write(n)
		fits := b.fits(sizeOf(s.text()))
		if fits {
			best = s
		}
		return fits
	})
	if n < least {
		return section{}, n, b.tooSmall()
	}
	return best, n, nil
}

// items collects the items of a section. An item is one or more whole lines. The heading and the
// markers depend on the number of items shown, so they are written last, and items are dropped from
// the end until the section fits the budget.
type items struct {
	budget budget
	text   []byte
	sizes  []size // of the items up to each one
	full   bool
}

// add adds an item, which is its parts joined. It adds nothing and reports false if the items alone
// exceed the budget.
func (a *items) add(parts ...[]byte) bool {
	if a.full {
		return false
	}
	var total size
	if len(a.sizes) > 0 {
		total = a.sizes[len(a.sizes)-1]
	}
	start := len(a.text)
	for _, p := range parts {
		a.text = append(a.text, p...)
	}
	a.text = append(a.text, '\n')
	total = total.plus(sizeOf(a.text[start:]))
	if !a.budget.fits(total) {
		a.text, a.full = a.text[:start], true
		return false
	}
	a.sizes = append(a.sizes, total)
	return true
}

// finish returns the section with as many items as fit. frame returns the heading and the markers
// of a section that shows n items. Its last call has the number of items of the section. If there
// are items, the error is [budget.tooSmall] unless at least one fits.
func (a *items) finish(frame func(n int) (heading, markers string)) (section, error) {
	if a.full && len(a.sizes) == 0 {
		return section{}, a.budget.tooSmall()
	}
	least := min(1, len(a.sizes))
	shown := shared.Largest(least, len(a.sizes), func(n int) bool {
		heading, markers := frame(n)
		total := sizeOf(heading).plus(sizeOf(markers))
		if heading != "" && (n > 0 || markers != "") { // a line feed follows
			total = total.plus(size{1, 1})
		}
		if n > 0 {
			total = total.plus(a.sizes[n-1])
			if markers == "" {
				total = total.plus(size{-1, -1})
			}
		}
		return a.budget.fits(total)
	})
	if shown < least {
		return section{}, a.budget.tooSmall()
	}
	s := section{hasBody: shown > 0, truncated: a.full || shown < len(a.sizes)}
	s.Heading, s.Markers = frame(shown)
	if shown > 0 {
		s.Body = string(a.text[:a.sizes[shown-1].bytes-1])
	}
	return s, nil
}
