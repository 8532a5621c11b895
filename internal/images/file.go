package images

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/jpeg"
	"image/png"
	"io"
)

// A file reads the content of a file until the context ends.
type file struct {
	ctx    context.Context // for the reads, which implement io.ReaderAt
	src    io.ReaderAt
	size   int64
	failed error // the first error of reading, which a decoder may hide
}

func (f *file) ReadAt(p []byte, off int64) (int, error) {
	if f.failed == nil {
		f.failed = f.ctx.Err()
	}
	if f.failed != nil {
		return 0, f.failed
	}
	n, err := f.src.ReadAt(p, off)
	isShort := off+int64(n) < f.size && n < len(p)
	if err == io.EOF && isShort {
		err = io.ErrUnexpectedEOF
	}
	if err != nil && err != io.EOF {
		f.failed = err
	}
	return n, err
}

// from returns a reader of the content from an offset.
func (f *file) from(off int64) *io.SectionReader {
	return io.NewSectionReader(f, off, max(f.size-off, 0))
}

// inMemory returns a copy of the file that does not change.
func (f *file) inMemory() (*file, []byte, error) {
	data := make([]byte, f.size)
	if _, err := io.ReadFull(f.from(0), data); err != nil {
		return nil, nil, err
	}
	return &file{ctx: f.ctx, src: bytes.NewReader(data), size: f.size}, data, nil
}

// failure returns the error for the caller about an image that could not be decoded with err.
func (f *file) failure(err error) error {
	var badJPEG jpeg.UnsupportedError
	var badPNG png.UnsupportedError
	switch {
	case f.failed != nil:
		return f.failed
	case f.ctx.Err() != nil:
		return f.ctx.Err()
	case errors.Is(err, ErrTooLarge), errors.Is(err, ErrUnsupported):
		return err
	case errors.As(err, &badJPEG), errors.As(err, &badPNG):
		return fmt.Errorf("%w: %w", ErrUnsupported, err)
	default:
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
}
