package images

import (
	"bufio"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"io"
)

var errGIF = errors.New("invalid GIF")

// frameMemory is what a frame takes in addition to its pixels: a palette, and how it is stored.
const frameMemory = 16 << 10

// parseGIF reads all frames of a GIF file without decoding them. If they take too much memory
// together, only the first is decoded.
func parseGIF(f *file) (header, error) {
	r := bufio.NewReaderSize(f.from(0), 64<<10)
	var head [13]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return header{}, err
	}
	h := header{mediaType: "image/gif", size: Size{
		int(binary.LittleEndian.Uint16(head[6:])), int(binary.LittleEndian.Uint16(head[8:])),
	}}
	if h.size.pixels() == 0 {
		return header{}, errGIF
	}
	frames, largest := int64(0), int64(0)
	err := skipColors(r, head[10])
	for err == nil {
		var n int64
		n, err = skipBlock(r)
		if n > 0 {
			frames++
			largest = max(largest, n)
			h.memory += n + frameMemory
		}
	}
	if err != io.EOF {
		return header{}, err
	}
	h.isAnimated = frames > 1
	h.memory += largest // as it was interlaced
	if h.isAnimated && h.memory > MaxMemory/2 {
		h.isCut, h.memory = true, 2*h.size.pixels()+frameMemory
	}
	screen := image.Rect(0, 0, h.size.Width, h.size.Height)
	h.decode = func(f *file) (image.Image, error) {
		first, err := decodeFrames(f, !h.isCut)
		return frame{first, screen}, err
	}
	return h, nil
}

// decodeFrames decodes the first frame, and the others to know whether they are damaged.
func decodeFrames(f *file, all bool) (*image.Paletted, error) {
	if all {
		m, err := gif.DecodeAll(f.from(0))
		if err != nil {
			return nil, err
		}
		return m.Image[0], nil
	}
	m, err := gif.Decode(f.from(0))
	first, _ := m.(*image.Paletted)
	return first, err
}

// A frame is the first frame of a GIF, which can be smaller than the image.
type frame struct {
	*image.Paletted
	screen image.Rectangle
}

func (f frame) Bounds() image.Rectangle { return f.screen }

func (f frame) At(x, y int) color.Color { return f.RGBA64At(x, y) }

// RGBA64At returns a transparent color outside of the frame, instead of the first of its palette.
func (f frame) RGBA64At(x, y int) color.RGBA64 {
	if !image.Pt(x, y).In(f.Rect) {
		return color.RGBA64{}
	}
	return f.Paletted.RGBA64At(x, y)
}

// skipBlock reads a block, and returns the number of pixels of a frame. The error is io.EOF for the
// block at the end of the file.
func skipBlock(r *bufio.Reader) (pixels int64, err error) {
	const extension, frame, trailer = '!', ',', ';'
	var b [9]byte
	kind, err := r.ReadByte()
	switch {
	case err != nil:
		return 0, io.ErrUnexpectedEOF
	case kind == trailer:
		return 0, io.EOF
	case kind == extension:
		_, err = r.Discard(1)
	case kind == frame:
		if _, err := io.ReadFull(r, b[:]); err != nil {
			return 0, io.ErrUnexpectedEOF
		}
		size := Size{int(binary.LittleEndian.Uint16(b[4:])), int(binary.LittleEndian.Uint16(b[6:]))}
		pixels = max(size.pixels(), 1)
		if err := skipColors(r, b[8]); err != nil {
			return 0, err
		}
		_, err = r.Discard(1)
	default:
		return 0, errGIF
	}
	for n := byte(1); err == nil && n > 0; { // the parts of its data
		n, err = r.ReadByte()
		if err == nil {
			_, err = r.Discard(int(n))
		}
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return pixels, err
}

// skipColors reads the color table that the flags of a screen or a frame announce.
func skipColors(r *bufio.Reader, flags byte) error {
	if flags&0x80 == 0 {
		return nil
	}
	_, err := r.Discard(3 << (1 + flags&7))
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}
