package images

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"

	"golang.org/x/image/webp"
)

var errWebP = errors.New("invalid WebP")

// parseWebP parses a WebP file. Animations are not decoded.
func parseWebP(f *file) (header, error) {
	var riff [8]byte
	if _, err := io.ReadFull(f.from(0), riff[:]); err != nil {
		return header{}, err
	}
	end := int64(len(riff)) + int64(binary.LittleEndian.Uint32(riff[4:]))
	if end > f.size {
		return header{}, io.ErrUnexpectedEOF
	}
	config, err := webp.DecodeConfig(f.from(0))
	if err != nil {
		return header{}, err
	}
	h := header{
		mediaType: "image/webp", size: Size{config.Width, config.Height},
		decode: func(f *file) (image.Image, error) { return webp.Decode(f.from(0)) },
	}
	const blockBytes = 16*16 + 2*8*8 + 16 // of a lossy image, and how to filter them
	blocks := int64((h.size.Width+15)/16) * int64((h.size.Height+15)/16)
	h.memory = blocks*blockBytes + f.size
	at := int64(len("RIFF....WEBP"))
	for range maxChunks {
		if at >= end {
			return h, nil
		}
		var b [8]byte
		if _, err := io.ReadFull(f.from(at), b[:]); err != nil {
			return header{}, err
		}
		at += int64(len(b))
		size := int64(binary.LittleEndian.Uint32(b[4:]))
		if at+size > end {
			return header{}, errWebP
		}
		switch string(b[:4]) {
		case "EXIF":
			h.orientation = f.exif(at, size)
		case "ANMF":
			return h, fmt.Errorf("%w: an animated WebP image", ErrUnsupported)
		case "ALPH", "VP8L":
			h.memory += h.size.pixels() + losslessMemory(h.size, size)
		}
		at += size + size%2
	}
	return h, ErrTooLarge
}

// losslessMemory returns the number of bytes that decoding lossless pixels takes: the pixels before
// and after they are transformed, and the groups of Huffman trees, of which a part of the image of
// 4 x 4 pixels can have its own.
func losslessMemory(s Size, size int64) int64 {
	const (
		maxGroups   = 2600
		groupBytes  = 2800     // of an empty one
		groupMax    = 52 << 10 // with all its trees
		bytesOfByte = 260      // bytes of trees that a byte of data can make
	)
	groups := min(maxGroups, int64((s.Width+3)/4)*int64((s.Height+3)/4))
	return 8*s.pixels() + groups*groupBytes + min(groups*groupMax, bytesOfByte*size)
}
