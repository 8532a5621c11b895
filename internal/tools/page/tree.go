package page

import (
	"slices"

	"gander/internal/files/workspace"
	"gander/tool"
)

// A Tree builds the JSON of a tree within a budget. Its nodes are added in pre-order, and dropped
// from the end if they do not fit. A list is a tree of depth 0.
type Tree struct {
	Text []byte // the nodes so far, to which the caller appends between Begin and End

	limit    int
	children string
	closing  func(text []byte, n Node, depth int) []byte
	nodes    []Node // nodes[0] is a sentinel: it ends where the first node begins
}

// A Node is a node of a [Tree].
type Node struct {
	Depth   int
	Kind    workspace.EntryKind
	Failure string // why it or its children cannot be read, or ""

	end int // offset in the text of the end of the node, before its children
}

// NewTree returns a tree whose text begins with start. The text children is between a node and its
// first child. closing appends the end of the node n, and of its ancestors up to the one at depth.
func NewTree(
	b tool.Budget, start, children string, closing func(text []byte, n Node, depth int) []byte,
) *Tree {
	return &Tree{
		Text:     []byte(start),
		limit:    LimitOf(b),
		children: children,
		closing:  closing,
		nodes:    []Node{{end: len(start)}},
	}
}

// Count returns the number of nodes.
func (t *Tree) Count() int { return len(t.nodes) - 1 }

// Begin begins a node at the given depth. The caller appends the node to Text and calls End.
func (t *Tree) Begin(depth int) {
	last := t.nodes[t.Count()]
	switch {
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

// Fail sets the failure of the last node at the given depth, which may have children by now, and
// appends text to the node.
func (t *Tree) Fail(depth int, text []byte, failure string) {
	i := t.Count()
	for t.nodes[i].Depth != depth {
		i--
	}
	t.nodes[i].Failure = failure
	t.Text = slices.Insert(t.Text, t.nodes[i].end, text...)
	for ; i < len(t.nodes); i++ {
		t.nodes[i].end += len(text)
	}
}

// Finish returns the result with the nodes that fit. After the kept nodes, which are closed, tail
// ends the text. It may return a notice, which becomes a second part. If fewer than minimum nodes
// fit, ok is false.
func (t *Tree) Finish(
	minimum int, tail func(kept []Node) (end, notice string),
) (result tool.Result, ok bool) {
	finish := func(n int) (end []byte, notice string) {
		if n > 0 {
			end = t.closing(end, t.nodes[n], 0)
		}
		last, notice := tail(t.nodes[1 : n+1])
		return append(end, last...), notice
	}
	n := Largest(minimum, t.Count(), func(n int) bool {
		end, notice := finish(n)
		size := t.nodes[n].end + len(end)
		if notice != "" {
			size += len("\n") + len(notice)
		}
		return size <= t.limit
	})
	if n < minimum {
		return tool.Result{}, false
	}
	end, notice := finish(n)
	result = tool.Result{
		Parts:      tool.Text(string(append(t.Text[:t.nodes[n].end], end...))),
		Exact:      true,
		Truncated:  n < t.Count(),
		Unreadable: slices.ContainsFunc(t.nodes[:n+1], func(n Node) bool { return n.Failure != "" }),
	}
	if notice != "" {
		result.Parts = append(result.Parts, tool.Part{Text: notice})
	}
	return result, true
}
