package images

import (
	"bufio"
	"bytes"
	"errors"
	"image"
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
	jpegSOS   = 0xda // a scan: pixels, or a part of their precision
	jpegAPP0  = 0xe0
	jpegAPP1  = 0xe1
	jpegAPP14 = 0xee
)

// maxBlocks is the maximum number of blocks of 8 x 8 samples to decode, counted in each scan.
const maxBlocks = 8 << 20

// maxJPEGHeader is the maximum size of the data before the pixels.
const maxJPEGHeader = 16 << 20

var errJPEG = errors.New("invalid JPEG")

// A jpegHeader is what precedes the pixels of a JPEG file.
type jpegHeader struct {
	header
	blocks int64 // of all components
	isRGB  bool  // the decoder converts the pixels
}

func parseJPEG(f *file) (header, error) {
	src := f.from(2)
	r := bufio.NewReaderSize(io.LimitReader(src, maxJPEGHeader), 32<<10)
	p := &jpegHeader{header: header{mediaType: "image/jpeg"}}
	for {
		marker, data, err := readSegment(r)
		if err != nil {
			return header{}, err
		}
		if marker == jpegSOS || marker == jpegEOI {
			break
		}
		if err := p.parseSegment(marker, data); err != nil {
			return header{}, err
		}
	}
	if p.blocks == 0 {
		return header{}, errJPEG
	}
	if p.isRGB {
		p.memory += 4 * p.size.pixels()
	}
	at, _ := src.Seek(0, io.SeekCurrent)
	pixelsAt := 2 + at - int64(r.Buffered())
	p.decode = func(f *file) (image.Image, error) {
		guard := &scanGuard{r: f.from(pixelsAt), scans: maxBlocks/p.blocks - 1}
		m, err := jpeg.Decode(io.MultiReader(io.NewSectionReader(f, 0, pixelsAt), guard))
		if guard.err != nil {
			err = guard.err
		}
		return m, err
	}
	return p.header, nil
}

// readSegment reads the next segment: its marker and its data, which is empty for the markers at
// which reading ends.
func readSegment(r *bufio.Reader) (marker byte, data []byte, err error) {
	for before := byte(0); ; before = marker {
		marker, err = r.ReadByte()
		if err != nil {
			return 0, nil, err
		}
		if before == 0xff && startsSegment(marker) {
			break
		}
	}
	if marker == jpegEOI || marker == jpegSOS {
		return marker, nil, nil
	}
	var b [2]byte // the length, which includes itself
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return 0, nil, err
	}
	n := int(b[0])<<8 + int(b[1]) - len(b)
	if n < 0 {
		return 0, nil, errJPEG
	}
	data = make([]byte, n)
	_, err = io.ReadFull(r, data)
	return marker, data, err
}

// startsSegment reports whether a segment follows 0xff and c.
func startsSegment(c byte) bool {
	isRestart := jpegRST0 <= c && c <= jpegRST7
	return c != 0 && c != 0xff && !isRestart
}

func (p *jpegHeader) parseSegment(marker byte, b []byte) error {
	isEXIF := marker == jpegAPP1 && bytes.HasPrefix(b, []byte(exifPrefix))
	isAdobe := marker == jpegAPP14 && bytes.HasPrefix(b, []byte("Adobe"))
	switch {
	case jpegSOF0 <= marker && marker <= jpegSOF2:
		return p.parseFrame(b, marker == jpegSOF2)
	case isEXIF && p.orientation == 0:
		p.orientation = exifOrientation(b)
	case isAdobe && len(b) >= 12:
		p.isRGB = p.isRGB || b[11] == 0
	}
	return nil
}

// parseFrame parses the size and what the decoder allocates for it: a byte for each sample, the
// coefficients of a progressive image, and 4 bytes for a pixel with four components.
func (p *jpegHeader) parseFrame(b []byte, progressive bool) error {
	const blockSide = 8
	if p.blocks > 0 || len(b) < 6 {
		return errJPEG
	}
	count, components := int(b[5]), b[6:]
	if count == 0 || len(components) != 3*count {
		return errJPEG
	}
	p.size = Size{int(b[3])<<8 | int(b[4]), int(b[1])<<8 | int(b[2])}
	if count == 1 {
		components[1] = 0x11 // its sampling does not matter
	}
	// The pixels that are stored together.
	unit := Size{blockSide * int(components[1]>>4), blockSide * int(components[1]&0xf)}
	if unit.pixels() == 0 || p.size.pixels() == 0 {
		return errJPEG
	}
	units := int64((p.size.Width-1)/unit.Width+1) * int64((p.size.Height-1)/unit.Height+1)
	for c := components; len(c) > 0; c = c[3:] {
		p.blocks += units * int64(c[1]>>4) * int64(c[1]&0xf)
	}
	p.memory = p.blocks * blockSide * blockSide
	if progressive {
		p.memory *= 5
	}
	if count == 4 {
		p.memory += 4 * p.size.pixels()
	}
	p.isRGB = p.isRGB || count == 3 && string([]byte{b[6], b[9], b[12]}) == "RGB"
	return nil
}

// A scanGuard reads the pixels of a JPEG file. It fails when they have more scans than the decoder
// may work on, and where a segment changes the color space, for which the decoder would allocate
// more.
type scanGuard struct {
	r     io.Reader
	scans int64 // how many may follow
	last  byte
	err   error
}

func (g *scanGuard) Read(p []byte) (int, error) {
	n, err := g.r.Read(p)
	for _, b := range p[:n] {
		isMarker := g.last == 0xff
		g.last = b
		switch {
		case !isMarker:
		case b == jpegSOS:
			g.scans--
		case b == jpegAPP0, b == jpegAPP14:
			g.err = ErrUnsupported
		}
	}
	if g.scans < 0 {
		g.err = ErrTooLarge
	}
	if g.err != nil {
		return 0, g.err
	}
	return n, err
}
