// Package install adds gander to the configurations of MCP clients: it changes single keys of their
// files. It starts no program.
package install

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

const (
	// nameKey stands for the name of the server in the keys and values of a setting, and directoryKey
	// for the directory of the project.
	nameKey      = "NAME"
	directoryKey = "DIRECTORY"
)

// The kinds of a client's own tools.
const (
	Reading = "reading" // tools that read files, and shells
	Editing = "editing" // tools that change files
	Web     = "web"     // tools that ask the network
)

// A Client is a program that starts MCP servers.
type Client struct {
	// Scopes are the scopes of the client, the default first: "local" (the user's, in one project),
	// "project" (everyone's, in one project) or "user" (the user's, in all projects).
	Scopes []string
	// Workspace is how an entry spells the project's directory, or "".
	Workspace string
	Servers   map[string]setting // the objects with the servers, by scope
	// OneCommand reports whether an entry has the program and its arguments in one list.
	OneCommand bool
	// Only are the settings that make gander the only way to files, and Open says what remains.
	// HasNone reports that the client has no tools of its own for files.
	Only    []restriction
	Open    string
	HasNone bool
	// UserOnMac is the user's file on macOS, if it is another. On Windows, the directory for
	// configurations is Packaged in the local application data if the client is installed as a
	// package.
	UserOnMac, Packaged string

	format  format         // JSON if nil
	more    map[string]any // members of an entry
	trusted map[string]any // members of an entry whose tools run without a question
}

// StillOpen says which ways to files remain if these kinds of tools are denied.
func (c Client) StillOpen(denied []string) string {
	hasEditing := slices.ContainsFunc(c.Only, func(x restriction) bool {
		return x.kind == Editing || len(x.members[Editing]) > 0
	})
	if hasEditing && !slices.Contains(denied, Editing) {
		return c.Open + "; its tools that change files, which read what they change"
	}
	return c.Open
}

// A setting is a key of a file. The file begins with "~" for the home directory, with "@" for the
// user's directory for configurations, and is in the project otherwise.
type setting struct {
	file string
	keys []string
}

// A restriction is a setting that keeps the client from using its own tools: members of a list, or
// a value.
type restriction struct {
	files   map[string]string // by scope
	keys    []string
	members map[string][]string // of the list, by the kind of tools
	value   any                 // instead of a list
	kind    string              // of the tools that the value is about
}

// A format changes a text.
type format interface {
	// get returns a value, or nil.
	get(text []byte, keys []string) (any, error)
	set(text []byte, keys []string, value any) ([]byte, error)
	remove(text []byte, keys []string) ([]byte, error)
}

// A Request asks for a change of a client's configuration.
type Request struct {
	Scope  string
	Dir    string   // of the project
	Name   string   // of the server
	Server []string // its command line
	// Only are the kinds of the client's own tools to deny, or nil.
	Only   []string
	Remove bool // what the request would add
}

// A Change is a planned change of a file. The file stays open until Close.
type Change struct {
	Lines  []string // describe the change
	target *target
	after  []byte
}

// Make makes the change.
func (c Change) Make() error { return c.target.replace(c.after) }

// Close closes the file.
func (c Change) Close() { c.target.dir.Close() }

// IsNeeded reports whether the file would change.
func (c Change) IsNeeded() bool { return !bytes.Equal(c.target.before, c.after) }

// An edit changes one value of a file.
type edit struct {
	keys  []string
	value any      // to set
	list  []string // to add to an array, if value is nil
}

// Plan plans the changes that a request asks for, in the order of the files.
func (c Client) Plan(r Request) (changes []Change, err error) {
	files := []string{c.Servers[r.Scope].file}
	edits := map[string][]edit{files[0]: {c.serverEdit(r)}}
	for _, restriction := range c.Only {
		e, isNeeded := restriction.edit(r)
		if !isNeeded {
			continue
		}
		file := restriction.files[r.Scope]
		if edits[file] == nil {
			files = append(files, file)
		}
		edits[file] = append(edits[file], e)
	}
	for _, file := range files {
		change, err := c.change(r, file, edits[file])
		if err != nil {
			for _, planned := range changes {
				planned.Close()
			}
			return nil, err
		}
		changes = append(changes, change)
	}
	return changes, nil
}

