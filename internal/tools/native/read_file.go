package native

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"sync"

	"gander/internal/admission"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// readFile is gander/read_file.
type readFile struct {
	*files
	buffers sync.Pool // of cursors
}

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
		return r, shared.BadArguments("path is required: the file to read")
	case end.Given() && limit.Given(), (head.Given() || tail.Given()) && (offset.Given() || limit.Given() || end.Given()), head.Given() && tail.Given():
		return r, shared.BadArguments("the arguments give more than one range of lines; give offset and limit")
	case end.Given() && last < max(r.offset, 1):
		return r, shared.BadArguments("end_line must be at least %d, the first line, not %d", max(r.offset, 1), last)
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
	found, b, err := t.begin(r.path, c.Budget)
	if err != nil {
		return tool.Result{}, err
	}
	shown := t.show(found.place)
	switch {
	case found.linkErr != nil:
		return tool.Result{}, shared.NewError(found.linkErr, shown+" is a link that cannot be followed: "+shared.PathErrorText(found.linkErr))
	case found.info.Kind == workspace.Directory:
		_, result, err := t.list(ctx, listRequest{depth: 1, offset: max(r.offset, 1), limit: cmp.Or(r.limit, math.MaxInt)}, found.place, b)
		return result, err
	case found.info.Kind != workspace.Regular:
		return tool.Result{}, shared.NewError(workspace.ErrNotRegular, shown+" is a FIFO, socket or device, which cannot be read")
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
	is := contentOf(head)
	if is.binary {
		return t.binary(ctx, file, shown, is, b)
	}
	x := &textFile{readRequest: r, tool: t, ctx: ctx, budget: b, shown: shown, name: shown, size: file.Size()}
	if r.offset == 0 && r.block == 0 {
		x.offset, x.column = found.line, found.column
	}
	return x.readFile(file, is.encoding)
}

// binary answers about a file that is not text: with the image if it is one, and otherwise with what it is.
func (t *readFile) binary(ctx context.Context, file *workspace.File, shown string, is content, b budget) (tool.Result, error) {
	size := file.Size()
	text := fmt.Sprintf("%s: %s, %s bytes; ", shown, is.name, number(size))
	most, limited := b.given.DataLimit()
	switch {
	case is.image == "" && is.name == binaryFile:
		return b.answer(text + "its content is not shown")
	case is.image == "":
		return b.answer(text + "binary, so its content is not shown")
	case limited && size > int64(most):
		return b.answer(text + fmt.Sprintf("images of more than %s bytes are not shown", number(most)))
	}
	result, err := b.answer(strings.TrimSuffix(text, "; "))
	if err == nil {
		err = admission.ReserveResult(ctx, size)
	}
	if err != nil {
		return tool.Result{}, err
	}
	data := make([]byte, size)
	if n, err := file.ReadAt(data, 0); n < len(data) {
		return tool.Result{}, shared.NewError(err, shown+": "+shared.ErrorText(err))
	}
	result.Parts = append(result.Parts, tool.Part{Type: tool.ImagePart, Data: data, MIMEType: is.image})
	return result, nil
}
