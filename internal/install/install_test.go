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

func testServer() []string { return []string{"/opt/gander", "mcp", "--root", "."} }

// TestFiles adds the entry to the file of every client that has one, and removes it again.
func TestFiles(t *testing.T) {
	for name, c := range Clients {
		for _, scope := range c.Scopes {
			if c.Add != "" {
				continue
			}
			dir := t.TempDir()
			for _, variable := range []string{"HOME", "USERPROFILE", "AppData", "LocalAppData"} {
				t.Setenv(variable, filepath.Join(dir, variable))
			}
			t.Setenv("XDG_CONFIG_HOME", "")
			line, change, err := c.Plan(scope, dir, testServer(), false)
			must(t, err)
			must(t, change.Make())
			path, _, _ := strings.Cut(line, ": add ")
			text, err := os.ReadFile(path)
			if err != nil || !json.Valid(text) || !strings.Contains(string(text), "/opt/gander") {
				t.Errorf("%s: %v, %s", name, err, text)
			}
			line, change, err = c.Plan(scope, dir, testServer(), false)
			if err != nil || change != nil || line != path+": nothing to change" {
				t.Errorf("%s again: %v, %v", name, line, err)
			}
			_, change, err = c.Plan(scope, dir, testServer(), true)
			must(t, err)
			must(t, change.Make())
			if left, err := os.ReadFile(path); err != nil || string(left) != "{}\n" {
				t.Errorf("%s: %q is left, %v", name, left, err)
			}
		}
	}
}

// TestPackaged adds the server to Claude Desktop as Windows installs it, with and without a
// package.
func TestPackaged(t *testing.T) {
	dir := t.TempDir()
	for _, variable := range []string{"HOME", "USERPROFILE", "AppData", "LocalAppData"} {
		t.Setenv(variable, dir)
	}
	packaged := filepath.Join(dir, "Packages", "Claude_1a2b", "LocalCache", "Roaming")
	for _, want := range []bool{false, true} {
		line, _, err := Clients["claude-desktop"].Plan("user", dir, testServer(), false)
		must(t, err)
		if got := strings.HasPrefix(line, filepath.Join(packaged, "Claude")); got != want {
			t.Errorf("package %v: %s", want, line)
		}
		must(t, os.MkdirAll(packaged, 0o700))
	}
}

func TestCommands(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	for id, want := range map[string][2]string{
		"claude-code": {
			"claude mcp add --scope local gander -- /opt/gander mcp --root .",
			"claude mcp remove gander -s local",
		},
		"codex":  {"codex mcp add gander -- /opt/gander mcp --root .", "codex mcp remove gander"},
		"gemini": {"gemini mcp add --scope project gander /opt/gander -- mcp --root .", ""},
		"vscode": {
			`code --add-mcp '{"name":"gander","command":"/opt/gander","args":["mcp","--root","."]}'`, "",
		},
	} {
		c := Clients[id]
		for i := range want {
			line, _, err := c.Plan(c.Scopes[0], "/", testServer(), i == 1)
			if err != nil || want[i] != "" && line != want[i] {
				t.Errorf("%s: %s, %v", id, line, err)
			}
		}
	}
}

// TestByteOrderMark checks that the mark at the beginning of a file stays there.
func TestByteOrderMark(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "opencode.json")
	const before = "\ufeff{\n  \"a\": 1\n}\n"
	must(t, os.WriteFile(path, []byte(before), 0o600))
	for _, isRemoval := range []bool{false, true} {
		_, change, err := Clients["opencode"].Plan("project", dir, testServer(), isRemoval)
		must(t, err)
		must(t, change.Make())
		text, err := os.ReadFile(path)
		must(t, err)
		rest, ok := strings.CutPrefix(string(text), "\ufeff")
		if !ok || !json.Valid([]byte(rest)) || isRemoval && string(text) != before {
			t.Errorf("removal %v: %q", isRemoval, text)
		}
	}
}

func TestQuote(t *testing.T) {
	got := quote([]string{"gander", "--root", "/a b", "--deny", "*.txt", "", "it's"})
	if want := `gander --root '/a b' --deny '*.txt' '' 'it'\''s'`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestOwnShown checks which entries a client shows are gander's.
func TestOwnShown(t *testing.T) {
	for shown, want := range map[string]bool{
		"  Command: /opt/gander\n  Args: mcp --root .\n":                        true,
		"  command: C:\\gander.exe\n  args: mcp\n":                              true,
		"  Command: npx\n  Args: -y @owner/gander mcp --root .\n":               true,
		"  Command: npx\n  Args: -y gander@1.2.0 mcp\n":                         true,
		"  Command: npx\n  Args: -y ganderous mcp\n":                            false,
		"  Command: npx\n  Args: -y @owner/ganderous mcp\n":                     false,
		"  Command: npx\n  Args: -p @owner/gander mcp\n":                        false,
		"  Command: npx\n  Args: -y @owner/other mcp\n":                         false,
		"  Command: /opt/gander\n  Args: list\n":                                false,
		"  Command: /opt/other\n  Args: mcp\n":                                  false,
		"  Command: docker\n  Args: run -i gander mcp\n":                        false,
		"  Command: /My Programs/gander\n  Args: mcp\n":                         true,
		"  Command: gander\n  Args: mcp\n  Environment:\n\nTo remove, run: x\n": true,
		"  Command: gander\n  Args: mcp\n  Environment:\n    A=b\n":             false,
		"  command: gander\n  args: mcp\n  cwd: -\n  env: -\n":                  true,
		"  command: gander\n  args: mcp\n  cwd: -\n  env: A=*****\n":            false,
		"nothing\n": false,
	} {
		if got := isOwnShown([]byte(shown)); got != want {
			t.Errorf("%q: %v", shown, got)
		}
	}
}
