package images

import (
	"encoding/binary"
	"errors"
	"image"
	"math"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"gander/internal/testkit/hostilefiles"
)

// allocated returns the number of bytes that f allocates, at least as many as it uses at a time.
func allocated(f func()) int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	before := sample[0].Value.Uint64()
	f()
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64() - before)
}

// readBounded reads an image. The test fails if that takes much memory or time, or if the result
// breaks a promise.
func readBounded(t *testing.T, content string) (m Image, err error) {
	t.Helper()
	const bound = MaxMemory + 8<<20 // for a file that is not reserved: the buffers of decoders
	start := time.Now()
	bytes := allocated(func() {
		m, err = Read(t.Context(), strings.NewReader(content), int64(len(content)), math.MaxInt64)
	})
	if took := time.Since(start); bytes > bound || took > 30*time.Second {
		t.Errorf("%.60q: %d bytes allocated in %v", content, bytes, took)
	}
	known := errors.Is(err, ErrDamaged) || errors.Is(err, ErrTooLarge) ||
		errors.Is(err, ErrUnsupported) || err == ErrLimit
	largest := max(m.Shown.Width, m.Shown.Height)
	if err != nil && !known || err == nil && (largest > MaxSide || len(m.Data) > MaxBytes) {
		t.Errorf("%.60q: %v, %d bytes, %v", content, m.Shown, len(m.Data), err)
	}
	return m, err
}

// TestHostile checks that no file takes much memory or time, and what is said of it.
func TestHostile(t *testing.T) {
	zeros := strings.Repeat("\x00", 60<<20)
	bomb := deflate(zeros)
	gray := pngFile{width: 3000, height: 20, depth: 8, pixels: zeros[:3001*20]}
	good := gray.make()
	photo := jpegOf(t, gradient(2100, 40))
	frame := strings.Index(photo, "\xff\xc0")
	lying := func(size string) string { return photo[:frame+5] + size + photo[frame+9:] }
	progressive := func(side string) string {
		return photo[:frame] + "\xff\xc2" + photo[frame+2:frame+5] + side + photo[frame+9:]
	}
	lossy := testdata(t, "lossy.webp")
	animation := gifOf(t, 2, gradient(30, 20))
	frames := animation[strings.LastIndex(animation, "!\xf9") : len(animation)-1]
	with := func(chunks string) string {
		p := gray
		p.chunks = chunks
		return p.make()
	}
	for _, tt := range []struct {
		name, content string
		want          error
	}{
		{
			"PNG of 100,000 x 100,000",
			pngFile{width: 100_000, height: 100_000, depth: 1}.make(), ErrTooLarge,
		},
		{
			"PNG of 2,147,483,647 x 1",
			pngFile{width: math.MaxInt32, height: 1, depth: 16, color: pngRGBA}.make(), ErrTooLarge,
		},
		{"PNG of 4,294,967,295", pngFile{width: math.MaxUint32, height: 1, depth: 8}.make(), ErrDamaged},
		{"PNG of no width", pngFile{height: 5, depth: 8}.make(), ErrDamaged},
		{"rows that are too wide", pngFile{width: 200 << 20, height: 1, depth: 8}.make(), ErrTooLarge},
		{
			"interlaced PNG",
			pngFile{width: 5000, height: 5000, depth: 8, interlaced: true}.make(), ErrTooLarge,
		},
		{
			"too few pixels",
			pngFile{width: 16_000, height: 16_000, depth: 8, pixels: zeros[:16<<20]}.make(), ErrTooLarge,
		},
		{"too many pixels", pngFile{width: 3000, height: 2, depth: 8, pixels: zeros}.make(), ErrDamaged},
		{"a cut PNG", good[:len(good)-30], ErrDamaged},
		{"a wrong checksum", strings.Replace(good, "IDAT", "IDAT\x01", 1), ErrDamaged},
		{
			"a wrong filter",
			pngFile{width: 3000, height: 1, depth: 8, pixels: "\x05" + zeros[:3000]}.make(), ErrDamaged,
		},
		{"a long chunk", good[:33] + "\xff\xff\xff\xffzzzz" + zeros, ErrDamaged},
		{"a million chunks", with(strings.Repeat(chunk("tEXt", ""), 1_000_000)), ErrTooLarge},
		{"too many chunks", with(strings.Repeat(chunk("tEXt", ""), 1_500_000)), ErrTooLarge},
		{
			"a million parts",
			pngFile{width: 3000, height: 20, depth: 8, pixels: zeros[:3001*20], idat: 1}.make(), nil,
		},
		{
			"empty parts",
			good[:len(good)-12] + strings.Repeat(chunk("IDAT", ""), 500_000) + good[len(good)-12:], ErrTooLarge,
		},
		{
			"a bomb as profile and text",
			with(chunk("iCCP", "a\x00\x00"+bomb) + chunk("zTXt", "a\x00\x00"+bomb)), nil,
		},
		{
			"a palette without colors",
			pngFile{width: 3000, height: 1, depth: 8, color: pngPalette, pixels: zeros[:3001]}.make(), ErrDamaged,
		},
		{"JPEG of 65,535 x 65,535", lying("\xff\xff\xff\xff"), ErrTooLarge},
		{"JPEG of no height", lying("\x00\x00\xff\xff"), ErrDamaged},
		{"JPEG without its pixels", lying("\x0f\xff\x0f\xff"), ErrDamaged},
		{"large progressive JPEG", progressive("\x0b\xb8\x0b\xb8"), ErrTooLarge},
		{
			"segments without end",
			photo[:2] + strings.Repeat(segment(0xe2, zeros[:65_000]), 300), ErrDamaged,
		},
		{"JPEG of zeros", photo[:2] + zeros, ErrDamaged},
		{"GIF of 65,535 x 65,535", "GIF89a\xff\xff\xff\xff" + animation[10:], ErrTooLarge},
		{"GIF of 100,000 frames", strings.TrimSuffix(animation, ";") + strings.Repeat(frames, 100_000) + ";", nil},
		{
			"GIF without frames",
			"GIF89a\xff\x0f\xff\x0f\x00\x00\x00" + strings.Repeat("!\xfe\x00", 1<<20), ErrDamaged,
		},
		{"WebP whose chunk is too long", lossy[:16] + "\xff\xff\xff\x7f" + lossy[20:], ErrDamaged},
		{"cut WebP", lossy[:200], ErrDamaged},
		{
			"WebP of two sizes",
			riff("VP8X", "\x00\x00\x00\x00\xff\x00\x00\xff\x00\x00", "VP8 ", lossy[20:]), ErrDamaged,
		},
	} {
		if hostilefiles.Keep(t, tt.name, strings.NewReader(tt.content)) {
			continue
		}
		if _, err := readBounded(t, tt.content); !errors.Is(err, tt.want) || tt.want == nil && err != nil {
			t.Errorf("%s: got %v, want %v", tt.name, err, tt.want)
		}
	}
	// An RGB image of Adobe would take four more bytes for each pixel.
	adobe := segment(0xe0, "JFXX\x00") + segment(0xee, "Adobe\x00\x64\x00\x00\x00\x00\x00")
	large := jpegOf(t, image.NewYCbCr(image.Rect(0, 0, 4800, 4000), image.YCbCrSubsampleRatio420))
	if m, err := readBounded(t, large); err != nil || m.Shown != (Size{2000, 1667}) {
		t.Errorf("a large photograph: %v, %v", m.Shown, err)
	}
	end := len(large) - 2
	if _, err := readBounded(t, large[:end]+adobe+large[end:]); !errors.Is(err, ErrUnsupported) {
		t.Errorf("a color space after the pixels: %v", err)
	}
}

