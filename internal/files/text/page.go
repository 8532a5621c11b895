package text

import "strings"

// A Page collects the lines of a text answer of limited size. An answer that fits is complete; any other is cut after an
// item, and ends with a notice that says so.
//
// Lines are added in the order of the answer: other lines, items, other lines. A line may contain line feeds. A Page never
// holds more bytes than its limit.
type Page struct {
	limit  int // in bytes; 0 or less means none
	text   strings.Builder
	ends   []int // where each item ends
	over   bool  // a line did not fit
	filled bool  // has a line, which may be empty
}

// The memory of a page doubles, and once it is large grows eightfold: copying costs more than untouched pages.
const (
	firstMemory = 2 << 10
	largeMemory = 64 << 10
)

// NewPage returns an empty page for an answer of at most limit bytes. Zero or less means no limit.
func NewPage(limit int) *Page {
	return &Page{limit: limit}
}

// Expect makes room for lines of the given number of bytes, line feeds included. There may be more, or fewer.
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

// Line adds a line that is not an item. Before the items it is never cut off; an answer that is cut has none after them.
func (p *Page) Line(line string) {
	if p.begin(len(line)) {
		p.text.WriteString(line)
	}
}

// Add adds an item, which is its parts joined, and reports whether it fits. Once a line does not fit, further lines have no
// effect. Add does not retain the parts.
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

// Finish returns the answer, which is the lines with a line feed between them. If they exceed the limit, items are dropped
// from the end until the rest and a notice fit; notice returns the text for the number of items shown, and may be called
// several times. Finish reports false if no item would be left, because such an answer makes no progress.
func (p *Page) Finish(notice func(shown int) string) (string, bool) {
	text := p.text.String()
	if !p.over {
		return text, true
	}
	for shown := len(p.ends); shown > 0; shown-- {
		kept, last := text[:p.ends[shown-1]], notice(shown)
		if len(kept)+len("\n")+len(last) <= p.limit {
			return kept + "\n" + last, true
		}
	}
	return "", false
}

// begin begins a line of the given size in bytes, and reports whether it fits.
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
