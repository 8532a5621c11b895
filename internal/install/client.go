package install

import (
	"cmp"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// nameKey stands for the name of the server in the keys and values of a setting.
const nameKey = "NAME"

// The kinds of a client's own tools.
const (
	Reading = "reading" // tools that read files, and shells
	Editing = "editing" // tools that change files
	Web     = "web"     // tools that ask the network
)

//go:embed clients.toml
var clients string

// Clients returns all clients by their names on the command line.
func Clients() (all map[string]Client) {
	d := toml.NewDecoder(strings.NewReader(clients)).DisallowUnknownFields()
	if err := d.Decode(&all); err != nil {
		panic(fmt.Sprintf("clients.toml: %v", err))
	}
	return all
}

// A Client is a program that starts MCP servers.
type Client struct {
	Scopes []Scope // the default first
	// Workspace is how an entry spells the project's directory, or "".
	Workspace string
	// OneCommand reports whether an entry has the program and its arguments in one list.
	OneCommand bool `toml:"one_command"`
	// Only are the settings that make gander the only way to files, and Open says what remains.
	// HasNone reports that the client has no tools of its own for files.
	Only    []restriction
	Open    string
	HasNone bool `toml:"has_none"`
	// UserOnMac is the user's file on macOS, if it is another. On Windows, the directory for
	// configurations is Packaged in the local application data if the client is installed as a
	// package.
	UserOnMac string `toml:"user_on_mac"`
	Packaged  string

	Object  string         // with the servers: "mcpServers" if empty
	IsTOML  bool           `toml:"is_toml"` // and not JSON
	More    map[string]any // members of a new entry
	Trusted map[string]any // members of an entry whose tools run without a question
}

// A Scope is whom an entry is for: "local" (the user, in one project), "project" (everyone, in one
// project) or "user" (the user, in all projects). It has the file with the servers, and the one
// with the settings of [Client.Only] if that is another. A file begins with "~" for the home
// directory, with "@" for the user's directory for configurations, and is in the project otherwise.
type Scope struct{ Name, File, Settings string }

// Scope returns the scope with a name, or the default if that is empty.
func (c Client) Scope(name string) (Scope, error) {
	var names []string
	for _, s := range c.Scopes {
		if name == "" || name == s.Name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Scope{}, fmt.Errorf("no scope %q; use --scope %s", name, strings.Join(names, " or "))
}

// StillOpen says which ways to files remain if these kinds of tools are denied.
func (c Client) StillOpen(denied []string) string {
	hasEditing := slices.ContainsFunc(c.Only, func(x restriction) bool {
		return x.Kind == Editing || len(x.Members[Editing]) > 0
	})
	if hasEditing && !slices.Contains(denied, Editing) {
		return c.Open + "; its tools that change files, which read what they change"
	}
	return c.Open
}

// A restriction is a setting that keeps the client from using its own tools: members of a list, or
// a value.
type restriction struct {
	Keys    []string
	Members map[string][]string // of the list, by the kind of tools
	Value   any                 // instead of a list
	Kind    string              // of the tools that the value is about
}

type place struct {
	base, file string
	isShared   bool // it is in a project, where others can write
}

func (c Client) place(r Request, file string) (place, error) {
	isOfUser := strings.HasPrefix(file, "@/") || strings.HasPrefix(file, "~/")
	if isOfUser && runtime.GOOS == "darwin" {
		file = cmp.Or(c.UserOnMac, file)
	}
	below := file[min(2, len(file)):]
	switch {
	case !isOfUser:
		return place{base: r.Dir, file: file, isShared: true}, nil
	case strings.HasPrefix(file, "~/"):
		home, err := os.UserHomeDir()
		return place{base: home, file: below}, err
	}
	base, err := os.UserConfigDir()
	if local := os.Getenv("LocalAppData"); local != "" && c.Packaged != "" {
		if found, _ := filepath.Glob(filepath.Join(local, c.Packaged)); len(found) > 0 {
			base = found[0]
		}
	}
	return place{base: base, file: below}, err
}
