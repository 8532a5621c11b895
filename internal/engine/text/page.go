package text

import "strings"

// A Page gathers the lines of a text answer under a limit on its bytes. An answer that fits is complete; one that does
// not is cut after an item and ends with a notice that says so.
//
// Add the lines in the order of the answer: head lines, items, tail lines. A Page never holds more than the limit, and a
// line may itself contain line feeds.
type Page struct {
	limit  int // bytes; 0 or less: none
	text   strings.Builder
	ends   []int // where each item ends
	over   bool
	filled bool // with a line, be it an empty one
}

// A page's memory grows twofold, and eightfold once it is large: what is copied takes time, and what is not used of memory
// that is new takes none.
const (
	firstMemory = 2 << 10
	largeMemory = 64 << 10
)

// NewPage returns an empty page for an answer of at most limit bytes; zero or less is no limit.
func NewPage(limit int) *Page {
	return &Page{limit: limit}
}

// Expect says that lines of so many bytes are to come, their line feeds included, so that memory grows but once. There may
// be more, or fewer.
func (p *Page) Expect(bytes int) { p.reserve(p.text.Len() + bytes) }

// Head adds a line that a cut never drops.
func (p *Page) Head(line string) {
	if p.begin(len(line)) {
		p.text.WriteString(line)
	}
}

// Add adds an item, its parts joined, and reports whether there was room. After false the page is over: more lines change
// nothing. It does not retain parts.
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

// Tail adds a line that follows all items. A page that is cut has no tail.
func (p *Page) Tail(line string) {
	p.Head(line)
}

// Finish returns the answer: its lines with a line feed between them. If they exceed the limit, items are dropped from
// the end until the head, the items left and the notice fit; notice is asked for the text for so many items shown, and
// may be asked several times. Finish reports false where not one item would be left, for the limit is then too small
// for an answer that makes any progress.
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

// begin begins a line of so many bytes and reports whether there is room for it.
func (p *Page) begin(size int) bool {
	if p.filled {
		size += len("\n")
	}
	if p.over || p.limit > 0 && p.text.Len()+size > p.limit {
		p.over = true
		return false
	}
	if size > p.text.Cap()-p.text.Len() {
		p.grow(size)
	}
	if p.filled {
		p.text.WriteByte('\n')
	}
	p.filled = true
	return true
}

// grow makes room for so many bytes and more.
func (p *Page) grow(need int) {
	size := 2 * p.text.Cap()
	if size > largeMemory {
		size = 8 * p.text.Cap()
	}
	p.reserve(max(p.text.Len()+need, size, firstMemory))
}

// reserve makes memory so many bytes large, but no larger than the limit.
func (p *Page) reserve(size int) {
	if p.limit > 0 {
		size = min(size, p.limit)
	}
	if size <= p.text.Cap() {
		return
	}
	text := p.text.String()
	p.text.Reset() // which would grow to more than was asked for
	p.text.Grow(size)
	p.text.WriteString(text)
}
