package filesystem

import (
	"fmt"
	"strings"
	"sync"

	"gander/internal/dialect"
	"gander/internal/engine/text"
	"gander/internal/engine/walk"
	"gander/internal/engine/workspace"
	"gander/tool"
)

// A document is the JSON of a tree while entries are added to it in pre-order.
//
// If its size is not limited, entries are collected in batches. From the second batch on, a goroutine writes them as JSON while
// the caller goes on with its walk; wait must be called then.
type document struct {
	json    strings.Builder
	scratch []byte
	count   int // entries in json
	last    endedEntry
	limited bool
	written []endedEntry // if the size is limited

	batch      *treeBatch // that is being filled
	full, free chan *treeBatch
	writing    sync.WaitGroup
}

// A treeEntry is an entry without its name.
type treeEntry struct {
	depth     int
	directory bool
	failure   string // why its children cannot be read
}

// An endedEntry also tells where the entry ends: its name in a batch, or its JSON, without its children and what closes it.
type endedEntry struct {
	treeEntry
	end int
}

// A treeBatch holds entries that are not yet written.
type treeBatch struct {
	entries []endedEntry
	names   []byte
}

// treeBatches is the number of batches, of batchEntries entries each.
const treeBatches = 3

func newDocument(limited bool) *document {
	d := &document{limited: limited, batch: new(treeBatch)}
	d.json.WriteByte('[')
	return d
}

// add adds an entry.
func (d *document) add(e walk.Entry, failure string) {
	t := treeEntry{depth: e.Depth(), directory: e.Kind == workspace.Directory, failure: failure}
	if d.limited {
		d.write(e.Name, t)
		d.written = append(d.written, d.last)
		return
	}
	if len(d.batch.entries) == batchEntries {
		d.hand()
	}
	d.batch.names = append(d.batch.names, e.Name...)
	d.batch.entries = append(d.batch.entries, endedEntry{t, len(d.batch.names)})
}

// hand hands a full batch to the goroutine that writes.
func (d *document) hand() {
	if d.full == nil {
		full, free := make(chan *treeBatch, treeBatches), make(chan *treeBatch, treeBatches)
		for range treeBatches - 1 {
			free <- new(treeBatch)
		}
		d.writing.Go(func() {
			for b := range full { // d.full may be nil by now
				d.writeBatch(b)
				free <- b
			}
		})
		d.full, d.free = full, free
	}
	d.full <- d.batch
	d.batch = <-d.free
}

// wait waits until all full batches are written.
func (d *document) wait() {
	if d.full != nil {
		close(d.full)
		d.full = nil
		d.writing.Wait()
	}
}

// writeBatch writes the entries of a batch and empties it.
func (d *document) writeBatch(b *treeBatch) {
	start := 0
	for _, e := range b.entries {
		d.write(b.names[start:e.end], e.treeEntry)
		start = e.end
	}
	b.entries, b.names = b.entries[:0], b.names[:0]
}

// write writes an entry as JSON.
func (d *document) write(name []byte, e treeEntry) {
	b := d.scratch[:0]
	if d.count > 0 {
		b = d.last.closeTo(b, e.depth)
		if e.depth <= d.last.depth {
			b = append(b, ',')
		}
	}
	indent := 4*e.depth - 2
	b = newLine(b, indent)
	b = newLine(append(b, '{'), indent+2)
	b = text.AppendQuote(append(b, `"name": `...), text.LossyKey(nil, name))
	b = newLine(append(b, ','), indent+2)
	if e.directory {
		b = newLine(append(b, `"type": "directory",`...), indent+2)
		b = append(b, `"children": [`...)
	} else {
		b = append(b, `"type": "file"`...)
	}
	if free := d.json.Cap() - d.json.Len(); free < len(b) {
		d.json.Grow(3*d.json.Cap() + len(b)) // memory that is not used up costs nothing, in contrast to copying
	}
	d.json.Write(b)
	d.scratch = b
	d.last = endedEntry{e, d.json.Len()}
	d.count++
}

// closeTo closes the entry, unless an entry of the given depth is its child, and the entries above it up to that depth.
func (a treeEntry) closeTo(b []byte, depth int) []byte {
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
	d.wait()
	d.writeBatch(d.batch)
	limit, limited := b.Limit()
	closing := func(a treeEntry) string { return string(append(newLine(a.closeTo(nil, 1), 0), ']')) }
	if d.count == 0 {
		if limited && limit < len("[]") {
			return tool.Result{}, 0, dialect.TooSmall(b)
		}
		return tool.Result{Parts: tool.Text("[]")}, 0, nil
	}
	if end := closing(d.last.treeEntry); !limited || d.json.Len()+len(end) <= limit {
		d.json.WriteString(end)
		return tool.Result{Parts: tool.Text(d.json.String()), Exact: true}, d.count, nil
	}
	for shown := d.count - 1; shown > 0; shown-- {
		a := d.written[shown-1]
		notice := fmt.Sprintf("[gander: output limit of %d bytes reached; %d entries shown; exclude some with excludePatterns, or ask for a subdirectory]", limit, shown)
		if a.end+len("\n")+len(notice) > limit {
			continue
		}
		if end := closing(a.treeEntry); a.end+len(end)+len("\n")+len(notice) <= limit { // readers of text get both on lines of their own
			parts := append(tool.Text(d.json.String()[:a.end]+end), tool.Text(notice)...)
			return tool.Result{Parts: parts, Exact: true, Truncated: true}, shown, nil
		}
	}
	return tool.Result{}, 0, dialect.TooSmall(b)
}
