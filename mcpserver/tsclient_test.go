package mcpserver

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gander"
)

// TestTypeScriptClient lists and calls the tools of the real program with the official TypeScript
// client. The client must get exactly what the toolset returns in this process.
func TestTypeScriptClient(t *testing.T) {
	client := npmInstall(t, "testdata/tsclient")
	program := build(t)
	root := workspace(t)

	type call struct {
		Name      string         `json:"name"`
		Arguments map[string]any `json:"arguments"`
	}
	calls := []call{
		{"list_dir", map[string]any{"dir_path": root}},
		{"read_file", map[string]any{"file_path": filepath.Join(root, "docs", "a <b>.md")}},
		{"gemini_list_directory", map[string]any{"path": root}},
		{"forge_list_directory", map[string]any{"path": ".", "recursive": true}},
		{"tree", map[string]any{"path": ".", "entry_kind": "all"}},
		{"read_file", map[string]any{"file_path": filepath.Join(root, "missing")}},
	}
	request, err := json.Marshal(map[string]any{"command": program, "args": []string{"mcp", "--tools", "codex,gemini,forge,toolkit"}, "cwd": root, "calls": calls})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", filepath.Join(client, "client.mjs"))
	cmd.Stdin = bytes.NewReader(request)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	if stderr.Len() > 0 {
		t.Errorf("the server logged:\n%s", &stderr)
	}
	var got struct {
		Server, Instructions string
		Tools                []struct{ Name, Description string }
		Results              []json.RawMessage
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got.Server != "gander" || !strings.Contains(got.Instructions, root) {
		t.Errorf("server %q with the instructions %q", got.Server, got.Instructions)
	}

	ts, err := gander.Open(gander.Options{Roots: []string{root}, Tools: []string{"codex", "gemini", "forge", "toolkit"}})
	if err != nil {
		t.Fatal(err)
	}
	defer ts.Close()
	var want, tools []string
	for _, d := range ts.Tools() {
		want = append(want, d.Name+": "+d.Description)
	}
	for _, d := range got.Tools {
		tools = append(tools, d.Name+": "+d.Description)
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, tools); diff != "" || len(tools) != 6 {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
	for i, c := range calls {
		args, err := json.Marshal(c.Arguments)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := ts.Call(t.Context(), c.Name, args)
		want := map[string]any{"content": []any{map[string]any{"type": "text", "text": answer.Text()}}}
		if err != nil {
			want = map[string]any{"content": []any{map[string]any{"type": "text", "text": err.Error()}}, "isError": true}
		}
		var result map[string]any
		if err := json.Unmarshal(got.Results[i], &result); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, result); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.Name, diff)
		}
		if failed := err != nil; failed != (i == len(calls)-1) {
			t.Errorf("%s: error %v", c.Name, err)
		}
	}
}

// workspace makes a directory with files for every tool, under a path without symlinks.
func workspace(t *testing.T) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"README.md":     "# Title\n\nSome text.\n",
		"docs/a <b>.md": "tab\there\nquote \" backslash \\ and \u2028 separator\nnot UTF-8: \xff\n",
		"src/main.go":   "package main\n",
		"línea.txt":     "",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}
