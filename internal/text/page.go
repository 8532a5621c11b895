package text

import "strings"

// A Page gathers the lines of a text answer under a limit on its bytes. An answer that fits is complete; one that does
// not is cut after an item and ends with a notice that says so.
//
// Add the lines in the order of the answer: head lines, items, tail lines. A Page never holds more than the limit, and a
// line may itself contain line feeds.
type Page struct {
	limit  int      // bytes; 0 or less: none
	full   [][]byte // pieces of the answer: one memory that grows would be copied again and again
	piece  []byte   // the one being filled
	size   int      // of all
	ends   []int    // where each item ends
	over   bool
	filled bool // with a line, be it an empty one
}

const (
	smallestPiece = 512
	largestPiece  = 1 << 20
)

// NewPage returns an empty page for an answer of at most limit bytes; zero or less is no limit.
func NewPage(limit int) *Page {
	return &Page{limit: limit}
}

// Head adds a line that a cut never drops.
func (p *Page) Head(line string) {
	add(p, line)
}

// Add adds an item and reports whether there was room. After false the page is over: more lines change nothing. It
// does not retain line.
func (p *Page) Add(line []byte) bool {
	if add(p, line) && p.limit > 0 {
		p.ends = append(p.ends, p.size)
	}
	return !p.over
}

// Tail adds a line that follows all items. A page that is cut has no tail.
func (p *Page) Tail(line string) {
	add(p, line)
}

// Finish returns the answer: its lines with a line feed between them. If they exceed the limit, items are dropped from
// the end until the head, the items left and the notice fit; notice is asked for the text for so many items shown, and
// may be asked several times. Finish reports false where not one item would be left, for the limit is then too small
// for an answer that makes any progress.
func (p *Page) Finish(notice func(shown int) string) (string, bool) {
	text := p.text()
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

func (p *Page) text() string {
	var b strings.Builder
	b.Grow(p.size)
	for _, piece := range p.full {
		b.Write(piece)
	}
	b.Write(p.piece)
	return b.String()
}

func add[T string | []byte](p *Page, line T) bool {
	need := len(line)
	if p.filled {
		need += len("\n")
	}
	if p.over || p.limit > 0 && p.size+need > p.limit {
		p.over = true
		return false
	}
	if need > cap(p.piece)-len(p.piece) {
		p.next(need)
	}
	if p.filled {
		p.piece = append(p.piece, '\n')
	}
	p.piece = append(p.piece, line...)
	p.filled = true
	p.size += need
	return true
}

// next begins a piece with room for so many bytes.
func (p *Page) next(need int) {
	if len(p.piece) > 0 {
		p.full = append(p.full, p.piece)
	}
	p.piece = make([]byte, 0, max(need, smallestPiece, min(2*cap(p.piece), largestPiece)))
}
