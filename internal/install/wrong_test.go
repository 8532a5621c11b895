package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestWrongEntries checks that an error says what is wrong with the entry that is to be replaced.
func TestWrongEntries(t *testing.T) {
	c, err := Lookup("claude-code")
	if err != nil {
		t.Fatal(err)
	}
	official := func(args string) string {
		return `{"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem"` + args + `]}`
	}
	for entry, want := range map[string]string{
		`"npx"`:                              "mcpServers.fs is no table of keys and values",
		`null`:                               "mcpServers.fs is no table of keys and values",
		`{}`:                                 `the entry "fs" has no command`,
		`{"args": ["x"]}`:                    `the entry "fs" has no command`,
		`{"command": []}`:                    `the entry "fs" has no command`,
		`{"command": 5}`:                     `the command of the entry "fs" is neither a string nor a list of strings`,
		`{"command": "npx", "args": 1}`:      `the args of the entry "fs" are not a list of strings`,
		`{"command": "npx", "args": [1]}`:    `the args of the entry "fs" are not a list of strings`,
		`{"command": "npx", "args": {}}`:     `the args of the entry "fs" are not a list of strings`,
		`{"command": "npx", "args": ["-y"]}`: "does not start the official filesystem server",
		`{"command": "npx", "args": "-y"}`:   "does not start the official filesystem server",
		`{"command": "docker"}`:              "does not start the official filesystem server",
		`{"url": "http://localhost"}`:        `the entry "fs" names a server elsewhere (url)`,
		`{"command": "docker", "args": ["run", "-v", "mcp/filesystem", "/p"]}`: "the option \"-v\" of the container has no value",
		official(`, "/a", "--x"`): `the directory "--x" would be an option of gander`,
		`{"command": "npx"`:       "the file cannot be parsed, so it is left alone: ",
	} {
		path := filepath.Join(t.TempDir(), ".mcp.json")
		text := `{"mcpServers": {"fs": ` + entry + `}}`
		writeFile(t, path, text)
		if _, err := c.PlanReplacement(path, "fs", Project, "gander", nil); err == nil || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", entry, err)
		}
	}
}

// TestFindWrongEntries checks that an entry of the name that is looked for does not go unnoticed if it is wrong.
func TestFindWrongEntries(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, ".mcp.json"), `{"mcpServers": {
		"gander": {"command": "gander", "args": "mcp", "args": [1]},
		"other": "x", "elsewhere": {"url": "http://localhost"}}}`)
	writeFile(t, filepath.Join(dir, "opencode.json"), `{"mcp": {"gander": {"url": "http://localhost"}}}`)
	if err := os.MkdirAll(filepath.Join(dir, ".cursor", "mcp.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	entries, unreadable := Find(machine("linux", t.TempDir()), dir, "gander")
	var problems []string
	for _, u := range unreadable {
		problems = append(problems, u.Path[len(dir):]+": "+u.Err.Error())
	}
	if want := []string{
		`/.mcp.json: the args of the entry "gander" are not a list of strings; correct it by hand`,
		"/.cursor/mcp.json: it is no regular file; move it away, or name another with --file",
	}; len(entries) != 0 || !slices.Equal(problems, want) {
		t.Errorf("%v, %q", entries, problems)
	}
}
