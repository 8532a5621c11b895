package images

import (
	"encoding/binary"
	"errors"
	"io"

	"golang.org/x/image/vp8"
)

var errWebP = errors.New("invalid WebP")

// parseWebP parses a WebP file. It gives no pixels for an image that is lossless, transparent or
// animated: the memory for these depends on their content, or is not worth it.
func parseWebP(f *file) (header, error) {
	const maxChunks = 64 // an animation can have more
	h := header{mediaType: "image/webp"}
	isSimple := true
	at := int64(len("RIFF....WEBP"))
	for range maxChunks {
		var b [8]byte
		if _, err := io.ReadFull(f.from(at), b[:]); err != nil {
			break
		}
		at += int64(len(b))
		size := int64(binary.LittleEndian.Uint32(b[4:]))
		data := io.NewSectionReader(f, at, min(size, f.size-at))
		switch name := string(b[:4]); name {
		case "EXIF":
			exif := make([]byte, min(data.Size(), maxEXIF))
			if _, err := io.ReadFull(data, exif); err == nil {
				h.orientation = exifOrientation(exif)
			}
		case "ALPH", "ANMF":
			isSimple = false
		case "VP8X", "VP8L", "VP8 ":
			isSimple = isSimple && name != "VP8L"
			if err := h.parseWebPSize(name, data); err != nil {
				return header{}, err
			}
		}
		at += size + size%2
	}
	if !isSimple {
		h.pixels = nil
	}
	if h.size.Width == 0 || h.size.Height == 0 {
		return header{}, errWebP
	}
	return h, nil
}

// parseWebPSize parses the beginning of a chunk with the size of the image. All such chunks must
// agree.
func (h *header) parseWebPSize(name string, data *io.SectionReader) error {
	var b [10]byte
	needed := b[:]
	if name == "VP8L" {
		needed = b[:5]
	}
	if _, err := io.ReadFull(data, needed); err != nil {
		return errWebP
	}
	var size Size
	switch name {
	case "VP8X":
		size = Size{
			1 + int(b[4]) + int(b[5])<<8 + int(b[6])<<16,
			1 + int(b[7]) + int(b[8])<<8 + int(b[9])<<16,
		}
	case "VP8L":
		bits := binary.LittleEndian.Uint32(b[1:])
		size = Size{1 + int(bits&0x3fff), 1 + int(bits>>14&0x3fff)}
	case "VP8 ":
		_, frame, err := decodeFrameHeader(data)
		if err != nil || !frame.KeyFrame {
			return errWebP
		}
		size = Size{frame.Width, frame.Height}
		blocks := int64((size.Width+15)/16) * int64((size.Height+15)/16)
		const blockBytes = 16*16 + 2*8*8 + 16 // and how to filter them
		h.memory = blocks*blockBytes + data.Size()
		h.pixels = webpPixels{data}
	}
	if h.size != (Size{}) && h.size != size {
		return errWebP
	}
	h.size = size
	return nil
}

// The webpPixels are the pixels of a frame that is lossy and without transparency.
type webpPixels struct{ data *io.SectionReader }

func (p webpPixels) open() (rowReader, error) {
	decoder, _, err := decodeFrameHeader(p.data)
	if err != nil {
		return nil, err
	}
	m, err := decoder.DecodeFrame()
	return &imageReader{image: m}, err
}

func decodeFrameHeader(data *io.SectionReader) (*vp8.Decoder, vp8.FrameHeader, error) {
	decoder := vp8.NewDecoder()
	decoder.Init(io.NewSectionReader(data, 0, data.Size()), int(data.Size()))
	frame, err := decoder.DecodeFrameHeader()
	return decoder, frame, err
}
