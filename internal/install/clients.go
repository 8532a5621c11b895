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

	// add and remove are the client's commands. If a command is empty, the file is edited.
	add, remove string
	// project and user are paths of JSON files with servers below key. The path of the user's
	// file begins with ~, or is below the directory for configurations.
	project, user, key string
}

// Clients returns all clients.
func Clients() []Client {
	both := []string{Project, User}
	zed := "zed/settings.json"
	if runtime.GOOS == "darwin" {
		zed = "~/.config/zed/settings.json"
	}
	return []Client{
		{ID: "claude-code", Scopes: []string{Local, Project, User}, Workspace: ".",
			add:    "claude mcp add --scope SCOPE gander -- COMMAND ARGS",
			remove: "claude mcp remove --scope SCOPE gander"},
		{ID: "claude-desktop", Scopes: []string{User},
			user: "Claude/claude_desktop_config.json", key: "mcpServers"},
		{ID: "codex", Scopes: []string{User},
			add: "codex mcp add gander -- COMMAND ARGS", remove: "codex mcp remove gander"},
		{ID: "cursor", Scopes: both, Workspace: "${workspaceFolder}",
			project: ".cursor/mcp.json", user: "~/.cursor/mcp.json", key: "mcpServers"},
		{ID: "gemini", Scopes: both, Workspace: ".",
			// Its command to remove a server fails in a directory without trust.
			add:     "gemini mcp add --scope SCOPE gander COMMAND -- ARGS",
			project: ".gemini/settings.json", user: "~/.gemini/settings.json", key: "mcpServers"},
		{ID: "opencode", Scopes: both, Workspace: ".",
			project: "opencode.json", user: "~/.config/opencode/opencode.json", key: "mcp"},
		{ID: "vscode", Scopes: []string{User}, Workspace: "${workspaceFolder}",
			add: "code --add-mcp JSON", user: "Code/User/mcp.json", key: "servers"},
		{ID: "windsurf", Scopes: []string{User},
			user: "~/.codeium/windsurf/mcp_config.json", key: "mcpServers"},
		{ID: "zed", Scopes: both, Workspace: ".",
			project: ".zed/settings.json", user: zed, key: "context_servers"},
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

// A Server is the command line that starts the server.
type Server struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// expand returns a command of a client.
func expand(command, scope string, s Server) (words []string) {
	entry, _ := json.Marshal(struct { // It has only strings.
		Name string `json:"name"`
		Server
	}{entryName, s})
	for word := range strings.FieldsSeq(command) {
		switch word {
		case "SCOPE":
			words = append(words, scope)
		case "COMMAND":
			words = append(words, s.Command)
		case "ARGS":
			words = append(words, s.Args...)
		case "JSON":
			words = append(words, string(entry))
		default:
			words = append(words, word)
		}
	}
	return words
}

// entry returns the value of the server in the file.
func (c Client) entry(s Server) []byte {
	var value any = s
	if c.ID == "opencode" {
		value = struct {
			Type    string   `json:"type"`
			Command []string `json:"command"`
			Enabled bool     `json:"enabled"`
		}{"local", append([]string{s.Command}, s.Args...), true}
	}
	data, _ := json.Marshal(value) // It has only strings and a boolean.
	return data
}

// file returns the path of the file.
func (c Client) file(scope, dir string) (string, error) {
	if scope == Project {
		return filepath.Join(dir, filepath.FromSlash(c.project)), nil
	}
	base, err := os.UserConfigDir()
	below, isHome := strings.CutPrefix(c.user, "~")
	if isHome {
		base, err = os.UserHomeDir()
	}
	return filepath.Join(base, filepath.FromSlash(below)), err
}
