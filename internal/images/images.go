// Package images makes images small enough for a model: at most [MaxSide] pixels a side and
// [MaxBytes], and upright. An image that already is stays as it is, byte for byte, once all of it
// has been decoded.
//
// The header of a file says what decoding takes. An image that takes more than [MaxMemory], or
// more work than a large photograph, is not decoded.
package images

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"

	"gander/internal/admission"
)

const (
	// MaxSide is the maximum width and height of a shown image in pixels.
	MaxSide = 2000
	// MaxBytes is the maximum size of a shown image, which is 5 MiB in base64.
	MaxBytes = 3_932_160
	// MaxMemory is the maximum number of bytes that a call reserves for an image.
	MaxMemory = 48 << 20

	// maxFile is the maximum size of a file.
	maxFile = 64 << 20
	// maxPixels is the maximum number of pixels of an image.
	maxPixels = 50_000_000
	// minLimit is the limit below which a larger image is not reduced.
	minLimit = 32 << 10

	decoderMemory = 1 << 20 // in addition to the pixels
	encoderMemory = 2 << 20 // in addition to the result
)

var (
	// ErrTooLarge reports an image that takes too much memory or work.
	ErrTooLarge = errors.New("too large to be shown")
	// ErrLimit reports an image that is too large for the limit of the caller.
	ErrLimit = errors.New("the image exceeds the limit")
	// ErrDamaged reports an image that is not complete, or breaks the rules of its format.
	ErrDamaged = errors.New("damaged")
	// ErrUnsupported reports an image of a rare kind that is not decoded.
	ErrUnsupported = errors.New("not decoded")
)

// A Size is a number of pixels.
type Size struct{ Width, Height int }

func (s Size) String() string { return fmt.Sprintf("%d x %d", s.Width, s.Height) }

func (s Size) pixels() int64 { return int64(s.Width) * int64(s.Height) }

// An Image is an image for a model.
type Image struct {
	Data      []byte
	MediaType string // such as "image/png"
	Original  Size   // as stored, before it is turned
	Shown     Size   // the size of the image in Data
	Reduced   bool   // Data is not the content of the file
	Turned    bool   // as its EXIF data says
	Still     bool   // Data is the first frame of an animation
}

// Read reads a PNG, JPEG, GIF or WebP image from a file of size bytes. Data has at most limit
// bytes. An animation that must be reduced, or takes too much memory, is shown by its first frame.
//
// The memory is reserved before it is used, and on return only that of Data remains reserved (see
// [admission.Reserve]). The error is [ErrTooLarge] or [ErrLimit], with the Original size;
// [ErrDamaged]; [ErrUnsupported]; [io.ErrUnexpectedEOF] if the file changes while it is read; or
// the error of ctx, of reading the file, or of reserving memory.
func Read(ctx context.Context, src io.ReaderAt, size, limit int64) (Image, error) {
	f := &file{ctx: ctx, src: src, size: size}
	h, err := f.header()
	if err != nil {
		return Image{Original: h.size}, f.failure(err)
	}
	if h.size.pixels() > maxPixels {
		return Image{Original: h.size}, ErrTooLarge
	}
	shown := Image{MediaType: h.mediaType, Original: h.size, Shown: h.size}
	limit = min(limit, MaxBytes)
	fits := size <= limit
	isSmall := max(h.size.Width, h.size.Height) <= MaxSide
	mustReduce := !fits || !isSmall || h.orientation > 1 || h.isCut
	if !fits && limit < minLimit {
		return shown, ErrLimit
	}
	need := h.memory + decoderMemory
	r := newReducer(h.size, h.orientation)
	if mustReduce {
		need = r.memory() + max(need+r.stripMemory(), encoderMemory+2*limit)
	}
	if fits {
		need += size
	}
	if need > MaxMemory {
		return shown, ErrTooLarge
	}
	if err := admission.Reserve(ctx, need); err != nil {
		return shown, err
	}
	defer func() { admission.Release(ctx, need-int64(len(shown.Data))) }()
	var data []byte
	if fits {
		f, data, err = f.inMemory()
		if err != nil {
			return shown, err
		}
		again, err := f.header()
		if err != nil {
			return shown, f.failure(err)
		}
		if again.memory > h.memory {
			return shown, io.ErrUnexpectedEOF
		}
	}
	m, err := h.decode(f)
	if err != nil {
		return shown, f.failure(err)
	}
	if !mustReduce {
		shown.Data = data
		return shown, nil
	}
	out, err := r.reduce(ctx, m)
	if err != nil {
		return shown, err
	}
	m = nil // its memory is free for the encoder
	shown.Reduced, shown.Turned, shown.Still = true, h.orientation > 1, h.isAnimated
	shown.Shown = Size{out.Rect.Dx(), out.Rect.Dy()}
	shown.Data, shown.MediaType, err = encode(ctx, out, h.prefersPNG(), limit)
	return shown, err
}

// A header has the properties of an image that are known before its pixels are decoded.
type header struct {
	mediaType   string
	size        Size
	orientation int   // EXIF's, from 1 to 8, or 0 if unknown
	memory      int64 // bytes that decoding takes
	isAnimated  bool
	isCut       bool // only the first frame is decoded
	decode      func(*file) (image.Image, error)
}

func (h *header) prefersPNG() bool {
	return h.mediaType == "image/png" || h.mediaType == "image/gif"
}

// header parses the header of a file, whose format is determined by its beginning.
func (f *file) header() (header, error) {
	if f.size > maxFile {
		return header{}, ErrTooLarge
	}
	head := make([]byte, 16)
	if n, err := f.ReadAt(head, 0); n < len(head) {
		return header{}, err
	}
	switch {
	case string(head[:2]) == "\xff\xd8":
		return parseJPEG(f)
	case string(head[:4]) == "GIF8":
		return parseGIF(f)
	case string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP":
		return parseWebP(f)
	default:
		return parsePNG(f)
	}
}
