package images

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/webp"

	"gander/internal/admission"

	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
)

// reduced decodes and reduces an image, even if it need not be.
func reduced(ctx context.Context, content string) (*reducer, error) {
	f := &file{ctx: ctx, src: strings.NewReader(content), size: int64(len(content))}
	h, err := f.parse()
	if err != nil {
		return nil, err
	}
	if h.pixels == nil || h.memory > MaxMemory {
		return nil, ErrTooLarge
	}
	r := newReducer(h.size, h.orientation)
	return r, r.reduce(ctx, h.pixels)
}

// averaged is the reference: the average of each pixel of a result of a size, before it is turned.
func averaged(m image.Image, to Size) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, to.Width, to.Height))
	b := m.Bounds()
	scaleX, scaleY := float64(b.Dx())/float64(to.Width), float64(b.Dy())/float64(to.Height)
	overlap := func(i, d int, scale float64) float64 {
		return min(float64(i+1), float64(d+1)*scale) - max(float64(i), float64(d)*scale)
	}
	for dy := range to.Height {
		for dx := range to.Width {
			var sum [4]float64
			for y := int(float64(dy) * scaleY); y < b.Dy() && overlap(y, dy, scaleY) > 1e-9; y++ {
				for x := int(float64(dx) * scaleX); x < b.Dx(); x++ {
					area := overlap(x, dx, scaleX) * overlap(y, dy, scaleY)
					if area <= 1e-9 {
						break
					}
					c := upperBits(m.At(b.Min.X+x, b.Min.Y+y))
					alpha := float64(c.A) * area
					sum[0] += float64(c.R) * alpha
					sum[1] += float64(c.G) * alpha
					sum[2] += float64(c.B) * alpha
					sum[3] += alpha
				}
			}
			c := color.NRGBA{A: byte(math.Round(sum[3] / scaleX / scaleY))}
			if sum[3] > 0 {
				c.R = byte(math.Round(sum[0] / sum[3]))
				c.G = byte(math.Round(sum[1] / sum[3]))
				c.B = byte(math.Round(sum[2] / sum[3]))
			}
			out.SetNRGBA(dx, dy, c)
		}
	}
	return out
}

// upperBits returns the upper 8 bits of each sample of a color.
func upperBits(c color.Color) color.NRGBA {
	if c, ok := c.(color.NRGBA64); ok {
		return color.NRGBA{byte(c.R >> 8), byte(c.G >> 8), byte(c.B >> 8), byte(c.A >> 8)}
	}
	return color.NRGBAModel.Convert(c).(color.NRGBA)
}

// place returns where a pixel of an image of a size is once it is turned. These are the words of the
// EXIF specification: which side of the picture row 0 and column 0 are.
func place(orientation, x, y int, s Size) (int, int) {
	sides := [...][2]string{
		1: {"top", "left"},
		{"top", "right"},
		{"bottom", "right"},
		{"bottom", "left"},
		{"left", "top"},
		{"right", "top"},
		{"right", "bottom"},
		{"left", "bottom"},
	}[max(orientation, 1)]
	var at image.Point
	for i, side := range sides {
		n, size := y, s.Height
		if i == 1 {
			n, size = x, s.Width
		}
		switch side {
		case "top":
			at.Y = n
		case "bottom":
			at.Y = size - 1 - n
		case "left":
			at.X = n
		case "right":
			at.X = size - 1 - n
		}
	}
	return at.X, at.Y
}

// difference returns the largest difference of a result from the reference, which is not turned.
// Colors that are not visible have none.
func difference(got, want *image.NRGBA, orientation int) int {
	worst := 0
	for y := range want.Rect.Dy() {
		for x := range want.Rect.Dx() {
			atX, atY := place(orientation, x, y, Size{want.Rect.Dx(), want.Rect.Dy()})
			a, b := got.NRGBAAt(atX, atY), want.NRGBAAt(x, y)
			if !image.Pt(atX, atY).In(got.Rect) {
				return math.MaxInt
			}
			pairs := [][2]byte{{a.A, b.A}}
			if a.A > 16 {
				pairs = append(pairs, [2]byte{a.R, b.R}, [2]byte{a.G, b.G}, [2]byte{a.B, b.B})
			}
			for _, p := range pairs {
				worst = max(worst, int(p[0])-int(p[1]), int(p[1])-int(p[0]))
			}
		}
	}
	return worst
}

