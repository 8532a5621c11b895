package images

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"image/jpeg"
	"io"
)

// Markers of JPEG.
const (
	jpegSOF0  = 0xc0 // the size of a baseline image; extended and progressive ones follow
	jpegSOF2  = 0xc2
	jpegRST0  = 0xd0 // the first of eight without a segment
	jpegRST7  = 0xd7
	jpegEOI   = 0xd9
	jpegSOS   = 0xda // the pixels
	jpegAPP0  = 0xe0
	jpegAPP1  = 0xe1
	jpegAPP14 = 0xee
	jpegAPP15 = 0xef

	adobeTransform = 11 // the offset of the color space in Adobe's segment
)

const jfifPrefix = "JFIF\x00"

var errJPEG = errors.New("invalid JPEG")

// A jpegImage is a JPEG file that has been read up to its pixels.
type jpegImage struct {
	header
	file       *file
	pixelsAt   int64 // the offset of the pixels
	isRGB      bool  // by the names of its components
	isAdobeRGB bool  // by a segment of Adobe
	isJFIF     bool  // by the last APP0 segment; then it is not RGB
}

func parseJPEG(f *file) (header, error) {
	src := f.from(2)
	r := bufio.NewReaderSize(io.LimitReader(src, maxHeader), 32<<10)
	p := &jpegImage{header: header{mediaType: "image/jpeg"}, file: f}
	for {
		marker, n, err := nextSegment(r)
		if err != nil {
			return header{}, err
		}
		if marker == jpegSOS || marker == jpegEOI {
			break
		}
		b := make([]byte, n)
		if _, err := io.ReadFull(r, b); err != nil {
			return header{}, err
		}
		if err := p.parseSegment(marker, b); err != nil {
			return header{}, err
		}
	}
	if p.size.Width == 0 {
		return header{}, errJPEG
	}
	isRGB := p.isRGB || p.isAdobeRGB
	if isRGB && !p.isJFIF {
		p.memory += 4 * p.size.pixels()
	}
	at, _ := src.Seek(0, io.SeekCurrent)
	p.pixelsAt = 2 + at - int64(r.Buffered())
	p.pixels = p
	return p.header, nil
}

// nextSegment reads to the data of the next segment, and returns its marker and size.
func nextSegment(r *bufio.Reader) (marker byte, n int, err error) {
	marker, err = nextMarker(r)
	if err != nil || marker == jpegEOI {
		return marker, 0, err
	}
	var b [2]byte // the length, which includes itself
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return 0, 0, err
	}
	n = int(binary.BigEndian.Uint16(b[:])) - len(b)
	if n < 0 {
		return 0, 0, errJPEG
	}
	return marker, n, nil
}

// nextMarker reads the next marker that begins a segment. Like the decoder, it ignores bytes between
// segments.
func nextMarker(r *bufio.Reader) (byte, error) {
	before := byte(0)
	for {
		c, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		if before == 0xff && startsSegment(c) {
			return c, nil
		}
		before = c
	}
}

// startsSegment reports whether a segment follows 0xff and c.
func startsSegment(c byte) bool {
	isRestart := jpegRST0 <= c && c <= jpegRST7
	return c != 0 && c != 0xff && !isRestart
}

func (p *jpegImage) parseSegment(marker byte, b []byte) error {
	isEXIF := marker == jpegAPP1 && bytes.HasPrefix(b, []byte(exifPrefix))
	isAdobe := marker == jpegAPP14 && bytes.HasPrefix(b, []byte("Adobe"))
	switch {
	case jpegSOF0 <= marker && marker <= jpegSOF2:
		return p.parseFrame(b, marker == jpegSOF2)
	case isEXIF && p.orientation == 0:
		p.orientation = exifOrientation(b)
	case marker == jpegAPP0 && len(b) >= len(jfifPrefix):
		p.isJFIF = bytes.HasPrefix(b, []byte(jfifPrefix))
	case isAdobe && len(b) > adobeTransform:
		p.isAdobeRGB = b[adobeTransform] == 0
	}
	return nil
}

// parseFrame parses the size and what the decoder allocates for it: a byte for each sample, the
// coefficients of a progressive image, and 4 bytes for a pixel with four components.
func (p *jpegImage) parseFrame(b []byte, progressive bool) error {
	const blockSide = 8
	if p.size.Width > 0 || len(b) < 6 {
		return errJPEG
	}
	count, components := int(b[5]), b[6:]
	if count == 0 || len(components) != 3*count {
		return errJPEG
	}
	p.size = Size{int(b[3])<<8 | int(b[4]), int(b[1])<<8 | int(b[2])}
	if p.size.Width == 0 || p.size.Height == 0 {
		return errJPEG
	}
	if count == 1 {
		components[1] = 0x11 // its sampling does not matter
	}
	// The pixels that are stored together.
	unit := Size{blockSide * int(components[1]>>4), blockSide * int(components[1]&0xf)}
	if unit.Width == 0 || unit.Height == 0 {
		return errJPEG
	}
	units := int64((p.size.Width-1)/unit.Width+1) * int64((p.size.Height-1)/unit.Height+1)
	for ; len(components) > 0; components = components[3:] {
		blocks := int64(components[1]>>4) * int64(components[1]&0xf)
		p.memory += units * blocks * blockSide * blockSide
	}
	if progressive {
		p.memory *= 5
	}
	if count == 4 {
		p.memory += 4 * p.size.pixels()
	}
	p.isRGB = count == 3 && string([]byte{b[6], b[9], b[12]}) == "RGB"
	return nil
}

// open decodes an image whose color space is what parseJPEG has found: another one, in segments
// between the pixels, could make the decoder allocate more.
func (p *jpegImage) open() (rowReader, error) {
	m, err := jpeg.Decode(io.MultiReader(
		io.NewSectionReader(p.file, 0, p.pixelsAt),
		&colorSpaceRemover{r: p.file.from(p.pixelsAt)},
	))
	return &imageReader{image: m}, err
}

// A colorSpaceRemover reads the pixels of a JPEG file without the segments that give the color space: their
// markers become that of a segment without meaning. What looks like such a marker within another segment
// changes, too, but the tables between pixels do not contain it.
type colorSpaceRemover struct {
	r    io.Reader
	last byte
}

func (c *colorSpaceRemover) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	for i, b := range p[:n] {
		isColorSpace := b == jpegAPP0 || b == jpegAPP14
		if isColorSpace && c.last == 0xff {
			p[i] = jpegAPP15
		}
		c.last = b
	}
	return n, err
}
