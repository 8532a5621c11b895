// Package install adds gander to the configurations of MCP clients. It runs the command of
// a client that has one, and otherwise changes one key of a JSON file.
package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
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
	// Add and Remove are the client's commands. If a command is empty, the file is edited. The
	// command of gemini to remove a server fails in a directory without trust.
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

// Plan describes a change to the client's configuration in a scope, and returns the function that
// makes it, or nil if nothing has to change. The change adds the server with a command line, or
// removes exactly this server. In the scope "project", dir is the directory of the project.
func (c Client) Plan(
	scope, dir string, server []string, isRemoval bool,
) (line string, apply func() error, _ error) {
	command, edit, entry := c.Add, add, c.entry(server)
	line = fmt.Sprintf("add \"gander\" to %q: %s", c.Key, entry)
	if isRemoval {
		command, edit = c.Remove, remove
		line = fmt.Sprintf("remove \"gander\" from %q", c.Key)
	}
	if command != "" {
		line, apply = c.run(command, scope, server, isRemoval)
		return line, apply, nil
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
	after, err := edit(text, c.Key, entry)
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", path, err)
	}
	after = slices.Concat(mark, after)
	if bytes.Equal(before, after) {
		return path + ": nothing to change", nil, nil
	}
	return path + ": " + line, func() error { return replace(path, after) }, nil
}

// run returns a command of the client, and the function that runs it.
func (c Client) run(
	command, scope string, server []string, isRemoval bool,
) (line string, apply func() error) {
	values := map[string][]string{
		"SCOPE": {scope}, "COMMAND": server[:1], "ARGS": server[1:],
		"JSON": {`{"name":"gander",` + string(c.entry(server)[1:])},
	}
	words := strings.Fields(command)
	for i := len(words) - 1; i >= 0; i-- {
		if value, ok := values[words[i]]; ok {
			words = slices.Replace(words, i, i+1, value...)
		}
	}
	line = terminal.Quote(words...)
	return line, func() error {
		remove := strings.ReplaceAll(c.Remove, "SCOPE", scope)
		var err error
		if isRemoval {
			err = c.checkShown(remove, server)
		} else {
			err = c.removeOwn(remove)
		}
		if err != nil {
			return err
		}
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		err = cmd.Run()
		switch {
		case errors.Is(err, exec.ErrNotFound):
			return fmt.Errorf("the program %s is not in PATH; install it, or run the command above "+
				"where it is", words[0])
		case err != nil:
			return fmt.Errorf("the command above failed: %w", err)
		}
		return nil
	}
}

// ownShown matches an entry of gander as clients show it: the program, or npx with its package.
var ownShown = regexp.MustCompile(`(?m)ommand: (?:(?:.*[/\\])?gander(?:\.exe)?\n\s*[Aa]rgs: mcp\b` +
	`|npx\n\s*[Aa]rgs: -y (?:@[^/\s]+/)?gander\S* mcp\b)`)

// show returns what a client prints about its entry, or an error if it has none.
func (c Client) show(stderr io.Writer) ([]byte, error) {
	words := strings.Fields(c.Show)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stderr = stderr
	return cmd.Output()
}

// names reports whether a client prints a command, perhaps with quotes, which some versions add.
func names(shown []byte, command string) bool {
	return bytes.Contains(bytes.ReplaceAll(shown, []byte(`"`), nil), []byte(command+"\n"))
}

// removeOwn removes an entry of gander with other options, if the client shows one that the command
// removes. Its entries in other scopes stay.
func (c Client) removeOwn(command string) error {
	if c.Show == "" || command == "" {
		return nil
	}
	shown, err := c.show(nil)
	if err != nil || !ownShown.Match(shown) || !names(shown, command) {
		return nil // there is no such entry
	}
	words := strings.Fields(command)
	if err := exec.Command(words[0], words[1:]...).Run(); err != nil {
		return fmt.Errorf("cannot replace the entry of gander: %w", err)
	}
	return nil
}

// checkShown returns an error unless the client shows the server, and the command to remove it.
func (c Client) checkShown(command string, server []string) error {
	shown, err := c.show(os.Stderr)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Show, err)
	}
	args := strings.Join(server[1:], " ")
	for _, part := range []string{"ommand: " + server[0], "rgs: " + args} {
		if !bytes.Contains(shown, []byte(part+"\n")) {
			return otherServer(shown)
		}
	}
	if !names(shown, command) {
		return otherServer(shown)
	}
	return nil
}

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
