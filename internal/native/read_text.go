package native

import (
	"cmp"
	"fmt"
	"io"
	"math"

	"gander/internal/documents"
	"gander/internal/files/lines"
	"gander/internal/files/workspace"
	"gander/tool"
)

const (
	maxLineChars  = 2000               // shown of a line
	keptBytes     = 4*maxLineChars + 4 // the maximum size of a line that a cursor returns
	countedBytes  = 4 << 20            // up to which lines are counted if their number is unknown
	decodedBytes  = 32 << 20           // the maximum size of a file in UTF-16
	byteOrderMark = 3                  // the size of the byte order mark of UTF-8
)

// unknownTotal stands for the number of lines of a file in which they are not counted.
const unknownTotal = -1

// A textFile is a file or a document of which lines are requested.
type textFile struct {
	call     *call
	budget   budget
	selected selection // findBlock and limitToMark set its lines
	location workspace.Location
	shown    string // the path in the result
	name     string // the beginning of the heading
	note     string // the end of the heading

	size    int64
	counted bool // its lines are counted, even if the result does not need their number
	total   int  // lines of the file, or unknownTotal
	cursor  *lines.Cursor

	// Both are nil if the file is not a document.
	text    *documents.Text
	outline *documents.Outline
}

func (c *call) newTextFile(
	b budget, selected selection, found target, file *workspace.File,
) *textFile {
	shown := c.show(found.location)
	return &textFile{
		call: c, budget: b, selected: selected, location: found.location, shown: shown, name: shown,
		size: file.Size(),
	}
}

func (c *call) textSection(
	b budget, selected selection, found target, file *workspace.File, encoded encoding,
) (section, error) {
	if encoded == utf16Text {
		x := c.newTextFile(b, selected, found, file)
		x.name += " (UTF-16)"
		decoded, err := x.decode(file)
		if err != nil {
			return section{}, err
		}
		x.counted = x.size <= countedBytes
		return x.read(decoded, lines.NewIndex())
	}
	cached := "lines"
	if encoded == utf8BOM {
		cached = "lines after a byte order mark"
	}
	return lines.ReadIndexed(file.CacheEntry(cached), func(index *lines.Index) (section, error) {
		x := c.newTextFile(b, selected, found, file)
		if encoded == utf8BOM {
			x.size -= byteOrderMark
			x.name += " (UTF-8 with a byte order mark)"
		}
		x.counted = x.size <= countedBytes
		return x.read(encoded.text(file), index)
	})
}

// decode returns the text of a file in UTF-16, whose size becomes that of x.
func (x *textFile) decode(file *workspace.File) (*lines.UTF16, error) {
	if x.size > decodedBytes {
		message := "%s is UTF-16 text of %s bytes; only UTF-16 files of up to %s bytes are read"
		message = fmt.Sprintf(message, x.shown, grouped(x.size), grouped(decodedBytes))
		return nil, &tool.Error{Kind: tool.Failed, Message: message}
	}
	decoded, err := lines.NewUTF16(x.call.ctx, file, x.size)
	if err != nil {
		return nil, fileError(x.shown, err)
	}
	x.size = decoded.Size()
	return decoded, nil
}

// read returns the section with the requested lines of the text.
func (x *textFile) read(text io.ReaderAt, index *lines.Index) (section, error) {
	x.openText(text, index)
	defer x.cursor.Close()
	s, err := x.requestedSection()
	return s, fileError(x.shown, err)
}

// openText makes the cursor over the text, which the caller must close.
func (x *textFile) openText(text io.ReaderAt, index *lines.Index) {
	options := lines.Options{Keep: keptBytes, Index: index, Pool: &x.call.buffers}
	if x.outline != nil {
		options.Near = x.outline.Near
	}
	x.cursor = lines.New(text, options)
	x.total = cmp.Or(index.Lines(), unknownTotal) // 0 if they are not counted
}

// requestedSection returns the section with the requested lines.
func (x *textFile) requestedSection() (section, error) {
	if x.counted {
		if err := x.countLines(); err != nil {
			return section{}, err
		}
		if x.total == 0 {
			return x.noLinesSection()
		}
	}
	first, err := x.start()
	if err == io.EOF {
		return x.noLinesSection()
	}
	if err != nil {
		return section{}, err
	}
	if x.selected.column > 0 {
		line, isLong, err := x.nextLongLine()
		if err != nil {
			return section{}, err
		}
		if isLong {
			return x.columnSection(line)
		}
	}
	return x.linesSection(first)
}

// noLinesSection returns the section that says that the file does not have the requested lines.
func (x *textFile) noLinesSection() (section, error) {
	if err := x.countLines(); err != nil {
		return section{}, err
	}
	if x.total == 0 {
		return x.budget.oneLine(x.name + ": an empty file" + x.textNote(1, 1))
	}
	return x.budget.oneLine(fmt.Sprintf("%s: %s, none at %s",
		x.name, counted(x.total, "line"), grouped(x.wanted())))
}

// wanted returns the number of the requested line.
func (x *textFile) wanted() int { return cmp.Or(x.selected.block, x.selected.offset) }

// countLines counts the lines of the file, unless they are known.
func (x *textFile) countLines() (err error) {
	if x.total == unknownTotal {
		x.total, err = x.cursor.Count(x.call.ctx)
	}
	return err
}

// start moves to the first line to show and returns its number, which is negative if it is counted
// from the end. The error is io.EOF if the file has no such line.
func (x *textFile) start() (first int, err error) {
	isDocument := x.text != nil // whose size is not known
	if x.selected.offset < 0 && isDocument {
		if err := x.countLines(); err != nil {
			return 0, err
		}
	}
	if x.selected.block != 0 {
		if err := x.findBlock(); err != nil {
			return 0, err
		}
	}
	first = x.selected.offset
	switch {
	case first == 0:
		first = 1
	case first < 0 && x.total != unknownTotal:
		first = max(x.total+first+1, 1)
	case first < 0:
		return x.seekEnd(-max(first, -math.MaxInt))
	}
	return first, x.cursor.Seek(x.call.ctx, first)
}

// seekEnd moves to the last n lines and returns the number of the first of them.
func (x *textFile) seekEnd(n int) (first int, err error) {
	if err := x.cursor.SeekEnd(x.call.ctx, x.size, n); err != nil {
		return 0, err
	}
	before := x.cursor.Position()
	line, err := x.cursor.Next(x.call.ctx)
	x.cursor.Move(before)
	return line.Number, err
}
