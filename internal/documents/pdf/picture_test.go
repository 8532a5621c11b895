package pdf

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"runtime"
	"strings"
	"testing"
	"time"

	"gander/internal/admission"
)

// scan returns a PDF file as scanners make them: its page is a JPEG image, yellow above and blue below.
func scan(t testing.TB, width, height int, isGray bool) []byte {
	t.Helper()
	r := image.Rect(0, 0, width, height)
	var m draw.Image = image.NewRGBA(r)
	space := "/DeviceRGB"
	if isGray {
		m, space = image.NewGray(r), "/DeviceGray"
	}
	draw.Draw(m, r, image.NewUniform(color.RGBA{0, 0, 255, 255}), image.Point{}, draw.Src)
	r.Max.Y = height / 2
	draw.Draw(m, r, image.NewUniform(color.RGBA{255, 255, 0, 255}), image.Point{}, draw.Src)
	var data bytes.Buffer
	if err := jpeg.Encode(&data, m, nil); err != nil {
		t.Fatal(err)
	}
	b := newBuilder()
	picture := b.stream(fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8"+
		"/ColorSpace%s/Filter/DCTDecode", width, height, space), data.String())
	b.page("q 595 0 0 842 0 0 cm /X Do Q", fmt.Sprintf("/Resources<</XObject<</X %d 0 R>>>>", picture))
	return b.bytes()
}

// TestDraw draws pages without text: scanned ones, in resolutions of up to 600 dots an inch, and drawings.
// Those with text, and those that there are not, are not drawn.
func TestDraw(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long")
	}
	const side = 1400
	for _, test := range []struct {
		name    string
		content []byte
		page    int
		size    image.Point // of the picture, or zero
	}{
		{"100 dpi", scan(t, 827, 1169, false), 1, image.Pt(989, side)},
		{"300 dpi", scan(t, 2480, 3508, false), 1, image.Pt(989, side)},
		{"400 dpi", scan(t, 3307, 4677, false), 1, image.Pt(989, side)},
		{"600 dpi", scan(t, 4960, 7016, true), 1, image.Pt(989, side)},
		{"drawing", file(show("text"), "1 1 0 rg 0 421 595 421 re f 0 0 1 rg 0 0 595 421 re f"), 2, image.Pt(989, side)},
		{"text", file(show("text"), ""), 1, image.Point{}},
		{"no page", file("", ""), 3, image.Point{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := open(t.Context(), t, shared(), test.content)
			defer d.Close()
			var size image.Point
			_, err := d.Draw(t.Context(), test.page, side, func(m *image.RGBA) error {
				size = m.Rect.Max
				above, below := m.RGBAAt(size.X/2, size.Y/4), m.RGBAAt(size.X/2, size.Y*3/4)
				if above.R < below.R+100 || above.A != 255 {
					t.Errorf("above %v, below %v", above, below)
				}
				return nil
			})
			if err != nil || size != test.size {
				t.Errorf("got %v, %v", size, err)
			}
		})
	}
}

// TestDrawHostile draws pages that need much memory or time, in calls with the memory of a call.
func TestDrawHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long")
	}
	const call = 48 << 20
	c := admission.New(64, call)
	files := hostileFiles()
	for name, content := range map[string][]byte{
		"forms":      files["forms that show forms"],
		"large scan": scan(t, 4960, 7016, false),
		"a drawing":  file(strings.Repeat("0 0 m 595 842 l S ", 1<<20)),
		"large page": bytes.Replace(file("0 0 9 9 re f"), []byte("[0 0 595 842]"), []byte("[0 0 9e9 1.0]"), 1),
	} {
		runtime.GC() // of what compiling PDFium has left
		most := watchMemory(t)
		begin := time.Now()
		_, err := admission.Run(t.Context(), c, 4*time.Second, func(ctx context.Context) (int, error) {
			d := open(ctx, t, shared(), content)
			defer d.Close()
			return d.Draw(ctx, 1, 1400, func(*image.RGBA) error { return nil })
		})
		used := most()
		t.Logf("%s: %v after %v, %d MiB", name, err, time.Since(begin), used>>20)
		if time.Since(begin) > 10*time.Second || used > 190<<20 {
			t.Errorf("%s: %v after %v, %d MiB", name, err, time.Since(begin), used>>20)
		}
	}
	_, err := admission.Run(t.Context(), c, time.Minute, func(ctx context.Context) (int, error) {
		return 0, admission.Reserve(ctx, call)
	})
	if err != nil {
		t.Errorf("memory is not returned: %v", err)
	}
}
