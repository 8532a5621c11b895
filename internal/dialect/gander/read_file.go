package gander

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"sync"

	"gander/internal/dialect"
	"gander/internal/engine/workspace"
	"gander/tool"
)

// readFile is gander/read_file.
type readFile struct {
	*files
	buffers sync.Pool // of cursors
}

// Spec describes the tool.
func (t *readFile) Spec() tool.Spec {
	return tool.Spec{
		ID:    "gander/read_file",
		Name:  "read_file",
		Title: "Read a file or view an image (cat, open)",
		Description: "Reads lines of a text file, each as number, tab, text, or shows an image. " +
			"The first line says what is shown of how much and how to go on.",
		Hint:         "lines of a file, the block around a line, or an image (path may end in :LINE)",
		DialectHint:  dialectHint,
		Input:        json.RawMessage(readFileSchema),
		PathArgument: "path",
		Resource:     tool.FileResource,
		Command:      readCommand(),
		Risk:         tool.Low,
	}
}

const readFileSchema = `{"type":"object","properties":{` +
	`"path":{"type":"string","description":"Relative to the root, or absolute."},` +
	`"offset":{"type":"integer","description":"First line (default 1); negative counts from the end."},` +
	`"limit":{"type":"integer","description":"Most lines (default: what fits)."},` +
	`"block":{"type":"integer","description":"A line number: show the function or block around it (at most 200 lines)."},` +
	`"numbers":{"type":"boolean","description":"Number the lines (default true)."}},` +
	`"required":["path"],"additionalProperties":false}`

// A readRequest is the arguments of a call of read_file, complete and valid.
type readRequest struct {
	path          string
	offset, limit int // 0 if they are not given
	block         int // 0 if no block is asked for
	numbers       bool
}

func readRequestOf(raw json.RawMessage) (readRequest, error) {
	a := decodeArguments(raw)
	path := a.get(pathNames)
	offset := a.get("offset start_line start_line_one_indexed line_start")
	limit := a.get("limit max_lines line_count")
	r := readRequest{
		path:    path.String(""),
		offset:  offset.Int(0, math.MinInt, math.MaxInt),
		limit:   limit.Int(0, 1, math.MaxInt),
		block:   a.get("block").Int(0, 1, math.MaxInt),
		numbers: a.get("numbers line_numbers").Bool(true),
	}
	end, head, tail := a.alias("end_line end_line_one_indexed_inclusive line_end"), a.alias("head"), a.alias("tail")
	last, first, fromEnd := end.Int(0, 1, math.MaxInt), head.Int(0, 1, math.MaxInt), tail.Int(0, 1, math.MaxInt)
	switch {
	case a.err() != nil:
		return r, a.err()
	case !path.Given():
		return r, dialect.BadArguments("path is required: the file to read")
	case end.Given() && limit.Given(), (head.Given() || tail.Given()) && (offset.Given() || limit.Given() || end.Given()), head.Given() && tail.Given():
		return r, dialect.BadArguments("the arguments give more than one range of lines; give offset and limit")
	case end.Given() && last < max(r.offset, 1):
		return r, dialect.BadArguments("end_line must be at least %d, the first line, not %d", max(r.offset, 1), last)
	case end.Given():
		r.offset = max(r.offset, 1)
		r.limit = last - r.offset + 1
	case head.Given():
		r.limit = first
	case tail.Given():
		r.offset = -fromEnd
	}
	return r, nil
}

// Call reads a file.
func (t *readFile) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := readRequestOf(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	found, err := t.find(r.path)
	if err != nil {
		return tool.Result{}, err
	}
	b, err := t.budget(c.Budget)
	if err != nil {
		return tool.Result{}, err
	}
	shown := t.show(found.place)
	switch {
	case found.linkErr != nil:
		return tool.Result{}, dialect.NewError(found.linkErr, shown+" is a link that cannot be followed: "+dialect.PathErrorText(found.linkErr))
	case found.info.Kind == workspace.Directory:
		return t.listInstead(ctx, r, found, b)
	case found.info.Kind != workspace.Regular:
		return tool.Result{}, dialect.NewError(workspace.ErrNotRegular, shown+" is a FIFO, socket or device, which cannot be read")
	}
	file, err := found.place.File()
	if err != nil {
		return tool.Result{}, t.pathError(shown, err)
	}
	defer file.Close()
	file.Count(ctx)
	head, err := readHead(file)
	if err != nil {
		return tool.Result{}, t.pathError(shown, err)
	}
	if is := contentOf(head); is.binary {
		return t.binary(ctx, file, shown, is, b)
	}
	text := textRequest{readRequest: r, shown: shown}
	if r.offset == 0 && r.block == 0 {
		text.offset, text.column = found.line, found.column
	}
	return t.readText(ctx, file, head, text, b)
}

// listInstead answers about a directory.
func (t *readFile) listInstead(ctx context.Context, r readRequest, found target, b budget) (tool.Result, error) {
	list := listRequest{path: r.path, depth: 1, offset: max(r.offset, 1), limit: r.limit}
	if r.limit == 0 {
		list.limit = math.MaxInt
	}
	l, err := (&listDir{t.files}).list(ctx, list, found.place, b)
	if err != nil {
		return tool.Result{}, err
	}
	return l.answer()
}

// binary answers about a file that is not text: with the image if it is one, and otherwise with what it is.
func (t *readFile) binary(ctx context.Context, file *workspace.File, shown string, is content, b budget) (tool.Result, error) {
	size := file.Size()
	text := fmt.Sprintf("%s: %s, %s bytes", shown, is.name, number(size))
	most, limited := b.given.DataLimit()
	switch {
	case is.image == "":
		text += "; it is binary, so its content is not shown"
	case limited && size > int64(most):
		text += fmt.Sprintf("; images of more than %s bytes are not shown", number(most))
	default:
		if err := tool.HoldData(ctx, int(size)); err != nil {
			return tool.Result{}, err
		}
		data := make([]byte, size)
		n, err := file.ReadAt(data, 0)
		if n < len(data) {
			return tool.Result{}, dialect.NewError(err, shown+": "+dialect.ErrorText(err))
		}
		if !b.fits(sizeOf(text)) {
			return tool.Result{}, b.tooSmall()
		}
		return tool.Result{Parts: append(tool.Text(text), tool.Part{Type: tool.ImagePart, Data: data, MIMEType: is.image}), Exact: true}, nil
	}
	if !b.fits(sizeOf(text)) {
		return tool.Result{}, b.tooSmall()
	}
	return tool.Result{Parts: tool.Text(text), Exact: true}, nil
}
