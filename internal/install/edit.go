package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"
)

// maxFileSize bounds the size of a client's file. Claude Code keeps its history in the file of its servers.
const maxFileSize = 64 << 20

// byteOrderMark begins the text that some editors on Windows write.
const byteOrderMark = "\ufeff"

// A format is the syntax of a client's file.
type format interface {
	// decode returns the whole document.
	decode(text []byte) (map[string]any, error)
	// edit returns text with the fields set in the table at path, which it adds if there is none. It leaves all other
	// bytes as they are.
	edit(text []byte, path []string, fields []field) ([]byte, error)
	// remove returns text without the table at path, which it has. It leaves what is not the table as it is, but for the
	// white space around it.
	remove(text []byte, path []string) ([]byte, error)
}

// A field is a key and its value: a string, a bool, a []any of strings, or a []field for a table.
type field struct {
	key   string
	value any
}

// A Change is the change that an installation makes to one file.
type Change struct {
	// Path is the file, and Exists reports whether it exists now.
	Path   string
	Exists bool
	// Before and After are its text.
	Before, After []byte

	mode fs.FileMode
}

// IsEmpty reports whether the change changes nothing.
func (c Change) IsEmpty() bool { return bytes.Equal(c.Before, c.After) }

// Diff returns the change as a unified diff. It returns "" for an empty change.
func (c Change) Diff() string {
	old := c.Path
	if !c.Exists {
		old = "/dev/null"
	}
	_, unified, _ := bytes.Cut(diff.Diff(old, c.Before, c.Path, c.After), []byte("\n")) // the first line is a command
	return string(unified)
}

// Plan returns the change that makes the client start s under the name, for the file at path. It writes nothing. If there
// is an entry of that name, the change keeps its place and its other keys, such as environment variables. Plan fails if
// the file cannot be read or parsed, or if more than the entry would change.
func (c Client) Plan(path, name string, scope Scope, s Server) (Change, error) {
	return c.plan(path, scope, func(text []byte) ([]byte, error) { return c.edit(text, name, s) })
}

// PlanRemoval returns the change that removes the entry called name from the file at path. It writes nothing. If the entry
// came about by [Client.PlanReplacement] and a backup of the file holds the former one, the change puts that back instead. If
// there is no such entry, the change is empty. PlanRemoval fails as [Client.Plan] does.
func (c Client) PlanRemoval(path, name string, scope Scope) (Change, error) {
	return c.plan(path, scope, func(text []byte) ([]byte, error) {
		if restored, ok, err := c.restore(path, text, name); ok || err != nil {
			return restored, err
		}
		return c.remove(text, name)
	})
}

// plan returns the change that edit makes to the file at path.
func (c Client) plan(path string, scope Scope, edit func(text []byte) ([]byte, error)) (Change, error) {
	change := Change{Path: path, mode: 0o600}
	if scope == Project {
		change.mode = 0o644
	}
	text, err := readFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(path); err == nil {
			return change, fmt.Errorf("%s is a symlink that leads to nothing; make its target or remove it", path)
		}
	case err != nil:
		return change, fmt.Errorf("%s: %w", path, err)
	default:
		change.Exists, change.Before = true, text
	}
	change.After, err = edit(change.Before)
	if err != nil {
		return change, fmt.Errorf("%s: %w", path, err)
	}
	return change, nil
}

// remove returns text without the entry of the server called name.
func (c Client) remove(text []byte, name string) ([]byte, error) {
	before, err := decode(c.format, text)
	if err != nil {
		return nil, fmt.Errorf("the file cannot be parsed, so it is left alone: %w", err)
	}
	path := append(slices.Clone(c.keys), name)
	if entry, err := table(before, path); entry == nil || err != nil {
		return text, err
	}
	body, hadMark := bytes.CutPrefix(text, []byte(byteOrderMark))
	edited, err := c.format.remove(body, path)
	if err != nil {
		return nil, err
	}
	after, err := decode(c.format, edited)
	servers, _ := table(before, c.keys)
	delete(servers, name)
	same := reflect.DeepEqual(before, after)
	if len(servers) == 0 { // in TOML, a table may be there only because of the tables in it
		parent, _ := table(before, c.keys[:len(c.keys)-1])
		delete(parent, c.keys[len(c.keys)-1])
		same = same || reflect.DeepEqual(before, after)
	}
	if err != nil || !same {
		return nil, errors.New("it cannot be changed without changing more than the entry; is a key there twice? Remove the entry yourself")
	}
	if hadMark {
		edited = append([]byte(byteOrderMark), edited...)
	}
	return edited, nil
}

