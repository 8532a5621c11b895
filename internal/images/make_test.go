package images

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"math/rand/v2"
	"strings"
	"testing"
)

// A pngFile describes a PNG file to make.
type pngFile struct {
	width, height uint32
	depth, color  byte
	interlaced    bool
	chunks        string // before the pixels
	pixels        string // filtered
	idat          int    // the size of an IDAT chunk; 0 means one for all
}

// The color types of PNG.
const (
	pngGray      = 0
	pngRGB       = 2
	pngPalette   = 3
	pngGrayAlpha = 4
	pngRGBA      = 6
)

var pngChannels = map[byte]int{pngGray: 1, pngRGB: 3, pngPalette: 1, pngGrayAlpha: 2, pngRGBA: 4}

// make returns a file with right checksums, whatever its fields are.
func (p pngFile) make() string {
	head := binary.BigEndian.AppendUint32(nil, p.width)
	head = binary.BigEndian.AppendUint32(head, p.height)
	head = append(head, p.depth, p.color, 0, 0, 0)
	if p.interlaced {
		head[12] = 1
	}
	data := deflate(p.pixels)
	var file strings.Builder
	file.WriteString(pngSignature + chunk("IHDR", string(head)) + p.chunks)
	for size := p.idat; size > 0 && size < len(data); data = data[size:] {
		file.WriteString(chunk("IDAT", data[:size]))
	}
	file.WriteString(chunk("IDAT", data) + chunk("IEND", ""))
	return file.String()
}

func deflate(data string) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write([]byte(data))
	_ = z.Close()
	return b.String()
}

func chunk(name, data string) string {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(b, name+data...)
	return string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:])))
}

// randomPNG returns a file of random samples, in which each row has a random filter.
func randomPNG(r *rand.Rand, width, height int, depth, kind byte, chunks string) pngFile {
	rowBytes := (width*int(depth)*pngChannels[kind] + 7) / 8
	pixels := make([]byte, 0, height*(rowBytes+1))
	for range height {
		pixels = append(pixels, byte(r.IntN(5)))
		for range rowBytes {
			pixels = append(pixels, byte(r.Uint32()>>r.IntN(24))) // often small, as differences are
		}
	}
	return pngFile{
		width: uint32(width), height: uint32(height), depth: depth, color: kind,
		chunks: chunks, pixels: string(pixels), idat: 1 + r.IntN(5000),
	}
}

// exif returns EXIF data with an orientation.
func exif(order binary.AppendByteOrder, orientation uint16) string {
	b := []byte("II*\x00")
	if order == binary.AppendByteOrder(binary.BigEndian) {
		b = []byte("MM\x00*")
	}
	b = order.AppendUint32(b, 8)
	b = order.AppendUint16(b, 2)
	for _, entry := range [][2]uint16{{0x100, 77}, {0x112, orientation}} {
		b = order.AppendUint16(b, entry[0])
		b = order.AppendUint16(b, 3)
		b = order.AppendUint32(b, 1)
		b = order.AppendUint16(b, entry[1])
		b = append(b, 0, 0)
	}
	return string(order.AppendUint32(b, 0))
}

func segment(marker byte, data string) string {
	b := binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(data)+2))
	return string(b) + data
}

func riff(chunks ...string) string {
	content := "WEBP"
	for i := 0; i < len(chunks); i += 2 {
		data := chunks[i+1]
		content += chunks[i] + string(binary.LittleEndian.AppendUint32(nil, uint32(len(data)))) + data
		if len(data)%2 > 0 {
			content += "\x00"
		}
	}
	return "RIFF" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(content)))) + content
}

// gradient returns an opaque image whose corners differ.
func gradient(width, height int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.NRGBA{byte(x * 255 / width), byte(y * 255 / height), 90, 255}
			m.SetNRGBA(x, y, c)
		}
	}
	return m
}

func jpegOf(t testing.TB, m image.Image) string {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gifOf(t testing.TB, frames int, m image.Image) string {
	t.Helper()
	palette := color.Palette{color.Transparent, color.White, color.RGBA{200, 10, 10, 255}}
	all := gif.GIF{Config: image.Config{Width: m.Bounds().Max.X, Height: m.Bounds().Max.Y}}
	for i := range frames {
		frame := image.NewPaletted(image.Rect(i, i, m.Bounds().Max.X-3, m.Bounds().Max.Y), palette)
		for j := range frame.Pix {
			frame.Pix[j] = byte(j/7+i) % 3
		}
		all.Image, all.Delay = append(all.Image, frame), append(all.Delay, 1)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &all); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// progressive returns a gray progressive JPEG of 2000 x 2000 pixels with a number of scans, of
// which all but the first are empty: they say that the next 27,306 blocks are as they were, three
// times.
func progressive(scans int) string {
	const blocks = 250 * 250
	scan := func(table, from, to byte, data string) string {
		return segment(0xda, string([]byte{1, 1, table, from, to, 0})) + data
	}
	oneCode := "\x01" + strings.Repeat("\x00", 15) // the code 0, for one symbol
	return "\xff\xd8" + segment(0xdb, "\x00"+strings.Repeat("\x01", 64)) +
		segment(0xc2, "\x08\x07\xd0\x07\xd0\x01\x01\x11\x00") +
		segment(0xc4, "\x00"+oneCode+"\x00") + segment(0xc4, "\x10"+oneCode+"\xe0") +
		scan(0, 0, 0, strings.Repeat("\x00", (blocks+7)/8)) +
		strings.Repeat(scan(0, 1, 63, "\x55\x54\xaa\xa9\x55\x57"), scans-1) + "\xff\xd9"
}
