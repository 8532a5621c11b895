package native

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"math"
	"strconv"

	"gander/internal/documents"
	"gander/internal/files/lines"
	"gander/internal/files/workspace"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

func (r readRequest) print(p *printer, given string) error {
	if p.isInput(given) {
		return r.printInput(p)
	}
	found, err := p.findReadable(given)
	if err != nil {
		return err
	}
	if found.info.Kind == workspace.Directory {
		message := p.show(found.location) + ": is a directory; 'gander list' lists it"
		return toolerror.New(workspace.ErrIsDirectory, message)
	}
	r, err = r.withSpan(found.span)
	if err != nil {
		return err
	}
	file, is, err := open(found.location)
	if err != nil {
		return p.pathError(given, err)
	}
	defer file.Close()
	x := p.newTextFile(r, found, file)
	var document *documents.Document
	if p.out.Text || found.span.mark.kind != 0 {
		document, err = p.openDocument(found, file)
		if err != nil {
			return err
		}
	}
	if document != nil {
		err = documentError(x.shown, p.printDocument(x, document, found.span.mark))
	} else {
		err = p.printFile(x, file, is.encoding)
	}
	if _, ok := errors.AsType[*tool.Error](err); err == nil || ok {
		return err
	}
	return fileError(x.shown, err)
}

func (r readRequest) printInput(p *printer) error {
	if r.offset < 0 || r.block != 0 {
		return toolerror.BadArguments("standard input is read from its start; " +
			"'tail' prints the last lines, and --block needs a file")
	}
	p.out.Found = true
	limit := cmp.Or(r.limit, math.MaxInt)
	return p.printLines(p.out.Input, 1, max(r.offset, 1), limit, r.numbers)
}

// printFile prints the requested lines: their bytes, or their text in UTF-8 if the file is UTF-16
// and not requested whole.
func (p *printer) printFile(x *textFile, file *workspace.File, encoded encoding) error {
	p.out.Found = true
	hasRange := x.request.lineRange != lineRange{} || x.request.block != 0
	if !hasRange && !x.request.numbers {
		return p.printLines(io.NewSectionReader(file, 0, math.MaxInt64), 1, 1, math.MaxInt, false)
	}
	var src io.ReaderAt = file
	if encoded == utf16Text {
		decoded, err := x.decode(file)
		if err != nil {
			return err
		}
		src, x.size = decoded, decoded.Size()
	}
	return p.printPart(x, src, func(start int64) io.Reader {
		return io.NewSectionReader(src, start, math.MaxInt64-start)
	})
}

// printDocument prints the requested lines of the text of a document, or those from a mark to the
// next.
func (p *printer) printDocument(x *textFile, d *documents.Document, mark markName) error {
	x.outline = new(documents.Outline)
	x.text = d.Text(p.ctx, documents.Limits{}, x.outline)
	defer x.text.Close()
	if err := x.limitToMark(mark); err != nil {
		return err
	}
	p.out.Found = true
	return p.printPart(x, x.text, x.text.Reader)
}

// printPart prints the requested lines of src, of which from returns what begins at an offset.
func (p *printer) printPart(x *textFile, src io.ReaderAt, from func(int64) io.Reader) error {
	r := x.request
	x.index = lines.NewIndex()
	x.cursor = lines.New(src, lines.Options{Keep: keptBytes, Index: x.index, Pool: &p.buffers})
	defer x.cursor.Close()
	first, err := x.start()
	if err == io.EOF && x.wanted() == 0 {
		return nil // an empty document
	}
	if err == io.EOF {
		p.notes = append(p.notes, x.shown+" has no line "+number(x.wanted()))
		return nil
	}
	if err != nil {
		return err
	}
	text := from(x.cursor.Position().Offset())
	return p.printLines(text, first, first, cmp.Or(x.request.limit, math.MaxInt), r.numbers)
}

// printLines prints the lines of a text from a number on, at most n. The text begins with the line
// with the number first.
func (p *printer) printLines(text io.Reader, first, from, n int, numbers bool) error {
	const block = 256 << 10
	if from == first && n == math.MaxInt && !numbers {
		_, err := io.CopyBuffer(p.out, text, make([]byte, block))
		return err
	}
	r := bufio.NewReaderSize(text, block)
	isStart := true // the next byte begins a line
	for number := first; number-from < n && p.out.Err() == nil; {
		part, err := r.ReadSlice('\n') // a line, or a part of a long one
		if number >= from {
			if isStart && numbers && len(part) > 0 {
				_, _ = p.out.Write(append(strconv.AppendInt(nil, int64(number), 10), '\t'))
			}
			_, _ = p.out.Write(part)
		}
		isStart = err == nil
		switch err {
		case nil:
			number++
		case bufio.ErrBufferFull: // the line goes on
		case io.EOF:
			return nil
		default:
			return err
		}
	}
	return nil
}
