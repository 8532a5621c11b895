package native

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"gander/internal/admission"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// maxImageBytes is the maximum size of the images of a result, whatever limit the caller sets.
const maxImageBytes = 32 << 20

// A readRequest has the checked arguments of a call of read_file.
type readRequest struct {
	offset, limit int // 0 if they are not given
	block         int // 0 if no block is requested
	numbers       bool
}

// parseRead is the parser of read_file.
func parseRead(_ context.Context, _ *files, a *arguments) (writer, error) {
	pathGiven := a.getPath()
	offset := a.get("offset start_line start_line_one_indexed line_start")
	limit := a.get("limit max_lines line_count head")
	r := readRequest{
		offset:  offset.Int(0, math.MinInt, math.MaxInt),
		limit:   limit.Int(0, 1, math.MaxInt),
		block:   a.get("block").Int(0, 1, math.MaxInt),
		numbers: a.get("numbers line_numbers").Bool(true),
	}
	end := a.alias("end_line end_line_one_indexed_inclusive line_end")
	tail := a.alias("tail")
	last, fromEnd := end.Int(0, 1, math.MaxInt), tail.Int(0, 1, math.MaxInt)
	switch {
	case a.err() != nil:
		return nil, a.err()
	case !pathGiven:
		return nil, shared.BadArguments("path is required: the file to read")
	case tail.Given() && (offset.Given() || limit.Given() || end.Given()),
		end.Given() && limit.Given():
		return nil, shared.BadArguments("the arguments give more than one range of lines; " +
			"give offset and limit")
	case end.Given() && last < max(r.offset, 1):
		return nil, shared.BadArguments("end_line must be at least %d, the first line, not %d",
			max(r.offset, 1), last)
	case end.Given():
		r.offset = max(r.offset, 1)
		r.limit = last - r.offset + 1
	case tail.Given():
		r.offset = -fromEnd
	}
	return r.write, nil
}

// write is the [writer] of read_file.
func (r readRequest) write(c *call, path string) (section, error) {
	found, err := c.find(path)
	if err != nil {
		return section{}, err
	}
	shown := c.show(found.location)
	switch {
	case found.linkErr != nil:
		message := shown + " is a link that cannot be followed: " + shared.PathErrorText(found.linkErr)
		return section{}, shared.NewError(found.linkErr, message)
	case found.info.Kind == workspace.Directory:
		return c.writeListing(listRequest{
			depth: 1, offset: max(r.offset, 1), limit: cmp.Or(r.limit, math.MaxInt),
		}, found.location)
	case found.info.Kind != workspace.Regular:
		return section{}, notRegular(shown)
	}
	file, is, err := open(found.location)
	if err != nil {
		return section{}, c.pathError(shown, err)
	}
	defer file.Close()
	if is.binary {
		return c.writeBinary(file, shown, is)
	}
	return c.writeText(r, found, file, is.encoding)
}

// notRegular returns the error about a special file.
func notRegular(shown string) error {
	message := shown + " is " + specialFile + ", which cannot be read"
	return shared.NewError(workspace.ErrNotRegular, message)
}

// writeBinary writes the section about a file that is not text: the image if it is one, and
// otherwise a description.
func (c *call) writeBinary(file *workspace.File, shown string, is content) (section, error) {
	size := file.Size()
	text := fmt.Sprintf("%s: %s, %s bytes", shown, is.name, number(size))
	switch {
	case is.image == "" && is.name == binaryFile:
		return c.budget.heading(text + "; its content is not shown")
	case is.image == "":
		return c.budget.heading(text + "; binary, so its content is not shown")
	case size > c.budget.data:
		text += "; images of more than " + number(c.budget.data) + " bytes are not shown"
		return c.budget.heading(text)
	}
	s, err := c.budget.heading(text)
	if err == nil {
		err = admission.Reserve(c.ctx, size)
	}
	if err != nil {
		return section{}, err
	}
	data := make([]byte, size)
	if n, err := file.ReadAt(data, 0); n < len(data) {
		if err == io.EOF {
			err = errors.New("the file has become shorter while it was read; read it again")
		}
		return section{}, fileError(shown, err)
	}
	s.data = []tool.Part{{Data: data, MIMEType: is.image}}
	return s, nil
}