// TestPNG compares files of every color type, depth, size and orientation, with random samples,
// filters, palettes and transparent colors, with Go's decoder and the reference.
func TestPNG(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return string(b)
	}
	types := map[byte][]byte{
		pngGray: {1, 2, 4, 8, 16}, pngRGB: {8, 16}, pngPalette: {1, 2, 4, 8},
		pngGrayAlpha: {8, 16}, pngRGBA: {8, 16},
	}
	sizes := []Size{{1, 1}, {13, 9}, {2311, 3}, {2, 2777}, {4001, 2}, {2001, 5}}
	for kind, depths := range types {
		for _, depth := range depths {
			for i, size := range sizes {
				for _, transparent := range []bool{false, true} {
					orientation := 1 + (i+int(depth)+int(kind))%8
					chunks := chunk("tEXt", random(30)) + chunk("eXIf", exif(binary.BigEndian, uint16(orientation)))
					if kind == pngPalette {
						chunks += chunk("PLTE", random(3<<depth))
					}
					switch {
					case transparent && kind == pngPalette:
						chunks += chunk("tRNS", random(1+r.IntN(1<<depth)))
					case transparent && kind == pngGray:
						chunks += chunk("tRNS", "\x00"+string([]byte{byte(r.IntN(1 << min(depth, 8)))}))
					case transparent && kind == pngRGB:
						chunks += chunk("tRNS", "\x00\x01\x00\x02\x00\x03")
					}
					p := randomPNG(r, size.Width, size.Height, depth, kind, chunks)
					if transparent && kind == pngRGB {
						p.pixels = p.pixels[:1] + strings.Repeat("\x00\x01\x00\x02\x00\x03", len(p.pixels)/6+1)[:len(p.pixels)-1]
						p.pixels = "\x00" + p.pixels[1:]
						for y := 1; y < size.Height; y++ { // the other rows repeat the first
							row := len(p.pixels) / size.Height
							p.pixels = p.pixels[:y*row] + "\x02" + strings.Repeat("\x00", row-1) + p.pixels[(y+1)*row:]
						}
					}
					name := fmt.Sprintf("type %d, depth %d, %v, transparent %v", kind, depth, size, transparent)
					checkDecoded(t, name, p.make(), orientation)
				}
			}
		}
	}
}

// checkDecoded compares a reduced image with what Go decodes, by the reference.
func checkDecoded(t *testing.T, name, content string, orientation int) {
	t.Helper()
	want, _, err := image.Decode(strings.NewReader(content))
	if err != nil {
		t.Fatalf("%s: Go's decoder: %v", name, err)
	}
	r, err := reduced(t.Context(), content)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if max(r.to.Width, r.to.Height) > MaxSide || r.from != (Size{want.Bounds().Dx(), want.Bounds().Dy()}) {
		t.Errorf("%s: %v reduced to %v", name, r.from, r.to)
	}
	if worst := difference(r.out, averaged(want, r.to), orientation); worst > 1 {
		t.Errorf("%s: a sample differs by %d", name, worst)
	}
}

// TestOthers compares the images of Go's own tests, among them progressive JPEG, CMYK and interlaced
// PNG, and WebP, as TestPNG does.
func TestOthers(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("the Go command is missing: ", err)
	}
	files, _ := filepath.Glob("testdata/lossy.webp")
	for _, pattern := range []string{"image/testdata/*.*", "image/png/testdata/pngsuite/*.png"} {
		found, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "src", pattern))
		files = append(files, found...)
	}
	compared := map[string]int{}
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := image.Decode(bytes.NewReader(content)); err == nil {
			checkDecoded(t, filepath.Base(name), string(content), 1)
			compared[filepath.Ext(name)]++
		}
	}
	if _, err := webp.Decode(strings.NewReader(testdata(t, "lossy.webp"))); err != nil || compared[".webp"] == 0 {
		t.Errorf("the WebP image was not compared: %v", err)
	}
	if compared[".jpeg"] < 10 || compared[".png"] < 20 || compared[".gif"] < 3 {
		t.Skip("Go's images are not all here: ", compared)
	}
}

