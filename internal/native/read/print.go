package read

import (
	"bufio"
	"io"
	"math"
	"strconv"

	"gander/internal/documents"
	"gander/internal/files/lines"
	"gander/internal/files/workspace"
	"gander/internal/native/lookup"
	"gander/internal/native/printing"
	"gander/internal/native/section"
	"gander/internal/native/wording"
	"gander/internal/tools/toolerror"
)

// copiedBytes is the size of the buffer for what is printed.
const copiedBytes = 256 << 10

func (r request) Print(p *printing.Printer, given string) error {
	if p.IsInput(given) {
		return r.printInput(p)
	}
	found, err := findReadable(p.Paths, given)
	if err != nil {
		return err
	}
	if found.Info.Kind == workspace.Directory {
		message := p.Paths.Show(found.Location) + ": is a directory; 'gander list' lists it"
		return toolerror.New(workspace.ErrIsDirectory, message)
	}
	selected, err := r.selection(found.End)
	if err != nil {
		return err
	}
	x, err := openRequested(p.Call, section.Unlimited, selected, found.Location)
	if err != nil {
		return err
	}
	defer x.file.Close()
	var document *documents.Document
	if p.Out.Text || found.End.Mark.Kind != 0 {
		document, err = x.openDocument()
		if err != nil {
			return err
		}
	}
	if document != nil {
		err = printDocument(p, x, document)
	} else {
		err = printFile(p, x)
	}
	return lookup.FileError(x.shown, err)
}

func (r request) printInput(p *printing.Printer) error {
	if r.first < 0 || r.block != 0 {
		return toolerror.BadArguments("standard input is read from its start; " +
			"'tail' prints the last lines, and --block needs a file")
	}
	selected, err := r.selection(lookup.PathEnd{})
	if err != nil {
		return err
	}
	p.Out.MarkFound()
	first := max(selected.first, 1)
	input, err := skipLines(p.Out.Input, first-1)
	if err == io.EOF {
		addNoLineNote(p, "standard input", first)
		return nil
	}
	if err != nil {
		return err
	}
	return printLines(p, input, first, selected.pageLimit(), selected.numbers)
}

func addNoLineNote(p *printing.Printer, shown string, line int) {
	p.Notes = append(p.Notes, shown+" has no line "+wording.Grouped(line))
}

// printFile prints the whole file as it is, or the requested lines: their bytes, or their text in
// UTF-8 if the file is UTF-16. No line has the byte order mark.
func printFile(p *printing.Printer, x *requestedFile) error {
	p.Out.MarkFound()
	if x.selected == (selection{}) {
		return copyText(p, io.NewSectionReader(x.file, 0, math.MaxInt64))
	}
	content, err := x.content()
	if err != nil {
		return err
	}
	return printPart(p, x, content)
}

// printDocument prints the requested lines of the text of a document, or those from a mark to the
// next.
func printDocument(p *printing.Printer, x *requestedFile, d *documents.Document) error {
	x.outline = new(documents.Outline)
	x.text = d.Text(p.Ctx, documents.Limits{}, x.outline)
	defer x.text.Close()
	return printPart(p, x, x.text)
}

// printPart prints the requested lines of the content of a file.
func printPart(p *printing.Printer, x *requestedFile, content io.ReaderAt) error {
	x.open(content, lines.NewIndex())
	defer x.cursor.Close()
	if x.selected.numbers && x.selected.first < 0 {
		// With their total, lines that are counted from the end have numbers from the start.
		if err := x.countLines(); err != nil {
			return err
		}
	}
	selected, err := x.seekSelected()
	switch err {
	case nil:
		p.Out.MarkFound()
	case io.EOF:
		p.Out.MarkFound()
		if line := x.selected.line(); line != 0 { // otherwise an empty document
			addNoLineNote(p, x.shown, line)
		}
		return nil
	default:
		return err
	}
	switch {
	case selected.noBlock != "":
		p.Notes = append(p.Notes, x.shown+": "+selected.noBlock)
	case selected.whole.IsFunction:
		p.Notes = append(p.Notes, x.shown+": "+selected.partText())
	}
	offset := x.cursor.Position().Offset()
	var rest io.Reader = io.NewSectionReader(content, offset, math.MaxInt64-offset)
	if x.text != nil {
		rest = x.text.Reader(offset) // which does not wait for a whole buffer of text
	}
	return printLines(p, rest, selected.first, selected.pageLimit(), x.selected.numbers)
}

// skipLines returns what follows the first n lines of a text. The error is io.EOF if nothing
// follows them, unless n is 0.
func skipLines(text io.Reader, n int) (io.Reader, error) {
	if n == 0 {
		return text, nil
	}
	r := bufio.NewReaderSize(text, copiedBytes)
	for n > 0 {
		_, err := r.ReadSlice('\n') // a line, or a part of a long one
		switch err {
		case nil:
			n--
		case bufio.ErrBufferFull: // the line goes on
		default:
			return nil, err
		}
	}
	_, err := r.Peek(1)
	return r, err
}

// copyText prints the bytes of a text.
func copyText(p *printing.Printer, text io.Reader) error {
	_, err := io.CopyBuffer(p.Out, text, make([]byte, copiedBytes))
	return err
}

// printLines prints at most limit lines of a text, or all of them if that is math.MaxInt. The first
// of them has the number first.
func printLines(p *printing.Printer, text io.Reader, first, limit int, numbers bool) error {
	if limit == math.MaxInt && !numbers {
		return copyText(p, text)
	}
	r := bufio.NewReaderSize(text, copiedBytes)
	isStart := true // the next byte begins a line
	for printed := 0; printed < limit && p.Out.Err() == nil; {
		part, err := r.ReadSlice('\n') // a line, or a part of a long one
		if isStart && numbers && len(part) > 0 {
			_, _ = p.Out.Write(append(strconv.AppendInt(nil, int64(first+printed), 10), '\t'))
		}
		_, _ = p.Out.Write(part)
		isStart = err == nil
		switch err {
		case nil:
			printed++
		case bufio.ErrBufferFull: // the line goes on
		case io.EOF:
			return nil
		default:
			return err
		}
	}
	return nil
}
