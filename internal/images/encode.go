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
