package shared

import (
	"fmt"
	"strings"

	"gander/tool"
)

// A Page collects the lines of a text result of limited size. A result that fits is complete; any
// other is cut after an item and ends with a notice.
//
// Lines are added in the order of the result: other lines, items, other lines. A line may contain
// line feeds. A Page never holds more bytes than its limit.
type Page struct {
	limit  int // in bytes; 0 or less means no limit
	text   strings.Builder
	ends   []int // of the items
	over   bool  // a line did not fit
	filled bool  // has a line, which may be empty
}

// The memory of a page doubles, and grows eightfold once it is large: copying costs more than
// untouched memory pages.
const (
	firstMemory = 2 << 10
	largeMemory = 64 << 10
)

// NewPage returns an empty page within a budget. The error is [TooSmall].
func NewPage(b tool.Budget) (*Page, error) {
	limit, limited := b.Limit()
	if limited && limit == 0 {
		return nil, TooSmall(b)
	}
	return newPage(limit), nil
}

// newPage returns an empty page of at most limit bytes. Zero or less means no limit.
func newPage(limit int) *Page { return &Page{limit: limit} }

// Expect makes room for lines of the given number of bytes, including line feeds.
func (p *Page) Expect(bytes int) {
	if bytes <= p.text.Cap()-p.text.Len() {
		return
	}
	size := 2 * p.text.Cap()
	if size > largeMemory {
		size = 8 * p.text.Cap()
	}
	size = max(p.text.Len()+bytes, size, firstMemory)
	if p.limit > 0 {
		size = min(size, p.limit)
	}
	text := p.text.String()
	p.text.Reset() // Grow would otherwise allocate more than size
	p.text.Grow(size)
	p.text.WriteString(text)
}

// Line adds a line that is not an item. A result that is cut has no such line after the items.
func (p *Page) Line(line string) {
	if p.begin(len(line)) {
		p.text.WriteString(line)
	}
}

// Add adds an item, which is its parts joined, and reports whether it fits. Once a line does not
// fit, further lines have no effect. Add does not retain the parts.
func (p *Page) Add(parts ...[]byte) bool {
	size := 0
	for _, part := range parts {
		size += len(part)
	}
	if !p.begin(size) {
		return false
	}
	for _, part := range parts {
		p.text.Write(part)
	}
	if p.limit > 0 {
		p.ends = append(p.ends, p.text.Len())
	}
	return true
}

// Finish returns the result. If the page is cut, the last line says so and ends with a hint on how
// to get the items after those shown. The error is [TooSmall] for the budget b of the page.
func (p *Page) Finish(b tool.Budget, hint func(shown int) string) (tool.Result, error) {
	cut := false
	content, ok := p.finish(func(shown int) string {
		cut = true
		return fmt.Sprintf("[gander: output limit of %d bytes reached; %s]", p.limit, hint(shown))
	})
	if !ok {
		return tool.Result{}, TooSmall(b)
	}
	return tool.Result{Parts: tool.Text(content), Truncated: cut}, nil
}

// finish returns the text, which is the lines joined by line feeds. If they exceed the limit, items
// are dropped from the end until the rest and a notice fit. The last call of notice has the number
// of items shown. finish reports false if no item would be left, because such a result makes no
// progress.
func (p *Page) finish(notice func(shown int) string) (string, bool) {
	text := p.text.String()
	if !p.over {
		return text, true
	}
	shown := Largest(1, len(p.ends), func(n int) bool {
		return p.ends[n-1]+len("\n")+len(notice(n)) <= p.limit
	})
	if shown < 1 {
		return "", false
	}
	return text[:p.ends[shown-1]] + "\n" + notice(shown), true
}

// begin begins a line of the given size in bytes. It reports whether the line fits.
func (p *Page) begin(size int) bool {
	if p.filled {
		size += len("\n")
	}
	if p.over || p.limit > 0 && p.text.Len()+size > p.limit {
		p.over = true
		return false
	}
	p.Expect(size)
	if p.filled {
		p.text.WriteByte('\n')
	}
	p.filled = true
	return true
}