func testdata(t testing.TB, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// TestRead checks which images are changed, and what is said of them.
func TestRead(t *testing.T) {
	photo := jpegOf(t, gradient(60, 40))
	turned := func(orientation uint16, order binary.AppendByteOrder) string {
		return photo[:2] + segment(0xe1, "Exif\x00\x00"+exif(order, orientation)) + photo[2:]
	}
	noise := randomPNG(rand.New(rand.NewPCG(3, 4)), 1900, 700, 8, pngRGBA, "").make()
	wide := randomPNG(rand.New(rand.NewPCG(5, 6)), 2100, 1000, 8, pngGray, "").make()
	flat := pngFile{width: 4000, height: 3000, depth: 1, pixels: strings.Repeat("\x00", 501*3000)}.make()
	lossy, lossless := testdata(t, "lossy.webp"), testdata(t, "lossless.webp")
	frame := lossy[20:]
	small := lossless[:20] + "\x2f\x09\x40\x02\x00" + lossless[25:] // 10 x 10, by its header
	vp8x := "\x00\x00\x00\x00\x33\x08\x00\x27\x00\x00"              // 2100 x 40
	little, big := binary.AppendByteOrder(binary.LittleEndian), binary.AppendByteOrder(binary.BigEndian)
	const frameOf2000 = "\x08\x07\xd0\x07\xd0\x03\x01\x11\x00\x02\x11\x00\x03\x11\x00" // 4:4:4
	progressive := "\xff\xd8" + segment(0xe1, exifPrefix+exif(little, 6)) + segment(0xc2, frameOf2000) + segment(0xda, "")
	for _, tt := range []struct {
		name, content string
		want          string // the media type, the sizes, and what happened
	}{
		{"small JPEG", photo, "image/jpeg 60 x 40 60 x 40 same"},
		{"upright JPEG", turned(1, little), "image/jpeg 60 x 40 60 x 40 same"},
		{"no orientation", turned(0, little), "image/jpeg 60 x 40 60 x 40 same"},
		{"wrong orientation", turned(9, big), "image/jpeg 60 x 40 60 x 40 same"},
		{"turned JPEG", turned(6, little), "image/jpeg 60 x 40 40 x 60 reduced turned"},
		{"upside down", turned(3, big), "image/jpeg 60 x 40 60 x 40 reduced turned"},
		{"small JPEG that takes too much memory, turned", progressive, "image/jpeg 2000 x 2000 2000 x 2000 same"},
		{"large JPEG", jpegOf(t, gradient(2400, 30)), "image/jpeg 2400 x 30 2000 x 25 reduced"},
		{"many bytes", noise, "image/jpeg 1900 x 700 1900 x 700 reduced"},
		{"PNG above 1 MB", wide, "image/jpeg 2100 x 1000 2000 x 952 reduced"},
		{"large PNG", flat, "image/png 4000 x 3000 2000 x 1500 reduced"},
		{
			"narrow", pngFile{width: 1, height: 300_000, depth: 8, pixels: strings.Repeat("\x00a", 300_000)}.make(),
			"image/png 1 x 300000 1 x 2000 reduced",
		},
		{"small GIF", gifOf(t, 3, gradient(30, 20)), "image/gif 30 x 20 30 x 20 same"},
		{"large GIF", gifOf(t, 3, gradient(2500, 20)), "image/png 2500 x 20 2000 x 16 reduced"},
		{"small WebP", riff("VP8 ", frame[:3]+frame[3:6]+"\x10\x00\x10\x00"+frame[10:]), "image/webp 16 x 16 16 x 16 same"},
		{"large WebP", lossy, "image/jpeg 2100 x 40 2000 x 38 reduced"},
		{
			"WebP turned", riff("VP8X", vp8x, "VP8 ", frame, "EXIF", exif(little, 8)),
			"image/jpeg 2100 x 40 38 x 2000 reduced turned",
		},
		{
			"WebP turned, as older programs write it",
			riff("VP8X", vp8x, "VP8 ", frame, "EXIF", exifPrefix+exif(little, 8)),
			"image/jpeg 2100 x 40 38 x 2000 reduced turned",
		},
		{
			"small WebP that cannot be decoded, turned", riff("VP8L", small[20:], "EXIF", exif(little, 6)),
			"image/webp 10 x 10 10 x 10 same",
		},
		{"lossless WebP", lossless, "2100 x 40 too large to be shown"},
		{"WebP with alpha", riff("VP8X", vp8x, "ALPH", "\x00", "VP8 ", frame), "2100 x 40 too large to be shown"},
		{"animated WebP", riff("VP8X", vp8x, "ANMF", lossy), "2100 x 40 too large to be shown"},
	} {
		m, err := Read(t.Context(), strings.NewReader(tt.content), int64(len(tt.content)), math.MaxInt64)
		got := fmt.Sprint(m.MediaType, " ", m.Original, " ", m.Shown)
		switch {
		case err != nil:
			got = fmt.Sprint(m.Original, " ", err)
		case m.Reduced:
			got += " reduced"
			c, _, err := image.DecodeConfig(bytes.NewReader(m.Data))
			if err != nil || (Size{c.Width, c.Height}) != m.Shown || len(m.Data) > MaxBytes {
				t.Errorf("%s: %d bytes, %v, %v", tt.name, len(m.Data), c, err)
			}
		case string(m.Data) == tt.content:
			got += " same"
		}
		if m.Turned {
			got += " turned"
		}
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestMarkersInSegments checks that what looks like the marker of a color space within a segment stays
// as it is.
func TestMarkersInSegments(t *testing.T) {
	photo := jpegOf(t, gradient(2100, 64))
	want, err := reduced(t.Context(), photo)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{0xffe0, 0xffee} {
		data := strings.Repeat("\xff\xe0\xff", size)[:size-2]
		got, err := reduced(t.Context(), photo[:2]+segment(0xe2, data)+photo[2:])
		if err != nil || !bytes.Equal(got.out.Pix, want.out.Pix) {
			t.Errorf("a segment of %#x bytes: other pixels, error %v", size, err)
		}
	}
}

// TestLimit checks that a result has at most the bytes of a limit, or that the error says so.
func TestLimit(t *testing.T) {
	content := randomPNG(rand.New(rand.NewPCG(1, 2)), 2100, 500, 8, pngRGB, "").make()
	shown := 0
	for limit := int64(0); limit < 2<<20; limit += 100_000 {
		m, err := Read(t.Context(), strings.NewReader(content), int64(len(content)), limit)
		switch {
		case err == nil && int64(len(m.Data)) <= limit:
			shown++
		case err != ErrLimit || limit > 1<<20 || m.Original != (Size{2100, 500}):
			t.Errorf("limit %d: %d bytes, %v, %v", limit, len(m.Data), m.Original, err)
		}
	}
	if shown < 10 {
		t.Errorf("only %d limits are enough", shown)
	}
}

// TestTransparent checks that a transparent image that becomes JPEG lies on white.
func TestTransparent(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 8, 8))
	m.SetNRGBA(0, 0, color.NRGBA{100, 0, 200, 51})
	if got, want := onWhite(m).RGBAAt(0, 0), (color.RGBA{224, 204, 244, 255}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	data, kind, err := encode(t.Context(), m, false, MaxBytes)
	got, _, _ := image.Decode(bytes.NewReader(data))
	if r, _, _, _ := got.At(7, 7).RGBA(); r < 0xfa00 || kind != "image/jpeg" || err != nil {
		t.Errorf("%s, red is %x, %v", kind, r, err)
	}
}

// slowFile is a file that ends the context, fails or ends early after some bytes.
type slowFile struct {
	io.ReaderAt
	at  int64
	end func() (int, error)
}

func (s slowFile) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > s.at {
		if n, err := s.end(); err != nil {
			return n, err
		}
	}
	return s.ReaderAt.ReadAt(p, off)
}

// TestFailureReleasesMemory reads a small image that fails at its end, in a call whose memory is enough for
// two of them.
func TestFailureReleasesMemory(t *testing.T) {
	content := randomPNG(rand.New(rand.NewPCG(1, 2)), 200, 100, 8, pngRGB, "").make()
	size := int64(len(content))
	broken := errors.New("broken")
	src := slowFile{strings.NewReader(content), size - 1, func() (int, error) { return 0, broken }}
	_, err := admission.Run(t.Context(), admission.New(1, 2*size), 0, func(ctx context.Context) (Image, error) {
		for range 5 {
			if m, err := Read(ctx, src, size, math.MaxInt64); !errors.Is(err, broken) {
				return m, err
			}
		}
		return Image{}, nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestFailures checks that the context, failing disks and files that become shorter end any read
// with their error.
func TestFailures(t *testing.T) {
	broken := errors.New("broken")
	files := map[string]string{
		"png":  randomPNG(rand.New(rand.NewPCG(1, 2)), 3000, 50, 8, pngRGB, "").make(),
		"jpeg": jpegOf(t, gradient(2500, 900)), "gif": gifOf(t, 1, gradient(2500, 400)),
		"webp": testdata(t, "lossy.webp"), "small": jpegOf(t, gradient(30, 20)),
	}
	for name, content := range files {
		size := int64(len(content))
		for _, at := range []int64{0, 10, 40, size / 2, size - 1} {
			for _, want := range []error{broken, context.Canceled, io.ErrUnexpectedEOF} {
				ctx, cancel := context.WithCancel(t.Context())
				src := slowFile{strings.NewReader(content), at, func() (int, error) {
					switch want {
					case context.Canceled:
						cancel()
						return 0, nil
					case io.ErrUnexpectedEOF:
						return 0, io.EOF
					default:
						return 0, want
					}
				}}
				m, err := Read(ctx, src, size, math.MaxInt64)
				if err != nil && m.Data != nil {
					t.Errorf("%s, %v at %d: %d bytes of data", name, want, at, len(m.Data))
				}
				if !errors.Is(err, want) || errors.Is(err, ErrDamaged) {
					if want != context.Canceled || name != "small" { // read in one piece
						t.Errorf("%s, %v at %d: %v", name, want, at, err)
					}
				}
				cancel()
			}
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	endless := pngFile{width: 16_000, height: 16_000, depth: 8, color: pngRGBA, pixels: strings.Repeat("\x00", 50<<20)}.make()
	start := time.Now()
	if _, err := Read(ctx, strings.NewReader(endless), int64(len(endless)), math.MaxInt64); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a deadline after 10 ms: %v after %v", err, time.Since(start))
	}
}
