package images

import (
	"context"
	"image"
)

// A reducer averages the pixels of an image, weighted by their alpha, into at most MaxSide pixels a
// side. A pixel that lies in two of the result counts in both, by its area.
//
// Lengths are measured in parts of a pixel, of which a pixel of the image has as many as the result
// has pixels, and the other way round. So all sums are exact.
type reducer struct {
	from, to    Size // to before it is turned
	orientation int
	out         *image.NRGBA // turned

	row  []byte   // a row of the image
	line []uint64 // row, averaged: red, green and blue times alpha, and alpha
	sum  []uint64 // the lines of the next row of the result
	left int      // the missing height of sum
	y    int      // the next row of the result
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

// memory returns the number of bytes that reduce allocates, apart from those of the format.
func (r *reducer) memory() int64 {
	return 4*r.to.pixels() + 4*int64(r.from.Width) + 2*8*4*int64(r.to.Width)
}

// reduce sets out.
func (r *reducer) reduce(ctx context.Context, from pixels) error {
	rows, err := from.open()
	if err != nil {
		return err
	}
	turned := image.Rect(0, 0, r.to.Width, r.to.Height)
	if r.orientation >= 5 {
		turned = image.Rect(0, 0, r.to.Height, r.to.Width)
	}
	r.out = image.NewNRGBA(turned)
	r.row = make([]byte, 4*r.from.Width)
	r.line = make([]uint64, 4*r.to.Width)
	r.sum = make([]uint64, 4*r.to.Width)
	r.left = r.from.Height
	for range r.from.Height {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := rows.next(r.row); err != nil {
			return err
		}
		r.averageRow()
		r.addLine()
	}
	return nil
}

func (r *reducer) averageRow() {
	clear(r.line)
	at, left := 0, r.from.Width
	for p := r.row; len(p) >= 4; p = p[4:] {
		part := min(r.to.Width, left)
		addPixel(r.line[at:], p, part)
		left -= part
		if left > 0 {
			continue
		}
		at, left = at+4, r.from.Width
		if rest := r.to.Width - part; rest > 0 {
			addPixel(r.line[at:], p, rest)
			left -= rest
		}
	}
}

func addPixel(sum []uint64, pixel []byte, part int) {
	_, _ = sum[3], pixel[3]
	weight := uint64(part) * uint64(pixel[3])
	sum[0] += weight * uint64(pixel[0])
	sum[1] += weight * uint64(pixel[1])
	sum[2] += weight * uint64(pixel[2])
	sum[3] += weight
}

func (r *reducer) addLine() {
	part := min(r.to.Height, r.left)
	r.addPart(part)
	r.left -= part
	if r.left > 0 {
		return
	}
	r.finishRow()
	clear(r.sum)
	r.left = r.from.Height
	if rest := r.to.Height - part; rest > 0 {
		r.addPart(rest)
		r.left -= rest
	}
}

func (r *reducer) addPart(part int) {
	for i, v := range r.line {
		r.sum[i] += v * uint64(part)
	}
}

// finishRow stores a row of the result where it is when upright.
func (r *reducer) finishRow() {
	area := uint64(r.from.pixels())
	for i := range r.to.Width {
		pixel := r.out.Pix[r.out.PixOffset(r.upright(i, r.y)):]
		sum := r.sum[4*i : 4*i+4]
		pixel[3] = byte((sum[3] + area/2) / area)
		if alpha := sum[3]; alpha > 0 {
			for c := range 3 {
				pixel[c] = byte((sum[c] + alpha/2) / alpha)
			}
		}
	}
	r.y++
}

// upright returns where a pixel of the result is after it is turned.
func (r *reducer) upright(x, y int) (int, int) {
	if r.orientation >= 5 {
		x, y = y, x
	}
	switch r.orientation {
	case 2, 3, 6, 7:
		x = r.out.Rect.Dx() - 1 - x
	}
	switch r.orientation {
	case 3, 4, 7, 8:
		y = r.out.Rect.Dy() - 1 - y
	}
	return x, y
}
