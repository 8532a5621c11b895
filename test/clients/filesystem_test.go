package clients

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestFilesystemEntries: gander install --replace takes the configurations that the official filesystem server documents for
// Claude Desktop and VS Code, and the servers that they name then start and read.
func TestFilesystemEntries(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the paths are written into JSON as they are")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := setup{gander: filepath.Join(root, "gander"), home: root, project: root}
	finish(t, "../..", "go", "build", "-o", s.gander, "./cmd/gander")
	if err := os.WriteFile(filepath.Join(root, "a.txt"), []byte("text\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for client, config := range map[string]string{
		"claude-desktop": `{"mcpServers": {"filesystem": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "DIR", "/path/to/other/allowed/dir"]}}}`,
		"vscode":         `{"servers": {"filesystem": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "DIR"]}}}`,
	} {
		file := filepath.Join(root, client+".json")
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(config, "DIR", root)), 0o600); err != nil {
			t.Fatal(err)
		}
		s.install(t, client, "--replace", "filesystem", "--file", file)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var written map[string]map[string]struct {
			Command string
			Args    []string
		}
		if err := json.Unmarshal(text, &written); err != nil {
			t.Fatal(err)
		}
		for _, servers := range written {
			entry := servers["filesystem"]
			checkReads(t, exec.Command(entry.Command, entry.Args...), filepath.Join(root, "a.txt"))
		}
	}
}

// checkReads checks that a client starts the server and reads the file at path, which holds "text\n".
func checkReads(t *testing.T, server *exec.Cmd, path string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: server}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "read_text_file", Arguments: map[string]any{"path": path}})
	if err != nil || result.IsError || len(result.Content) != 1 {
		t.Fatalf("%s: %v, %+v", server, err, result)
	}
	if text, ok := result.Content[0].(*mcp.TextContent); !ok || text.Text != "text\n" {
		t.Errorf("%s: %+v", server, result.Content[0])
	}
}
