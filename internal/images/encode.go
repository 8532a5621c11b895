package images

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
)

// maxPNG is the maximum size of a result as PNG. A larger one becomes JPEG.
const maxPNG = 1 << 20

// qualities are the qualities of JPEG that are tried, one after the other.
var qualities = []int{85, 70, 50, 30}

// encode returns an image in at most limit bytes, with its media type: as PNG if that is
// preferred and small enough, and otherwise as JPEG, on white. It changes the image.
func encode(
	ctx context.Context, m *image.RGBA, preferPNG bool, limit int64,
) ([]byte, string, error) {
	buffer := &boundedBuffer{ctx: ctx, data: make([]byte, 0, limit)}
	if preferPNG {
		buffer.limit = min(limit, maxPNG)
		if png.Encode(buffer, m) == nil {
			return bytes.Clone(buffer.data), "image/png", nil
		}
	}
	opaque := onWhite(m)
	buffer.limit = limit
	for _, quality := range qualities {
		buffer.data = buffer.data[:0]
		if jpeg.Encode(buffer, opaque, &jpeg.Options{Quality: quality}) == nil {
			return bytes.Clone(buffer.data), "image/jpeg", nil
		}
		if err := ctx.Err(); err != nil {
			return nil, "", err
		}
	}
	return nil, "", ErrLimit
}

// PictureSide is the length of the longer side of a drawn picture in pixels.
const PictureSide = 1400

// Encode returns a drawn picture in at most limit bytes. It changes the picture. The caller has
// reserved 4 MiB for that, and reserves the memory of the result. The error is [ErrLimit] or that
// of ctx.
func Encode(ctx context.Context, m *image.RGBA, limit int64) (Image, error) {
	const most = (4<<20 - encoderMemory) / 2
	data, mediaType, err := encode(ctx, m, true, min(limit, most))
	size := Size{m.Rect.Dx(), m.Rect.Dy()}
	return Image{Data: data, MediaType: mediaType, Original: size, Shown: size}, err
}

// onWhite changes an image to one on white. Its colors are multiplied by alpha already.
func onWhite(m *image.RGBA) *image.RGBA {
	for p := m.Pix; len(p) >= 4; p = p[4:] {
		white := 255 - p[3]
		p[0], p[1], p[2], p[3] = p[0]+white, p[1]+white, p[2]+white, 255
	}
	return m
}

// A boundedBuffer fails beyond a limit and when the context ends.
type boundedBuffer struct {
	ctx   context.Context // for the writes, which implement io.Writer
	data  []byte
	limit int64
}

var errFull = errors.New("the buffer is full")

func (b *boundedBuffer) Write(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	if int64(len(b.data)+len(p)) > b.limit {
		return 0, errFull
	}
	b.data = append(b.data, p...)
	return len(p), nil
}
