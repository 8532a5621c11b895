package conformance

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gander"
	"gander/internal/testkit"
	"gander/mcpserver"
)

// TestFilesystemServer: a server of these tools alone presents itself as the original does, and lists the same definitions in the
// same order. The original also says that its tools are no tasks, which is what a client assumes of a tool that does not say.
func TestFilesystemServer(t *testing.T) {
	toolset := testkit.Open(t, gander.Options{Roots: []string{t.TempDir()}, Tools: []string{"filesystem"}})
	requests := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"write_file","arguments":{"path":"a","content":""}}}
{"jsonrpc":"2.0","id":4,"method":"resources/list"}
{"jsonrpc":"2.0","id":5,"method":"prompts/list"}
`
	var out bytes.Buffer
	testkit.Must(t, mcpserver.ServeStdio(t.Context(), mcpserver.New(toolset, nil), strings.NewReader(requests), &out))
	published, err := os.ReadFile("testdata/spec/filesystem_definitions.json")
	testkit.Must(t, err)
	var definitions struct {
		Tools []map[string]any `json:"tools"`
	}
	testkit.Must(t, json.Unmarshal(published, &definitions))
	for _, d := range definitions.Tools {
		delete(d, "execution")
	}
	want := map[float64]any{
		1: map[string]any{
			"protocolVersion": "2025-11-25", "serverInfo": map[string]any{"name": "secure-filesystem-server", "version": "0.2.0"},
			"capabilities": map[string]any{"tools": map[string]any{"listChanged": true}},
		},
		3: map[string]any{
			"content": []any{map[string]any{"type": "text", "text": "MCP error -32602: Tool write_file not found"}}, "isError": true,
		},
	}
	for line := range strings.Lines(out.String()) {
		var reply struct {
			ID     float64
			Result map[string]any
			Error  struct{ Code int }
		}
		testkit.Must(t, json.Unmarshal([]byte(line), &reply))
		got, expected := any(reply.Result), want[reply.ID]
		switch reply.ID {
		case 4, 5:
			got, expected = reply.Error.Code, -32601
		case 2:
			var tools []any
			for _, d := range definitions.Tools {
				tools = append(tools, d)
			}
			got, expected = reply.Result["tools"], tools
		}
		if diff := cmp.Diff(expected, got); diff != "" {
			t.Errorf("answer %v (-want +got)\n%s", reply.ID, diff)
		}
	}
}
