package shared

import (
	"math"
	"slices"

	"gander/internal/files/workspace"
	"gander/tool"
)

// A Tree builds the JSON of a tree within a budget. Its nodes are added in pre-order, and dropped
// from the end if they do not fit. A list is a tree of depth 0.
type Tree struct {
	Text []byte // the caller sets the text before the first node
	// Children is the text between a node and its first child.
	Children string
	// Close appends the end of the node n, and of its ancestors up to the one at depth.
	Close func(text []byte, n Node, depth int) []byte

	limit int
	nodes []Node // the first one ends before the first node of the tree
}

// A Node is a node of a [Tree].
type Node struct {
	Depth   int
	Kind    workspace.EntryKind
	Failure string // why its children cannot be read, or ""

	end int // offset in the text of the end of the node, before its children
}

// Limit sets the budget.
func (t *Tree) Limit(b tool.Budget) {
	t.limit = math.MaxInt
	if limit, limited := b.Limit(); limited {
		t.limit = limit
	}
}

// Count returns the number of nodes.
func (t *Tree) Count() int { return max(len(t.nodes)-1, 0) }

// Begin begins a node at the given depth. The caller appends the node to Text and calls End.
func (t *Tree) Begin(depth int) {
	const minimum = 4 << 10
	if cap(t.Text)-len(t.Text) < minimum {
		t.Text = slices.Grow(t.Text, len(t.Text)+minimum) // doubles it, unlike append
	}
	if len(t.nodes) == 0 {
		t.nodes = append(t.nodes, Node{end: len(t.Text)})
		return
	}
	if last := t.nodes[len(t.nodes)-1]; depth > last.Depth {
		t.Text = append(t.Text, t.Children...)
	} else {
		t.Text = append(t.Close(t.Text, last, depth), ',')
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
	if len(t.nodes) == 0 {
		t.nodes = append(t.nodes, Node{end: len(t.Text)})
	}
	end := func(n int) []byte {
		var b []byte
		if n > 0 {
			b = t.Close(b, t.nodes[n], 0)
		}
		return append(b, tail(n)...)
	}
	n = Largest(minimum, t.Count(), func(n int) bool { return t.nodes[n].end+len(end(n)) <= t.limit })
	if n < minimum {
		return "", n
	}
	return string(append(t.Text[:t.nodes[n].end], end(n)...)), n
}
