package clients

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http/httptest"
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

// exchanged returns the configurations that the official filesystem server documents, with the command exchanged, by client.
func exchanged(project string) map[string]string {
	return map[string]string{
		"Claude Desktop": `{"mcpServers": {"filesystem": {"command": "gander", "args": ["mcp", "--tools", "filesystem", "` + project + `", "/path/to/other/allowed/dir"]}}}`,
		"VS Code":        `{"servers": {"filesystem": {"command": "gander", "args": ["mcp", "--tools", "filesystem", "${workspaceFolder}"]}}}`,
	}
}

// testFilesystem: the exchanged configurations work in the official TypeScript client, which starts what they say, and that for
// Claude Desktop in Claude Code, which reads the file.
func testFilesystem(t *testing.T, s setup) {
	path := "PATH=" + filepath.Dir(s.gander) + string(os.PathListSeparator) + os.Getenv("PATH")
	readme := filepath.Join(s.project, "README.md")
	const text = "# Title\n\nSome text.\n"
	calls := []call{{"read_text_file", map[string]any{"path": readme}}, {"list_directory", map[string]any{"path": s.project}}, {"read_text_file", map[string]any{"path": "/etc/passwd"}}}
	client, err := os.ReadFile("../../mcpserver/testdata/tsclient/client.mjs")
	if err != nil {
		t.Fatal(err)
	}
	for name, config := range exchanged(s.project) {
		var servers map[string]map[string]struct {
			Command string
			Args    []string
		}
		// VS Code replaces the variable.
		if err := json.Unmarshal([]byte(strings.ReplaceAll(config, "${workspaceFolder}", s.project)), &servers); err != nil {
			t.Fatal(err)
		}
		for _, entries := range servers {
			request, err := json.Marshal(map[string]any{"command": entries["filesystem"].Command, "args": entries["filesystem"].Args, "cwd": "/", "calls": calls})
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), "node", "--input-type=module", "--eval", string(client))
			cmd.Dir, cmd.Env, cmd.Stdin = s.npm, append(os.Environ(), path), bytes.NewReader(request)
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, out)
			}
			var got struct {
				Server  string
				Tools   []struct{ Name string }
				Results []struct {
					StructuredContent struct{ Content string }
					IsError           bool
				}
			}
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, out)
			}
			if got.Server != "secure-filesystem-server" || len(got.Tools) != 10 || got.Results[0].StructuredContent.Content != text || got.Results[1].IsError || !got.Results[2].IsError {
				t.Errorf("%s: %s", name, out)
			}
		}
	}
	m := &model{t: t, calls: calls}
	server := httptest.NewServer(anthropicModel{m, "mcp__filesystem__"})
	defer server.Close()
	file := filepath.Join(s.home, "claude_desktop_config.json")
	if err := os.WriteFile(file, []byte(exchanged(s.project)["Claude Desktop"]), 0o600); err != nil {
		t.Fatal(err)
	}
	env := append(claudeCodeEnv(server.URL), path)
	if out := s.run(t, env, s.claudeCode(t), "-p", "read what is here", "--mcp-config", file, "--strict-mcp-config", "--allowedTools", "mcp__filesystem"); !strings.Contains(out, "all read") {
		t.Error(out)
	}
	if len(m.tools) != 10 || len(m.outputs) != len(calls) || !strings.Contains(m.outputs[0], "Some text.") || !strings.Contains(m.outputs[1], "[FILE] README.md") || !strings.Contains(m.outputs[2], "Access denied") {
		t.Errorf("Claude Code offers %q and has %q", m.tools, m.outputs)
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
