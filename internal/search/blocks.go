package search

import (
	"bytes"
	"context"
	"io"

	"gander/internal/files/workspace"
)

// blockSize is the approximate size of the blocks of a large file. They consist of whole lines.
const blockSize = 1 << 20

// A region is a part of a file: the lines from start up to end. If end is 0, the region is the rest
// of the file.
type region struct{ start, end int64 }

// blockEnd returns the end of the block that begins at an offset. It returns 0 if the block is the
// rest of the file: at the end of the file, even if it has become shorter since it was opened, and
// if the line at the end of the block contains a NUL, where most searches stop.
func blockEnd(ctx context.Context, f *workspace.File, at int64, buf []byte) (int64, error) {
	if at+blockSize >= f.Size() {
		return 0, nil
	}
	at += blockSize - 1
	for size := 1 << 10; ; size = min(4*size, len(buf)) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		read, err := f.ReadAt(buf[:size], at)
		if err != nil && err != io.EOF {
			return 0, err
		}
		line, _, ended := bytes.Cut(buf[:read], []byte{'\n'})
		end := at + int64(len(line)) + 1
		switch {
		case bytes.IndexByte(line, 0) >= 0, ended && end >= f.Size(), !ended && read < size:
			return 0, nil
		case ended:
			return end, nil
		}
		at += int64(read)
	}
}

// passLines returns the offset after the next n line feeds, or the end of the file, and the number
// of line feeds passed.
func passLines(
	ctx context.Context, f io.ReaderAt, at int64, n int, buf []byte,
) (_ int64, passed int, err error) {
	for size := 1 << 10; passed < n; size = min(4*size, len(buf)) {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		read, err := f.ReadAt(buf[:size], at)
		if err != nil && err != io.EOF {
			return 0, 0, err
		}
		b := buf[:read]
		for passed < n {
			i := bytes.IndexByte(b, '\n')
			if i < 0 {
				break
			}
			passed++
			b, at = b[i+1:], at+int64(i)+1
		}
		if passed == n {
			break
		}
		if at += int64(len(b)); err == io.EOF || read < size {
			break
		}
	}
	return at, passed, nil
}

// passBack returns the start of the n-th line before the line at an offset, or 0, and the number of
// lines passed.
func passBack(
	ctx context.Context, f io.ReaderAt, at int64, n int, buf []byte,
) (_ int64, passed int, err error) {
	end := at - 1 // the line feed of the previous line
	for size := 1 << 10; end > 0; size = min(4*size, len(buf)) {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		from := max(end-int64(size), 0)
		read, err := f.ReadAt(buf[:end-from], from)
		if err != nil && err != io.EOF {
			return 0, 0, err
		}
		for b := buf[:read]; ; {
			i := bytes.LastIndexByte(b, '\n')
			if i < 0 {
				break
			}
			if passed++; passed == n {
				return from + int64(i) + 1, passed, nil
			}
			b = b[:i]
		}
		end = from
	}
	return 0, passed + 1, nil
}
