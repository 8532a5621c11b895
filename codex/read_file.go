package codex

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"sync"

	"gander/internal/files/lines"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/arguments"
	"gander/internal/tools/definition"
	"gander/internal/tools/page"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

// readFile is codex/read_file.
type readFile struct {
	definition.Defined
	workspace *workspace.Workspace
	options   ReadFileOptions
	buffers   sync.Pool // holds *[lines.Cursor]
}

func newReadFile(w *workspace.Workspace, o Options) *readFile {
	return &readFile{Defined: definitionOf("read_file"), workspace: w, options: o.ReadFile}
}

// A readFileRequest holds the valid arguments of a call.
type readFileRequest struct {
	path          string
	offset, limit int
	block         *blockRequest // nil in slice mode
}

// parseRequest decodes and validates the arguments in the published order.
func (t *readFile) parseRequest(raw json.RawMessage) (readFileRequest, error) {
	a := t.Arguments(raw)
	a.Only("file_path", "offset", "limit", "mode", "indentation")
	r := readFileRequest{
		path:   a.Required("file_path").String(""),
		offset: a.Optional("offset").Unsigned(1),
		limit:  a.Optional("limit").Unsigned(t.options.Limit),
	}
	mode := a.Optional("mode").Choice("slice", "indentation")
	block := t.blockRequest(a, r)
	switch {
	case a.Err() != nil:
		return r, a.Err()
	case r.offset == 0:
		return r, toolerror.BadArguments("offset must be a 1-indexed line number")
	case r.limit == 0:
		return r, toolerror.BadArguments("limit must be greater than zero")
	case r.limit > t.options.MaxLimit:
		return r, toolerror.BadArguments("limit must not be greater than %d", t.options.MaxLimit)
	case !filepath.IsAbs(r.path):
		return r, toolerror.BadArguments("file_path must be an absolute path")
	case mode == "slice":
		return r, nil
	case block.anchor == 0:
		return r, toolerror.BadArguments("anchor_line must be a 1-indexed line number")
	case block.limit == 0:
		return r, toolerror.BadArguments("max_lines must be greater than zero")
	}
	block.limit = min(block.limit, r.limit)
	r.block = block
	return r, nil
}

// blockRequest decodes the indentation object, which must match the schema in both modes.
func (t *readFile) blockRequest(a *arguments.Arguments, r readFileRequest) *blockRequest {
	o := a.Nullable("indentation").Object()
	o.Only("anchor_line", "max_levels", "include_siblings", "include_header", "max_lines")
	return &blockRequest{
		anchor:   o.Nullable("anchor_line").Unsigned(r.offset),
		limit:    o.Nullable("max_lines").Unsigned(r.limit),
		levels:   o.Optional("max_levels").Unsigned(*t.options.MaxLevels),
		siblings: o.Optional("include_siblings").Bool(t.options.IncludeSiblings),
		header:   o.Optional("include_header").Bool(t.options.IncludeHeader),
	}
}

// Call reads a file.
func (t *readFile) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := t.parseRequest(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	result, err := t.run(ctx, r, c.Budget)
	return result, newError("failed to read file", err)
}

// keptBytes is the number of bytes to read of a line. Lossy text is never shorter than its bytes,
// and the additional bytes complete a character that ends at maxBytes.
const keptBytes = maxBytes + 12

func (t *readFile) run(ctx context.Context, r readFileRequest, b tool.Budget) (tool.Result, error) {
	location, err := t.workspace.Find(ctx, r.path)
	if err != nil {
		return tool.Result{}, err
	}
	file, err := location.File()
	if err != nil {
		return tool.Result{}, err
	}
	defer file.Close()
	read := func(index *lines.Index) (tool.Result, error) {
		c := lines.New(file, lines.Options{Keep: keptBytes, Pool: &t.buffers, Index: index})
		defer c.Close()
		return r.write(ctx, c, b)
	}
	return workspace.Cached(file.CacheEntry("lines"), lines.NewIndex, read)
}

func (r readFileRequest) write(
	ctx context.Context, c *lines.Cursor, b tool.Budget,
) (tool.Result, error) {
	first, last, err := r.seek(ctx, c)
	if err != nil {
		return tool.Result{}, err
	}
	out := page.New(b)
	var number []byte
	for n := first; n <= last; n++ {
		line, err := c.Next(ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			return tool.Result{}, err
		}
		number = strconv.AppendInt(append(number[:0], 'L'), int64(n), 10)
		if !out.Add(number, []byte(": "), text.Cut(text.LossyKey(nil, line.Text), maxBytes)) {
			break
		}
	}
	return out.Finish(func(shown int) string {
		advice := fmt.Sprintf("continue with offset=%d", first+shown)
		if r.block != nil {
			advice += " in slice mode"
		}
		return advice
	})
}

// seek moves the cursor to the first line of the result, and returns the numbers of the first and
// the last. A slice ends earlier if the file does. In a block of blank lines, the last precedes the
// first.
func (r readFileRequest) seek(ctx context.Context, c *lines.Cursor) (first, last int, err error) {
	beyond := "offset exceeds file length"
	first, last = r.offset, r.offset+min(r.limit-1, math.MaxInt-r.offset)
	if r.block != nil {
		beyond = "anchor_line exceeds file length"
		first, last, err = r.block.find(ctx, c)
	}
	if err == nil && first <= last {
		err = c.Seek(ctx, first)
	}
	if err == io.EOF {
		err = toolerror.BadArguments("%s", beyond)
	}
	return first, last, err
}
