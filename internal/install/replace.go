package install

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The official filesystem server: its package, and the program that the package installs.
const (
	officialPackage = "@modelcontextprotocol/server-filesystem"
	officialProgram = "mcp-server-filesystem"
)

// standInArgs returns what the arguments of a server begin with that has taken the place of the official one. Its directories
// come last. No other entry of gander begins with them.
func standInArgs() []string { return []string{"mcp", "--tools", "filesystem"} }

// standIn returns how a client starts command in place of the official filesystem server. The flags precede the directories.
func standIn(command string, flags, dirs []string) Server {
	return Server{Command: command, Args: slices.Concat(standInArgs(), flags, dirs)}
}

// errNotOfficial says that a server is not the official filesystem server.
var errNotOfficial = errors.New("it does not start the official filesystem server as npx " + officialPackage + ", " + officialProgram +
	" or the container mcp/filesystem, so it is left alone")

// isOfficial reports whether s starts the official filesystem server in a way that gander can.
func (s Server) isOfficial() bool {
	_, err := s.officialDirs()
	return err == nil
}

// officialDirs returns the directories that the official filesystem server serves if s starts it. The error says why gander cannot
// take its place.
func (s Server) officialDirs() ([]string, error) {
	words := append([]string{s.Command}, s.Args...)
	if len(words) > 2 && strings.EqualFold(programName(words[0]), "cmd") && strings.EqualFold(words[1], "/c") {
		words = words[2:] // Windows starts the scripts of npm with it
	}
	switch strings.TrimSuffix(programName(words[0]), ".cmd") {
	case officialProgram:
		return directories(words[1:])
	case "docker", "podman":
		return containerDirs(words[1:])
	case "npx":
		words = words[1:]
		for len(words) > 0 && (words[0] == "-y" || words[0] == "--yes") {
			words = words[1:]
		}
		if len(words) == 0 {
			return nil, errNotOfficial
		}
		if rest, ok := strings.CutPrefix(words[0], officialPackage); ok && (rest == "" || rest[0] == '@') {
			return directories(words[1:])
		}
	}
	return nil, errNotOfficial
}

// directories returns the arguments of the official filesystem server, which has no options. One that looks like an option would be
// one of gander.
func directories(args []string) ([]string, error) {
	for _, arg := range args {
		if strings.HasPrefix(arg, "-") {
			return nil, fmt.Errorf("the directory %q would be an option of gander; write ./ before it, or remove it", arg)
		}
	}
	return args, nil
}

// isStandIn reports whether s has taken the place of the official filesystem server.
func (s Server) isStandIn() bool {
	begin := standInArgs()
	return len(s.Args) >= len(begin) && slices.Equal(s.Args[:len(begin)], begin)
}

// PlanReplacement returns the change that makes the entry called name start command in place of the official filesystem
// server, with the flags and the entry's own directories. It writes nothing. The entry keeps its other keys, and the backup
// that [Change.Write] makes keeps the former entry for [Client.PlanRemoval]. If the entry is replaced already, its command
// and flags are left as they are and the change is empty. PlanReplacement fails as [Client.Plan] does, and if there is no such entry.
func (c Client) PlanReplacement(path, name string, scope Scope, command string, flags []string) (Change, error) {
	return c.plan(path, scope, func(text []byte) ([]byte, error) {
		s, err := c.serverIn(text, name)
		if err != nil {
			return nil, err
		}
		if s.isStandIn() {
			return text, nil
		}
		dirs, err := s.officialDirs()
		if err != nil {
			return nil, fmt.Errorf("the entry %q cannot be replaced: %w", name, err)
		}
		return c.edit(text, name, standIn(command, flags, dirs), "command", "args")
	})
}

// Holding returns the client with the table of servers of the file at path that [Client.PlanReplacement] and [Client.PlanRemoval] are
// to change: in the user scope of Claude Code, that of the project in dir if the official filesystem server, or gander in its place,
// is called name there and no server is called so in the table for all projects.
func (c Client) Holding(path, name string, scope Scope, dir string) Client {
	if c.localKeys == nil || scope != User {
		return c
	}
	local := c
	local.keys = c.localKeys(dir)
	text, err := readFile(path)
	if err != nil {
		return c // which planning tells
	}
	_, notShared := c.serverIn(text, name)
	if s, err := local.serverIn(text, name); err == nil && notShared != nil && (s.isOfficial() || s.isStandIn()) {
		return local
	}
	return c
}

// restore returns text with the official filesystem server put back that the entry called name has replaced, as the newest
// backup of the file at path has it. It reports whether there is one.
func (c Client) restore(path string, text []byte, name string) (restored []byte, ok bool, err error) {
	now, err := c.serverIn(text, name)
	if err != nil || !now.isStandIn() {
		return nil, false, nil
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // backups are beside the file, not beside a link
	}
	for n := maxBackups; n > 0; n-- {
		old, err := readFile(backupName(path, n))
		if errors.Is(err, os.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, false, fmt.Errorf("the backup %s cannot be read: %w", backupName(path, n), err)
		}
		former, _ := c.serverIn(old, name)
		if !former.isOfficial() {
			continue
		}
		if again, err := c.edit(old, name, now, "command", "args"); err == nil && string(again) == string(text) {
			return old, true, nil // nothing else has changed since, so the layout comes back too
		}
		restored, err = c.edit(text, name, former, "command", "args")
		return restored, err == nil, err
	}
	return nil, false, nil
}

// serverIn returns the server called name in the text of a file.
func (c Client) serverIn(text []byte, name string) (Server, error) {
	document, err := decode(c.format, text)
	if err != nil {
		return Server{}, fmt.Errorf("the file cannot be parsed, so it is left alone: %w", err)
	}
	entry, err := table(document, append(slices.Clone(c.keys), name))
	switch {
	case err != nil:
		return Server{}, err
	case entry == nil:
		return Server{}, fmt.Errorf("there is no entry %q that starts a program", name)
	}
	return serverOf(name, entry)
}
