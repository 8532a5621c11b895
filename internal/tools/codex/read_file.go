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

// ReadFileSettings configure [ReadFile].
type ReadFileSettings struct {
	Limit    int // default of limit
	MaxLimit int // the largest limit that a call may give; 0 sets no maximum

	// Defaults of the members of indentation of these names. 0 levels means all.
	MaxLevels                      int
	IncludeSiblings, IncludeHeader bool
}

// DefaultReadFileSettings returns the published defaults, with no maximum.
func DefaultReadFileSettings() ReadFileSettings { return ReadFileSettings{Limit: 2000, MaxLevels: 4} }

// ReadFile is codex/read_file.
type ReadFile struct {
	workspace *workspace.Workspace
	settings  ReadFileSettings
	buffers   sync.Pool // of cursors
}

// NewReadFile returns the tool over a workspace.
func NewReadFile(w *workspace.Workspace, s ReadFileSettings) *ReadFile {
	return &ReadFile{workspace: w, settings: s}
}

// Spec implements [tool.Tool].
func (t *ReadFile) Spec() tool.Spec { return t.Definition().Spec }

// Definition returns the definition of section 2, with descriptions of our own.
func (t *ReadFile) Definition() shared.Definition {
	return shared.Definition{
		Spec: tool.Spec{
			ID:          "codex/read_file",
			Name:        "read_file",
			Title:       "Read file",
			Description: "Reads lines of a local file, each with its number: a range, or the block around a line by its indentation.",
			Input:       json.RawMessage(readFileSchema),
			Risk:        tool.Low,
		},
		Hint:         "numbered lines of a file, by absolute path (for more, raise offset)",
		PathArgument: "file_path",
	}
}

const readFileSchema = `{"type":"object","properties":{` +
	`"file_path":{"type":"string","description":"Absolute path of the file."},` +
	`"offset":{"type":"integer","minimum":1,"default":1,"description":"1-indexed line to start from."},` +
	`"limit":{"type":"integer","minimum":1,"default":2000,"description":"Most lines to return."},` +
	`"mode":{"type":"string","enum":["slice","indentation"],"default":"slice","description":"A range of lines, or the block around a line."},` +
	`"indentation":{"type":"object","description":"For mode indentation.","properties":{` +
	`"anchor_line":{"type":"integer","minimum":1,"description":"Line to expand from (default: offset)."},` +
	`"max_levels":{"type":"integer","minimum":0,"default":4,"description":"Levels of parents to include; 0 is all."},` +
	`"include_siblings":{"type":"boolean","default":false,"description":"Include blocks beside the one of the line."},` +
	`"include_header":{"type":"boolean","default":false,"description":"Include comments above the block."},` +
	`"max_lines":{"type":"integer","minimum":1,"description":"Most lines to return (default: limit)."}},` +
	`"additionalProperties":false}},` +
	`"required":["file_path"],"additionalProperties":false}`

// A readFileRequest is the arguments of a call, complete and valid.
type readFileRequest struct {
	path          string
	offset, limit int
	block         *blockRequest // nil in slice mode
}

// parseRequest decodes and checks the arguments in the published order (section 3.1, then that of
// the mode).
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

// blockRequest decodes the indentation object, which must match the schema in either mode.
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
	place, err := t.workspace.Find(r.path)
	if err != nil {
		return tool.Result{}, newError(readingFile, err)
	}
	file, err := place.File()
	if err != nil {
		return tool.Result{}, newError(readingFile, err)
	}
	defer file.Close()
	return r.readIndexed(ctx, file, lines.Options{Keep: keptBytes, Pool: &t.buffers}, c.Budget)
}

// readIndexed reads the file with the cached index of its lines. If the file turns out to have
// changed since the index was made, it reads again without an index.
func (r readFileRequest) readIndexed(ctx context.Context, file *workspace.File, o lines.Options, b tool.Budget) (tool.Result, error) {
	cached := file.CacheEntry("lines")
	index, known := cached.Value().(*lines.Index)
	if !known {
		index = new(lines.Index)
	}
	o.Index = index
	result, err := r.read(ctx, file, o, b)
	switch {
	case known && !cached.Valid():
		o.Index = nil
		return r.read(ctx, file, o, b)
	case !known && !index.Empty():
		cached.Store(index, lines.MaxIndexBytes)
	}
	return result, err
}

func (r readFileRequest) read(ctx context.Context, file io.ReaderAt, o lines.Options, b tool.Budget) (tool.Result, error) {
	page, err := shared.NewPage(b)
	if err != nil {
		return tool.Result{}, err
	}
	if r.block != nil {
		return r.block.run(ctx, file, o, page, b)
	}
	c := lines.New(file, o)
	defer c.Close()
	return r.slice(ctx, c, page, b)
}

// keptBytes is how many bytes of a line are read. Lossy text is never shorter than the bytes it was
// made from, and the additional bytes keep a character that ends at maxBytes whole.
const keptBytes = maxBytes + 12

// slice answers in slice mode (section 3.2).
func (r readFileRequest) slice(ctx context.Context, c *lines.Cursor, page *shared.Page, b tool.Budget) (tool.Result, error) {
	if err := c.Seek(ctx, r.offset); err == io.EOF {
		return tool.Result{}, shared.BadArguments("offset exceeds file length")
	} else if err != nil {
		return tool.Result{}, newError(readingFile, err)
	}
	var shown []byte
	for range r.limit {
		line, err := c.Next(ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			return tool.Result{}, newError(readingFile, err)
		}
		if shown = appendLine(shown[:0], line.Number, line.Text); !page.Add(shown) {
			break
		}
	}
	return page.Finish(func(shown int) string { return fmt.Sprintf("continue with offset=%d", r.offset+shown) })
}

// appendLine appends a line as the answer shows it, with its number.
func appendLine(dst []byte, number int, line []byte) []byte {
	dst = append(strconv.AppendInt(append(dst, 'L'), int64(number), 10), ": "...)
	start := len(dst)
	dst = text.AppendLossy(dst, line)
	return dst[:start+len(text.Cut(dst[start:], maxBytes))]
}
