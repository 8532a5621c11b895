package read

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	stdpng "image/png"
	"os"
	"path/filepath"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	"gander/internal/admission"
	"gander/internal/native/section"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/tooltest"
	"gander/internal/toolset"
	"gander/tool"
)

// putImages makes images of 12 megapixels, one upright, one that the camera turned and one that
// takes too much memory.
func putImages(t *testing.T, root string) {
	t.Helper()
	var b bytes.Buffer
	if err := stdpng.Encode(&b, image.NewGray(image.Rect(0, 0, 4000, 3000))); err != nil {
		t.Fatal(err)
	}
	tooltest.Put(t, root, "large.png", b.String())
	b.Reset()
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 4000, 3000)), nil); err != nil {
		t.Fatal(err)
	}
	photo := b.String()
	const exif = "\xff\xe1\x00\x22Exif\x00\x00" +
		"MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"
	tooltest.Put(t, root, "turned.jpg", photo[:2]+exif+photo[2:])
	frame := strings.Index(photo, "\xff\xc0")
	tooltest.Put(t, root, "huge.jpg", photo[:frame+5]+"\x17\x70\x1f\x40"+photo[frame+9:])
	tooltest.Put(t, root, "cut.png", tooltest.PNG[:20])
}

// TestImages checks what a result says of an image that is not shown as it is.
func TestImages(t *testing.T) {
	if testing.Short() {
		t.Skip("sequential, and slow under the race detector")
	}
	root := t.TempDir()
	putImages(t, root)
	for _, tt := range []struct{ path, want, size string }{
		{
			"large.png", "bytes, 4000 x 3000 shown as 2000 x 1500\n[image: image/png, ",
			"2000 x 1500",
		},
		{
			"turned.jpg", "bytes, 4000 x 3000 shown as 1500 x 2000, turned upright\n" +
				"[image: image/jpeg, ", "1500 x 2000",
		},
		{"huge.jpg", "bytes, 8000 x 6000 pixels, too large to be shown", ""},
		{"cut.png", "cut.png: a PNG image, 20 bytes; damaged, so it is not shown", ""},
	} {
		read := listing(nativetest.Environment(tooltest.Workspace(t, nil, root)))
		c := tooltest.NewCaller(t, read, toolset.Options{MaxDataBytes: 5 << 20})
		result, failure := c.Call(fmt.Sprintf(`{"path":%q}`, tt.path), -1)
		if failure != nil || !strings.Contains(result.Text(), tt.want) {
			t.Errorf("%s: got %q, %v, want %q", tt.path, result.Text(), failure, tt.want)
		}
		size := ""
		if len(result.Parts) > 1 {
			config, _, err := image.DecodeConfig(bytes.NewReader(result.Parts[1].Data))
			size = fmt.Sprintf("%d x %d", config.Width, config.Height)
			if err != nil {
				t.Errorf("%s: the result: %v", tt.path, err)
			}
		}
		if size != tt.size {
			t.Errorf("%s: got %q, want %q", tt.path, size, tt.size)
		}
	}
}

// TestManyImages checks that many calls with large images at the same time all get one, in little
// more memory than is reserved for all.
func TestManyImages(t *testing.T) {
	root := t.TempDir()
	putImages(t, root)
	read := listing(nativetest.Environment(tooltest.Workspace(t, nil, root)))
	ts, err := toolset.New(nil, toolset.Options{
		Tools: []tool.Tool{read}, Control: admission.New(0, 0), Timeout: 5 * time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	done, sampled := make(chan struct{}), make(chan uint64)
	go func() {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		most := uint64(0)
		for {
			select {
			case <-done:
				sampled <- most
				return
			case <-time.After(time.Millisecond):
				metrics.Read(live)
				most = max(most, live[0].Value.Uint64())
			}
		}
	}()
	var calls sync.WaitGroup
	images := 16
	if testing.Short() {
		images = 4
	}
	failures := make(chan error, images)
	for i := range cap(failures) {
		calls.Go(func() {
			path := []string{"large.png", "turned.jpg"}[i%2]
			args, _ := json.Marshal(map[string]string{"path": path})
			result, err := ts.Call(context.Background(), "read_file", tool.Call{Args: args})
			if err == nil && !strings.Contains(result.Text(), "shown as") {
				err = errors.New(result.Text())
			}
			failures <- err
		})
	}
	calls.Wait()
	close(done)
	for range cap(failures) {
		if err := <-failures; err != nil {
			t.Error(err)
		}
	}
	const bound = admission.DefaultBytes + 32<<20 // for the rest of the process
	if most := <-sampled; most > bound {
		t.Errorf("%d MiB in use", most>>20)
	}
}

// TestShrinkingImage checks that an image that becomes shorter while it is read is an error.
func TestShrinkingImage(t *testing.T) {
	root := t.TempDir()
	for _, left := range []int64{0, 8} {
		tooltest.Put(t, root, "x.png", tooltest.PNG)
		c := nativetest.Environment(tooltest.Workspace(t, nil, root)).NewCall("")
		b, err := section.NewBudget(tool.Budget{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		found, err := c.Paths.Find(t.Context(), "x.png")
		if err != nil {
			t.Fatal(err)
		}
		x, err := openRequested(c, b, selection{}, found.Location)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(filepath.Join(root, "x.png"), left); err != nil {
			t.Skip("an open file cannot be cut here: ", err)
		}
		_, err = x.binarySection(t.Context())
		x.file.Close()
		want := "x.png: the file has become shorter while it was read; read it again"
		if err == nil || err.Error() != want {
			t.Errorf("%d bytes left: got %v", left, err)
		}
	}
}
