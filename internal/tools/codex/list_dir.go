package codex

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"

	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// ListDirSettings configure [ListDir].
type ListDirSettings struct {
	Limit, Depth       int  // defaults of the arguments
	MaxLimit, MaxDepth int  // maximums of the arguments; 0 means no maximum
	VerbatimNames      bool // print names without escaping control characters
}

// DefaultListDirSettings returns the published defaults.
func DefaultListDirSettings() ListDirSettings { return ListDirSettings{Limit: 25, Depth: 2} }

// ListDir is codex/list_dir.
type ListDir struct {
	shared.Defined
	workspace *workspace.Workspace
	settings  ListDirSettings
}

// NewListDir returns the tool over a workspace.
func NewListDir(w *workspace.Workspace, s ListDirSettings) *ListDir {
	return &ListDir{definition(0), w, s}
}

// A listDirRequest holds the valid arguments of a call.
type listDirRequest struct {
	path                 string
	offset, limit, depth int
}

// parseRequest decodes and validates the arguments in the published order (section 3.1).
func (t *ListDir) parseRequest(raw json.RawMessage) (listDirRequest, error) {
	a := shared.DecodeArguments(raw, messages())
	a.Only("dir_path", "offset", "limit", "depth")
	r := listDirRequest{
		path:   a.Required("dir_path").String(""),
		offset: a.Optional("offset").Unsigned(1),
		limit:  a.Optional("limit").Unsigned(t.settings.Limit),
		depth:  a.Optional("depth").Unsigned(t.settings.Depth),
	}
	switch {
	case a.Err() != nil:
		return r, a.Err()
	case r.offset == 0:
		return r, shared.BadArguments("offset must be a 1-indexed entry number")
	case r.limit == 0:
		return r, shared.BadArguments("limit must be greater than zero")
	case t.settings.MaxLimit > 0 && r.limit > t.settings.MaxLimit:
		return r, shared.BadArguments("limit must not be greater than %d", t.settings.MaxLimit)
	case r.depth == 0:
		return r, shared.BadArguments("depth must be greater than zero")
	case t.settings.MaxDepth > 0 && r.depth > t.settings.MaxDepth:
		return r, shared.BadArguments("depth must not be greater than %d", t.settings.MaxDepth)
	case !filepath.IsAbs(r.path):
		return r, shared.BadArguments("dir_path must be an absolute path")
	}
	return r, nil
}

const readingDirectory = "failed to read directory"

// Call lists a directory.
func (t *ListDir) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := t.parseRequest(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	l := listing{tool: t, request: r}
	return l.run(ctx, c.Budget)
}

// A listing is a page of entries.
type listing struct {
	tool       *ListDir
	request    listDirRequest
	page       *shared.Page
	count      int       // entries on the page
	more       bool      // entries follow the page
	unreadable []string  // lines about directories whose entries would begin on the page
	indent     []byte    // spaces for the deepest entry so far
	scratch    [128]byte // for names that need escaping
	mark       [1]byte   // suffix of a name
}

// run lists the directory.
func (l *listing) run(ctx context.Context, b tool.Budget) (tool.Result, error) {
	place, err := l.tool.workspace.Find(l.request.path)
	if err != nil {
		return tool.Result{}, newError(readingDirectory, err)
	}
	dir, err := place.Dir()
	if err != nil {
		return tool.Result{}, newError(readingDirectory, err)
	}
	defer dir.Close()
	if l.page, err = shared.NewPage(b); err != nil {
		return tool.Result{}, err
	}
	path := text.Lossy([]byte(l.request.path))
	if !l.tool.settings.VerbatimNames {
		path = text.Escape(path)
	}
	l.page.Line("Absolute path: " + path)
	if err := l.walk(ctx, dir, b); err != nil {
		return tool.Result{}, newError(readingDirectory, err)
	}
	if l.count == 0 && l.request.offset > 1 {
		if err := l.checkOffset(ctx, dir); err != nil {
			return tool.Result{}, err
		}
	}
	return l.finish()
}

