// Package install adds a server to the configuration files of MCP clients. It knows where those files are and what an
// entry looks like, and changes nothing but the entry. It knows no protocol, and no tool and no command line but those of an
// entry that takes the place of the official filesystem server.
package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gander/internal/paths"
)

// A Scope is what a configuration file of a client applies to.
type Scope string

// The scopes. Not every client has both.
const (
	User    Scope = "user"    // all that a user does with the client
	Project Scope = "project" // one project: a file in its directory
)

// A Machine determines where a user's files are.
type Machine struct {
	// System is the operating system as Go names it: linux, darwin, windows.
	System string
	// Home is the user's home directory.
	Home string
	// Env returns the value of an environment variable, or "" if it is not set.
	Env func(string) string
	// HasProgram reports whether a command can be started by its name. Nil stands for none.
	HasProgram func(string) bool
}

// join joins path elements with the separator of the system. The elements after the first use slashes.
func (m Machine) join(first string, rest ...string) string {
	if m.System != "windows" {
		return path.Join(append([]string{first}, rest...)...)
	}
	return strings.TrimRight(first, `\/`) + `\` + strings.ReplaceAll(path.Join(rest...), "/", `\`)
}

// A Server is how a client starts a server.
type Server struct {
	Command string
	Args    []string
	// Disabled reports whether the entry tells the client not to start the server.
	Disabled bool
}

// CheckName returns an error if name cannot name an entry in the files of every client. In TOML it must be a bare key.
func CheckName(name string) error {
	if !regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`).MatchString(name) {
		return fmt.Errorf("the name %q is not one that every client takes; use letters, digits, - and _, 64 at most", name)
	}
	return nil
}

// Scopes returns the scopes that the client has, its default first.
func (c Client) Scopes() []Scope {
	var all []Scope
	if c.projectFiles != nil {
		all = append(all, Project)
	}
	if c.userDir != nil {
		all = append(all, User)
	}
	return all
}

// Files returns the files in which the client may keep its servers, the preferred one first. The directory dir is the
// project's. Files does not check whether they exist.
func (c Client) Files(m Machine, scope Scope, dir string) ([]string, error) {
	if !slices.Contains(c.Scopes(), scope) {
		return nil, fmt.Errorf("%s has no %s scope; use --scope %s", c.Title, scope, c.Scopes()[0])
	}
	if scope == Project {
		var files []string
		for _, name := range c.projectFiles {
			files = append(files, m.join(dir, name))
		}
		return files, nil
	}
	if m.Home == "" {
		return nil, errors.New("the home directory is not known; name the file with --file")
	}
	var files []string
	for _, name := range c.userFiles {
		files = append(files, m.join(c.userDir(m), name))
	}
	return files, nil
}

// File returns the file in which the client keeps its servers: the first of [Client.Files] that exists, or the preferred
// one if none does.
func (c Client) File(m Machine, scope Scope, dir string) (string, error) {
	files, err := c.Files(m, scope, dir)
	if err != nil {
		return "", err
	}
	for _, name := range files {
		if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			return name, nil
		}
	}
	return files[0], nil
}

// CheckProject returns an error if a file of the project in dir lies outside of dir, because it or a directory above it is a
// symlink. Whoever wrote the repository would choose the file that is changed.
func CheckProject(dir, path string) error {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	existing := path
	for existing != filepath.Dir(existing) {
		if _, err := os.Lstat(existing); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		existing = filepath.Dir(existing)
	}
	target, err := filepath.EvalSymlinks(existing)
	if err != nil {
		return fmt.Errorf("%s is a symlink that leads to nothing; make its target or remove it", existing)
	}
	if _, inside := paths.Below(real, target); !inside {
		return fmt.Errorf("%s leads out of the project, to %s, so it is left alone; name the file with --file to change it", path, target)
	}
	return nil
}

// IsInstalled reports whether the user seems to have the client: a file of it, the directory of its files, or its command.
func (c Client) IsInstalled(m Machine) bool {
	if m.HasProgram != nil && slices.ContainsFunc(c.programs, m.HasProgram) {
		return true
	}
	if m.Home == "" || c.userDir == nil {
		return false
	}
	paths, err := c.Files(m, User, "")
	if err != nil {
		return false
	}
	if dir := c.userDir(m); filepath.Clean(dir) != filepath.Clean(m.Home) {
		paths = append(paths, dir)
	}
	return slices.ContainsFunc(paths, func(path string) bool {
		_, err := os.Stat(path)
		return err == nil
	})
}

// Lookup returns the client called id.
func Lookup(id string) (Client, error) {
	var ids []string
	for _, c := range Clients() {
		if c.ID == id {
			return c, nil
		}
		ids = append(ids, c.ID)
	}
	return Client{}, fmt.Errorf("unknown client %q; the clients are: %s", id, strings.Join(ids, ", "))
}
