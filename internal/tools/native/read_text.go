package native

import (
	"errors"
	"fmt"
	"io"
	"math"

	"gander/internal/files/lines"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

const (
	// maxLineChars is the maximum number of characters shown of a line.
	maxLineChars = 2000
	// keptBytes is the maximum number of bytes that a cursor returns of a line.
	keptBytes = 4*maxLineChars + 4
	// countedBytes is the maximum size of a file whose lines are counted, unless they are known.
	countedBytes = 4 << 20
	// decodedBytes is the maximum size of a file in UTF-16.
	decodedBytes = 32 << 20
)

// A textFile reads lines of a text file.
type textFile struct {
	call     *call
	request  readRequest
	location workspace.Location
	column   int    // at the end of the path, or 0
	shown    string // the path in the result
	name     string // the beginning of the heading
	note     string // the end of the heading
	size     int64
	index    *lines.Index // of its lines
	cursor   *lines.Cursor

	total int // lines of the file, or 0 if unknown
}

// writeText writes the section with lines of a text file.
func (c *call) writeText(
	r readRequest, found resolved, file *workspace.File, encoded encoding,
) (section, error) {
	shown := c.show(found.location)
	x := &textFile{
		call: c, request: r, location: found.location, shown: shown, name: shown, size: file.Size(),
	}
	if s := found.span; r.offset == 0 && r.block == 0 {
		x.request.offset, x.column = s.line, s.column
		if s.last > 0 && r.limit == 0 {
			x.request.limit = s.last - s.line + 1
		}
	}
	var src io.ReaderAt = file
	cached := file.CacheEntry("lines")
	switch encoded {
	case utf16Text:
		return x.decode(file)
	case utf8BOM:
		const mark = 3
		x.size -= mark
		x.name += " (UTF-8 with a byte order mark)"
		src = io.NewSectionReader(file, mark, math.MaxInt64-mark)
		cached = file.CacheEntry("lines after a byte order mark")
	}
	return shared.ReadIndexed(cached, func(index *lines.Index) (section, error) {
		again := *x
		return again.read(src, index)
	})
}

// decode writes the section with lines of a file in UTF-16.
func (x *textFile) decode(file *workspace.File) (section, error) {
	if x.size > decodedBytes {
		message := "%s is UTF-16 text of %s bytes; only UTF-16 files of up to %s bytes are read"
		message = fmt.Sprintf(message, x.shown, number(x.size), number(decodedBytes))
		return section{}, &tool.Error{Kind: tool.Failed, Message: message}
	}
	decoded, err := lines.NewUTF16(x.call.ctx, file, x.size)
	if err != nil {
		return section{}, fileError(x.shown, err)
	}
	x.size = decoded.Size()
	x.name += " (UTF-16)"
	return x.read(decoded, lines.NewIndex())
}

// read writes the section with the requested lines.
func (x *textFile) read(src io.ReaderAt, index *lines.Index) (section, error) {
	x.index = index
	x.cursor = lines.New(src, lines.Options{
		Keep: keptBytes, Index: index, Pool: &x.call.buffers,
	})
	defer x.cursor.Close()
	s, err := x.write()
	if _, ok := errors.AsType[*tool.Error](err); err != nil && !ok {
		return section{}, fileError(x.shown, err)
	}
	return s, err
}

// write writes the section with the requested lines. It returns the cursor's errors unconverted.
func (x *textFile) write() (section, error) {
	if err := x.count(x.size <= countedBytes); err != nil {
		return section{}, err
	}
	if x.total == 0 && x.size <= countedBytes {
		return x.call.budget.heading(x.name + ": an empty file")
	}
	first, wanted := 0, x.request.offset
	var err error
	if x.request.block > 0 {
		wanted, err = x.request.block, x.findBlock()
	}
	if err == nil {
		first, err = x.seek()
	}
	if err == io.EOF {
		return x.writeNoLine(wanted)
	}
	if err != nil {
		return section{}, err
	}
	if x.column > 0 {
		if s, ok, err := x.writeColumn(); ok || err != nil {
			return s, err
		}
	}
	return x.writeLines(first)
}

// count sets the number of lines of the file, by counting if it is unknown and wanted.
func (x *textFile) count(wanted bool) (err error) {
	if x.total = x.index.Lines(); x.total == 0 && wanted {
		x.total, err = x.cursor.Count(x.call.ctx)
	}
	return err
}

// seek moves to the first requested line and returns its number. The error is io.EOF if the file
// has fewer lines.
func (x *textFile) seek() (first int, err error) {
	first = x.request.offset
	switch {
	case first == 0:
		first = 1
	case first < 0 && x.total > 0:
		first = max(x.total+first+1, 1)
	case first < 0:
		n := -max(first, -math.MaxInt)
		if err := x.cursor.SeekEnd(x.call.ctx, x.size, n); err != nil {
			return 0, err
		}
		before := x.cursor.Position()
		line, err := x.cursor.Next(x.call.ctx)
		x.cursor.Move(before)
		return line.Number, err
	}
	return first, x.cursor.Seek(x.call.ctx, first)
}

// writeNoLine writes the section about a line beyond the last.
func (x *textFile) writeNoLine(line int) (section, error) {
	if err := x.count(true); err != nil {
		return section{}, err
	}
	return x.call.budget.heading(fmt.Sprintf("%s: %s, none at %s",
		x.name, count(x.total, "line"), number(line)))
}
