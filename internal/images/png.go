package images

import (
	"encoding/binary"
	"image"
	"image/png"
	"io"
)

const pngSignature = "\x89PNG\r\n\x1a\n"

// maxChunks is the maximum number of parts of a file.
const maxChunks = 20_000

// parsePNG reads the parts of a PNG file without decoding its pixels.
func parsePNG(f *file) (header, error) {
	config, err := png.DecodeConfig(f.from(0))
	if err != nil {
		return header{}, err
	}
	h := header{
		mediaType: "image/png", size: Size{config.Width, config.Height},
		decode: func(f *file) (image.Image, error) { return png.Decode(f.from(0)) },
	}
	if h.size.pixels() > 1<<32 {
		return h, ErrTooLarge
	}
	var ihdr [13]byte
	if _, err := io.ReadFull(f.from(int64(len(pngSignature)+8)), ihdr[:]); err != nil {
		return header{}, err
	}
	isTransparent := false
	at := int64(len(pngSignature))
	for range maxChunks {
		var b [8]byte
		if _, err := io.ReadFull(f.from(at), b[:]); err != nil {
			return header{}, err
		}
		size := int64(binary.BigEndian.Uint32(b[:]))
		at += int64(len(b))
		switch string(b[4:]) {
		case "tRNS":
			isTransparent = true
		case "eXIf":
			h.orientation = f.exif(at, size)
		case "IEND":
			h.memory = pngMemory(h.size, ihdr[8], ihdr[9], isTransparent)
			if isInterlaced := ihdr[12] == 1; isInterlaced {
				h.memory *= 2 // the image and its parts
			}
			return h, nil
		}
		at += size + 4 // the checksum
	}
	return h, ErrTooLarge
}

// pngMemory returns the number of bytes of the decoded pixels and of two rows of the file.
func pngMemory(size Size, depth, color byte, isTransparent bool) int64 {
	const gray, palette = 0, 3
	sample := int64(max(depth, 8) / 8)
	pixel := 4 * sample
	if hasOneSample := color == gray && !isTransparent; hasOneSample || color == palette {
		pixel = sample
	}
	return pixel*size.pixels() + 2*8*int64(size.Width)
}
