package toolkit

import (
	"strconv"

	"gander/internal/engine/text"
	"gander/internal/engine/workspace"
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

// A document is the JSON of an answer under an output limit. Nodes are added to it in pre-order.
type document struct {
	limit   int
	limited bool

	json   []byte
	open   []bool // for the last node and each node above it, whether it has children
	ending int    // bytes that it takes to close them

	dirs, files, symlinks int

	before  *document // the document without its last node; nil if that is the root or there is no limit
	scratch []byte
}

const childrenKey = `,"children":[`

func newDocument(b tool.Budget) *document {
	limit, limited := b.Limit()
	return &document{limit: limit, limited: limited, json: []byte(`{"root":`)}
}

func (d *document) count() int { return d.dirs + d.files + d.symlinks }

// add adds a node. It returns false, and adds nothing, if the document would exceed the limit even if the node is the last.
func (d *document) add(n node) bool {
	separator, closing := "", 1
	if n.depth > 0 {
		separator = ","
		if !d.open[n.depth-1] {
			separator, closing = childrenKey, 2
		}
	}
	before := *d
	d.tally(n.kind)
	d.scratch = n.append(d.scratch[:0])
	object := len(d.scratch)
	d.scratch = d.appendTail(d.scratch, true)
	if size := len(d.json) + d.ending + len(separator) + closing + len(d.scratch); d.limited && size > d.limit {
		*d = before
		return false
	}
	if d.limited && n.depth > 0 {
		d.remember(before)
	}
	d.closeTo(n.depth)
	if n.depth > 0 {
		d.open[n.depth-1] = true
	}
	d.json = append(append(d.json, separator...), d.scratch[:object]...)
	d.open = append(d.open, false)
	d.ending += closing
	return true
}

// remember keeps the document as it was before its last node.
func (d *document) remember(before document) {
	if d.before == nil {
		d.before = new(document)
	}
	before.open = append(d.before.open[:0], before.open...)
	before.before, before.scratch = nil, nil
	*d.before = before
}

func (d *document) tally(kind workspace.EntryKind) {
	switch kind {
	case workspace.Directory:
		d.dirs++
	case workspace.Regular:
		d.files++
	default:
		d.symlinks++
	}
}

// closeTo closes the open nodes whose depth is at least depth.
func (d *document) closeTo(depth int) {
	for last := len(d.open) - 1; last >= depth; last-- {
		if d.open[last] {
			d.json = append(d.json, ']')
			d.ending--
		}
		d.json = append(d.json, '}')
		d.ending--
		d.open = d.open[:last]
	}
}

// finish ends the document and returns it, and whether a limit was reached. It returns false for ok if not even the root
// fits. A document that says false for limit_reached is one byte longer than one that says true, so that it may have to do
// without its last node.
func (d *document) finish(limitReached bool) (finished *document, cut, ok bool) {
	d.closeTo(0)
	if whole := d.appendTail(d.json, limitReached); !d.limited || len(whole) <= d.limit {
		d.json = whole
		return d, limitReached, true
	}
	if d.before == nil {
		return nil, true, false
	}
	return d.before.finish(true)
}

// appendTail appends what follows the root node.
func (d *document) appendTail(b []byte, limitReached bool) []byte {
	b = strconv.AppendBool(append(b, `,"limit_reached":`...), limitReached)
	b = strconv.AppendInt(append(b, `,"scanned_entries":`...), int64(d.count()), 10)
	b = strconv.AppendInt(append(b, `,"total_dirs":`...), int64(d.dirs), 10)
	b = strconv.AppendInt(append(b, `,"total_files":`...), int64(d.files), 10)
	b = strconv.AppendInt(append(b, `,"total_symlinks":`...), int64(d.symlinks), 10)
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
