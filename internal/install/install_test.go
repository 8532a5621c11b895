package install

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func testServer() *Server {
	return &Server{Command: "/opt/gander", Args: []string{"mcp", "--root", "."}}
}

// TestFiles adds the entry to the file of every client that has one, and removes it again.
func TestFiles(t *testing.T) {
	for name, c := range Clients() {
		for _, scope := range c.Scopes {
			if c.add != "" {
				continue
			}
			dir := t.TempDir()
			for _, variable := range []string{"HOME", "USERPROFILE", "AppData"} {
				t.Setenv(variable, filepath.Join(dir, variable))
			}
			t.Setenv("XDG_CONFIG_HOME", "")
			add, err := c.Plan(scope, dir, testServer())
			must(t, err)
			must(t, add.Apply(t.Context(), nil))
			path, _, _ := strings.Cut(add.Summary, ": add ")
			text, err := os.ReadFile(path)
			if err != nil || !json.Valid(text) || !strings.Contains(string(text), "/opt/gander") {
				t.Errorf("%s: %v, %s", name, err, text)
			}
			again, err := c.Plan(scope, dir, testServer())
			if err != nil || again.Apply != nil || again.Summary != path+": nothing to change" {
				t.Errorf("%s again: %v, %v", name, again.Summary, err)
			}
			removal, err := c.Plan(scope, dir, nil)
			must(t, err)
			must(t, removal.Apply(t.Context(), nil))
			if _, err := os.Stat(path); !os.IsNotExist(err) {
				t.Errorf("%s: the file is left: %v", name, err)
			}
		}
	}
}

func TestCommands(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	for id, want := range map[string][2]string{
		"claude-code": {
			"claude mcp add --scope local gander -- /opt/gander mcp --root .",
			"claude mcp remove --scope local gander",
		},
		"codex":  {"codex mcp add gander -- /opt/gander mcp --root .", "codex mcp remove gander"},
		"gemini": {"gemini mcp add --scope project gander /opt/gander -- mcp --root .", ""},
		"vscode": {
			`code --add-mcp '{"name":"gander","command":"/opt/gander","args":["mcp","--root","."]}'`, "",
		},
	} {
		c := Clients()[id]
		add, err := c.Plan(c.Scopes[0], "/", testServer())
		if err != nil || add.Summary != want[0] {
			t.Errorf("%s: %s, %v", id, add.Summary, err)
		}
		remove, err := c.Plan(c.Scopes[0], "/", nil)
		if err != nil || want[1] != "" && remove.Summary != want[1] {
			t.Errorf("%s: %s, %v", id, remove.Summary, err)
		}
	}
}