func (c Client) serverEdit(r Request) edit {
	keys := append(slices.Clone(c.Servers[r.Scope].keys), r.Name)
	return edit{keys: replaceKeys(keys, r), value: c.entry(r)}
}

// edit returns the change that a restriction needs.
func (x restriction) edit(r Request) (e edit, isNeeded bool) {
	e = edit{keys: replaceKeys(x.keys, r), value: x.value}
	if x.value != nil {
		return e, slices.Contains(r.Only, x.kind)
	}
	for _, kind := range r.Only {
		e.list = append(e.list, replaceKeys(x.members[kind], r)...)
	}
	return e, len(e.list) > 0
}

// replaceKeys returns texts with what nameKey and directoryKey stand for.
func replaceKeys(texts []string, r Request) []string {
	replacer := strings.NewReplacer(nameKey, r.Name, directoryKey, filepath.ToSlash(r.Dir))
	replaced := make([]string, len(texts))
	for i, text := range texts {
		replaced[i] = replacer.Replace(text)
	}
	return replaced
}

// entry returns the value of the server in the file.
func (c Client) entry(r Request) map[string]any {
	if c.OneCommand {
		return map[string]any{"type": "local", "command": r.Server, "enabled": true}
	}
	entry := map[string]any{"command": r.Server[0], "args": r.Server[1:]}
	maps.Copy(entry, c.more)
	if slices.Contains(r.Only, Reading) {
		maps.Copy(entry, c.trusted)
	}
	return entry
}

// change plans the edits of a file.
func (c Client) change(r Request, file string, edits []edit) (_ Change, err error) {
	place, err := c.place(r, file)
	if err != nil {
		return Change{}, err
	}
	t, err := openTarget(place)
	if err != nil {
		return Change{}, err
	}
	f := c.format
	if f == nil {
		f = jsonFormat{}
	}
	change := Change{target: t}
	text, restore := plain(t.before)
	if _, isJSON := f.(jsonFormat); isJSON && len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	unchanged := text
	if r.Remove {
		slices.Reverse(edits) // what was added last goes first, which restores the text
	}
	for _, e := range edits {
		after, line, err := e.apply(f, text, r.Remove)
		if err != nil {
			change.Close()
			return Change{}, fmt.Errorf("%s: %w", t.path, err)
		}
		if !bytes.Equal(after, text) {
			change.Lines = append(change.Lines, t.path+": "+line)
		}
		text = after
	}
	change.after = restore(text)
	if bytes.Equal(text, unchanged) {
		change.after = t.before
		change.Lines = []string{t.path + ": nothing to change"}
	}
	return change, nil
}

// plain returns a text without its byte order mark and with line feeds, and the function that
// restores both.
func plain(before []byte) (text []byte, restore func([]byte) []byte) {
	const mark = "\ufeff"
	text = bytes.TrimPrefix(before, []byte(mark))
	hasMark := len(text) < len(before)
	lines := bytes.Count(text, []byte("\n"))
	hasReturns := lines > 0 && bytes.Count(text, []byte("\r\n")) == lines
	if hasReturns {
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	}
	return text, func(after []byte) []byte {
		if hasReturns {
			after = bytes.ReplaceAll(after, []byte("\n"), []byte("\r\n"))
		}
		if hasMark {
			after = append([]byte(mark), after...)
		}
		return after
	}
}

// apply applies or undoes an edit. It also returns a description.
func (e edit) apply(f format, text []byte, isRemoval bool) (after []byte, line string, err error) {
	found, err := f.get(text, e.keys)
	if err != nil {
		return nil, "", err
	}
	if e.list != nil {
		return e.applyList(f, text, found, isRemoval)
	}
	last := len(e.keys) - 1
	where := fmt.Sprintf("%q", e.keys[last])
	if last > 0 {
		where += fmt.Sprintf(" in %q", strings.Join(e.keys[:last], "."))
	}
	_, isServer := e.value.(map[string]any)
	isOther := found != nil && !isSame(found, e.value)
	if isServer && isOther && !isOwn(found) {
		encoded, _ := encode(found)
		return nil, "", fmt.Errorf("%s is another server: %s; remove it by hand, or use --name",
			where, encoded)
	}
	if !isServer && isOther && !isRemoval {
		encoded, _ := encode(found)
		return nil, "", fmt.Errorf("%s is %s; --remove could not bring it back, so change it by hand",
			where, encoded)
	}
	switch {
	case isRemoval && found == nil:
		return text, "", nil
	case isRemoval && isOther && !isServer:
		return text, "", nil // the value of somebody else
	case isRemoval:
		after, err = f.remove(text, e.keys)
		return after, "remove " + where, err
	case found != nil && !isOther:
		return text, "", nil
	}
	encoded, err := encode(e.value)
	if err != nil {
		return nil, "", err
	}
	after, err = f.set(text, e.keys, e.value)
	return after, fmt.Sprintf("set %s: %s", where, encoded), err
}

