// Package images makes images small enough for a model: at most [MaxSide] pixels a side and
// [MaxBytes], and upright. An image that already is stays as it is, byte for byte.
//
// PNG is reduced row by row, so that the memory does not depend on its height. Images in other
// formats are decoded if that needs at most [MaxMemory].
package images

import (
	"context"
	"errors"
	"fmt"
	"io"

	"gander/internal/admission"
)

const (
	// MaxSide is the maximum width and height of a shown image in pixels.
	MaxSide = 2000
	// MaxBytes is the maximum size of a shown image, which is 5 MiB in base64.
	MaxBytes = 3_932_160
	// MaxMemory is the maximum number of bytes that a call reserves to reduce an image.
	MaxMemory = 48 << 20

	// minLimit is the limit below which a larger image is not reduced.
	minLimit = 32 << 10
	// maxHeader is the maximum size of the data before the pixels in a file.
	maxHeader = 16 << 20

	decoderMemory = 256 << 10 // in addition to the pixels
	encoderMemory = 2 << 20   // in addition to the result
)

var (
	// ErrTooLarge reports an image that cannot be reduced within MaxMemory.
	ErrTooLarge = errors.New("too large to be shown")
	// ErrLimit reports an image that is too large for the limit of the caller.
	ErrLimit = errors.New("the image exceeds the limit")
	// ErrDamaged reports an image whose size cannot be read, or that cannot be decoded.
	ErrDamaged = errors.New("damaged")
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
}

// Read reads a PNG, JPEG, GIF or WebP image from a file of size bytes. Data has at most limit
// bytes. An animation that must be reduced is shown by its first frame.
//
// The memory is reserved before it is used, and on return only that of Data remains reserved (see
// [admission.Reserve]). The error is [ErrTooLarge] or [ErrLimit], with the Original size;
// [ErrDamaged]; [io.ErrUnexpectedEOF] if the file is shorter than size; or the error of ctx, of
// reading the file, or of reserving memory.
func Read(ctx context.Context, src io.ReaderAt, size, limit int64) (Image, error) {
	f := &file{ctx: ctx, src: src, size: size}
	h, err := f.parse()
	if err != nil {
		return Image{}, f.failure(err)
	}
	shown := Image{MediaType: h.mediaType, Original: h.size, Shown: h.size}
	limit = min(limit, MaxBytes)
	upright := h.orientation <= 1
	isSmall := max(h.size.Width, h.size.Height) <= MaxSide && size <= limit
	r := newReducer(h.size, h.orientation)
	need := r.memory() + max(h.memory+decoderMemory, encoderMemory+2*limit)
	canReduce := h.pixels != nil && need <= MaxMemory
	switch {
	case isSmall && (upright || !canReduce): // an image that cannot be decoded cannot be turned
		shown.Data, err = f.all()
		return shown, err
	case size > limit && limit < minLimit:
		return shown, ErrLimit
	case !canReduce:
		return shown, ErrTooLarge
	}
	if err := admission.Reserve(ctx, need); err != nil {
		return shown, err
	}
	defer func() { admission.Release(ctx, need-int64(len(shown.Data))) }()
	if err := r.reduce(ctx, h.pixels); err != nil {
		return shown, f.failure(err)
	}
	shown.Reduced, shown.Turned = true, !upright
	shown.Shown = Size{r.out.Rect.Dx(), r.out.Rect.Dy()}
	preferPNG := h.mediaType == "image/png" || h.mediaType == "image/gif"
	shown.Data, shown.MediaType, err = encode(ctx, r.out, preferPNG, limit)
	return shown, err
}

// A header has the properties of an image that are known before its pixels are decoded.
type header struct {
	mediaType   string
	size        Size
	orientation int    // EXIF's, from 1 to 8, or 0 if unknown
	memory      int64  // bytes that the pixels take when they are decoded
	pixels      pixels // nil if they cannot be decoded
}

// The pixels of an image are not decoded yet.
type pixels interface {
	// open decodes the pixels, or begins to.
	open() (rowReader, error)
}

// A rowReader reads the rows of an image, from the top.
type rowReader interface {
	// next stores the next row, with 4 bytes for each pixel as in [image.NRGBA].
	next(row []byte) error
}
