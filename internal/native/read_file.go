package native

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"gander/internal/documents"
	"gander/internal/files/lines"
	"gander/internal/files/workspace"
	"gander/internal/jsonobject"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

const (
	maxImageBytes = 32 << 20           // of all images in a result, whatever limit the caller sets
	maxLineChars  = 2000               // shown of a line
	keptBytes     = 4*maxLineChars + 4 // of a line that a cursor returns
	countedBytes  = 4 << 20            // of a file whose lines are counted, unless they are known
	decodedBytes  = 32 << 20           // of a file in UTF-16
	byteOrderMark = 3                  // the size of the byte order mark of UTF-8
)

type readRequest struct {
	lineRange
	last       int  // the last line, if the arguments name it, or 0
	column     int  // at the end of the path, or 0
	block      int  // the line whose block is requested, or 0
	pathBlocks bool // blocks around the lines at the ends of the paths are requested
	numbers    bool
}

func parseRead(_ context.Context, _ *files, a *callArguments) (request, error) {
	pathGiven := a.getPath()
	given := getLines(a)
	var r readRequest
	r.block, r.pathBlocks = getBlock(a)
	r.numbers = a.get("numbers line_numbers").Bool(true)
	if err := a.err(); err != nil {
		return nil, err
	}
	if !pathGiven {
		return nil, toolerror.BadArguments("path is required: the file to read")
	}
	var err error
	r.lineRange, err = given.requested()
	r.last = given.last
	return r, err
}

// withSpan returns the request for a file whose path ends with a span. Its lines are those of the
// path, unless the arguments say where they begin.
func (r readRequest) withSpan(s span) (readRequest, error) {
	switch {
	case r.pathBlocks && s.line != 0 && s.last == 0:
		r.block = s.line
		return r, nil
	case r.offset != 0 || r.block != 0:
		return r, nil
	case r.last != 0 && r.last < s.line:
		return r, toolerror.BadArguments(
			"end_line must be at least %d, the line at the end of the path, not %d", s.line, r.last)
	case r.last != 0:
		r.offset = max(s.line, 1)
		r.limit = r.last - r.offset + 1
		return r, nil
	}
	r.offset, r.column = s.line, s.column
	if s.last > 0 && r.limit == 0 {
		r.limit = s.last - s.line + 1
	}
	return r, nil
}

// getBlock returns the argument block: true for blocks around the lines of the paths, or the line
// of a block.
func getBlock(a *callArguments) (line int, ofPaths bool) {
	block := a.get("block")
	if block.Value().Type() == jsonobject.TypeNumber {
		return block.Int(0, math.MinInt, math.MaxInt), false
	}
	return 0, block.Bool(false)
}

// findReadable finds the file to read, or the directory to list.
func (c *call) findReadable(given string) (target, error) {
	found, err := c.find(given)
	if err != nil {
		return found, err
	}
	shown := c.show(found.location)
	switch kind := found.info.Kind; {
	case found.linkErr != nil:
		message := shown + " is a link that cannot be followed: " + toolerror.PathText(found.linkErr)
		return found, toolerror.New(found.linkErr, message)
	case kind != workspace.Directory && kind != workspace.Regular:
		return found, notRegular(shown)
	default:
		return found, nil
	}
}

func (r readRequest) section(c *call, path string) (section, error) {
	found, err := c.findReadable(path)
	if err != nil {
		return section{}, err
	}
	shown := c.show(found.location)
	if found.info.Kind == workspace.Directory {
		return c.listingSection(listRequest{
			depth: 1, offset: max(r.offset, 1), limit: cmp.Or(r.limit, math.MaxInt),
		}, found.location)
	}
	r, err = r.withSpan(found.span)
	if err != nil {
		return section{}, err
	}
	file, is, err := open(found.location)
	if err != nil {
		return section{}, c.pathError(shown, err)
	}
	defer file.Close()
	document, err := c.openDocument(found, file)
	switch {
	case err != nil:
		return section{}, err
	case document != nil:
		return c.documentSection(r, found, file, document)
	case is.binary:
		return c.binarySection(file, shown, is)
	default:
		return c.textSection(r, found, file, is.encoding)
	}
}

func notRegular(shown string) error {
	message := shown + " is " + specialFile + ", which cannot be read"
	return toolerror.New(workspace.ErrNotRegular, message)
}

