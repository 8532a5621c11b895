// Package install adds gander to the configurations of MCP clients. It runs the command of
// a client that has one, and otherwise changes one key of a JSON file.
package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A Client is a program that starts MCP servers.
type Client struct {
	// Scopes are the scopes of the client, the default first: "local" (the user's, in one project),
	// "project" (everyone's, in one project) or "user" (the user's, in all projects).
	Scopes []string
	// Workspace is how an entry spells the project's directory, or "".
	Workspace string
	// Add and Remove are the client's commands, with the placeholders of [Client.words]. If a command
	// is empty, the file is edited. The command of gemini to remove a server fails in a directory
	// without trust.
	Add, Remove string
	// Show is the client's command that prints the entry, if it has one. The output has the command
	// that removes it.
	Show string
	// OneCommand reports whether an entry has the program and its arguments in one list.
	OneCommand bool
	// Project and User are paths of JSON files with servers below Key. The path of the user's
	// file begins with ~, or is below the directory for configurations. On Windows, this directory
	// is Packaged in the local application data if the client is installed as a package.
	Project, User, UserOnMac, Packaged, Key string
}

// A Change is a planned change to a client's configuration.
type Change interface {
	// Make makes the change.
	Make() error
}

// Plan describes a change to the client's configuration in a scope. The change is nil if nothing
// has to change. It adds the server with a command line, or removes exactly this server. In the
// scope "project", dir is the directory of the project.
func (c Client) Plan(
	scope, dir string, server []string, isRemoval bool,
) (line string, change Change, _ error) {
	command := c.Add
	if isRemoval {
		command = c.Remove
	}
	if command != "" {
		words := c.words(command, scope, server)
		removal := c.words(c.Remove, scope, server)
		return quote(words), commandChange{c, words, removal, server, isRemoval}, nil
	}
	path, err := c.file(scope, dir)
	if err != nil {
		return "", nil, err
	}
	before, err := readFile(path)
	if err != nil {
		return "", nil, err
	}
	text := bytes.TrimPrefix(before, []byte("\ufeff"))
	mark := before[:len(before)-len(text)]
	entry := c.entry(server)
	var after []byte
	if isRemoval {
		line = fmt.Sprintf("remove \"gander\" from %q", c.Key)
		after, err = remove(text, c.Key, entry)
	} else {
		line = fmt.Sprintf("add \"gander\" to %q: %s", c.Key, entry)
		after, err = add(text, c.Key, entry)
	}
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", path, err)
	}
	after = slices.Concat(mark, after)
	if bytes.Equal(before, after) {
		return path + ": nothing to change", nil, nil
	}
	newMode := fs.FileMode(0o600) // the file of a user can have secrets of other servers
	if scope == "project" {
		newMode = 0o644
	}
	return path + ": " + line, fileChange{path, after, newMode}, nil
}

// A fileChange replaces a file.
type fileChange struct {
	path    string
	after   []byte
	newMode fs.FileMode // of a file that does not exist yet
}

func (f fileChange) Make() error { return replace(f.path, f.after, f.newMode) }

// entry returns the value of the server in the file.
func (c Client) entry(server []string) []byte {
	all, _ := json.Marshal(server) // It has only strings.
	if c.OneCommand {
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
		path := filepath.Join(dir, filepath.FromSlash(c.Project))
		for at := path; at != dir && at != filepath.Dir(at); at = filepath.Dir(at) {
			if info, err := os.Lstat(at); err == nil && info.Mode()&fs.ModeSymlink != 0 {
				return "", fmt.Errorf("%s is a symbolic link in a project; change its target by hand", at)
			}
		}
		return path, nil
	}
	base, err := os.UserConfigDir()
	below, isHome := strings.CutPrefix(c.User, "~")
	if runtime.GOOS == "darwin" && c.UserOnMac != "" {
		below, isHome = strings.CutPrefix(c.UserOnMac, "~")
	}
	if isHome {
		base, err = os.UserHomeDir()
	}
	if local := os.Getenv("LocalAppData"); local != "" && c.Packaged != "" {
		if found, _ := filepath.Glob(filepath.Join(local, c.Packaged)); len(found) > 0 {
			base = found[0]
		}
	}
	return filepath.Join(base, filepath.FromSlash(below)), err
}
