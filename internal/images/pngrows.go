package images

import (
	"encoding/binary"
	"io"
)

// A pngRowReader reads the rows of a PNG file without interlacing.
type pngRowReader struct {
	*pngImage
	samples    io.Reader
	left       int    // the number of rows
	row, above []byte // with the type of filter before the samples
}

func (r *pngRowReader) next(row []byte) error {
	if _, err := io.ReadFull(r.samples, r.row); err != nil {
		return err
	}
	sampleBytes := max(r.depth*pngChannels[r.color]/8, 1)
	if err := unfilter(r.row[0], r.row[1:], r.above[1:], sampleBytes); err != nil {
		return err
	}
	r.convert(row, r.row[1:])
	r.row, r.above = r.above, r.row
	r.left--
	if r.left > 0 {
		return nil
	}
	var more [1]byte
	if n, err := io.ReadFull(r.samples, more[:]); n > 0 || err != io.EOF {
		return errPNG // too much data, or a wrong checksum
	}
	return nil
}

// unfilter restores the bytes of a row from the differences to their neighbors: the bytes of the
// pixel before, which are n before them, and those above.
func unfilter(filter byte, row, above []byte, n int) error {
	switch filter {
	case 0:
	case 1:
		for i := n; i < len(row); i++ {
			row[i] += row[i-n]
		}
	case 2:
		for i, up := range above {
			row[i] += up
		}
	case 3:
		for i, up := range above {
			left := 0
			if i >= n {
				left = int(row[i-n])
			}
			row[i] += byte((left + int(up)) / 2)
		}
	case 4:
		for i := range min(n, len(row)) {
			row[i] += above[i]
		}
		for i := n; i < len(row); i++ {
			row[i] += paeth(row[i-n], above[i], above[i-n])
		}
	default:
		return errPNG
	}
	return nil
}

// paeth returns the neighbor that is nearest to left + up - corner.
func paeth(left, up, corner byte) byte {
	toLeft, toUp := int(up)-int(corner), int(left)-int(corner)
	toCorner := toLeft + toUp
	toLeft, toUp, toCorner = max(toLeft, -toLeft), max(toUp, -toUp), max(toCorner, -toCorner)
	switch {
	case toLeft <= toUp && toLeft <= toCorner:
		return left
	case toUp <= toCorner:
		return up
	default:
		return corner
	}
}

// convert stores the pixels of a row in 4 bytes each.
func (p *pngImage) convert(row, samples []byte) {
	switch {
	case p.depth < 8:
		p.convertBits(row, samples)
	case p.color == pngRGBA && p.depth == 8:
		copy(row, samples)
	default:
		p.convertBytes(row, samples)
	}
}

// convertBits converts samples of less than 8 bits, of which a pixel has one.
func (p *pngImage) convertBits(row, samples []byte) {
	maximum := 1<<p.depth - 1
	for x := range p.size.Width {
		bit := x * p.depth
		sample := int(samples[bit/8]>>(8-p.depth-bit%8)) & maximum
		pixel := row[4*x : 4*x+4]
		if p.color == pngPalette {
			copy(pixel, p.palette[sample][:])
			continue
		}
		gray := byte(sample * 255 / maximum)
		pixel[0], pixel[1], pixel[2], pixel[3] = gray, gray, gray, 255
		if p.transparent != nil && sample == int(binary.BigEndian.Uint16(p.transparent)) {
			pixel[3] = 0
		}
	}
}

// convertBytes converts samples of 8 bits, or of 16, of which it keeps the upper 8.
func (p *pngImage) convertBytes(row, samples []byte) {
	width := p.depth / 8
	size := width * pngChannels[p.color]
	for ; len(samples) >= size; row, samples = row[4:], samples[size:] {
		switch p.color {
		case pngPalette:
			copy(row, p.palette[samples[0]][:])
			continue
		case pngGray, pngGrayAlpha:
			row[0], row[1], row[2] = samples[0], samples[0], samples[0]
		default:
			row[0], row[1], row[2] = samples[0], samples[width], samples[2*width]
		}
		row[3] = 255
		switch {
		case p.color == pngGrayAlpha, p.color == pngRGBA:
			row[3] = samples[size-width]
		case p.transparent != nil && p.isTransparent(samples[:size]):
			row[3] = 0
		}
	}
}

func (p *pngImage) isTransparent(samples []byte) bool {
	if p.depth == 16 {
		return string(samples) == string(p.transparent)
	}
	for i, sample := range samples {
		if p.transparent[2*i] != 0 || p.transparent[2*i+1] != sample {
			return false
		}
	}
	return true
}
