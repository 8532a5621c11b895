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
	end, passed, err := passLines(ctx, f, at+blockSize-1, 1, buf)
	if passed == 0 || end >= f.Size() {
		end = 0
	}
	return end, err
}

// passLines returns the offset after the next n line feeds, and the number of line feeds passed.
// They are fewer than n before the first NUL or the end of the file.
func passLines(
	ctx context.Context, f io.ReaderAt, at int64, n int, buf []byte,
) (_ int64, passed int, err error) {
	for size := 1 << 10; ; size = min(4*size, len(buf)) {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		read, err := f.ReadAt(buf[:size], at)
		if err != nil && err != io.EOF {
			return 0, 0, err
		}
		text, _, nul := bytes.Cut(buf[:read], []byte{0})
		for line := range bytes.Lines(text) {
			at += int64(len(line))
			if line[len(line)-1] == '\n' {
				passed++
			}
			if passed == n {
				return at, passed, nil
			}
		}
		if nul || read < size {
			return at, passed, nil
		}
	}
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
