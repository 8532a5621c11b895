package shared

import (
	"slices"

	"gander/internal/files/workspace"
	"gander/tool"
)

// A Tree is the JSON of a tree within a budget. Its nodes are added in pre-order, and dropped from
// the end if they do not fit. A list is a tree of depth 0.
type Tree struct {
	Text []byte // the caller sets the text before the first node
	// Children follows a node that has a child.
	Children string
	// Close closes a node, and the nodes above it up to one at depth.
	Close func(text []byte, n Node, depth int) []byte

	limit   int
	limited bool
	count   int
	last    Node
	nodes   []Node // if limited
	head    Node   // ends before the first node
}

// A Node is a node of a [Tree].
type Node struct {
	Depth   int
	Kind    workspace.EntryKind
	Failure string // why its children cannot be read, or ""

	end int // offset in the text of the end of the node, before its children
}

// Limit sets the budget.
func (t *Tree) Limit(b tool.Budget) { t.limit, t.limited = b.Limit() }

// Count returns the number of nodes.
func (t *Tree) Count() int { return t.count }

// Begin begins a node at a depth. The caller appends the node to Text and calls End.
func (t *Tree) Begin(depth int) {
	const minimum = 4 << 10
	if cap(t.Text)-len(t.Text) < minimum {
		t.Text = slices.Grow(t.Text, len(t.Text)+minimum) // doubles it, unlike append
	}
	switch {
	case t.count == 0:
		t.head.end = len(t.Text)
	case depth > t.last.Depth:
		t.Text = append(t.Text, t.Children...)
	default:
		t.Text = append(t.Close(t.Text, t.last, depth), ',')
	}
}

// End ends the node n. It reports whether another node may fit.
func (t *Tree) End(n Node) bool {
	n.end = len(t.Text)
	t.last = n
	if t.count++; t.limited {
		t.nodes = append(t.nodes, n)
	}
	return !t.limited || len(t.Text) <= t.limit
}

// Finish returns the text with the nodes that fit, and their number. tail returns the text after n
// closed nodes. If fewer than least nodes fit, the text is empty and the number is less than least.
func (t *Tree) Finish(least int, tail func(n int) string) (text string, n int) {
	if t.count == 0 {
		t.head.end = len(t.Text)
	}
	node := func(n int) Node {
		switch n {
		case 0:
			return t.head
		case t.count:
			return t.last
		default:
			return t.nodes[n-1]
		}
	}
	end := func(n int) []byte {
		var b []byte
		if n > 0 {
			b = t.Close(b, node(n), 0)
		}
		return append(b, tail(n)...)
	}
	n = Largest(least, t.count, func(n int) bool {
		return !t.limited || node(n).end+len(end(n)) <= t.limit
	})
	if n < least {
		return "", n
	}
	return string(append(t.Text[:node(n).end], end(n)...)), n
}
