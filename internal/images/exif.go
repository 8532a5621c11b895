package images

import (
	"bytes"
	"encoding/binary"
	"io"
)

// maxEXIF is the maximum size of EXIF data, which is that of a segment of a JPEG file.
const maxEXIF = 64 << 10

// exifPrefix precedes EXIF data in a JPEG file, and in some WebP files.
const exifPrefix = "Exif\x00\x00"

// exif returns the orientation that EXIF data of a file has, or 0 if it has none.
func (f *file) exif(at, size int64) int {
	data := make([]byte, max(min(size, maxEXIF, f.size-at), 0))
	if _, err := io.ReadFull(f.from(at), data); err != nil {
		return 0
	}
	return exifOrientation(data)
}

// exifOrientation returns the orientation of an image, from 1 to 8, or 0 if the data has none. The
// data is a TIFF file, after exifPrefix or not; only its first directory counts.
func exifOrientation(b []byte) int {
	const (
		entryBytes     = 12
		orientationTag = 0x112
		typeShort      = 3
	)
	b = bytes.TrimPrefix(b, []byte(exifPrefix))
	if len(b) < 8 {
		return 0
	}
	var order binary.ByteOrder
	switch string(b[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return 0
	}
	at := int64(order.Uint32(b[4:]))
	if at+2 > int64(len(b)) {
		return 0
	}
	entries := int(order.Uint16(b[at:]))
	b = b[at+2:]
	for range entries {
		if len(b) < entryBytes {
			return 0
		}
		if order.Uint16(b) == orientationTag {
			value := int(order.Uint16(b[8:]))
			if order.Uint16(b[2:]) != typeShort || order.Uint32(b[4:]) != 1 || value > 8 {
				return 0
			}
			return value
		}
		b = b[entryBytes:]
	}
	return 0
}