// FuzzRead checks that no file breaks the bounds.
func FuzzRead(f *testing.F) {
	f.Add(jpegOf(f, gradient(30, 20)))
	f.Add(gifOf(f, 2, gradient(30, 20)))
	f.Add(testdata(f, "lossy.webp"))
	f.Add(testdata(f, "lossless.webp"))
	pixels := strings.Repeat("\x00", 90)
	f.Add(pngFile{width: 9, height: 2, depth: 4, interlaced: true, pixels: pixels}.make())
	turned := segment(0xe1, "Exif\x00\x00"+exif(binary.LittleEndian, 6))
	f.Add("\xff\xd8" + turned + jpegOf(f, gradient(9, 9))[2:])
	f.Fuzz(func(t *testing.T, content string) {
		if _, err := readBounded(t, content); err != nil {
			return
		}
		// Decodes also those that need not be reduced.
		if bytes := allocated(func() { _, _, _ = reduced(t.Context(), content) }); bytes > 2*MaxMemory {
			t.Errorf("%d bytes allocated", bytes)
		}
	})
}

// FuzzEXIF checks that EXIF data of any kind has an orientation from 0 to 8, without allocating.
func FuzzEXIF(f *testing.F) {
	for orientation := range uint16(10) {
		f.Add([]byte(exif(binary.LittleEndian, orientation)))
		f.Add([]byte(exif(binary.BigEndian, orientation)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if got := exifOrientation(b); got < 0 || got > 8 {
			t.Errorf("orientation %d", got)
		}
	})
}
