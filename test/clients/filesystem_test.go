package clients

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

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
	client, err := os.ReadFile("testdata/npm/stdio.mjs")
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
