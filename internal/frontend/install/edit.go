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
)

// maxFileSize is the most bytes of a client's file that are read. Claude Code keeps its history in the same file.
const maxFileSize = 64 << 20

// A format is a syntax of files.
type format interface {
	// decode returns the whole document.
	decode(text []byte) (map[string]any, error)
	// edit returns text with the fields set in the table at path, and the rest byte for byte as it was. The table may
	// exist or not.
	edit(text []byte, path []string, fields []field) ([]byte, error)
}

// A field is a key and its value: a string, a bool, a []string, or []field for a table.
type field struct {
	key   string
	value any
}

// A Change is what an installation does to one file.
type Change struct {
	// Path is the file.
	Path string
	// Exists says that there is such a file now.
	Exists bool
	// Before and After are its text.
	Before, After []byte

	mode fs.FileMode
}

// IsEmpty says that nothing is to be changed.
func (c Change) IsEmpty() bool { return bytes.Equal(c.Before, c.After) }

// Plan returns the change that makes the client start s under the name, as the file at path would be written. An entry of
// that name keeps its place and whatever else it says, such as variables of the environment. Plan fails, and nothing is
// to be written, where the file cannot be read or parsed, or where more than the entry would change.
func (c Client) Plan(path, name string, scope Scope, s Server) (Change, error) {
	change := Change{Path: path, mode: 0o600}
	if scope == Project {
		change.mode = 0o644
	}
	for _, word := range append([]string{s.Command}, s.Args...) {
		if !utf8.ValidString(word) {
			return change, fmt.Errorf("%q is not UTF-8, so that no configuration can hold it", word)
		}
	}
	text, err := readFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(path); err == nil {
			return change, fmt.Errorf("%s is a symlink that leads to nothing; make its target or remove it", path)
		}
	case err != nil:
		return change, err
	default:
		change.Exists, change.Before = true, text
	}
	change.After, err = c.edit(change.Before, name, s)
	if err != nil {
		return change, fmt.Errorf("%s: %w", path, err)
	}
	return change, nil
}

// edit returns text with the server in it.
func (c Client) edit(text []byte, name string, s Server) ([]byte, error) {
	path, fields := append(slices.Clone(c.keys), name), c.entry(s)
	before, err := decode(c.format, text)
	if err != nil {
		return nil, fmt.Errorf("the file cannot be parsed, so it is left alone: %w", err)
	}
	entry, err := table(before, path)
	if err != nil {
		return nil, err
	}
	for _, key := range []string{"url", "httpUrl", "serverUrl"} {
		if _, remote := entry[key]; remote {
			return nil, fmt.Errorf("the entry %q names a server elsewhere (%s); remove it, or install under another --name", name, key)
		}
	}
	if entry != nil && !slices.ContainsFunc(fields, func(f field) bool { return !reflect.DeepEqual(entry[f.key], asDecoded(f.value)) }) {
		return text, nil
	}
	bom, body := []byte(nil), text
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		bom, body = text[:len(byteOrderMark)], text[len(byteOrderMark):]
	}
	edited, err := c.format.edit(body, path, fields)
	if err != nil {
		return nil, err
	}
	after, err := c.format.decode(edited)
	set(before, path, fields)
	if err != nil || !reflect.DeepEqual(before, after) {
		return nil, errors.New("it cannot be changed without changing more than the entry; is a key there twice? Write the entry yourself")
	}
	return append(bom, edited...), nil
}

// byteOrderMark is what some editors on Windows write first.
const byteOrderMark = "\ufeff"

// decode reads a document. An empty one is an empty table.
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

// table returns the table at path, nil where there is none.
func table(document map[string]any, path []string) (map[string]any, error) {
	for i, key := range path {
		value, exists := document[key]
		if !exists {
			return nil, nil
		}
		inner, ok := value.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%s is no table of keys and values, so the file is left alone", strings.Join(path[:i+1], "."))
		}
		document = inner
	}
	return document, nil
}

// set sets the fields in the table at path, which it makes where there is none.
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
		document[f.key] = asDecoded(f.value)
	}
}

// asDecoded is value as a decoder returns it.
func asDecoded(value any) any {
	list, ok := value.([]string)
	if !ok {
		return value
	}
	all := make([]any, len(list))
	for i, s := range list {
		all[i] = s
	}
	return all
}

// encode writes a value on one line. What JSON writes is also TOML, but for one character.
func encode(value any) string {
	if list, ok := value.([]string); ok {
		words := make([]string, len(list))
		for i, s := range list {
			words[i] = encode(s)
		}
		return "[" + strings.Join(words, ", ") + "]"
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(err) // A string or a bool can always be written.
	}
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\x7f", `\u007f`)
}

// A splice puts text in the place of what lies between two offsets.
type splice struct {
	from, to int
	text     string
}

// apply makes the splices, which do not overlap. Those at one place come in the order given.
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

// lineEnding is how text ends its lines.
func lineEnding(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// readFile reads a regular file.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", path)
	}
	if info.Size() > maxFileSize {
		return nil, fmt.Errorf("%s is larger than %d bytes", path, maxFileSize)
	}
	return os.ReadFile(path)
}
