package native

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
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

// maxImageBytes is the maximum size of an image, whatever limit the caller sets.
const maxImageBytes = 32 << 20

// A readRequest is the arguments of a call of read_file, complete and valid.
type readRequest struct {
	path          string
	offset, limit int // 0 if they are not given
	block         int // 0 if no block is asked for
	numbers       bool
}

// parseReadRequest decodes and checks the arguments.
func parseReadRequest(raw json.RawMessage) (readRequest, error) {
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
	end := a.alias("end_line end_line_one_indexed_inclusive line_end")
	head, tail := a.alias("head"), a.alias("tail")
	last := end.Int(0, 1, math.MaxInt)
	first, fromEnd := head.Int(0, 1, math.MaxInt), tail.Int(0, 1, math.MaxInt)
	ranges := 0
	for _, given := range []bool{
		head.Given(), tail.Given(), offset.Given() || limit.Given() || end.Given(),
	} {
		if given {
			ranges++
		}
	}
	switch {
	case a.err() != nil:
		return r, a.err()
	case !path.Given():
		return r, shared.BadArguments("path is required: the file to read")
	case ranges > 1, end.Given() && limit.Given():
		return r, shared.BadArguments("the arguments give more than one range of lines; " +
			"give offset and limit")
	case end.Given() && last < max(r.offset, 1):
		first := max(r.offset, 1)
		return r, shared.BadArguments("end_line must be at least %d, the first line, not %d", first, last)
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

// Call reads a file, or several.
func (t *readFile) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := parseReadRequest(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	return t.run(ctx, c.Budget, r.path, func(c *call, path string) (section, error) {
		return t.write(c, r, path)
	})
}

// write writes the section about one path.
func (t *readFile) write(c *call, r readRequest, path string) (section, error) {
	found, err := c.find(path)
	if err != nil {
		return section{}, err
	}
	shown := c.show(found.place)
	switch {
	case found.linkErr != nil:
		message := shown + " is a link that cannot be followed: " + shared.PathErrorText(found.linkErr)
		return section{}, shared.NewError(found.linkErr, message)
	case found.info.Kind == workspace.Directory:
		limit := cmp.Or(r.limit, math.MaxInt)
		return c.writeListing(listRequest{depth: 1, offset: max(r.offset, 1), limit: limit}, found.place)
	case found.info.Kind != workspace.Regular:
		return section{}, notRegular(shown)
	}
	file, err := found.place.File()
	if err != nil {
		return section{}, c.pathError(shown, err)
	}
	defer file.Close()
	head, err := readHead(file)
	if err != nil {
		return section{}, c.pathError(shown, err)
	}
	is := contentOf(head)
	if is.binary {
		return c.writeBinary(file, shown, is)
	}
	x := &textFile{
		call: c, request: r, place: found.place, buffers: &t.buffers, shown: shown, name: shown,
		size: file.Size(),
	}
	if s := found.span; r.offset == 0 && r.block == 0 {
		x.request.offset, x.column = s.line, s.column
		if s.last > 0 && r.limit == 0 {
			x.request.limit = s.last - s.line + 1
		}
	}
	return x.writeFile(file, is.encoding)
}

// notRegular returns the error about a special file.
func notRegular(shown string) error {
	return shared.NewError(workspace.ErrNotRegular, shown+" is "+specialFile+", which cannot be read")
}

// writeBinary writes the section about a file that is not text: the image if it is one, and
// otherwise a description.
func (c *call) writeBinary(file *workspace.File, shown string, is content) (section, error) {
	size := file.Size()
	text := fmt.Sprintf("%s: %s, %s bytes", shown, is.name, number(size))
	most := int64(maxImageBytes)
	if limit := c.budget.given.MaxDataBytes; limit != nil {
		most = min(most, int64(*limit))
	}
	switch {
	case is.image == "" && is.name == binaryFile:
		return c.budget.heading(text + "; its content is not shown")
	case is.image == "":
		return c.budget.heading(text + "; binary, so its content is not shown")
	case size > most:
		return c.budget.heading(text + "; images of more than " + number(most) + " bytes are not shown")
	}
	s, err := c.budget.heading(text)
	if err == nil {
		err = admission.ReserveResult(c.ctx, size)
	}
	if err != nil {
		return section{}, err
	}
	data := make([]byte, size)
	if n, err := file.ReadAt(data, 0); n < len(data) {
		if err == io.EOF {
			err = errors.New("the file has become shorter while it was read; read it again")
		}
		return section{}, shared.NewError(err, shown+": "+shared.ErrorText(err))
	}
	s.data = []tool.Part{{Data: data, MIMEType: is.image}}
	return s, nil
}
