package toolkit

import (
	"strconv"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// A node is an object of the tree (section 4.2).
type node struct {
	kind      workspace.EntryKind
	name      string
	path      string // from the workspace root
	depth     int
	truncated bool
	failure   string
}

// A document is the JSON of a result.
type document struct {
	tree  shared.Tree
	kinds []uint8 // the classes of the nodes
}

func newDocument(b tool.Budget) *document {
	d := &document{tree: shared.Tree{
		Text: []byte(`{"root":`), Children: `,"children":[`, Close: closeNode,
	}}
	d.tree.Limit(b)
	return d
}

// add adds a node. It reports whether there may be room for more.
func (d *document) add(n node) bool {
	d.tree.Begin(n.depth)
	d.tree.Text = n.append(d.tree.Text)
	d.kinds = append(d.kinds, class(n.kind))
	return d.tree.End(shared.Node{Depth: n.depth, Kind: n.kind})
}

// closeNode closes a node, and the nodes above it up to one at depth.
func closeNode(b []byte, n shared.Node, depth int) []byte {
	b = append(b, '}')
	for range n.Depth - depth {
		b = append(b, "]}"...)
	}
	return b
}

// finish returns the result, the number of its nodes, and whether it is cut. limitReached reports
// whether the caller's limit was reached. There are no nodes if not even the root fits.
func (d *document) finish(limitReached bool) (content string, nodes int, cut bool) {
	counts := make([][3]int, 1+len(d.kinds)) // of each class among the first nodes
	for i, k := range d.kinds {
		counts[i+1] = counts[i]
		counts[i+1][k]++
	}
	content, nodes = d.tree.Finish(1, func(n int) string {
		return string(appendTail(nil, limitReached || n < len(d.kinds), n, counts[n]))
	})
	return content, nodes, limitReached || nodes < len(d.kinds)
}

// appendTail appends what follows the root node.
func appendTail(b []byte, limitReached bool, nodes int, counts [3]int) []byte {
	b = strconv.AppendBool(append(b, `,"limit_reached":`...), limitReached)
	for i, key := range []string{`,"scanned_entries":`, `,"total_dirs":`, `,"total_files":`, `,"total_symlinks":`} {
		n := nodes
		if i > 0 {
			n = counts[i-1]
		}
		b = strconv.AppendInt(append(b, key...), int64(n), 10)
	}
	return append(b, '}')
}

// append appends the node without its children and its closing brace.
func (n *node) append(b []byte) []byte {
	b = append(append(append(b, `{"kind":"`...), kindOf(n.kind)...), '"')
	b = text.AppendQuote(append(b, `,"name":`...), n.name)
	b = text.AppendQuote(append(b, `,"path":`...), n.path)
	b = strconv.AppendInt(append(b, `,"depth":`...), int64(n.depth), 10)
	if n.truncated {
		b = append(b, `,"truncated":true`...)
	}
	if n.failure != "" {
		b = text.AppendQuote(append(b, `,"error":`...), n.failure)
	}
	return b
}

func kindOf(kind workspace.EntryKind) string {
	switch kind {
	case workspace.Directory:
		return "directory"
	case workspace.Regular:
		return "file"
	default:
		return "symlink"
	}
}
