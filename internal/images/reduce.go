package images

import (
	"context"
	"image"

	"golang.org/x/image/draw"
	"golang.org/x/image/math/f64"
)

// A reducer makes an image of at most MaxSide pixels a side, and turns it upright.
type reducer struct {
	from, to    Size // to before it is turned
	orientation int
}

func newReducer(from Size, orientation int) *reducer {
	r := &reducer{from: from, to: from, orientation: orientation}
	switch longer := max(from.Width, from.Height); {
	case longer <= MaxSide:
	case longer == from.Width:
		r.to = Size{MaxSide, max((from.Height*MaxSide+longer/2)/longer, 1)}
	default:
		r.to = Size{max((from.Width*MaxSide+longer/2)/longer, 1), MaxSide}
	}
	return r
}

// memory returns the number of bytes of the result, also before it is turned.
func (r *reducer) memory() int64 {
	if r.orientation > 1 {
		return 2 * 4 * r.to.pixels()
	}
	return 4 * r.to.pixels()
}

// stripHeight returns how many rows of the result are made at a time: package draw needs 32 bytes
// for each row that they cover and each column of the result.
func (r *reducer) stripHeight() int {
	const stripBytes = 1 << 20
	rows := max(stripBytes/32/r.to.Width, 1)
	return max(rows*r.to.Height/r.from.Height, 1)
}

// stripMemory returns the number of bytes to make strips of the result: those of the three scalers
// that strips of almost the same height need.
func (r *reducer) stripMemory() int64 {
	rows := int64(r.stripHeight()*r.from.Height/r.to.Height + 1)
	weights := 48 * (int64(r.from.Width+r.to.Width) + rows + int64(r.stripHeight()))
	return 3 * (32*rows*int64(r.to.Width) + weights)
}

// reduce returns the reduced image. That of a GIF is only a part of its size, the first frame.
func (r *reducer) reduce(ctx context.Context, m image.Image) (*image.RGBA, error) {
	out := image.NewRGBA(image.Rect(0, 0, r.to.Width, r.to.Height))
	height := r.stripHeight()
	scalers := map[Size]draw.Scaler{} // by the heights of a strip, in the result and in the image
	for y := 0; y < r.to.Height; y += height {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		end := min(y+height, r.to.Height)
		top, bottom := y*r.from.Height/r.to.Height, end*r.from.Height/r.to.Height
		key := Size{end - y, bottom - top}
		if scalers[key] == nil {
			scalers[key] = draw.BiLinear.NewScaler(r.to.Width, end-y, r.from.Width, bottom-top)
		}
		to := image.Rect(0, y, r.to.Width, end)
		scalers[key].Scale(out, to, m, image.Rect(0, top, r.from.Width, bottom), draw.Src, nil)
	}
	return r.turn(out), nil
}

// turn returns a reduced image upright.
func (r *reducer) turn(m *image.RGBA) *image.RGBA {
	if r.orientation <= 1 {
		return m
	}
	size := r.to
	at := f64.Aff3{1, 0, 0, 0, 1, 0} // where a pixel goes
	if r.orientation >= 5 {
		size = Size{r.to.Height, r.to.Width}
		at = f64.Aff3{0, 1, 0, 1, 0, 0}
	}
	switch r.orientation {
	case 2, 3, 6, 7:
		at[0], at[1], at[2] = -at[0], -at[1], float64(size.Width)
	}
	switch r.orientation {
	case 3, 4, 7, 8:
		at[3], at[4], at[5] = -at[3], -at[4], float64(size.Height)
	}
	out := image.NewRGBA(image.Rect(0, 0, size.Width, size.Height))
	draw.NearestNeighbor.Transform(out, at, m, m.Rect, draw.Src, nil)
	return out
}
