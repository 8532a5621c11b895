package images

import (
	"bufio"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"image/png"
	"math"
)

const pngSignature = "\x89PNG\r\n\x1a\n"

// The color types of PNG.
const (
	pngGray      = 0
	pngRGB       = 2
	pngPalette   = 3
	pngGrayAlpha = 4
	pngRGBA      = 6
)

// pngInterlaced is the interlace method of an image that is stored in seven parts.
const pngInterlaced = 1

var (
	errPNG      = errors.New("invalid PNG")
	errChecksum = errors.New("invalid PNG: wrong checksum")

	pngChannels = map[byte]int{
		pngGray: 1, pngRGB: 3, pngPalette: 1, pngGrayAlpha: 2, pngRGBA: 4,
	}
)

// A pngImage is a PNG file that has been read up to its pixels. Other data, such as color profiles,
// has been skipped without decompressing it.
type pngImage struct {
	header
	depth      int // bits of a sample
	color      byte
	interlaced bool

	palette     [256][4]byte
	transparent []byte // the samples of the transparent color, 16 bits each; nil if there is none

	file *file
	data *chunkReader
	err  error // a problem before the pixels, which a file that is shown unchanged can have
}

// parsePNG parses a PNG file up to its pixels. An orientation after them does not count: to find it, all
// of the file would have to be read.
func parsePNG(f *file) (header, error) {
	d := &chunkReader{r: bufio.NewReaderSize(f.from(int64(len(pngSignature))), 32<<10)}
	if err := d.open(); err != nil {
		return header{}, err
	}
	if d.name != "IHDR" || d.left != 13 {
		return header{}, errPNG
	}
	b, err := d.all()
	if err != nil {
		return header{}, err
	}
	width, height := binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])
	if width == 0 || height == 0 || max(width, height) > math.MaxInt32 {
		return header{}, errPNG
	}
	p := &pngImage{
		header: header{mediaType: "image/png", size: Size{int(width), int(height)}}, file: f, data: d,
		depth: int(b[8]), color: b[9], interlaced: b[12] == pngInterlaced,
	}
	isStandard := b[10] == 0 && b[11] == 0 && b[12] <= pngInterlaced // how it is compressed
	if !p.isValid() || !isStandard {
		return header{}, errPNG
	}
	for i := range p.palette {
		p.palette[i][3] = 255
	}
	p.err = p.parseChunks()
	const maxPixels = 1 << 28
	if p.size.pixels() <= maxPixels {
		p.memory, p.pixels = p.neededMemory(), p
	}
	return p.header, nil
}

func (p *pngImage) isValid() bool {
	switch p.depth {
	case 8:
		return pngChannels[p.color] > 0
	case 16:
		return pngChannels[p.color] > 0 && p.color != pngPalette
	case 1, 2, 4:
		return p.color == pngGray || p.color == pngPalette
	default:
		return false
	}
}

// parseChunks parses the chunks before the pixels.
func (p *pngImage) parseChunks() error {
	d := p.data
	hasPalette := false
	for size := uint32(0); size <= maxHeader; {
		err := d.open()
		if err != nil {
			return err
		}
		size += min(d.left, maxHeader) + chunkOverhead
		switch d.name {
		case "IDAT":
			if p.color == pngPalette && !hasPalette {
				return errPNG
			}
			return nil
		case "PLTE":
			hasPalette = true
			err = p.parsePalette()
		case "tRNS":
			err = p.parseTransparent()
		case "eXIf":
			err = p.parseEXIF()
		case "IEND":
			return errPNG
		default:
			err = d.skip()
		}
		if err != nil {
			return err
		}
	}
	return errPNG
}

// parsePalette parses the chunk PLTE, with the colors of the palette.
func (p *pngImage) parsePalette() error {
	const colorBytes = 3
	d := p.data
	if d.left%colorBytes != 0 || d.left > colorBytes*uint32(len(p.palette)) {
		return errPNG
	}
	colors, err := d.all()
	if err != nil {
		return err
	}
	for i := range len(colors) / colorBytes {
		copy(p.palette[i][:colorBytes], colors[colorBytes*i:])
	}
	return nil
}

// parseTransparent parses the chunk tRNS: the transparent color, or how transparent the colors of the
// palette are.
func (p *pngImage) parseTransparent() error {
	d := p.data
	if d.left > uint32(len(p.palette)) {
		return errPNG
	}
	b, err := d.all()
	if err != nil {
		return err
	}
	isGray := p.color == pngGray && len(b) == 2
	isColor := isGray || p.color == pngRGB && len(b) == 6
	switch {
	case p.color == pngPalette:
		for i, alpha := range b {
			p.palette[i][3] = alpha
		}
	case isColor:
		p.transparent = b
	default:
		return errPNG
	}
	return nil
}

// parseEXIF parses the chunk eXIf, unless the orientation is known.
func (p *pngImage) parseEXIF() error {
	d := p.data
	if p.orientation != 0 || d.left > maxEXIF {
		return d.skip()
	}
	exif, err := d.all()
	if err != nil {
		return err
	}
	p.orientation = exifOrientation(exif)
	return nil
}

func (p *pngImage) rowBytes() int64 {
	bits := int64(p.depth * pngChannels[p.color])
	return (int64(p.size.Width)*bits + 7) / 8
}

// neededMemory returns the number of bytes that the pixels take.
func (p *pngImage) neededMemory() int64 {
	switch {
	case !p.interlaced:
		return 2 * (p.rowBytes() + 1)
	case p.depth == 16:
		return 2 * 8 * p.size.pixels() // the image and its seven parts
	default:
		return 2 * 4 * p.size.pixels()
	}
}

func (p *pngImage) open() (rowReader, error) {
	if p.err != nil {
		return nil, p.err
	}
	if p.interlaced {
		m, err := png.Decode(p.file.from(0))
		return &imageReader{image: m}, err
	}
	z, err := zlib.NewReader(p.data)
	if err != nil {
		return nil, err
	}
	n := p.rowBytes() + 1
	return &pngRowReader{
		pngImage: p, samples: z, left: p.size.Height,
		row: make([]byte, n), above: make([]byte, n),
	}, nil
}
