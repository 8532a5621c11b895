package mcpserver

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/txtar"

	"gander"
)

// fakes is a transcript of a session with fake tools, in which nothing is said.
func fakes() *txtar.Archive { return &txtar.Archive{Files: []txtar.File{{Name: "client"}}} }

// TestSchemaBytes: the order of keys is part of what models were trained on.
func TestSchemaBytes(t *testing.T) {
	s := startSession(t, fakes())
	s.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
	got := s.receive(1)[0]
	if n := strings.Count(got, `"inputSchema":`+schema); n != 7 {
		t.Errorf("%d of 7 schemas arrived byte for byte:\n%s", n, got)
	}
}

func TestInstructions(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	ts, err := gander.Open(gander.Options{Roots: []string{first, second}})
	if err != nil {
		t.Fatal(err)
	}
	defer ts.Close()
	want := "Read-only file tools, confined to " + first + " and " + second + `.
list_dir: a directory and its subdirectories, by absolute path; for more, raise offset.
read_file: numbered lines of a file, by absolute path; for more, raise offset.
gemini_list_directory: the names in one directory, by absolute path, without what ignore files hide.
forge_list_directory: entries with their metadata, as JSON; where truncated, list a subdirectory.
tree: overview of a directory tree, as JSON; where limit_reached, ask for a subdirectory.`
	if diff := cmp.Diff(want, instructions(ts)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestAnyTransport calls a tool through the SDK's own client and transport.
func TestAnyTransport(t *testing.T) {
	clientEnd, serverEnd := mcp.NewInMemoryTransports()
	if _, err := New(openFakes(t, t.TempDir(), nil), Options{}).Connect(t.Context(), serverEnd, nil); err != nil {
		t.Fatal(err)
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), clientEnd, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	var names []string
	for tool, err := range client.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	want := []string{"echo", "fail", "hang", "late", "other_twin", "test_twin", "write"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	result, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"path": "<x>"}})
	if err != nil {
		t.Fatal(err)
	}
	if text, ok := result.Content[0].(*mcp.TextContent); len(result.Content) != 1 || !ok || text.Text != `{"path":"<x>"}` || result.StructuredContent != nil || result.IsError {
		t.Errorf("result %+v", result)
	}
}