type textFile struct {
	call     *call
	request  readRequest
	location workspace.Location
	isRange  bool   // both the first line and the number of lines are requested
	shown    string // the path in the result
	name     string // the beginning of the heading
	note     string // the end of the heading
	size     int64
	counted  bool         // its lines are counted, even if the result does not need their number
	total    int          // lines of the file, or 0 if unknown
	index    *lines.Index // of its lines
	cursor   *lines.Cursor

	// Both are nil if the file is not a document.
	text    *documents.Text
	outline *documents.Outline
}

func (c *call) newTextFile(r readRequest, found target, file *workspace.File) *textFile {
	shown := c.show(found.location)
	return &textFile{
		call: c, request: r, location: found.location, shown: shown, name: shown, size: file.Size(),
		isRange: r.block != 0 || r.offset != 0 && r.limit > 0,
	}
}

func (c *call) textSection(
	r readRequest, found target, file *workspace.File, encoded encoding,
) (section, error) {
	x := c.newTextFile(r, found, file)
	src, cached := encoded.text(file), file.CacheEntry("lines")
	switch encoded {
	case utf16Text:
		decoded, err := x.decode(file)
		if err != nil {
			return section{}, err
		}
		x.size = decoded.Size()
		x.name += " (UTF-16)"
		x.counted = x.size <= countedBytes
		return x.read(decoded, lines.NewIndex())
	case utf8BOM:
		x.size -= byteOrderMark
		x.name += " (UTF-8 with a byte order mark)"
		cached = file.CacheEntry("lines after a byte order mark")
	}
	x.counted = x.size <= countedBytes
	return lines.ReadIndexed(cached, func(index *lines.Index) (section, error) {
		again := *x
		return again.read(src, index)
	})
}

// decode returns the text of a file in UTF-16.
func (x *textFile) decode(file *workspace.File) (*lines.UTF16, error) {
	if x.size > decodedBytes {
		message := "%s is UTF-16 text of %s bytes; only UTF-16 files of up to %s bytes are read"
		message = fmt.Sprintf(message, x.shown, number(x.size), number(decodedBytes))
		return nil, &tool.Error{Kind: tool.Failed, Message: message}
	}
	decoded, err := lines.NewUTF16(x.call.ctx, file, x.size)
	if err != nil {
		return nil, fileError(x.shown, err)
	}
	return decoded, nil
}

func (x *textFile) read(src io.ReaderAt, index *lines.Index) (section, error) {
	x.open(src, index)
	defer x.cursor.Close()
	s, err := x.section()
	if _, ok := errors.AsType[*tool.Error](err); err != nil && !ok {
		return section{}, fileError(x.shown, err)
	}
	return s, err
}

// open makes the cursor over the text, which the caller must close.
func (x *textFile) open(src io.ReaderAt, index *lines.Index) {
	x.index = index
	options := lines.Options{Keep: keptBytes, Index: index, Pool: &x.call.buffers}
	if x.outline != nil {
		options.Near = x.outline.Near
	}
	x.cursor = lines.New(src, options)
}

// section returns the section with the requested lines. It returns the cursor's errors unconverted.
func (x *textFile) section() (section, error) {
	if err := x.count(x.counted); err != nil {
		return section{}, err
	}
	if x.total == 0 && x.counted {
		return x.call.budget.heading(x.name + ": an empty file" + x.textNote(1, 1))
	}
	first, err := x.start()
	if err == io.EOF {
		if err := x.count(true); err != nil {
			return section{}, err
		}
		return x.call.budget.heading(fmt.Sprintf("%s: %s, none at %s",
			x.name, count(x.total, "line"), number(x.wanted())))
	}
	if err != nil {
		return section{}, err
	}
	if x.request.column > 0 {
		s, ok, err := x.columnSection()
		if ok || err != nil {
			return s, err
		}
	}
	return x.linesSection(first)
}

// wanted returns the number of the requested line.
func (x *textFile) wanted() int { return cmp.Or(x.request.block, x.request.offset) }

// start moves to the first line to show and returns its number. The error is io.EOF if the file has
// no such line.
func (x *textFile) start() (first int, err error) {
	if x.request.offset < 0 && x.text != nil { // the size of the text is not known
		if err := x.count(true); err != nil {
			return 0, err
		}
	}
	if x.request.block != 0 {
		if err := x.findBlock(); err != nil {
			return 0, err
		}
	}
	return x.seek()
}

// count sets the number of lines, by counting if it is unknown and wanted.
func (x *textFile) count(wanted bool) (err error) {
	x.total = x.index.Lines()
	if x.total == 0 && wanted {
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
