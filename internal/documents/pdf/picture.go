package pdf

import (
	"cmp"
	"context"
	"image"

	"github.com/tetratelabs/wazero/api"

	"gander/internal/documents"
)

// Draw implements [documents.Drawer].
func (f *Format) Draw(
	ctx context.Context, src *documents.Source, n, side int, show func(*image.RGBA) error,
) (pages int, err error) {
	err = f.read(ctx, src, forPicture, func(p *program) error {
		i, err := newInstance(ctx, p, src, forPicture)
		if err != nil {
			return err
		}
		defer i.close()
		pages = i.pages
		if n < 1 || n > pages {
			return nil
		}
		err = i.show(n, side, show)
		if isUnreadable(err) {
			return documents.NotDrawn(n, err)
		}
		return err
	})
	return pages, err
}

// show calls show with a picture of page n, unless that has text.
func (i *instance) show(n, side int, show func(*image.RGBA) error) error {
	l, err := i.layout(n)
	if err != nil || len(l.lines) > 0 {
		return err
	}
	m, err := i.draw(side)
	if err != nil {
		return err
	}
	return show(m)
}

// draw returns a picture of the open page, whose longer side has a number of pixels. It is a part
// of the memory of the instance.
func (i *instance) draw(side int) (*image.RGBA, error) {
	const (
		noAlpha     = 3 // the format of a pixel: blue, green, red, and a byte without meaning
		white       = 0xffffffff
		annotations = 1 // are drawn, too
	)
	width := finite(float64(api.DecodeF32(i.call("FPDF_GetPageWidthF", i.page))))
	height := finite(float64(api.DecodeF32(i.call("FPDF_GetPageHeightF", i.page))))
	scale := float64(side) / max(width, height, 1)
	w, h := int(max(width*scale, 1)), int(max(height*scale, 1))
	columns, rows := uint64(w), uint64(h)
	bitmap := i.call("FPDFBitmap_CreateEx", columns, rows, noAlpha, 0, 0)
	if bitmap == 0 {
		return nil, cmp.Or(i.failure(), errMemory)
	}
	i.call("FPDFBitmap_FillRect", bitmap, 0, 0, columns, rows, white)
	i.call("FPDF_RenderPageBitmap", bitmap, i.page, 0, 0, columns, rows, 0, annotations)
	buffer := i.call("FPDFBitmap_GetBuffer", bitmap)
	pixels, ok := i.module.Memory().Read(uint32(buffer), uint32(4*w*h))
	if err := i.failure(); err != nil || !ok {
		return nil, cmp.Or(err, errPDFium)
	}
	for at := 0; at+3 < len(pixels); at += 4 {
		pixels[at], pixels[at+2], pixels[at+3] = pixels[at+2], pixels[at], 0xff
	}
	return &image.RGBA{Pix: pixels, Stride: 4 * w, Rect: image.Rect(0, 0, w, h)}, nil
}
