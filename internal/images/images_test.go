package images

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gander/internal/admission"

	_ "image/gif"
	_ "image/jpeg"

	_ "golang.org/x/image/webp"
)

// reduced decodes and reduces an image, even if it need not be.
func reduced(ctx context.Context, content string) (*image.RGBA, *reducer, error) {
	f := &file{ctx: ctx, src: strings.NewReader(content), size: int64(len(content))}
	h, err := f.header()
	if err != nil {
		return nil, nil, err
	}
	if h.memory > MaxMemory {
		return nil, nil, ErrTooLarge
	}
	m, err := h.decode(f)
	if err != nil {
		return nil, nil, err
	}
	r := newReducer(h.size, h.orientation)
	out, err := r.reduce(ctx, m)
	return out, r, err
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
					c := color.NRGBAModel.Convert(m.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA)
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

// place returns where a pixel of an image of a size is once it is turned. These are the words of
// the EXIF specification: which side of the picture row 0 and column 0 are.
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

// difference returns how much a result differs from the reference, which is not turned: the average
// difference of the samples, on white.
func difference(got *image.RGBA, want *image.NRGBA, orientation int) float64 {
	sum := 0.0
	onWhite(got)
	for y := range want.Rect.Dy() {
		for x := range want.Rect.Dx() {
			atX, atY := place(orientation, x, y, Size{want.Rect.Dx(), want.Rect.Dy()})
			if !image.Pt(atX, atY).In(got.Rect) {
				return math.MaxInt
			}
			a, b := got.RGBAAt(atX, atY), want.NRGBAAt(x, y)
			for _, p := range [][2]byte{{a.R, b.R}, {a.G, b.G}, {a.B, b.B}} {
				white := 255 * (1 - float64(b.A)/255)
				sum += math.Abs(float64(p[0]) - float64(p[1])*float64(b.A)/255 - white)
			}
		}
	}
	return sum / float64(3*want.Rect.Dx()*want.Rect.Dy())
}

// checkDecoded compares a reduced image with the average of what Go decodes. Package draw weighs
// pixels, so what changes from one pixel to the next differs a little.
func checkDecoded(t *testing.T, name, content string, orientation int, tolerance float64) {
	t.Helper()
	want, _, err := image.Decode(strings.NewReader(content))
	if err != nil {
		t.Fatalf("%s: Go's decoder: %v", name, err)
	}
	out, r, err := reduced(t.Context(), content)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	isLarge := max(r.to.Width, r.to.Height) > MaxSide
	if isLarge || r.from != (Size{want.Bounds().Dx(), want.Bounds().Dy()}) {
		t.Errorf("%s: %v reduced to %v", name, r.from, r.to)
	}
	if d := difference(out, averaged(want, r.to), orientation); d > tolerance {
		t.Errorf("%s: a sample differs by %.1f", name, d)
	}
}

// TestReduced compares images of many sizes, in all orientations, with the average of their pixels.
func TestReduced(t *testing.T) {
	for i, size := range []Size{
		{1, 1}, {13, 9}, {2311, 3}, {2, 2777}, {4001, 20}, {2001, 5}, {40, 5999}, {2600, 300},
	} {
		for turn := range 8 {
			if size.pixels() > 100_000 && turn > 1 {
				continue
			}
			orientation := 1 + (i+turn)%8
			var b bytes.Buffer
			if err := png.Encode(&b, gradient(size.Width, size.Height)); err != nil {
				t.Fatal(err)
			}
			data := chunk("eXIf", exif(binary.BigEndian, uint16(orientation)))
			content := b.String()[:33] + data + b.String()[33:]
			checkDecoded(t, fmt.Sprint(size, " turned ", orientation), content, orientation, 1.5)
		}
	}
}

// TestMemory checks that decoding allocates at most what the header says, for every kind of PNG.
func TestMemory(t *testing.T) {
	types := map[byte][]byte{
		pngGray: {1, 2, 4, 8, 16}, pngRGB: {8, 16}, pngPalette: {1, 2, 4, 8},
		pngGrayAlpha: {8, 16}, pngRGBA: {8, 16},
	}
	for kind, depths := range types {
		for _, depth := range depths {
			for _, isTransparent := range []bool{false, true} {
				chunks := ""
				if kind == pngPalette {
					chunks += chunk("PLTE", strings.Repeat("abc", 1<<depth))
				}
				transparent := map[byte]string{pngGray: "\x00\x01", pngRGB: "\x00\x01\x00\x02\x00\x03"}
				if isTransparent && transparent[kind] != "" {
					chunks += chunk("tRNS", transparent[kind])
				}
				r := rand.New(rand.NewPCG(1, 2))
				p := randomPNG(r, 1000, 700, depth, kind, chunks)
				checkMemory(t, fmt.Sprint("type ", kind, " depth ", depth, isTransparent), p.make())
			}
		}
	}
}

func checkMemory(t *testing.T, name, content string) {
	t.Helper()
	f := &file{ctx: t.Context(), src: strings.NewReader(content), size: int64(len(content))}
	h, err := f.header()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	taken := allocated(func() { _, err = h.decode(f) })
	if err != nil || taken > h.memory+decoderMemory {
		t.Errorf("%s: %d bytes allocated, %d announced, %v", name, taken, h.memory, err)
	}
}

// TestOthers compares the images of Go's own tests, among them progressive JPEG, CMYK and
// interlaced PNG, and WebP, with what Go decodes.
func TestOthers(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("the Go command is missing: ", err)
	}
	files := []string{"testdata/lossy.webp", "testdata/lossless.webp"}
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
			checkDecoded(t, filepath.Base(name), string(content), 1, 2.5)
			checkMemory(t, filepath.Base(name), string(content))
			checkCut(t, filepath.Base(name), string(content))
			compared[filepath.Ext(name)]++
		}
	}
	if compared[".webp"] < 2 {
		t.Error("the WebP images were not compared")
	}
	if compared[".jpeg"] < 10 || compared[".png"] < 20 || compared[".gif"] < 3 {
		t.Skip("Go's images are not all here: ", compared)
	}
}

