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

// TestFilesystemServer checks that a server of these tools alone has the name, the capabilities and
// the definitions of the original, except for task support, whose value is the default.
func TestFilesystemServer(t *testing.T) {
	options := gander.Options{Roots: []string{t.TempDir()}, Tools: []string{"filesystem"}}
	toolset := testkit.Open(t, options)
	requests := ""
	for _, request := range []string{
		`"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
			`"clientInfo":{"name":"test","version":"1"}}`,
		`"method":"notifications/initialized"`,
		`"id":2,"method":"tools/list"`,
		`"id":3,"method":"tools/call","params":{"name":"write_file","arguments":{"path":"a"}}`,
		`"id":4,"method":"resources/list"`,
		`"id":5,"method":"prompts/list"`,
	} {
		requests += `{"jsonrpc":"2.0",` + request + "}\n"
	}
	var out bytes.Buffer
	server := mcpserver.New(toolset, nil)
	testkit.Must(t, mcpserver.ServeStdio(t.Context(), server, strings.NewReader(requests), &out))
	published, err := os.ReadFile("testdata/spec/filesystem_definitions.json")
	testkit.Must(t, err)
	var definitions struct {
		Tools []map[string]any `json:"tools"`
	}
	testkit.Must(t, json.Unmarshal(published, &definitions))
	for _, d := range definitions.Tools {
		delete(d, "execution")
	}
	text := map[string]any{"type": "text", "text": "MCP error -32602: Tool write_file not found"}
	want := map[float64]any{
		1: map[string]any{
			"protocolVersion": "2025-11-25",
			"serverInfo":      map[string]any{"name": "secure-filesystem-server", "version": "0.2.0"},
			"capabilities":    map[string]any{"tools": map[string]any{"listChanged": true}},
		},
		3: map[string]any{"content": []any{text}, "isError": true},
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
