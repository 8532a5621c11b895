package toolkit

import (
	"strconv"

	"gander/internal/engine/text"
	"gander/internal/engine/workspace"
	"gander/tool"
)

// A node is one object of the tree (section 4.2).
type node struct {
	kind      workspace.EntryKind
	name      string
	path      string // from the workspace root
	depth     int
	truncated bool
	failure   string
}

// A document is the JSON of an answer, written as its nodes come in pre-order and never larger than the limit.
type document struct {
	limit   int
	limited bool

	json   []byte
	open   []bool // for each node on the way to the last one, whether it has children
	closed int    // bytes that closing all of them will take

	dirs, files, symlinks int

	before  *document // without its last node; nil where that is the root
	scratch []byte
}

const childrenKey = `,"children":[`

func newDocument(b tool.Budget) *document {
	limit, limited := b.Limit()
	return &document{limit: limit, limited: limited, json: []byte(`{"root":`)}
}

func (d *document) count() int { return d.dirs + d.files + d.symlinks }

// add appends a node unless even the document that ends with it would exceed the limit.
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
	if size := len(d.json) + d.closed + len(separator) + closing + len(d.scratch); d.limited && size > d.limit {
		*d = before
		return false
	}
	if d.limited && n.depth > 0 {
		d.keep(before)
	}
	d.closeTo(n.depth)
	if n.depth > 0 {
		d.open[n.depth-1] = true
	}
	d.json = append(append(d.json, separator...), d.scratch[:object]...)
	d.open = append(d.open, false)
	d.closed += closing
	return true
}

// keep keeps what d was before its last node.
func (d *document) keep(before document) {
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

// closeTo closes the open nodes at depth and below.
func (d *document) closeTo(depth int) {
	for last := len(d.open) - 1; last >= depth; last-- {
		if d.open[last] {
			d.json = append(d.json, ']')
			d.closed--
		}
		d.json = append(d.json, '}')
		d.closed--
		d.open = d.open[:last]
	}
}

// finish returns the document; ok is false where not even the root fits. A complete one is a byte longer than one that
// says it is not, and may have to give up its last node for that.
func (d *document) finish(limitReached bool) (content string, cut, ok bool) {
	d.closeTo(0)
	if whole := d.appendTail(d.json, limitReached); !d.limited || len(whole) <= d.limit {
		return string(whole), limitReached, true
	}
	if d.before == nil {
		return "", true, false
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

// append writes the node without its children and its closing brace.
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