// checkCut checks that no part of a file is shown as an image.
func checkCut(t *testing.T, name, content string) {
	t.Helper()
	for i := range 40 {
		cut := content[:len(content)*i/40]
		m, err := Read(t.Context(), strings.NewReader(cut), int64(len(cut)), math.MaxInt64)
		if !errors.Is(err, ErrDamaged) || m.Data != nil {
			t.Errorf("%s: %d of %d bytes: %v", name, len(cut), len(content), err)
		}
	}
}

// TestChanged changes bytes of images: what is then shown is an image that Go decodes.
func TestChanged(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	files := map[string]string{
		"png":  randomPNG(r, 60, 40, 8, pngRGB, "").make(),
		"jpeg": jpegOf(t, gradient(60, 40)), "gif": gifOf(t, 3, gradient(60, 40)),
		"lossy": testdata(t, "lossy.webp"), "lossless": testdata(t, "lossless.webp"),
	}
	for name, content := range files {
		for range 300 {
			changed := []byte(content)
			changed[r.IntN(len(changed))] ^= byte(1 + r.IntN(255))
			size := int64(len(changed))
			m, err := Read(t.Context(), bytes.NewReader(changed), size, math.MaxInt64)
			if err != nil {
				continue
			}
			if _, _, err := image.Decode(bytes.NewReader(m.Data)); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}

// TestScans checks that a progressive image is decoded with as many scans as encoders make, and
// that thousands of empty ones, which take much time and few bytes, are not.
func TestScans(t *testing.T) {
	content := progressive(20)
	checkMemory(t, "progressive", content)
	checkCut(t, "progressive", content)
	m, err := readBounded(t, content)
	if err != nil || m.Reduced {
		t.Errorf("20 scans: %v", err)
	}
	for _, scans := range []int{160, 20_000} {
		_, err = readBounded(t, progressive(scans))
		if !errors.Is(err, ErrTooLarge) {
			t.Errorf("%d scans: %v", scans, err)
		}
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
	alpha, opaque := "\x10\x00\x00\x00\x33\x08\x00\x27\x00\x00", "\x00"+strings.Repeat("\xff", 2100*40)
	vp8x := "\x00\x00\x00\x00\x33\x08\x00\x27\x00\x00" // 2100 x 40
	little, big := binary.AppendByteOrder(binary.LittleEndian), binary.AppendByteOrder(binary.BigEndian)
	const frameOf2000 = "\x08\x07\xd0\x07\xd0\x03\x01\x11\x00\x02\x11\x00\x03\x11\x00" // 4:4:4
	large := "\xff\xd8" + segment(0xe1, exifPrefix+exif(little, 6)) + segment(0xc2, frameOf2000) +
		segment(0xda, "")
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
		{"JPEG that takes too much memory, turned", large, "2000 x 2000 too large to be shown"},
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
			"10 x 10 damaged",
		},
		{"lossless WebP", lossless, "image/jpeg 2100 x 40 2000 x 38 reduced"},
		{"WebP with alpha", riff("VP8X", alpha, "ALPH", opaque, "VP8 ", frame), "image/jpeg 2100 x 40 2000 x 38 reduced"},
		{"animated WebP", riff("VP8X", vp8x, "ANMF", lossy), "2100 x 40 not decoded"},
	} {
		m, err := Read(t.Context(), strings.NewReader(tt.content), int64(len(tt.content)), math.MaxInt64)
		got := fmt.Sprint(m.MediaType, " ", m.Original, " ", m.Shown)
		switch {
		case err != nil:
			reason, _, _ := strings.Cut(err.Error(), ":")
			got = fmt.Sprint(m.Original, " ", reason)
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

// TestMarkersInSegments checks that what looks like the marker of a color space within a segment
// stays as it is.
func TestMarkersInSegments(t *testing.T) {
	photo := jpegOf(t, gradient(2100, 64))
	want, _, err := reduced(t.Context(), photo)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{0xffe0, 0xffee} {
		data := strings.Repeat("\xff\xe0\xff", size)[:size-2]
		got, _, err := reduced(t.Context(), photo[:2]+segment(0xe2, data)+photo[2:])
		if err != nil || !bytes.Equal(got.Pix, want.Pix) {
			t.Errorf("a segment of %#x bytes: other pixels, error %v", size, err)
		}
	}
}

// TestLimit checks that a result has at most the bytes of a limit, or that the error says so.
func TestLimit(t *testing.T) {
	content := randomPNG(rand.New(rand.NewPCG(1, 2)), 2100, 500, 8, pngRGB, "").make()
	shown := 0
	for limit := int64(0); limit < 2<<20; limit += 190_000 {
		m, err := Read(t.Context(), strings.NewReader(content), int64(len(content)), limit)
		switch {
		case err == nil && int64(len(m.Data)) <= limit:
			shown++
		case err != ErrLimit || limit > 1<<20 || m.Original != (Size{2100, 500}):
			t.Errorf("limit %d: %d bytes, %v, %v", limit, len(m.Data), m.Original, err)
		}
	}
	if shown < 5 {
		t.Errorf("only %d limits are enough", shown)
	}
}

// TestTransparent checks that a transparent image that becomes JPEG lies on white.
func TestTransparent(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 8, 8))
	m.SetRGBA(0, 0, color.RGBA{20, 0, 40, 51}) // 100, 0, 200 at a fifth
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

// TestFailureReleasesMemory reads a small image that fails at its end, in a call whose memory is
// enough for two of them.
func TestFailureReleasesMemory(t *testing.T) {
	content := randomPNG(rand.New(rand.NewPCG(1, 2)), 200, 100, 8, pngRGB, "").make()
	size := int64(len(content))
	broken := errors.New("broken")
	src := slowFile{strings.NewReader(content), size - 1, func() (int, error) { return 0, broken }}
	_, err := admission.Run(t.Context(), admission.New(1, 3<<19), 0, func(ctx context.Context) (Image, error) {
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
	endless := pngFile{width: 6000, height: 6000, depth: 8, pixels: strings.Repeat("\x00", 6001*6000)}.make()
	start := time.Now()
	if _, err := Read(ctx, strings.NewReader(endless), int64(len(endless)), math.MaxInt64); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a deadline after 10 ms: %v after %v", err, time.Since(start))
	}
}
