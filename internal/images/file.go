package images

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"io"

	"gander/internal/admission"
)

var errFormat = errors.New("unknown format")

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
	if err == io.EOF && off+int64(n) < f.size && n < len(p) {
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

// all returns the content, whose memory is reserved.
func (f *file) all() ([]byte, error) {
	if err := admission.Reserve(f.ctx, f.size); err != nil {
		return nil, err
	}
	data := make([]byte, f.size)
	if _, err := io.ReadFull(f.from(0), data); err != nil {
		admission.Release(f.ctx, f.size)
		return nil, err
	}
	return data, nil
}

// failure returns the error for the caller about an image that could not be decoded with err.
func (f *file) failure(err error) error {
	switch {
	case f.failed != nil:
		return f.failed
	case f.ctx.Err() != nil:
		return f.ctx.Err()
	default:
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
}

// parse parses the header of a file, whose format is determined by its beginning.
func (f *file) parse() (header, error) {
	head := make([]byte, 16)
	if n, err := f.ReadAt(head, 0); n < len(head) {
		return header{}, err
	}
	switch {
	case string(head[:8]) == pngSignature:
		return parsePNG(f)
	case string(head[:2]) == "\xff\xd8":
		return parseJPEG(f)
	case string(head[:4]) == "GIF8":
		return parseGIF(f)
	case string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP":
		return parseWebP(f)
	default:
		return header{}, errFormat
	}
}

// An imageReader reads the rows of a decoded image. That of a GIF is only a part, its first frame.
type imageReader struct {
	image image.Image
	y     int // the number of the next row
}

func (r *imageReader) next(row []byte) error {
	clear(row)
	area := image.Rect(0, 0, len(row)/4, 1)
	var to draw.Image = &image.NRGBA{Pix: row, Stride: len(row), Rect: area}
	switch r.image.(type) {
	case *image.YCbCr, *image.Gray, *image.CMYK, *image.RGBA: // opaque, and faster in this way
		to = &image.RGBA{Pix: row, Stride: len(row), Rect: area}
	}
	draw.Draw(to, area, r.image, image.Pt(0, r.y), draw.Src)
	r.y++
	return nil
}
