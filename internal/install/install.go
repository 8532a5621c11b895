// Package install adds gander to the configurations of MCP clients: it changes single keys of their
// files. It starts no program.
package install

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// A Request asks for a change of a client's configuration.
type Request struct {
	Scope  Scope
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

// Plan plans the changes that a request asks for, in the order of the files.
func (c Client) Plan(r Request) (changes []Change, err error) {
	files := []string{r.Scope.File}
	edits := map[string][]edit{files[0]: {c.serverEdit(r)}}
	for _, restriction := range c.Only {
		e, isNeeded := restriction.edit(r)
		if !isNeeded {
			continue
		}
		file := cmp.Or(r.Scope.Settings, files[0])
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

// serverEdit returns the change of the server's entry. Of an entry that is there, it changes what
// starts the server; the other members are those of the client and its user.
func (c Client) serverEdit(r Request) edit {
	update := map[string]any{"command": r.Server[0], "args": r.Server[1:]}
	if c.OneCommand {
		update = map[string]any{"command": r.Server}
	}
	if slices.Contains(r.Only, Reading) {
		maps.Copy(update, c.Trusted)
	}
	entry := maps.Clone(update)
	maps.Copy(entry, c.More)
	keys := []string{cmp.Or(c.Object, "mcpServers"), r.Name}
	if r.Scope.Name == "local" { // an object for each project
		keys = slices.Concat([]string{"projects", filepath.ToSlash(r.Dir)}, keys)
	}
	return edit{keys: keys, value: entry, update: update}
}

func (x restriction) edit(r Request) (e edit, isNeeded bool) {
	e = edit{keys: named(x.Keys, r), value: x.Value}
	if x.Value != nil {
		return e, slices.Contains(r.Only, x.Kind)
	}
	for _, kind := range r.Only {
		e.list = append(e.list, named(x.Members[kind], r)...)
	}
	return e, len(e.list) > 0
}

func named(texts []string, r Request) []string {
	replaced := make([]string, len(texts))
	for i, text := range texts {
		replaced[i] = strings.ReplaceAll(text, nameKey, r.Name)
	}
	return replaced
}

func (c Client) change(r Request, file string, edits []edit) (_ Change, err error) {
	place, err := c.place(r, file)
	if err != nil {
		return Change{}, err
	}
	t, err := openTarget(place)
	if err != nil {
		return Change{}, err
	}
	f := format(jsonFormat{})
	if c.IsTOML {
		f = tomlFormat{}
	}
	change := Change{target: t}
	text, restore := plain(t.before)
	if !c.IsTOML && len(bytes.TrimSpace(text)) == 0 {
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
		if line != "" {
			change.Lines = append(change.Lines, t.path+": "+line)
		}
		text = after
	}
	change.after = restore(text)
	if bytes.Equal(text, unchanged) {
		change.after = t.before
		change.Lines = append(change.Lines, t.path+": nothing to change")
	}
	return change, nil
}

// plain returns a text without its byte order mark and with line feeds, and what restores both.
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
