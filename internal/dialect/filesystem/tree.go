package filesystem

import (
	"context"
	"fmt"
	"math"
	"strings"

	"gander/internal/dialect"
	"gander/internal/dialect/filesystem/minimatch"
	"gander/internal/engine/text"
	"gander/internal/engine/walk"
	"gander/internal/engine/workspace"
	"gander/tool"
)

// directoryTree answers directory_tree (section 6).
func (t *Tool) directoryTree(ctx context.Context, c tool.Call) (tool.Result, error) {
	a, err := t.arguments(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	path, exclude := a.string("path"), a.strings("excludePatterns", false)
	if err := a.err(); err != nil {
		return tool.Result{}, err
	}
	result, _, err := t.tree(ctx, path, newTreePatterns(exclude), c.Budget, "")
	return result, err
}

// tree lists a tree. It reports whether the answer contains the entry at the path wanted, relative to the requested directory.
func (t *Tool) tree(ctx context.Context, path string, exclude *patterns, b tool.Budget, wanted string) (tool.Result, bool, error) {
	dir, at, err := t.openDir(ctx, path)
	if err != nil {
		return tool.Result{}, false, err
	}
	defer dir.Close()
	limit, limited := b.Limit()
	d := document{limited: limited}
	d.json.WriteByte('[')
	position := 0
	o := walk.Options{Depth: math.MaxInt, MaxBytes: limit}
	if len(exclude.list) > 0 {
		o.Filter = func(dir *walk.Directory, name []byte, _ workspace.EntryKind) walk.Decision {
			if ctx.Err() == nil && exclude.match(relativePath(dir, name)) {
				return walk.Omit
			}
			return walk.Show
		}
	}
	for e, err := range walk.Entries(ctx, dir, o) {
		if e.Dir == nil {
			return tool.Result{}, false, newError(err, "scandir", at.path)
		}
		if exclude.err != nil {
			break
		}
		failure := ""
		if err != nil {
			failure = dialect.ErrorText(err)
		}
		d.add(e, failure)
		if wanted != "" && position == 0 && e.Path() == wanted {
			position = d.count
		}
		if limited && d.json.Len() > limit {
			break
		}
	}
	if exclude.err != nil {
		return tool.Result{}, false, dialect.BadArguments("%s", exclude.err.Error())
	}
	result, shown, err := d.finish(b)
	return result, 0 < position && position <= shown, err
}

// relativePath returns the path of an entry, as well-formed UTF-8.
func relativePath(dir *walk.Directory, name []byte) string {
	return text.WellFormed(walk.Entry{Name: name, Dir: dir}.Path())
}

// A document is the JSON of a tree while entries are added to it in pre-order.
type document struct {
	json    strings.Builder
	scratch []byte
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

// add adds an entry.
func (d *document) add(e walk.Entry, failure string) {
	depth := e.Depth()
	b := d.scratch[:0]
	if d.count > 0 {
		b = d.last.closeTo(b, depth)
		if depth <= d.last.depth {
			b = append(b, ',')
		}
	}
	indent := 4*depth - 2
	b = newLine(b, indent)
	b = newLine(append(b, '{'), indent+2)
	b = text.AppendQuote(append(b, `"name": `...), string(text.LossyKey(nil, e.Name)))
	b = newLine(append(b, ','), indent+2)
	d.last = addedEntry{depth: depth, directory: e.Kind == workspace.Directory, failure: failure}
	if d.last.directory {
		b = newLine(append(b, `"type": "directory",`...), indent+2)
		b = append(b, `"children": [`...)
	} else {
		b = append(b, `"type": "file"`...)
	}
	d.json.Grow(len(b)) // at least doubles the builder when it is full, in contrast to Write
	d.json.Write(b)
	d.scratch = b
	d.last.end = d.json.Len()
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
			return tool.Result{}, 0, dialect.TooSmall(b)
		}
		return tool.Result{Parts: tool.Text("[]")}, 0, nil
	}
	if end := closing(d.last); !limited || d.json.Len()+len(end) <= limit {
		d.json.WriteString(end)
		return tool.Result{Parts: tool.Text(d.json.String()), Exact: true}, d.count, nil
	}
	for shown := d.count - 1; shown > 0; shown-- {
		a := d.added[shown-1]
		notice := fmt.Sprintf("[gander: output limit of %d bytes reached; %d entries shown; exclude some with excludePatterns, or ask for a subdirectory]", limit, shown)
		if a.end+len("\n")+len(notice) > limit {
			continue
		}
		if end := closing(a); a.end+len(end)+len("\n")+len(notice) <= limit { // readers of text get both on lines of their own
			parts := append(tool.Text(d.json.String()[:a.end]+end), tool.Text(notice)...)
			return tool.Result{Parts: parts, Exact: true, Truncated: true}, shown, nil
		}
	}
	return tool.Result{}, 0, dialect.TooSmall(b)
}

// patterns are patterns of which one must match. They are compiled when they are first tried, as in the original, where one that
// is wrong does no harm before.
type patterns struct {
	list []*lazyPattern
	err  error // of the first that was tried and is wrong
}

type lazyPattern struct {
	text     string
	compiled *minimatch.Pattern
}

// newPatterns returns patterns that are matched as they are.
func newPatterns(list ...string) *patterns {
	p := new(patterns)
	for _, s := range list {
		p.list = append(p.list, &lazyPattern{text: s})
	}
	return p
}

// newTreePatterns returns the patterns of directory_tree: one without a star is also tried at any depth, and with what is below.
func newTreePatterns(list []string) *patterns {
	var all []string
	for _, s := range list {
		if all = append(all, s); !strings.Contains(s, "*") {
			all = append(all, "**/"+s, "**/"+s+"/**")
		}
	}
	return newPatterns(all...)
}

// match reports whether one of the patterns matches. After an error it reports false.
func (p *patterns) match(path string) bool {
	for _, l := range p.list {
		if p.err != nil {
			return false
		}
		if l.compiled == nil {
			if l.compiled, p.err = minimatch.Compile(l.text); p.err != nil {
				return false
			}
		}
		if l.compiled.Match(path) {
			return true
		}
	}
	return false
}

// treeListing describes directory_tree.
func (t *Tool) treeListing(path string) (dialect.Listing, error) {
	l, err := t.plainListing(path)
	l.Depth, l.DepthRule = math.MaxInt, ""
	l.Contains = func(ctx context.Context, rel string, b tool.Budget) (bool, error) {
		_, contains, err := t.tree(ctx, path, newPatterns(), b, rel)
		return contains, err
	}
	return l, err
}
