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

// isOfficial reports whether s starts the official filesystem server, as mcp-server-filesystem or with npx.
func (s Server) isOfficial() bool {
	_, ok := s.officialDirs()
	return ok
}

// officialDirs returns the directories of a server. It reports whether that is the official filesystem server.
func (s Server) officialDirs() (dirs []string, ok bool) {
	words := append([]string{s.Command}, s.Args...)
	if len(words) > 2 && strings.EqualFold(programName(words[0]), "cmd") && strings.EqualFold(words[1], "/c") {
		words = words[2:] // Windows starts the scripts of npm with it
	}
	switch strings.TrimSuffix(programName(words[0]), ".cmd") {
	case officialProgram:
		return words[1:], true
	case "npx":
		words = words[1:]
		for len(words) > 0 && (words[0] == "-y" || words[0] == "--yes") {
			words = words[1:]
		}
		if len(words) == 0 {
			return nil, false
		}
		rest, ok := strings.CutPrefix(words[0], officialPackage)
		return words[1:], ok && (rest == "" || rest[0] == '@')
	}
	return nil, false
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
		s, ok := c.serverIn(text, name)
		if ok && s.isStandIn() {
			return text, nil
		}
		if !ok {
			return nil, fmt.Errorf("there is no entry %q that starts a program", name)
		}
		dirs, ok := s.officialDirs()
		if !ok {
			return nil, fmt.Errorf("the entry %q does not start the official filesystem server with npx %s or %s, so it is left alone", name, officialPackage, officialProgram)
		}
		return c.edit(text, name, standIn(command, flags, dirs), "command", "args")
	})
}

// restore returns text with the official filesystem server put back that the entry called name has replaced, as the newest
// backup of the file at path has it. It reports whether there is one.
func (c Client) restore(path string, text []byte, name string) (restored []byte, ok bool, err error) {
	now, ok := c.serverIn(text, name)
	if !ok || !now.isStandIn() {
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
			return nil, false, err
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
func (c Client) serverIn(text []byte, name string) (Server, bool) {
	document, err := decode(c.format, text)
	if err != nil {
		return Server{}, false
	}
	servers, err := table(document, c.keys)
	if err != nil {
		return Server{}, false
	}
	return serverOf(servers[name])
}
