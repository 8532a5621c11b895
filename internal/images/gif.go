package images

import (
	"encoding/binary"
	"errors"
	"image/gif"
)

var errGIF = errors.New("invalid GIF")

func parseGIF(f *file) (header, error) {
	var b [4]byte
	if _, err := f.ReadAt(b[:], int64(len("GIF89a"))); err != nil {
		return header{}, err
	}
	size := Size{int(binary.LittleEndian.Uint16(b[:])), int(binary.LittleEndian.Uint16(b[2:]))}
	if size.Width == 0 || size.Height == 0 {
		return header{}, errGIF
	}
	return header{
		mediaType: "image/gif",
		size:      size,
		memory:    2 * size.pixels(), // the first frame, also as it was interlaced
		pixels:    gifPixels{f},
	}, nil
}

// The gifPixels are the pixels of the first frame of a GIF file.
type gifPixels struct{ file *file }

func (p gifPixels) open() (rowReader, error) {
	m, err := gif.Decode(p.file.from(0))
	return &imageReader{image: m}, err
}
