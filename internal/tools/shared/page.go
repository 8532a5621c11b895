package shared

import (
	"fmt"
	"sort"
	"strings"

	"gander/tool"
)

// Largest returns the largest number from lo to hi that fits, or lo-1 if none fits. It tries hi
// first, because a complete text may have a shorter frame. The last call of fits that returned true
// had the returned number.
func Largest(lo, hi int, fits func(n int) bool) int {
	if lo <= hi && fits(hi) {
		return hi
	}
	return lo - 1 + sort.Search(hi-lo, func(i int) bool { return !fits(lo + i) })
}

// A Page collects the lines of a result within a budget. A result that exceeds the budget is cut
// after an item and ends with a notice.
//
// Lines are added in the order of the result: other lines, items, other lines. A line may contain
// line feeds. A Page never holds more bytes than its limit.
type Page struct {
	budget  tool.Budget
	limit   int // in bytes
	limited bool
	text    strings.Builder
	ends    []int // of the items
	over    bool  // a line did not fit
	filled  bool  // has a line, which may be empty
	last    string
}

// NewPage returns an empty page. The error is [TooSmall].
func NewPage(b tool.Budget) (*Page, error) {
	p := &Page{budget: b}
	if p.limit, p.limited = b.Limit(); p.limited && p.limit == 0 {
		return nil, TooSmall(b)
	}
	return p, nil
}

// Expect allocates memory for lines of the given number of bytes, including line feeds.
func (p *Page) Expect(bytes int) {
	const (
		minimum = 2 << 10
		large   = 64 << 10 // copying costs more than untouched memory pages: grow faster
	)
	if bytes <= p.text.Cap()-p.text.Len() {
		return
	}
	size := 2 * p.text.Cap()
	if size > large {
		size *= 4
	}
	size = max(p.text.Len()+bytes, size, minimum)
	if p.limited {
		size = min(size, p.limit)
	}
	text := p.text.String()
	p.text.Reset() // Grow would otherwise allocate more than size
	p.text.Grow(size)
	p.text.WriteString(text)
}

// Line adds a line that is not an item. A cut result omits the lines after its items.
func (p *Page) Line(line string) {
	if p.begin(len(line)) {
		p.text.WriteString(line)
	}
}

// Last adds the last line, which even a cut result contains.
func (p *Page) Last(line string) {
	p.last = "\n" + line
	p.Line(line)
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
	if p.limited {
		p.ends = append(p.ends, p.text.Len())
	}
	return true
}

// begin begins a line of the given size in bytes. It reports whether the line fits.
func (p *Page) begin(size int) bool {
	if p.filled {
		size += len("\n")
	}
	if p.over || p.limited && p.text.Len()+size > p.limit {
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

// Finish returns the result, which is the lines joined by line feeds. If they exceed the limit,
// Finish drops items from the end until the others fit with a notice, which ends in a hint on how
// to get the dropped items. If no item fits, the error comes from [TooSmall].
func (p *Page) Finish(hint func(shown int) string) (tool.Result, error) {
	text := p.text.String()
	if !p.over {
		return tool.Result{Parts: tool.Text(text)}, nil
	}
	cut := func(shown int) string {
		const notice = "%s\n[gander: output limit of %d bytes reached; %s]"
		return fmt.Sprintf(notice, p.last, p.limit, hint(shown))
	}
	shown := Largest(1, len(p.ends), func(n int) bool { return p.ends[n-1]+len(cut(n)) <= p.limit })
	if shown < 1 {
		return tool.Result{}, TooSmall(p.budget)
	}
	return tool.Result{Parts: tool.Text(text[:p.ends[shown-1]] + cut(shown)), Truncated: true}, nil
}
