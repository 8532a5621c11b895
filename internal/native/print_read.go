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
		err = p.printLines(file, 0, 1, math.MaxInt)
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
	limit := cmp.Or(x.request.limit, math.MaxInt)
	return p.printLines(src, x.cursor.Position().Offset(), first, limit)
}

// printLines prints at most n lines of a file from an offset on. The first has the number first.
func (p *printer) printLines(src io.ReaderAt, offset int64, first, n int) error {
	const block = 256 << 10
	buf := make([]byte, block)
	isStart := true // the next byte begins a line
	for n > 0 {
		size, err := src.ReadAt(buf, offset)
		if err != nil && err != io.EOF {
			return err
		}
		offset += int64(size)
		text := buf[:size]
		if n == math.MaxInt && !p.out.Numbers {
			_, _ = p.out.Write(text) // an error is kept
			text = nil
		}
		for line := range bytes.Lines(text) {
			if isStart && p.out.Numbers {
				_, _ = p.out.Write(append(strconv.AppendInt(nil, int64(first), 10), '\t'))
				first++
			}
			_, _ = p.out.Write(line)
			if isStart = line[len(line)-1] == '\n'; isStart {
				n--
			}
			if n == 0 {
				break
			}
		}
		if failed := cmp.Or(p.ctx.Err(), p.out.Err()); failed != nil || err == io.EOF {
			return failed
		}
	}
	return nil
}