// applyList adds the missing members of a list, or removes those that are there.
func (e edit) applyList(
	f format, text []byte, found any, isRemoval bool,
) (after []byte, line string, err error) {
	var list []string
	members, isList := found.([]any)
	if found != nil && !isList {
		return nil, "", fmt.Errorf("%q is not a list; change it by hand", strings.Join(e.keys, "."))
	}
	for _, member := range members {
		list = append(list, fmt.Sprint(member))
	}
	var changed []string
	for _, member := range e.list {
		if slices.Contains(list, member) == isRemoval {
			changed = append(changed, member)
		}
	}
	if len(changed) == 0 {
		return text, "", nil
	}
	encoded, err := encode(changed)
	if err != nil {
		return nil, "", err
	}
	where := strings.Join(e.keys, ".")
	if !isRemoval {
		after, err = f.set(text, e.keys, append(list, changed...))
		return after, fmt.Sprintf("add to %q: %s", where, encoded), err
	}
	line = fmt.Sprintf("remove from %q: %s", where, encoded)
	left := slices.DeleteFunc(list, func(member string) bool {
		return slices.Contains(changed, member)
	})
	if len(left) == 0 {
		after, err = f.remove(text, e.keys)
	} else {
		after, err = f.set(text, e.keys, left)
	}
	return after, line, err
}

// isSame reports whether two values are the same JSON. In an entry, the type "stdio" and an empty
// environment, which clients and their users add, do not count.
func isSame(a, b any) bool { return reflect.DeepEqual(normal(a), normal(b)) }

func normal(value any) (normal any) {
	encoded, _ := json.Marshal(value)
	_ = json.Unmarshal(encoded, &normal)
	if members, ok := normal.(map[string]any); ok {
		if members["type"] == "stdio" {
			delete(members, "type")
		}
		if env, ok := members["env"].(map[string]any); ok && len(env) == 0 {
			delete(members, "env")
		}
	}
	return normal
}

// ownPackage matches the npm package of gander, of any owner, and perhaps a version.
var ownPackage = regexp.MustCompile(`^(@[^/]+/)?gander(@[^/]+)?$`)

// isOwn reports whether an entry starts gander as a server, with members that gander writes: with
// other roots or tools, or another place of the program. A profile has no command.
func isOwn(found any) bool {
	members, ok := normal(found).(map[string]any)
	if !ok {
		return false
	}
	if members["name"] == "gander" && members["command"] == nil && members["url"] == nil {
		return true
	}
	var line []string
	for _, key := range slices.Sorted(maps.Keys(members)) {
		switch key {
		case "enabled", "type", "tools", "trust":
			continue
		case "args", "command":
		default:
			return false
		}
	}
	for _, key := range []string{"command", "args"} {
		switch value := members[key].(type) {
		case string:
			line = append(line, value)
		case []any:
			for _, word := range value {
				line = append(line, fmt.Sprint(word))
			}
		}
	}
	return startsGander(line)
}

// startsGander reports whether a command line is one of gander's: the program, or npx with its
// package, as a server.
func startsGander(line []string) bool {
	switch slices.Index(line, "mcp") {
	case 1:
		program := line[0][strings.LastIndexAny(line[0], `/\`)+1:]
		return strings.TrimSuffix(program, ".exe") == "gander"
	case 3:
		isNpx := line[0] == "npx" && line[1] == "-y"
		return isNpx && ownPackage.MatchString(line[2])
	}
	return false
}

func sortedKeys(table map[string]any) []string { return slices.Sorted(maps.Keys(table)) }

// A place is a file below a directory.
type place struct {
	base, file string
	isShared   bool // it is in a project, where others can write
}

// place returns where a file is.
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
