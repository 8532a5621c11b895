package read

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"

	"gander/internal/blocks"
	"gander/internal/documents"
	"gander/internal/files/lines"
	"gander/internal/files/workspace"
	"gander/internal/native/call"
	"gander/internal/native/filekind"
	"gander/internal/native/lookup"
	"gander/internal/native/section"
	"gander/internal/native/wording"
	"gander/internal/tools/toolerror"
)

const (
	maxLineChars = 2000     // shown of a line
	countedBytes = 4 << 20  // up to which lines are counted if their number is unknown
	DecodedBytes = 32 << 20 // the maximum size of a file that is decoded
)

// A requestedFile is a file that read_file shows: lines of a text or of a document, or an image.
type requestedFile struct {
	call     *call.Call
	budget   section.Budget
	selected selection
	location workspace.Location
	file     *workspace.File
	kind     filekind.Kind
	shown    string // the path in the result
	title    string // the beginning of the heading: the path, and the encoding
	size     int64  // of the file or, once that is known, of its content, in bytes

	// Of a document, whose content is its text:
	text    *documents.Text
	outline *documents.Outline

	// Once the content is open:
	cursor *lines.Cursor
	blocks blocks.Language
	total  int // the number of lines if they are counted, otherwise 0
}

// openRequested opens the file at a location, which the caller must close.
func openRequested(
	c *call.Call, b section.Budget, selected selection, at workspace.Location,
) (*requestedFile, error) {
	shown := c.Paths.Show(at)
	file, kind, err := filekind.Open(at)
	if err != nil {
		return nil, lookup.FileError(shown, err)
	}
	if selected.encoding != nil && kind.Encoding.Mark == 0 {
		kind = filekind.Kind{Name: "text", IsText: true, Encoding: *selected.encoding}
	}
	return &requestedFile{
		call: c, budget: b, selected: selected, location: at, file: file, kind: kind,
		shown: shown, title: shown, size: file.Size(),
	}, nil
}

// textSection returns the section with the selected lines of a file that is no document.
func (x *requestedFile) textSection(ctx context.Context) (section.Section, error) {
	content, err := x.content(ctx)
	if err != nil {
		return section.Section{}, err
	}
	e := x.kind.Encoding
	switch {
	case e.Guessed:
		x.title += " (decoded as " + e.Name + ")"
	case e.Name != "":
		x.title += " (" + e.Name + ")"
	}
	if !e.IsUTF8() {
		return x.read(ctx, content, lines.NewIndex())
	}
	cached := "lines"
	if e.Mark > 0 {
		cached = "lines after a byte order mark"
	}
	read := func(index *lines.Index) (section.Section, error) { return x.read(ctx, content, index) }
	return workspace.Cached(x.file.CacheEntry(cached), lines.NewIndex, read)
}

// content returns the text of a file that is no document, in UTF-8 without a byte order mark.
func (x *requestedFile) content(ctx context.Context) (io.ReaderAt, error) {
	e := x.kind.Encoding
	if e.IsUTF8() {
		x.size -= e.Mark
		return io.NewSectionReader(x.file, e.Mark, math.MaxInt64-e.Mark), nil
	}
	if x.size > DecodedBytes {
		return nil, toolerror.Failed(
			"%s is %s text of %s bytes; only such files of up to %s bytes are read",
			x.shown, e.Name, wording.Grouped(x.size), wording.Grouped(DecodedBytes))
	}
	decoded, err := lines.NewDecoded(ctx, x.file, x.size, e)
	if err != nil {
		return nil, lookup.FileError(x.shown, err)
	}
	x.size = decoded.Size()
	return decoded, nil
}

// read returns the section with the selected lines of the content.
func (x *requestedFile) read(
	ctx context.Context, content io.ReaderAt, index *lines.Index,
) (section.Section, error) {
	options := lines.Options{Keep: keptBytes, Index: index, Pool: &x.call.Buffers}
	x.blocks = blocks.ForFile(x.location.Path())
	if x.outline != nil {
		options.Near, x.blocks = x.outline.Near, blocks.Markdown()
	}
	x.cursor, x.total = lines.New(content, options), index.Lines()
	defer x.cursor.Close()
	s, err := x.selectedSection(ctx)
	return s, lookup.FileError(x.shown, err)
}

