// Package config knows the configuration: its keys, their types and ranges, what each means to gander, and how the file,
// the environment and the command line state them. It knows no place where a file might lie: one is read only where its
// path is given.
package config

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"gander"

	"github.com/pelletier/go-toml/v2"
)

// Load reads the TOML file at path. What the file does not set is left as the zero value of [gander.Options], which
// stands for the default. An error names the file and, where it lies in the text, the line and the column.
func Load(path string) (gander.Options, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return gander.Options{}, fmt.Errorf("cannot read the configuration: %w", err)
	}
	return Parse(path, data)
}

// Parse reads a TOML document as [Load] does. The name stands for the file in errors. Nothing is passed over: a key that
// is not known, a value of the wrong type and one out of range are errors.
func Parse(name string, data []byte) (gander.Options, error) {
	r := newResolver()
	if err := r.file(name, data); err != nil {
		return gander.Options{}, err
	}
	return r.options, nil
}

// Check returns all that is wrong with a TOML document, in its order. The name stands for the file. What only the tools can
// judge, such as a pattern, is not looked at.
func Check(name string, data []byte) []error {
	document, places, err := decode(name, data)
	if err != nil {
		return []error{err}
	}
	var wrong []error
	keys := schema(&gander.Options{}, &MCP{})
	for _, p := range places {
		value := lookup(document, p.path)
		k, err := find(keys, p, value)
		if err == nil && k.name != "" {
			err = k.take(value)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s:%d:%d: %w", name, p.line, p.column, err))
		}
	}
	return wrong
}

// decode reads a document, and where its keys stand.
func decode(name string, data []byte) (map[string]any, []place, error) {
	var document map[string]any
	if err := toml.Unmarshal(data, &document); err != nil {
		return nil, nil, syntaxError(name, err)
	}
	places, err := locate(data)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return document, places, nil
}

func syntaxError(name string, err error) error {
	var at *toml.DecodeError
	if !errors.As(err, &at) {
		return fmt.Errorf("%s: %w", name, err)
	}
	line, column := at.Position()
	return fmt.Errorf("%s:%d:%d: %s", name, line, column, strings.TrimPrefix(at.Error(), "toml: "))
}

// lookup returns the value at path, nil where there is none.
func lookup(document map[string]any, path []string) any {
	var value any = document
	for _, part := range path {
		table, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = table[part]
	}
	return value
}

// find returns the key that p names, and the zero key for a table of keys.
func find(keys []key, p place, value any) (key, error) {
	name := dotted(p.path)
	if i := slices.IndexFunc(keys, func(k key) bool { return k.name == name }); i >= 0 {
		return keys[i], nil
	}
	if !slices.ContainsFunc(keys, func(k key) bool { return strings.HasPrefix(k.name, name+".") }) {
		return key{}, unknown(keys, p.path)
	}
	if _, ok := value.(map[string]any); !ok {
		return key{}, fmt.Errorf("%s must be a table, not %s", name, describe(value))
	}
	return key{}, nil
}

// unknown says what there is instead of the key at path.
func unknown(keys []key, path []string) error {
	section := dotted(path[:len(path)-1])
	var known []string
	for _, k := range keys {
		rest, ok := strings.CutPrefix(k.name, section+".")
		if section == "" {
			rest, ok = k.name, true
		}
		word, _, _ := strings.Cut(rest, ".")
		if ok && !slices.Contains(known, word) {
			known = append(known, word)
		}
	}
	return fmt.Errorf("unknown key %s; known here: %s", dotted(path), strings.Join(known, ", "))
}
