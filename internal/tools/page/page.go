// Package page cuts results to the budget of a call: pages of lines, and trees as JSON.
package page

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"gander/internal/files/workspace"
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

// LimitOf returns the maximum number of bytes.
func LimitOf(b tool.Budget) int {
	if limit, limited := b.Limit(); limited {
		return limit
	}
	return math.MaxInt
}

// A Page collects the lines of a result within a budget. A result that exceeds the budget is cut
// after an item and ends with a notice.
//
// Lines are added in the order of the result: other lines, items, other lines. A line may contain
// line feeds.
type Page struct {
	budget tool.Budget
	limit  int             // in bytes
	text   strings.Builder // with a line feed after each line
	ends   []int           // of the items, without their line feeds
	over   bool            // a line did not fit
	last   string
}

// New returns an empty page. The error is [toolerror.TooSmall].
func New(b tool.Budget) (*Page, error) {
	p := &Page{budget: b, limit: LimitOf(b)}
	if p.limit == 0 {
		return nil, toolerror.TooSmall(b)
	}
	return p, nil
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

// fits reports whether a line of the given size in bytes fits, and allocates memory for it.
func (p *Page) fits(size int) bool {
	p.over = p.over || p.text.Len()+size > p.limit
	if p.over {
		return false
	}
	size++
	if p.text.Cap()-p.text.Len() < size {
		const large = 64 << 10 // copying costs more than untouched memory pages: grow faster
		more := 2 << 10
		if p.text.Cap() > large {
			more = min(6*p.text.Cap(), p.limit)
		}
		p.text.Grow(max(size, more)) // doubles the capacity too, unlike Write
	}
	return true
}

// Finish returns the result, which is the lines joined by line feeds. If they exceed the limit,
// Finish drops items from the end until the others fit with a notice, which ends in a hint on how
// to get the dropped items. If no item fits, the error comes from [toolerror.TooSmall].
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

// A Tree builds the JSON of a tree within a budget. Its nodes are added in pre-order, and dropped
// from the end if they do not fit. A list is a tree of depth 0.
type Tree struct {
	Text []byte

	limit    int
	children string
	closing  func(text []byte, n Node, depth int) []byte
	nodes    []Node // the first one ends before the first node of the tree
}

// A Node is a node of a [Tree].
type Node struct {
	Depth   int
	Kind    workspace.EntryKind
	Failure string // why its children cannot be read, or ""

	end int // offset in the text of the end of the node, before its children
}

// NewTree returns a tree whose text begins with start. The text children is between a node and its
// first child. closing appends the end of the node n, and of its ancestors up to the one at depth.
func NewTree(
	b tool.Budget, start, children string, closing func(text []byte, n Node, depth int) []byte,
) *Tree {
	return &Tree{[]byte(start), LimitOf(b), children, closing, []Node{{end: len(start)}}}
}

// Count returns the number of nodes.
func (t *Tree) Count() int { return len(t.nodes) - 1 }

// Begin begins a node at the given depth. The caller appends the node to Text and calls End.
func (t *Tree) Begin(depth int) {
	const minimum = 4 << 10
	if cap(t.Text)-len(t.Text) < minimum {
		t.Text = slices.Grow(t.Text, len(t.Text)+minimum) // doubles it, unlike append
	}
	switch last := t.nodes[t.Count()]; {
	case t.Count() == 0:
	case depth > last.Depth:
		t.Text = append(t.Text, t.children...)
	default:
		t.Text = append(t.closing(t.Text, last, depth), ',')
	}
}

// End ends the node n. It reports whether another node may fit.
func (t *Tree) End(n Node) bool {
	n.end = len(t.Text)
	t.nodes = append(t.nodes, n)
	return n.end <= t.limit
}

// Finish returns the text with the nodes that fit, and their number. tail returns the text after n
// closed nodes. If fewer than minimum nodes fit, the text is empty and the number is less than
// minimum.
func (t *Tree) Finish(minimum int, tail func(n int) string) (text string, n int) {
	end := func(n int) (b []byte) {
		if n > 0 {
			b = t.closing(b, t.nodes[n], 0)
		}
		return append(b, tail(n)...)
	}
	n = Largest(minimum, t.Count(), func(n int) bool { return t.nodes[n].end+len(end(n)) <= t.limit })
	if n < minimum {
		return "", n
	}
	return string(append(t.Text[:t.nodes[n].end], end(n)...)), n
}
