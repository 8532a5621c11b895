package install

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// An Entry is a server in a client's file.
type Entry struct {
	Client Client
	Scope  Scope
	// Path is the file, and Name the key of the entry.
	Path, Name string
	Server     Server

	wrong error // why there is no server
}

// An Unreadable is a client's file that cannot be read.
type Unreadable struct {
	Client Client
	Path   string
	Err    error
}

// Find returns the entries of all clients, for the user and for the project in dir, that are called name or start a
// program of that name. It also returns the files that it cannot read, or in which the entry called name is wrong.
func Find(m Machine, dir, name string) ([]Entry, []Unreadable) {
	return find(m, dir, func(e Entry) bool { return e.Name == name || programName(e.Server.Command) == name })
}

// FindOfficial returns the entries of all clients that [Client.PlanReplacement] can replace. It passes over files that it
// cannot read.
func FindOfficial(m Machine, dir string) []Entry {
	found, _ := find(m, dir, func(e Entry) bool { return e.Server.isOfficial() })
	return found
}

// find returns the entries that match, and the files that it cannot read.
func find(m Machine, dir string, match func(Entry) bool) ([]Entry, []Unreadable) {
	var found []Entry
	var broken []Unreadable
	for _, c := range Clients() {
		for _, scope := range c.Scopes() {
			files, err := c.Files(m, scope, dir)
			if err != nil {
				continue // there are no user files without a home directory
			}
			for _, file := range files {
				entries, err := c.entries(file, scope, dir)
				if err != nil && !errors.Is(err, fs.ErrNotExist) {
					broken = append(broken, Unreadable{c, file, err})
				}
				for _, e := range entries {
					switch {
					case !match(e):
					case e.wrong != nil:
						broken = append(broken, Unreadable{c, file, e.wrong})
					default:
						found = append(found, e)
					}
				}
			}
		}
	}
	return found, broken
}

// entries returns the local servers in one file, in the order of their names, and the entries that are wrong.
func (c Client) entries(file string, scope Scope, dir string) ([]Entry, error) {
	text, err := readFile(file)
	if err != nil {
		return nil, err
	}
	document, err := decode(c.format, text)
	if err != nil {
		return nil, err
	}
	places := [][]string{c.keys}
	if scope == User && c.localKeys != nil {
		places = append(places, c.localKeys(dir))
	}
	var all []Entry
	for _, place := range places {
		servers, err := table(document, place)
		if err != nil {
			return nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(servers)) {
			entry, err := table(document, append(slices.Clone(place), name))
			if err == nil && entry["command"] == nil {
				continue // it is elsewhere, or changes an entry of another file
			}
			e := Entry{Client: c, Scope: scope, Path: file, Name: name, wrong: err}
			if err == nil {
				e.Server, e.wrong = serverOf(name, entry)
			}
			all = append(all, e)
		}
	}
	return all, nil
}

// serverOf reads the entry of any client. The error says what is wrong with it.
func serverOf(name string, entry map[string]any) (s Server, err error) {
	if err := checkLocal(name, entry); err != nil {
		return s, err
	}
	words, ok := stringsOf(entry["command"])
	if !ok {
		return s, fmt.Errorf("the command of the entry %q is neither a string nor a list of strings; correct it by hand", name)
	}
	if len(words) == 0 {
		return s, fmt.Errorf("the entry %q has no command", name)
	}
	more, ok := stringsOf(entry["args"])
	if !ok {
		return s, fmt.Errorf("the args of the entry %q are not a list of strings; correct it by hand", name)
	}
	return Server{
		Command:  words[0],
		Args:     append(words[1:], more...),
		Disabled: entry["disabled"] == true || entry["enabled"] == false,
	}, nil
}

// checkLocal returns an error if an entry names a server that the client does not start.
func checkLocal(name string, entry map[string]any) error {
	for _, key := range []string{"url", "httpUrl", "serverUrl"} {
		if _, remote := entry[key]; remote {
			return fmt.Errorf("the entry %q names a server elsewhere (%s)", name, key)
		}
	}
	return nil
}

// stringsOf returns the strings of a list, or of one string.
func stringsOf(value any) (words []string, ok bool) {
	switch value := value.(type) {
	case nil:
		return nil, true
	case string:
		return []string{value}, true
	case []any:
		for _, v := range value {
			word, ok := v.(string)
			if !ok {
				return nil, false
			}
			words = append(words, word)
		}
		return words, true
	default:
		return nil, false
	}
}

// programName returns the name of the program that a command starts.
func programName(command string) string {
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(command, `\`, "/")), ".exe")
}
