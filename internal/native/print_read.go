package native

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"math"
	"strconv"

	"gander/internal/files/lines"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

func (r readRequest) print(p *printer, given string) error {
	if p.isInput(given) {
		if r.offset < 0 || r.block > 0 {
			return shared.BadArguments("standard input is read from its start; " +
				"'tail' prints the last lines, and --block needs a file")
		}
		p.out.Found = true
		limit := cmp.Or(r.limit, math.MaxInt)
		return p.printLines(p.out.Input, 1, max(r.offset, 1), limit)
	}
	found, err := p.findReadable(given)
	if err != nil {
		return err
	}
	if found.info.Kind == workspace.Directory {
		message := p.show(found.location) + ": is a directory; 'gander list' lists it"
		return shared.NewError(workspace.ErrIsDirectory, message)
	}
	file, is, err := open(found.location)
	if err != nil {
		return p.pathError(given, err)
	}
	defer file.Close()
	p.out.Found = true
	x := p.newTextFile(r, found, file)
	isWhole := x.request.offset == 0 && x.request.limit == 0 && x.request.block == 0
	if isWhole && !p.out.Numbers {
		err = p.printLines(io.NewSectionReader(file, 0, math.MaxInt64), 1, 1, math.MaxInt)
	} else {
		err = p.printRange(x, file, is)
	}
	if _, ok := errors.AsType[*tool.Error](err); err == nil || ok {
		return err
	}
	return fileError(x.shown, err)
}

// printRange prints the requested lines: their bytes, or their text in UTF-8 if the file is UTF-16.
func (p *printer) printRange(x *textFile, file *workspace.File, is content) error {
	var src io.ReaderAt = file
	if is.encoding == utf16Text {
		decoded, err := x.decode(file)
		if err != nil {
			return err
		}
		src, x.size = decoded, decoded.Size()
	}
	x.index = lines.NewIndex()
	x.cursor = lines.New(src, lines.Options{Keep: keptBytes, Index: x.index, Pool: &p.buffers})
	defer x.cursor.Close()
	first, err := x.start()
	if err == io.EOF {
		p.notes = append(p.notes, x.shown+" has no line "+number(x.wanted()))
		return nil
	}
	if err != nil {
		return err
	}
	start := x.cursor.Position().Offset()
	text := io.NewSectionReader(src, start, math.MaxInt64-start)
	return p.printLines(text, first, first, cmp.Or(x.request.limit, math.MaxInt))
}

// printLines prints the lines of a text from a number on, at most n. The text begins with the line
// with the number first.
func (p *printer) printLines(text io.Reader, first, from, n int) error {
	const block = 256 << 10
	buf := make([]byte, block)
	isStart := true // the next byte begins a line
	for number := first; n > 0; {
		size, err := text.Read(buf)
		if err != nil && err != io.EOF {
			return err
		}
		part := buf[:size]
		if number >= from && n == math.MaxInt && !p.out.Numbers {
			_, _ = p.out.Write(part) // an error is kept
			part = nil
		}
		for line := range bytes.Lines(part) {
			if number >= from && n > 0 {
				p.printLine(line, number, isStart)
			}
			if isStart = line[len(line)-1] == '\n'; !isStart {
				break
			}
			if number >= from {
				n--
			}
			number++
		}
		if failed := cmp.Or(p.ctx.Err(), p.out.Err()); failed != nil || err == io.EOF {
			return failed
		}
	}
	return nil
}

// printLine prints a line, or the rest of one, with its number if requested.
func (p *printer) printLine(line []byte, number int, isStart bool) {
	if isStart && p.out.Numbers {
		_, _ = p.out.Write(append(strconv.AppendInt(nil, int64(number), 10), '\t'))
	}
	_, _ = p.out.Write(line) // an error is kept
}