// edit returns text with the entry of the server called name. If keys are given, it sets only these keys of the entry.
func (c Client) edit(text []byte, name string, s Server, keys ...string) ([]byte, error) {
	for _, word := range append([]string{s.Command}, s.Args...) {
		if !utf8.ValidString(word) {
			return nil, fmt.Errorf("%q is not UTF-8, so no configuration file can hold it", word)
		}
	}
	before, err := decode(c.format, text)
	if err != nil {
		return nil, fmt.Errorf("the file cannot be parsed, so it is left alone: %w", err)
	}
	path := append(slices.Clone(c.keys), name)
	entry, err := table(before, path)
	if err != nil {
		return nil, err
	}
	if err := checkLocal(name, entry); err != nil {
		return nil, fmt.Errorf("%w; remove it, or install under another --name", err)
	}
	// A value that is equal keeps its text, however that is laid out.
	fields := slices.DeleteFunc(c.entry(s), func(f field) bool {
		return reflect.DeepEqual(entry[f.key], f.value) || len(keys) > 0 && !slices.Contains(keys, f.key)
	})
	if len(fields) == 0 {
		return text, nil
	}
	body, hadMark := bytes.CutPrefix(text, []byte(byteOrderMark))
	edited, err := c.format.edit(body, path, fields)
	if err != nil {
		return nil, err
	}
	after, err := c.format.decode(edited)
	set(before, path, fields)
	if err != nil || !reflect.DeepEqual(before, after) {
		return nil, errors.New("it cannot be changed without changing more than the entry; is a key there twice? Write the entry yourself")
	}
	if hadMark {
		edited = append([]byte(byteOrderMark), edited...)
	}
	return edited, nil
}

// decode returns the document in text. Blank text is an empty table.
func decode(f format, text []byte) (map[string]any, error) {
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	if len(bytes.TrimSpace(text)) == 0 {
		return map[string]any{}, nil
	}
	if !utf8.Valid(text) {
		return nil, errors.New("it is not UTF-8")
	}
	return f.decode(text)
}

// table returns the table at path, or nil if there is none.
func table(document map[string]any, path []string) (map[string]any, error) {
	for i, key := range path {
		value, exists := document[key]
		if !exists {
			return nil, nil
		}
		inner, ok := value.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%s is no table of keys and values; correct it by hand", strings.Join(path[:i+1], "."))
		}
		document = inner
	}
	return document, nil
}

// set sets the fields in the table at path, which it adds if there is none.
func set(document map[string]any, path []string, fields []field) {
	for _, key := range path {
		inner, ok := document[key].(map[string]any)
		if !ok {
			inner = map[string]any{}
			document[key] = inner
		}
		document = inner
	}
	for _, f := range fields {
		document[f.key] = f.value
	}
}

// encode writes the value of a field on one line, in JSON. What is not a table is TOML too.
func encode(value any) string {
	var parts []string
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			parts = append(parts, encode(element))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case []field:
		for _, f := range value {
			parts = append(parts, encode(f.key)+": "+encode(f.value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(err) // a string or a bool can always be encoded
	}
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\x7f", `\u007f`) // TOML forbids a bare U+007F
}

// A splice replaces the text between two offsets.
type splice struct {
	from, to int
	text     string
}

// apply returns text with the splices made. They must not overlap; those at one offset are made in their order.
func apply(text []byte, splices []splice) []byte {
	slices.SortStableFunc(splices, func(a, b splice) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, s := range splices {
		out = append(append(out, text[at:s.from]...), s.text...)
		at = s.to
	}
	return append(out, text[at:]...)
}

// lineEnding returns what ends the lines of text.
func lineEnding(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// readFile reads a regular file of bounded size. An error does not name the file.
func readFile(path string) (text []byte, err error) {
	info, err := os.Stat(path)
	if err == nil {
		switch {
		case !info.Mode().IsRegular():
			return nil, errors.New("it is no regular file; move it away, or name another with --file")
		case info.Size() > maxFileSize:
			return nil, fmt.Errorf("it is larger than %d bytes; write the entry by hand", maxFileSize)
		}
		text, err = os.ReadFile(path)
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return text, err
}
