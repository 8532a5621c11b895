package filesystem

import (
	"fmt"
	"slices"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// A document is the JSON of a tree while entries are added to it in pre-order.
type document struct {
	json    []byte
	count   int
	last    addedEntry
	limited bool
	added   []addedEntry // if the size is limited
}

// An addedEntry tells where an entry, without its children and what closes it, ends in the JSON.
type addedEntry struct {
	end, depth int
	directory  bool   // its children are not written
	failure    string // why its children cannot be read
}

// add adds an entry. It does not retain name. The failure is why the children of a directory cannot be read, or "".
func (d *document) add(name []byte, kind workspace.EntryKind, depth int, failure string) {
	if free := cap(d.json) - len(d.json); free < 4<<10 {
		d.json = slices.Grow(d.json, len(d.json)+4<<10) // doubles it, in contrast to append
	}
	b := d.json
	if d.count > 0 {
		b = d.last.closeTo(b, depth)
		if depth <= d.last.depth {
			b = append(b, ',')
		}
	}
	indent := 4*depth - 2
	b = newLine(b, indent)
	b = newLine(append(b, '{'), indent+2)
	b = text.AppendQuote(append(b, `"name": `...), text.LossyKey(nil, name))
	b = newLine(append(b, ','), indent+2)
	d.last = addedEntry{depth: depth, directory: kind == workspace.Directory, failure: failure}
	if d.last.directory {
		b = newLine(append(b, `"type": "directory",`...), indent+2)
		b = append(b, `"children": [`...)
	} else {
		b = append(b, `"type": "file"`...)
	}
	d.json, d.last.end = b, len(b)
	if d.count++; d.limited {
		d.added = append(d.added, d.last)
	}
}

// closeTo closes the entry, unless an entry of the given depth is its child, and the entries above it up to that depth.
func (a addedEntry) closeTo(b []byte, depth int) []byte {
	if depth > a.depth {
		return b
	}
	indent := 4*a.depth - 2
	if a.directory {
		b = append(b, ']')
	}
	if a.failure != "" {
		b = text.AppendQuote(append(newLine(append(b, ','), indent+2), `"error": `...), a.failure)
	}
	b = append(newLine(b, indent), '}')
	for up := a.depth - 1; up >= depth; up-- {
		indent = 4*up - 2
		b = append(newLine(b, indent+2), ']')
		b = append(newLine(b, indent), '}')
	}
	return b
}

func newLine(b []byte, indent int) []byte {
	const blanks = "\n                                                                "
	for b = append(b, blanks[:min(1+indent, len(blanks))]...); indent > len(blanks)-1; {
		indent -= len(blanks) - 1
		b = append(b, blanks[1:min(1+indent, len(blanks))]...)
	}
	return b
}

// finish returns the answer and the number of its entries. If it is too long, entries are left out from the end, and a second
// text says so.
func (d *document) finish(b tool.Budget) (tool.Result, int, error) {
	limit, limited := b.Limit()
	closing := func(a addedEntry) string { return string(append(newLine(a.closeTo(nil, 1), 0), ']')) }
	if d.count == 0 {
		if limited && limit < len("[]") {
			return tool.Result{}, 0, shared.TooSmall(b)
		}
		return tool.Result{Parts: tool.Text("[]")}, 0, nil
	}
	if end := closing(d.last); !limited || len(d.json)+len(end) <= limit {
		return tool.Result{Parts: tool.Text(string(d.json) + end), Exact: true}, d.count, nil
	}
	for shown := d.count - 1; shown > 0; shown-- {
		a := d.added[shown-1]
		notice := fmt.Sprintf("[gander: output limit of %d bytes reached; %d entries shown; exclude some with excludePatterns, or ask for a subdirectory]", limit, shown)
		if a.end+len("\n")+len(notice) > limit {
			continue
		}
		if end := closing(a); a.end+len(end)+len("\n")+len(notice) <= limit { // readers of text get both on lines of their own
			parts := append(tool.Text(string(d.json[:a.end])+end), tool.Text(notice)...)
			return tool.Result{Parts: parts, Exact: true, Truncated: true}, shown, nil
		}
	}
	return tool.Result{}, 0, shared.TooSmall(b)
}
