package install

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// The scopes of a configuration.
const (
	Local   = "local"   // the user's, in one project
	Project = "project" // everyone's, in one project
	User    = "user"    // the user's, in all projects
)

// A Client is a program that starts MCP servers.
type Client struct {
	// ID names the client on the command line.
	ID string
	// Scopes are the scopes of the client, the default first.
	Scopes []string
	// Workspace is how an entry spells the project's directory, or "".
	Workspace string
	// NextStep is the advice on how to make the client use the entry.
	NextStep string

	// command returns the client's command that adds s, or removes the entry if s is nil.
	command func(scope string, s *Server) []string
	// file returns the path of a JSON file with the entry. It has servers below key, as entry
	// returns them.
	file  func(scope, dir string) (string, error)
	key   string
	entry func(Server) any
}

// Clients returns all clients.
func Clients() []Client {
	return []Client{
		{
			ID: "claude-code", Scopes: []string{Local, Project, User}, Workspace: ".",
			NextStep: "start Claude Code again",
			command:  mcpAdd("claude", "--"),
		},
		{
			ID: "claude-desktop", Scopes: []string{User},
			NextStep: "quit Claude Desktop and start it again",
			file:     userFile(os.UserConfigDir, "Claude", "claude_desktop_config.json"),
			key:      "mcpServers", entry: standard,
		},
		{
			ID: "codex", Scopes: []string{User},
			NextStep: "start Codex again",
			command:  mcpAdd("codex", "--"),
		},
		{
			ID: "cursor", Scopes: []string{Project, User}, Workspace: "${workspaceFolder}",
			NextStep: "enable the server in Cursor's settings",
			file:     projectFile(".cursor/mcp.json", os.UserHomeDir, ".cursor", "mcp.json"),
			key:      "mcpServers", entry: standard,
		},
		{
			ID: "gemini", Scopes: []string{Project, User}, Workspace: ".",
			NextStep: "start Gemini CLI again",
			command:  mcpAdd("gemini", ""),
			file:     projectFile(".gemini/settings.json", geminiHome, ".gemini", "settings.json"),
			key:      "mcpServers",
		},
		{
			ID: "opencode", Scopes: []string{Project, User}, Workspace: ".",
			NextStep: "start opencode again",
			file:     projectFile("opencode.json", os.UserHomeDir, ".config", "opencode", "opencode.json"),
			key:      "mcp", entry: opencode,
		},
		{
			ID: "vscode", Scopes: []string{User}, Workspace: "${workspaceFolder}",
			NextStep: "run MCP: List Servers in VS Code and start the server",
			command:  addMCP,
			file:     userFile(os.UserConfigDir, "Code", "User", "mcp.json"),
			key:      "servers",
		},
		{
			ID: "windsurf", Scopes: []string{User},
			NextStep: "refresh the servers in Windsurf's settings",
			file:     userFile(os.UserHomeDir, ".codeium", "windsurf", "mcp_config.json"),
			key:      "mcpServers", entry: standard,
		},
		{
			ID: "zed", Scopes: []string{Project, User}, Workspace: ".",
			NextStep: "enable the server in Zed's settings",
			file:     projectFile(".zed/settings.json", zedDir, "settings.json"),
			key:      "context_servers", entry: standard,
		},
	}
}

// Lookup returns the client called id.
func Lookup(id string) (Client, error) {
	all := Clients()
	if i := slices.IndexFunc(all, func(c Client) bool { return c.ID == id }); i >= 0 {
		return all[i], nil
	}
	return Client{}, fmt.Errorf("unknown client %q; the clients are %s", id, strings.Join(IDs(), ", "))
}

// IDs returns the ids of all clients.
func IDs() (ids []string) {
	for _, c := range Clients() {
		ids = append(ids, c.ID)
	}
	return ids
}

// mcpAdd returns the command "mcp add" of a program. The server's command line follows the word
// before, if any, and otherwise only its arguments follow "--".
func mcpAdd(program, before string) func(string, *Server) []string {
	return func(scope string, s *Server) []string {
		verb := "add"
		if s == nil {
			verb = "remove"
		}
		words := []string{program, "mcp", verb}
		if program != "codex" {
			words = append(words, "--scope", scope)
		}
		words = append(words, entryName)
		switch {
		case s == nil:
			return words
		case before != "":
			words = append(words, before, s.Command)
		default:
			words = append(words, s.Command, "--")
		}
		return append(words, s.Args...)
	}
}

// addMCP returns the command of VS Code that adds a server.
func addMCP(_ string, s *Server) []string {
	entry, _ := json.Marshal(struct { // It has only strings.
		Name    string   `json:"name"`
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}{entryName, s.Command, s.Args})
	return []string{"code", "--add-mcp", string(entry)}
}

// userFile returns a file below one of the user's directories.
func userFile(base func() (string, error), path ...string) func(string, string) (string, error) {
	return func(string, string) (string, error) {
		dir, err := base()
		return filepath.Join(append([]string{dir}, path...)...), err
	}
}

// projectFile returns a file of the project in the scope Project, and a user's file otherwise.
func projectFile(
	project string, base func() (string, error), path ...string,
) func(string, string) (string, error) {
	return func(scope, dir string) (string, error) {
		if scope == Project {
			return filepath.Join(dir, filepath.FromSlash(project)), nil
		}
		return userFile(base, path...)(scope, dir)
	}
}

// geminiHome returns the directory of Gemini CLI's own directory.
func geminiHome() (string, error) {
	if dir := os.Getenv("GEMINI_CLI_HOME"); dir != "" {
		return dir, nil
	}
	return os.UserHomeDir()
}

// zedDir returns the directory of Zed's settings.
func zedDir() (string, error) {
	if runtime.GOOS == "darwin" {
		home, err := os.UserHomeDir()
		return filepath.Join(home, ".config", "zed"), err
	}
	dir, err := os.UserConfigDir()
	if runtime.GOOS == "windows" {
		return filepath.Join(dir, "Zed"), err
	}
	return filepath.Join(dir, "zed"), err
}

// standard returns the entry of a server in most clients.
func standard(s Server) any {
	return struct {
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}{s.Command, s.Args}
}

// opencode returns the entry of a server in opencode.
func opencode(s Server) any {
	return struct {
		Type    string   `json:"type"`
		Command []string `json:"command"`
		Enabled bool     `json:"enabled"`
	}{"local", append([]string{s.Command}, s.Args...), true}
}
