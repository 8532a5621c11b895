// Package install adds gander to the configurations of MCP clients. It runs the command of
// a client that has one, and otherwise changes one key of a JSON file.
package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"gander/internal/terminal"
)

// A Client is a program that starts MCP servers.
type Client struct {
	// Scopes are the scopes of the client, the default first: "local" (the user's, in one project),
	// "project" (everyone's, in one project) or "user" (the user's, in all projects).
	Scopes []string
	// Workspace is how an entry spells the project's directory, or "".
	Workspace string

	// add and remove are the client's commands. If a command is empty, the file is edited. The
	// command show prints the server, and the command that removes it.
	add, show, remove string
	// project and user are paths of JSON files with servers below key. The path of the user's
	// file begins with ~, or is below the directory for configurations.
	project, user, key string
}

// Clients returns all clients by their names on the command line.
func Clients() map[string]Client {
	both, user := []string{"project", "user"}, []string{"user"}
	zed := "zed/settings.json"
	if runtime.GOOS == "darwin" {
		zed = "~/.config/zed/settings.json"
	}
	return map[string]Client{
		"claude-code": {
			Scopes: []string{"local", "project", "user"}, Workspace: ".",
			add:    "claude mcp add --scope SCOPE gander -- COMMAND ARGS",
			show:   "claude mcp get gander",
			remove: "claude mcp remove gander -s SCOPE",
		},
		"claude-desktop": {Scopes: user, user: "Claude/claude_desktop_config.json", key: "mcpServers"},
		"codex": {
			Scopes: user,
			add:    "codex mcp add gander -- COMMAND ARGS",
			show:   "codex mcp get gander",
			remove: "codex mcp remove gander",
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
			Scopes: user, Workspace: "${workspaceFolder}",
			add: "code --add-mcp JSON", user: "Code/User/mcp.json", key: "servers",
		},
		"windsurf": {Scopes: user, user: "~/.codeium/windsurf/mcp_config.json", key: "mcpServers"},
		"zed": {
			Scopes: both, Workspace: ".",
			project: ".zed/settings.json", user: zed, key: "context_servers",
		},
	}
}

// Plan returns a line that describes a change to the client's configuration in a scope, and the
// function that makes the change, or nil if the configuration is already as required. The change
// adds a server with a command line, or removes exactly this server. In the scope "project", dir is
// the directory of the project.
func (c Client) Plan(
	scope, dir string, server []string, isRemoval bool,
) (line string, apply func() error, _ error) {
	command := c.add
	if isRemoval {
		command = c.remove
	}
	if command != "" {
		line, apply = c.run(command, scope, server)
		return line, apply, nil
	}
	path, err := c.file(scope, dir)
	if err != nil {
		return "", nil, err
	}
	before, err := readFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", nil, err
	}
	entry := c.entry(server)
	var after []byte
	if isRemoval {
		after, err = remove(before, c.key, entry)
		line = fmt.Sprintf("remove \"gander\" from %q", c.key)
		if after == nil {
			line = "delete this file, which has nothing else"
		}
	} else {
		after, err = add(before, c.key, entry)
		line = fmt.Sprintf("add \"gander\" to %q: %s", c.key, entry)
	}
	switch {
	case err != nil:
		return "", nil, fmt.Errorf("%s: %w", path, err)
	case bytes.Equal(before, after):
		return path + ": nothing to change", nil, nil
	}
	return path + ": " + line, func() error { return replace(path, after) }, nil
}

// run returns a command of the client, and the function that runs it.
func (c Client) run(command, scope string, server []string) (line string, apply func() error) {
	values := map[string][]string{
		"SCOPE": {scope}, "COMMAND": server[:1], "ARGS": server[1:],
		"JSON": {`{"name":"gander",` + string(c.entry(server)[1:])},
	}
	var words, quoted []string
	for word := range strings.FieldsSeq(command) {
		value, ok := values[word]
		if !ok {
			value = []string{word}
		}
		for _, word := range value {
			words, quoted = append(words, word), append(quoted, terminal.Quote(word))
		}
	}
	line = strings.Join(quoted, " ")
	return line, func() error {
		if command == c.remove {
			if err := c.check(line, server); err != nil {
				return err
			}
		}
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
		return nil
	}
}

// check returns an error unless the client shows the server, and line as the command to remove it.
func (c Client) check(line string, server []string) error {
	words := strings.Fields(c.show)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stderr = os.Stderr
	shown, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", c.show, err)
	}
	args := strings.Join(server[1:], " ")
	for _, part := range []string{"ommand: " + server[0], "rgs: " + args, line} {
		if !strings.Contains(string(shown), part+"\n") {
			return fmt.Errorf("\"gander\" is another server, which '%s' shows; %s", c.show, removeOther)
		}
	}
	return nil
}

// entry returns the value of the server in the file.
func (c Client) entry(server []string) []byte {
	all, _ := json.Marshal(server) // It has only strings.
	if c.key == "mcp" {            // opencode
		return fmt.Appendf(nil, `{"type":"local","command":%s,"enabled":true}`, all)
	}
	program, _ := json.Marshal(server[0])
	args, _ := json.Marshal(server[1:])
	return fmt.Appendf(nil, `{"command":%s,"args":%s}`, program, args)
}

// file returns the path of the file. It fails if the file, or a directory above it in a project, is
// a symbolic link.
func (c Client) file(scope, dir string) (string, error) {
	if scope == "project" {
		path := filepath.Join(dir, filepath.FromSlash(c.project))
		for at := path; at != dir && at != filepath.Dir(at); at = filepath.Dir(at) {
			if info, err := os.Lstat(at); err == nil && info.Mode()&fs.ModeSymlink != 0 {
				return "", fmt.Errorf("%s is a symbolic link in a project; change its target by hand", at)
			}
		}
		return path, nil
	}
	base, err := os.UserConfigDir()
	below, isHome := strings.CutPrefix(c.user, "~")
	if isHome {
		base, err = os.UserHomeDir()
	}
	return filepath.Join(base, filepath.FromSlash(below)), err
}
