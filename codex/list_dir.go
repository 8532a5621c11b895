package codex

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"path/filepath"
	"strings"

	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/tools/definition"
	"gander/internal/tools/page"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

// listDir is codex/list_dir.
type listDir struct {
	definition.Defined
	workspace *workspace.Workspace
	options   ListDirOptions
	verbatim  bool // print names without escaping control characters
}

func newListDir(w *workspace.Workspace, o Options) *listDir {
	return &listDir{definitionOf("list_dir"), w, o.ListDir, o.VerbatimNames}
}

// A listDirRequest holds the valid arguments of a call.
type listDirRequest struct {
	path                 string
	offset, limit, depth int
}

// parseRequest decodes and validates the arguments in the published order.
func (t *listDir) parseRequest(raw json.RawMessage) (listDirRequest, error) {
	a := t.Arguments(raw)
	a.Only("dir_path", "offset", "limit", "depth")
	r := listDirRequest{
		path:   a.Required("dir_path").String(""),
		offset: a.Optional("offset").Unsigned(1),
		limit:  a.Optional("limit").Unsigned(t.options.Limit),
		depth:  a.Optional("depth").Unsigned(t.options.Depth),
	}
	switch {
	case a.Err() != nil:
		return r, a.Err()
	case r.offset == 0:
		return r, toolerror.BadArguments("offset must be a 1-indexed entry number")
	case r.limit == 0:
		return r, toolerror.BadArguments("limit must be greater than zero")
	case r.limit > t.options.MaxLimit:
		return r, toolerror.BadArguments("limit must not be greater than %d", t.options.MaxLimit)
	case r.depth == 0:
		return r, toolerror.BadArguments("depth must be greater than zero")
	case r.depth > t.options.MaxDepth:
		return r, toolerror.BadArguments("depth must not be greater than %d", t.options.MaxDepth)
	case !filepath.IsAbs(r.path):
		return r, toolerror.BadArguments("dir_path must be an absolute path")
	}
	return r, nil
}

// Call lists a directory.
func (t *listDir) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := t.parseRequest(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	result, err := t.run(ctx, r, c.Budget)
	return result, newError("failed to read directory", err)
}

// An entryPage is a page of entries.
type entryPage struct {
	*page.Page
	tool       *listDir
	request    listDirRequest
	count      int      // entries of the page, including one that does not fit the budget
	more       bool     // entries follow the page
	unreadable []string // lines about directories whose entries would begin on the page
	left       int      // bytes of such lines that may fit; negative after the first that does not
}

// run adds the entries of the page and writes the result.
func (t *listDir) run(ctx context.Context, r listDirRequest, b tool.Budget) (tool.Result, error) {
	location, err := t.workspace.Find(ctx, r.path)
	if err != nil {
		return tool.Result{}, err
	}
	dir, err := location.Dir()
	if err != nil {
		return tool.Result{}, err
	}
	defer dir.Close()
	p := entryPage{Page: page.New(b), tool: t, request: r, left: page.LimitOf(b)}
	p.Line("Absolute path: " + string(t.display([]byte(r.path))))
	o := walk.Options{
		Order:     walk.PathOrder,
		NameOrder: names.Order{Key: sortKey},
		Depth:     r.depth,
		MaxKey:    maxBytes,
		MaxBytes:  page.MaxBytes(b),
		Skip:      r.offset - 1,
	}
	if r.limit < math.MaxInt-r.offset {
		o.Limit = o.Skip + r.limit + 1 // one more tells whether any follow
	}
	if err := p.read(walk.Entries(ctx, dir, o)); err != nil {
		return tool.Result{}, err
	}
	if p.count == 0 && r.offset > 1 {
		o.Skip, o.Limit = 0, 1
		for e, err := range walk.Entries(ctx, dir, o) {
			if e.Dir == nil {
				return tool.Result{}, err
			}
			return tool.Result{}, toolerror.BadArguments("offset exceeds directory entry count")
		}
	}
	return p.finish()
}

// read adds the entries of the page.
func (p *entryPage) read(entries iter.Seq2[walk.Entry, error]) error {
	for e, err := range entries {
		switch {
		case e.Dir == nil:
			return err
		case err != nil:
			p.addUnreadable(e, err)
		case p.isFull():
			p.more = true
			return nil
		default:
			p.count++
			if !p.add(e) {
				return nil
			}
		}
	}
	return nil
}

func (p *entryPage) isFull() bool { return p.count == p.request.limit }

// addUnreadable adds the line about a directory whose entries would begin here, unless the page is
// full or the lines already do not fit.
func (p *entryPage) addUnreadable(dir walk.Entry, err error) {
	if p.isFull() || p.left < 0 {
		return
	}
	path := p.tool.display([]byte(text.Lossy(dir.Path())))
	line := fmt.Sprintf("Could not read %s/: %s", path, toolerror.Text(err))
	p.unreadable = append(p.unreadable, line)
	p.left -= len(line)
}

// sortKey returns the sort key of a name: the lossy name, with backslashes replaced by slashes.
func sortKey(scratch, name []byte) []byte {
	k := text.LossyKey(scratch, name)
	if bytes.IndexByte(k, '\\') < 0 {
		return k
	}
	return bytes.ReplaceAll(k, []byte{'\\'}, []byte{'/'})
}

func (p *entryPage) add(e walk.Entry) bool {
	mark := "?"
	switch e.Kind {
	case workspace.Directory:
		mark = "/"
	case workspace.Symlink:
		mark = "@"
	case workspace.Regular:
		mark = ""
	}
	name := p.tool.display(text.Cut(text.LossyKey(nil, e.Name), maxBytes))
	return p.Add([]byte(strings.Repeat("  ", e.Depth()-1)), name, []byte(mark))
}

func (t *listDir) display(name []byte) []byte {
	return text.Printable(name, t.verbatim)
}

func (p *entryPage) finish() (tool.Result, error) {
	for _, line := range p.unreadable {
		p.Line(line)
	}
	if p.more {
		p.Line(fmt.Sprintf("More than %d entries found", p.count))
	}
	result, err := p.Finish(func(shown int) string {
		if shown == p.count && !p.more {
			return "the names of unreadable directories are left out"
		}
		return fmt.Sprintf("continue with offset=%d", p.request.offset+shown)
	})
	if err != nil {
		return tool.Result{}, err
	}
	result.Truncated = result.Truncated || p.more
	result.Unreadable = len(p.unreadable) > 0
	return result, nil
}
