// Package install knows where MCP clients keep their servers and in what form, and changes such a file by as little as
// its text allows. It knows no tool, no protocol and no command line, and nothing of a file beyond the entries of servers.
package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A Scope says for whom a client is configured.
type Scope string

// The scopes. Not every client has both.
const (
	User    Scope = "user"    // everything that this user does with the client
	Project Scope = "project" // one project: a file in its directory
)

// A Machine is what decides where a user's files lie.
type Machine struct {
	// System is the operating system as Go names it: linux, darwin, windows.
	System string
	// Home is the user's home directory.
	Home string
	// Env looks up a variable of the environment; "" stands for one that is not set.
	Env func(string) string
}

// join joins elements, which are separated by slashes, as the system does.
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
	// Disabled says that the client is told not to start it.
	Disabled bool
}

// Names of servers are what all clients, and TOML as a bare key, take.
const namePattern = `^[A-Za-z0-9_-]{1,64}$`

// CheckName says what is wrong with the name of an entry.
func CheckName(name string) error {
	if !regexp.MustCompile(namePattern).MatchString(name) {
		return fmt.Errorf("the name %q is not one that every client takes; use letters, digits, - and _, 64 at most", name)
	}
	return nil
}

// Scopes returns the scopes that the client has, the one that an installation takes by default first.
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

// Files returns the files in which the client may keep its servers in the scope, the preferred one first. The directory
// is the project's. It looks at no file.
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

// File returns the file in which the client keeps its servers: the first that exists, or the preferred one.
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
