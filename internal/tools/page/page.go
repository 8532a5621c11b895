// Package page cuts results to the budget of a call: pages of lines, and trees as JSON.
package page

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"gander/internal/tools/toolerror"
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

// LimitOf returns the maximum size of the text of a result in bytes.
func LimitOf(b tool.Budget) int {
	if limit, limited := b.Limit(); limited {
		return limit
	}
	return math.MaxInt
}

// MaxBytes returns the maximum size of the names in a result, in bytes, as an option of which zero
// means no limit.
func MaxBytes(b tool.Budget) int {
	limit, limited := b.Limit()
	if !limited {
		return 0
	}
	return max(limit, 1)
}

// A Page collects the lines of a result within a budget. A result that exceeds the budget is cut
// after an item and ends with a notice.
//
// Lines are added in the order of the result: other lines, items, other lines. A line may contain
// line feeds.
type Page struct {
	budget tool.Budget
	limit  int             // the maximum size in bytes
	text   strings.Builder // has a line feed after each line
	ends   []int           // where the items end, without their line feeds
	over   bool            // a line did not fit
	last   string          // the last line of a cut result, or ""
}

// New returns an empty page. A limit of 0 is too small even for that.
func New(b tool.Budget) *Page {
	limit := LimitOf(b)
	return &Page{budget: b, limit: limit, over: limit == 0}
}

// Line adds a line that is not an item. A cut result omits the lines after its items.
func (p *Page) Line(line string) {
	if p.fits(len(line)) {
		p.text.WriteString(line)
		p.text.WriteByte('\n')
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
	if !p.fits(size) {
		return false
	}
	for _, part := range parts {
		p.text.Write(part)
	}
	if p.limit < math.MaxInt {
		p.ends = append(p.ends, p.text.Len())
	}
	p.text.WriteByte('\n')
	return true
}

// fits reports whether a line of the given size in bytes fits.
func (p *Page) fits(size int) bool {
	p.over = p.over || p.text.Len()+size > p.limit
	return !p.over
}

// Finish returns the result, which is the lines joined by line feeds. If they exceed the limit,
// Finish drops items from the end until the others fit with a notice, which ends in a hint on how
// to get the dropped items; without items, it is not called. If no item fits, the error comes from
// [toolerror.TooSmall].
func (p *Page) Finish(hint func(shown int) string) (tool.Result, error) {
	text := p.text.String()
	if !p.over {
		return tool.Result{Parts: tool.Text(strings.TrimSuffix(text, "\n"))}, nil
	}
	cut := func(shown int) string {
		const notice = "%s\n[gander: output limit of %d bytes reached; %s]"
		return fmt.Sprintf(notice, p.last, p.limit, hint(shown))
	}
	shown := Largest(1, len(p.ends), func(n int) bool { return p.ends[n-1]+len(cut(n)) <= p.limit })
	if shown < 1 {
		return tool.Result{}, toolerror.TooSmall(p.budget)
	}
	return tool.Result{Parts: tool.Text(text[:p.ends[shown-1]] + cut(shown)), Truncated: true}, nil
}