func (x *requestedFile) selectedSection(ctx context.Context) (section.Section, error) {
	isShort := x.size <= countedBytes
	if x.outline != nil {
		isShort = x.outline.Whole() || x.size <= countedDocument
	}
	if isShort { // its lines are counted even if the result does not need their number
		if err := x.countLines(ctx); err != nil {
			return section.Section{}, err
		}
	}
	p, err := x.seekSelected(ctx)
	if err == io.EOF {
		return x.noLinesSection(ctx)
	}
	if err != nil {
		return section.Section{}, err
	}
	if x.selected.column == 0 {
		return x.linesSection(ctx, p)
	}
	line, isLong, err := x.nextLongLine(ctx)
	switch {
	case err != nil:
		return section.Section{}, err
	case isLong:
		return x.columnSection(ctx, line)
	default:
		return x.linesSection(ctx, p)
	}
}

// noLinesSection returns the section that says that the file does not have the selected lines.
func (x *requestedFile) noLinesSection(ctx context.Context) (section.Section, error) {
	if err := x.countLines(ctx); err != nil {
		return section.Section{}, err
	}
	if x.total == 0 {
		return section.Section{Heading: x.title + ": an empty file" + x.textNote(1, 1)}, nil
	}
	asked := cmp.Or(x.selected.block, x.selected.first)
	heading := fmt.Sprintf("%s: %s, none at %s",
		x.title, wording.Counted(x.total, "line"), wording.Grouped(asked))
	return section.Section{Heading: heading}, nil
}

// countLines counts the lines of the file, unless they are known.
func (x *requestedFile) countLines(ctx context.Context) (err error) {
	if x.total == 0 {
		x.total, err = x.cursor.Count(ctx)
	}
	return err
}

// A passage is the lines of a file that are selected.
type passage struct {
	lineRange
	// wanted is the last line that the caller asked for, by itself or by a first line and a limit. It
	// is 0 if the page ends where it is full.
	wanted  int
	block   int          // the line around which the lines are the block, or 0
	noBlock string       // why they are no block although one is requested, or ""
	whole   blocks.Block // the function of which they are a part, or none
	noun    string       // for that: a function or a section
}

// note returns the end of the heading.
func (p passage) note() string {
	switch {
	case p.noBlock != "":
		return ", because " + p.noBlock
	case p.whole.IsFunction:
		return fmt.Sprintf(", a part of the %s around line %s, which has lines %s-%s", p.noun,
			wording.Grouped(p.block), wording.Grouped(p.whole.First), wording.Grouped(p.whole.Last))
	case p.block != 0:
		return ", the block around line " + wording.Grouped(p.block)
	default:
		return ""
	}
}

// seekSelected returns the selected lines, and moves to the first of them. The error is io.EOF if
// the file has no such line.
func (x *requestedFile) seekSelected(ctx context.Context) (p passage, err error) {
	switch {
	case x.selected.block != 0:
		p, err = x.blockAround(ctx, x.selected.block)
	case x.selected.mark.Kind != 0:
		p.lineRange, err = x.markedLines(ctx)
	default:
		p.lineRange = x.selected.lineRange
	}
	if err != nil {
		return p, err
	}
	p.first, err = x.seek(ctx, p.first)
	p.wanted = x.wantedLine(p.lineRange)
	return p, err
}

// wantedLine returns [passage.wanted] of a range whose first line is known. A limit without a first
// line is only that of a page.
func (x *requestedFile) wantedLine(l lineRange) int {
	isMark := x.selected.mark.Kind != 0
	isFromLine := x.selected.first != 0 && !isMark
	switch {
	case l.last != 0:
		return l.last
	case isFromLine && l.limit != 0:
		return l.first - 1 + min(l.limit, math.MaxInt/2) // no file has more lines
	default:
		return 0
	}
}

// seek moves to a line, where 0 is the first, and returns its number, which is negative if it is
// counted from the end. The error is io.EOF if the file has no such line.
func (x *requestedFile) seek(ctx context.Context, line int) (number int, err error) {
	isDocument := x.text != nil // the size of whose text is not known
	switch {
	case line >= 0:
		number = max(line, 1)
	case isDocument || x.total > 0:
		number, err = x.fromStart(ctx, line)
	default:
		return x.seekEnd(ctx, -max(line, -math.MaxInt))
	}
	if err != nil {
		return 0, err
	}
	return number, x.cursor.Seek(ctx, number)
}

// fromStart returns the number of a line that is counted from the end, or 1 if the file is shorter.
func (x *requestedFile) fromStart(ctx context.Context, line int) (number int, err error) {
	err = x.countLines(ctx)
	return max(x.total+line+1, 1), err
}

// seekEnd moves to the last n lines and returns the number of the first of them.
func (x *requestedFile) seekEnd(ctx context.Context, n int) (first int, err error) {
	if err := x.cursor.SeekEnd(ctx, x.size, n); err != nil {
		return 0, err
	}
	before := x.cursor.Position()
	line, err := x.cursor.Next(ctx)
	x.cursor.Move(before)
	return line.Number, err
}
