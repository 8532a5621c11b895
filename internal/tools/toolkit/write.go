package toolkit

import (
	"fmt"
	"path"
	"strconv"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// A node is an object of the tree.
type node struct {
	kind      workspace.EntryKind
	path      string // from the workspace root
	depth     int
	truncated bool
	failure   string
}

// add adds a node. It reports whether more nodes may fit.
func (v *traversal) add(n node) bool {
	v.json.Begin(n.depth)
	v.json.Text = n.append(v.json.Text)
	v.classes = append(v.classes, class(n.kind))
	return v.json.End(shared.Node{Depth: n.depth, Kind: n.kind})
}

// closeNode closes a node, and the nodes above it up to one at depth.
func closeNode(b []byte, n shared.Node, depth int) []byte {
	b = append(b, '}')
	for range n.Depth - depth {
		b = append(b, "]}"...)
	}
	return b
}

// write returns the result. limitReached reports whether max_entries was reached or nodes did not
// fit.
func (v *traversal) write(limitReached bool, b tool.Budget) (tool.Result, error) {
	content, nodes := v.json.Finish(1, func(n int) string {
		var counts [3]int // by class
		for _, class := range v.classes[:n] {
			counts[class]++
		}
		return fmt.Sprintf(`,"limit_reached":%t,"scanned_entries":%d,`+
			`"total_dirs":%d,"total_files":%d,"total_symlinks":%d}`,
			limitReached || n < len(v.classes), n, counts[0], counts[1], counts[2])
	})
	if nodes == 0 {
		return tool.Result{}, shared.TooSmall(b)
	}
	cut := limitReached || nodes < len(v.classes)
	return tool.Result{Parts: tool.Text(content), Exact: true, Truncated: cut}, nil
}

// append appends the node without its children and its closing brace.
func (n *node) append(b []byte) []byte {
	kind := [...]string{"directory", "file", "symlink"}[class(n.kind)]
	b = append(append(append(b, `{"kind":"`...), kind...), '"')
	b = text.AppendQuote(append(b, `,"name":`...), path.Base(n.path))
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

// class returns the sort class of a kind: directories, files, symlinks.
func class(kind workspace.EntryKind) uint8 {
	switch kind {
	case workspace.Directory:
		return 0
	case workspace.Regular:
		return 1
	default:
		return 2
	}
}
