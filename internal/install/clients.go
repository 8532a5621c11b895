package install

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
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

// Clients returns all clients by their names on the command line.
func Clients() map[string]Client {
	both := []string{Project, User}
	zed := "zed/settings.json"
	if runtime.GOOS == "darwin" {
		zed = "~/.config/zed/settings.json"
	}
	return map[string]Client{
		"claude-code": {
			Scopes: []string{Local, Project, User}, Workspace: ".",
			add:    "claude mcp add --scope SCOPE gander -- COMMAND ARGS",
			remove: "claude mcp remove --scope SCOPE gander",
		},
		"claude-desktop": {
			Scopes: []string{User},
			user:   "Claude/claude_desktop_config.json", key: "mcpServers",
		},
		"codex": {
			Scopes: []string{User},
			add:    "codex mcp add gander -- COMMAND ARGS", remove: "codex mcp remove gander",
		},
		"cursor": {
			Scopes: both, Workspace: "${workspaceFolder}",
			project: ".cursor/mcp.json", user: "~/.cursor/mcp.json", key: "mcpServers",
		},
		"gemini": {
			Scopes: both, Workspace: ".",
			// Its command to remove a server fails in a directory without trust.
			add:     "gemini mcp add --scope SCOPE gander COMMAND -- ARGS",
			project: ".gemini/settings.json", user: "~/.gemini/settings.json", key: "mcpServers",
		},
		"opencode": {
			Scopes: both, Workspace: ".",
			project: "opencode.json", user: "~/.config/opencode/opencode.json", key: "mcp",
		},
		"vscode": {
			Scopes: []string{User}, Workspace: "${workspaceFolder}",
			add: "code --add-mcp JSON", user: "Code/User/mcp.json", key: "servers",
		},
		"windsurf": {
			Scopes: []string{User},
			user:   "~/.codeium/windsurf/mcp_config.json", key: "mcpServers",
		},
		"zed": {
			Scopes: both, Workspace: ".",
			project: ".zed/settings.json", user: zed, key: "context_servers",
		},
	}
}

// A Server is the command line that starts the server.
type Server struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// expand returns a command of a client.
func expand(command, scope string, s Server) (words []string) {
	for word := range strings.FieldsSeq(command) {
		switch word {
		case "SCOPE":
			words = append(words, scope)
		case "COMMAND":
			words = append(words, s.Command)
		case "ARGS":
			words = append(words, s.Args...)
		case "JSON":
			entry, _ := json.Marshal(s) // It has only strings.
			words = append(words, `{"name":"`+entryName+`",`+string(entry[1:]))
		default:
			words = append(words, word)
		}
	}
	return words
}

// entry returns the value of the server in the file.
func (c Client) entry(s Server) []byte {
	var value any = s
	if c.key == "mcp" { // opencode
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
