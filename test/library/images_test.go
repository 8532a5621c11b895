package library_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/testkit"
	"gander/mcpserver"
)

// image returns a file of the given size that starts like a PNG image.
func image(size int) []byte {
	return append([]byte("\x89PNG\r\n\x1a\n"), bytes.Repeat([]byte{'x', 0}, size/2)...)[:size]
}

// TestImages checks that by default, images up to 5 MiB are returned as images, both by the library
// and over MCP, even by many concurrent calls. Larger images are not.
func TestImages(t *testing.T) {
	root := t.TempDir()
	for name, size := range map[string]int{"ok.png": 1 << 20, "most.png": 5 << 20, "large.png": 5<<20 + 1} {
		if err := os.WriteFile(filepath.Join(root, name), image(size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ts := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: []string{"gander", "filesystem"}, Limits: gander.Limits{Timeout: time.Minute}})
	for name, args := range map[string]string{"gander/read_file": "%", "filesystem/read_media_file": filepath.Join(root, "%")} {
		for file, size := range map[string]int{"ok.png": 1 << 20, "most.png": 5 << 20, "large.png": 0} {
			path, _ := json.Marshal(map[string]string{"path": strings.ReplaceAll(args, "%", file)})
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

	server, client := mcp.NewInMemoryTransports()
	if _, err := mcpserver.New(ts, nil).Connect(t.Context(), server, nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), client, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	var all sync.WaitGroup
	calls := 8 // together above the memory limit
	if testing.Short() {
		calls = 2
	}
	for range calls {
		all.Go(func() {
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "read_file", Arguments: map[string]any{"path": "most.png"}})
			if err != nil || result.IsError || len(result.Content) != 2 {
				t.Errorf("%+v, %v", result, err)
				return
			}
			if shown, ok := result.Content[1].(*mcp.ImageContent); !ok || len(shown.Data) != 5<<20 || shown.MIMEType != "image/png" {
				t.Errorf("%T over MCP", result.Content[1])
			}
		})
	}
	all.Wait()
}
