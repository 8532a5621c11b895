package library

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/testkit"
	"gander/mcpserver"
)

// onePixel returns a PNG image of one pixel in a file of the given size.
func onePixel(t *testing.T, size int) []byte {
	t.Helper()
	var b bytes.Buffer
	testkit.Must(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))))
	return append(b.Bytes(), make([]byte, size-b.Len())...)
}

// connect connects an MCP client to a server of ts.
func connect(t *testing.T, ts *gander.Toolset) *mcp.ClientSession {
	t.Helper()
	serverEnd, clientEnd := mcp.NewInMemoryTransports()
	_, err := mcpserver.New(ts, nil).Connect(t.Context(), serverEnd, nil)
	testkit.Must(t, err)
	client := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil)
	session, err := client.Connect(t.Context(), clientEnd, nil)
	testkit.Must(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// TestImages checks which images are returned as they are by default, both by the library and over
// MCP, even by many concurrent calls: those of up to 3.75 MiB, and up to 5 MiB by the reproduction.
// The first tool reduces others.
func TestImages(t *testing.T) {
	root := t.TempDir()
	const most, mostMedia = 5 << 20 / 4 * 3, 5 << 20
	sizes := map[string]int{
		"ok.png": 1 << 20, "most.png": most, "large.png": most + 1,
		"media.png": mostMedia, "huge.png": mostMedia + 1,
	}
	for name, size := range sizes {
		testkit.Must(t, os.WriteFile(filepath.Join(root, name), onePixel(t, size), 0o600))
	}
	ts := testkit.Open(t, gander.Options{
		Roots: []string{root}, Tools: []string{"gander/read_file", "filesystem/read_media_file"},
	})
	for file, size := range sizes {
		path, _ := json.Marshal(map[string]string{"path": filepath.Join(root, file)})
		got, err := ts.Call(t.Context(), "gander/read_file", path)
		testkit.Must(t, err)
		shown := len(got.Parts[1].Data)
		isReduced := strings.HasSuffix(got.Parts[0].Text, ", 1 x 1 shown as 1 x 1") && shown < 100
		if isReduced != (size > most) || !isReduced && shown != size {
			t.Errorf("%s: %d bytes of data: %s", file, shown, got.Text())
		}
		got, err = ts.Call(t.Context(), "filesystem/read_media_file", path)
		shown = 0
		for _, p := range got.Parts {
			shown += len(p.Data)
		}
		if isShown := size <= mostMedia; isShown != (err == nil) || isShown && shown != size {
			t.Errorf("%s: %d bytes of data by the reproduction, %v", file, shown, err)
		}
	}

	session := connect(t, ts)
	var all sync.WaitGroup
	calls := 13 // together above the memory limit
	if testing.Short() {
		calls = 2
	}
	for range calls {
		all.Go(func() {
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{
				Name: "read_file", Arguments: map[string]any{"path": "most.png"},
			})
			if err != nil || result.IsError || len(result.Content) != 2 {
				t.Errorf("%+v, %v", result, err)
				return
			}
			shown, ok := result.Content[1].(*mcp.ImageContent)
			if !ok || len(shown.Data) != most || shown.MIMEType != "image/png" {
				t.Errorf("%T over MCP", result.Content[1])
			}
		})
	}
	all.Wait()
}
