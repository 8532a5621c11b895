package codex

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"sync"

	"gander/internal/files/lines"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// ReadFileSettings holds the options of [ReadFile].
type ReadFileSettings struct {
	Limit    int // default of the argument
	MaxLimit int // maximum of limit; 0 means no maximum

	// Defaults of the members of indentation with these names. 0 levels means all.
	MaxLevels                      int
	IncludeSiblings, IncludeHeader bool
}

// DefaultReadFileSettings returns the published defaults.
func DefaultReadFileSettings() ReadFileSettings {
	return ReadFileSettings{Limit: 2000, MaxLevels: 4}
}

// ReadFile is codex/read_file.
type ReadFile struct {
	shared.Defined
	workspace *workspace.Workspace
	settings  ReadFileSettings
	buffers   sync.Pool // of cursors
}

// NewReadFile returns the tool over a workspace.
func NewReadFile(w *workspace.Workspace, s ReadFileSettings) *ReadFile {
	return &ReadFile{Defined: definition(1), workspace: w, settings: s}
}

// A readFileRequest holds the valid arguments of a call.
type readFileRequest struct {
	path          string
	offset, limit int
	block         *blockRequest // nil in slice mode
}

// parseRequest decodes and validates the arguments in the published order.
func (t *ReadFile) parseRequest(raw json.RawMessage) (readFileRequest, error) {
	a := shared.DecodeArguments(raw, messages())
	a.Only("file_path", "offset", "limit", "mode", "indentation")
	r := readFileRequest{
		path:   a.Required("file_path").String(""),
		offset: a.Optional("offset").Unsigned(1),
		limit:  a.Optional("limit").Unsigned(t.settings.Limit),
	}
	mode := a.Optional("mode").Choice("slice", "indentation")
	block := t.blockRequest(a, r)
	switch {
	case a.Err() != nil:
		return r, a.Err()
	case r.offset == 0:
		return r, shared.BadArguments("offset must be a 1-indexed line number")
	case r.limit == 0:
		return r, shared.BadArguments("limit must be greater than zero")
	case t.settings.MaxLimit > 0 && r.limit > t.settings.MaxLimit:
		return r, shared.BadArguments("limit must not be greater than %d", t.settings.MaxLimit)
	case !filepath.IsAbs(r.path):
		return r, shared.BadArguments("file_path must be an absolute path")
	case mode == "slice":
		return r, nil
	case block.anchor == 0:
		return r, shared.BadArguments("anchor_line must be a 1-indexed line number")
	case block.limit == 0:
		return r, shared.BadArguments("max_lines must be greater than zero")
	}
	block.limit = min(block.limit, r.limit)
	r.block = block
	return r, nil
}

// blockRequest decodes the indentation object, which must match the schema in both modes.
func (t *ReadFile) blockRequest(a *shared.Arguments, r readFileRequest) *blockRequest {
	o := a.Nullable("indentation").Object()
	o.Only("anchor_line", "max_levels", "include_siblings", "include_header", "max_lines")
	return &blockRequest{
		anchor:   o.Nullable("anchor_line").Unsigned(r.offset),
		limit:    o.Nullable("max_lines").Unsigned(r.limit),
		levels:   o.Optional("max_levels").Unsigned(t.settings.MaxLevels),
		siblings: o.Optional("include_siblings").Bool(t.settings.IncludeSiblings),
		header:   o.Optional("include_header").Bool(t.settings.IncludeHeader),
	}
}

const readingFile = "failed to read file"

// Call reads a file.
func (t *ReadFile) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := t.parseRequest(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	location, err := t.workspace.Find(r.path)
	if err != nil {
		return tool.Result{}, newError(readingFile, err)
	}
	file, err := location.File()
	if err != nil {
		return tool.Result{}, newError(readingFile, err)
	}
	defer file.Close()
	read := func(index *lines.Index) (tool.Result, error) {
		return r.run(ctx, file, lines.Options{Keep: keptBytes, Pool: &t.buffers, Index: index}, c.Budget)
	}
	return shared.ReadIndexed(file.CacheEntry("lines"), read)
}

// keptBytes is the number of bytes to read of a line. Lossy text is never shorter than its bytes,
// and the additional bytes complete a character that ends at maxBytes.
const keptBytes = maxBytes + 12

// run runs the request.
func (r readFileRequest) run(
	ctx context.Context, file io.ReaderAt, o lines.Options, b tool.Budget,
) (tool.Result, error) {
	page, err := shared.NewPage(b)
	if err != nil {
		return tool.Result{}, err
	}
	if r.block != nil {
		return r.block.run(ctx, file, o, page)
	}
	c := lines.New(file, o)
	defer c.Close()
	if err = c.Seek(ctx, r.offset); err == io.EOF {
		return tool.Result{}, shared.BadArguments("offset exceeds file length")
	}
	if err == nil {
		err = write(ctx, page, c, r.limit)
	}
	if err != nil {
		return tool.Result{}, newError(readingFile, err)
	}
	return page.Finish(func(shown int) string {
		return fmt.Sprintf("continue with offset=%d", r.offset+shown)
	})
}

// write adds at most limit lines to a page, each with its number.
func write(ctx context.Context, page *shared.Page, c *lines.Cursor, limit int) error {
	var shown []byte
	for range limit {
		line, err := c.Next(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		shown = strconv.AppendInt(append(shown[:0], 'L'), int64(line.Number), 10)
		shown = append(shown, ": "...)
		if !page.Add(shown, text.Cut(text.LossyKey(nil, line.Text), maxBytes)) {
			return nil
		}
	}
	return nil
}
