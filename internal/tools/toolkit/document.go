package toolkit

import (
	"strconv"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
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

// A document is the JSON of an answer while nodes are added to it in pre-order.
type document struct {
	limit   int
	limited bool
	json    []byte
	added   []addedNode
}

// An addedNode tells where a node, without its children and its closing brace, ends in the JSON.
type addedNode struct {
	end, depth int
	kind       workspace.EntryKind
}

// usualNodes is a number of nodes that few answers exceed.
const usualNodes = 100

func newDocument(b tool.Budget) *document {
	limit, limited := b.Limit()
	return &document{limit: limit, limited: limited, json: []byte(`{"root":`), added: make([]addedNode, 0, usualNodes)}
}

// add adds a node. It reports whether the document may have room for another.
func (d *document) add(n node) bool {
	if last := len(d.added) - 1; last >= 0 {
		if up := d.added[last].depth - n.depth; up < 0 {
			d.json = append(d.json, `,"children":[`...)
		} else {
			d.json = append(closeNode(d.json, up), ',')
		}
	}
	d.json = n.append(d.json)
	d.added = append(d.added, addedNode{len(d.json), n.depth, n.kind})
	return !d.limited || len(d.json) <= d.limit
}

// closeNode closes a node and that many nodes above it.
func closeNode(b []byte, above int) []byte {
	b = append(b, '}')
	for range above {
		b = append(b, "]}"...)
	}
	return b
}

// finish returns the answer, the number of its nodes, and whether a limit was reached, which the caller knows of its own limit.
// Nodes are dropped from the end until the answer fits. It returns no nodes if not even the root fits.
func (d *document) finish(limitReached bool) (answer string, nodes int, cut bool) {
	var counts [3]int
	for _, n := range d.added {
		counts[class(n.kind)]++
	}
	for nodes := len(d.added); nodes > 0; nodes-- {
		last := d.added[nodes-1]
		d.json = appendTail(closeNode(d.json[:last.end], last.depth), limitReached, nodes, counts)
		if !d.limited || len(d.json) <= d.limit {
			return string(d.json), nodes, limitReached
		}
		limitReached = true
		counts[class(last.kind)]--
	}
	return "", 0, true
}

// appendTail appends what follows the root node. The counts are those of each class.
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
