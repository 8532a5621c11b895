package install

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
)

func lookup(t *testing.T, id string) Client {
	t.Helper()
	c, err := Lookup(id)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var server = Server{Command: "/opt/gander", Args: []string{"mcp", "--root", "."}}

// TestFiles adds the entry to the file of every client that has one, and removes it again.
func TestFiles(t *testing.T) {
	for _, c := range Clients() {
		for _, scope := range c.Scopes {
			if c.entry == nil {
				continue
			}
			dir := t.TempDir()
			for _, variable := range []string{"HOME", "USERPROFILE", "AppData"} {
				t.Setenv(variable, filepath.Join(dir, variable))
			}
			t.Setenv("XDG_CONFIG_HOME", "")
			add, err := c.Plan(scope, dir, server)
			if err != nil {
				t.Fatal(err)
			}
			if err := add.Apply(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(add.Path)
			if err != nil || !json.Valid(text) || !strings.Contains(string(text), "/opt/gander") {
				t.Errorf("%s: %v, %s", c.ID, err, text)
			}
			again, err := c.Plan(scope, dir, server)
			if err != nil || !again.IsEmpty() || !strings.HasSuffix(again.String(), ": nothing to change") {
				t.Errorf("%s again: %v, %v", c.ID, again, err)
			}
			removal, err := c.PlanRemoval(scope, dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := removal.Apply(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(add.Path); !os.IsNotExist(err) {
				t.Errorf("%s: the file is left: %v", c.ID, err)
			}
		}
	}
}

// TestManyValues parses a file of the maximum size.
func TestManyValues(t *testing.T) {
	text := "[" + strings.Repeat("0,", maxFileSize/2-1) + "0]"
	if _, err := parse([]byte(text)); err != nil {
		t.Error(err)
	}
	if _, err := hujson.Parse([]byte(strings.Repeat("[", maxBrackets))); err == nil {
		t.Error("no error")
	}
}

func TestCommands(t *testing.T) {
	for id, want := range map[string][2]string{
		"claude-code": {"claude mcp add --scope local gander -- /opt/gander mcp --root .", "claude mcp remove --scope local gander"},
		"codex":       {"codex mcp add gander -- /opt/gander mcp --root .", "codex mcp remove gander"},
		"gemini":      {"gemini mcp add --scope project gander /opt/gander -- mcp --root .", ""},
		"vscode":      {`code --add-mcp '{"name":"gander","command":"/opt/gander","args":["mcp","--root","."]}'`, ""},
	} {
		c := lookup(t, id)
		add, err := c.Plan(c.Scopes[0], "/", server)
		if err != nil || add.String() != want[0] {
			t.Errorf("%s: %s, %v", id, add, err)
		}
		t.Setenv("HOME", t.TempDir())
		remove, err := c.PlanRemoval(c.Scopes[0], "/")
		if err != nil || want[1] != "" && remove.String() != want[1] {
			t.Errorf("%s: %s, %v", id, remove, err)
		}
	}
}
