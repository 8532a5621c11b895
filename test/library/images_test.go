package library

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/testkit"
	"gander/mcpserver"
)

// image returns a file of the given size that starts like a PNG image.
func image(size int) []byte {
	return append([]byte("\x89PNG\r\n\x1a\n"), bytes.Repeat([]byte{'x', 0}, size/2)...)[:size]
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

// TestImages checks that by default, images up to 5 MiB are returned as images, both by the library
// and over MCP, even by many concurrent calls. Larger images are not.
func TestImages(t *testing.T) {
	root := t.TempDir()
	sizes := map[string]int{"ok.png": 1 << 20, "most.png": 5 << 20, "large.png": 5<<20 + 1}
	for name, size := range sizes {
		testkit.Must(t, os.WriteFile(filepath.Join(root, name), image(size), 0o600))
	}
	tools := []string{"gander/read_file", "filesystem/read_media_file"}
	ts := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: tools})
	for _, name := range tools {
		for file, size := range sizes {
			if size > 5<<20 {
				size = 0
			}
			path, _ := json.Marshal(map[string]string{"path": filepath.Join(root, file)})
			got, err := ts.Call(t.Context(), name, path)
			shown := 0
			for _, p := range got.Parts {
				shown += len(p.Data)
			}
			if shown != size || (err != nil) != (size == 0 && name != "gander/read_file") {
				t.Errorf("%s %s: %d bytes of data, %v; want %d", name, file, shown, err, size)
			}
		}
	}

	session := connect(t, ts)
	var all sync.WaitGroup
	calls := 8 // together above the memory limit
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
			if !ok || len(shown.Data) != 5<<20 || shown.MIMEType != "image/png" {
				t.Errorf("%T over MCP", result.Content[1])
			}
		})
	}
	all.Wait()
}