// walk adds the entries of the page. It requests another entry to determine whether any follow.
func (l *listing) walk(ctx context.Context, dir *workspace.Dir, b tool.Budget) error {
	o := l.walkOptions()
	o.Skip = l.request.offset - 1
	o.MaxBytes, _ = b.Limit()
	if l.request.limit < math.MaxInt-l.request.offset {
		o.Limit = o.Skip + l.request.limit + 1
	}
	for e, err := range walk.Entries(ctx, dir, o) {
		switch {
		case e.Dir == nil:
			return err
		case l.count == l.request.limit: // an entry, or an unreadable directory
			if l.more = err == nil; l.more {
				return nil
			}
		case err != nil:
			l.unreadable = append(l.unreadable, l.unreadableLine(e, err))
		default:
			l.count++
			if !l.add(e.Name, e.Kind, e.Depth()) {
				return nil
			}
		}
	}
	return nil
}

func (l *listing) walkOptions() walk.Options {
	return walk.Options{
		Order:     walk.PathOrder,
		NameOrder: names.Order{Key: sortKey},
		Depth:     l.request.depth,
		MaxKey:    maxBytes,
		CacheKey:  "codex/list_dir",
	}
}

// checkOffset returns an error for an offset beyond the last entry, unless the listing is empty.
func (l *listing) checkOffset(ctx context.Context, dir *workspace.Dir) error {
	o := l.walkOptions()
	o.Limit = 1
	for e, err := range walk.Entries(ctx, dir, o) {
		if e.Dir == nil {
			return newError(readingDirectory, err)
		}
		return shared.BadArguments("offset exceeds directory entry count")
	}
	return nil
}

// sortKey returns the sort key of a name: the lossy name, with backslashes replaced by slashes.
func sortKey(scratch, name []byte) []byte {
	k := text.LossyKey(scratch, name)
	if bytes.IndexByte(k, '\\') < 0 {
		return k
	}
	return bytes.ReplaceAll(k, []byte{'\\'}, []byte{'/'})
}

// add adds the line of an entry (section 3.3).
func (l *listing) add(raw []byte, kind workspace.EntryKind, depth int) bool {
	for len(l.indent) < 2*(depth-1) {
		l.indent = append(l.indent, ' ', ' ')
	}
	name := l.display(l.scratch[:0], raw, maxBytes)
	mark := l.mark[:0]
	switch kind {
	case workspace.Directory:
		mark = append(mark, '/')
	case workspace.Symlink:
		mark = append(mark, '@')
	case workspace.Regular:
	default:
		mark = append(mark, '?')
	}
	return l.page.Add(l.indent[:2*(depth-1)], name, mark)
}

// display returns a name for output, cut to at most limit bytes before escaping. It returns raw
// itself if that needs no change, and otherwise uses scratch.
func (l *listing) display(scratch, raw []byte, limit int) []byte {
	if len(raw) <= limit && text.IsPrintableASCII(raw) {
		return raw
	}
	name := text.AppendLossy(scratch[:0], raw)
	name = name[:len(text.Cut(name, limit))]
	if l.tool.settings.VerbatimNames {
		return name
	}
	return text.EscapeBytes(name)
}

// unreadableLine returns the line about an unreadable directory. Its path is relative to the listed
// directory.
func (l *listing) unreadableLine(e walk.Entry, err error) string {
	path := l.display(nil, []byte(e.Path()), math.MaxInt)
	return fmt.Sprintf("Could not read %s/: %s", path, shared.ErrorText(err))
}

// finish adds the lines after the entries and returns the result.
func (l *listing) finish() (tool.Result, error) {
	for _, line := range l.unreadable {
		l.page.Line(line)
	}
	if l.more {
		l.page.Line(fmt.Sprintf("More than %d entries found", l.count))
	}
	result, err := l.page.Finish(func(shown int) string {
		if shown == l.count && !l.more {
			return "the names of unreadable directories are left out"
		}
		return fmt.Sprintf("continue with offset=%d", l.request.offset+shown)
	})
	if err != nil {
		return tool.Result{}, err
	}
	result.Truncated = result.Truncated || l.more
	return result, nil
}
