// Package config knows the configuration file: its keys, their types and ranges, and what each means to gander.
// It knows no place where such a file might lie: a file is read only where its path is given.
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
	var document map[string]any
	if err := toml.Unmarshal(data, &document); err != nil {
		return gander.Options{}, syntaxError(name, err)
	}
	places, err := locate(data)
	if err != nil {
		return gander.Options{}, fmt.Errorf("%s: %w", name, err)
	}
	var o gander.Options
	keys := schema(&o)
	for _, p := range places {
		if err := apply(keys, p, lookup(document, p.path)); err != nil {
			return gander.Options{}, fmt.Errorf("%s:%d:%d: %w", name, p.line, p.column, err)
		}
	}
	return o, nil
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

// apply sets the option that p names to value, or says why it cannot.
func apply(keys []key, p place, value any) error {
	name := dotted(p.path)
	i := slices.IndexFunc(keys, func(k key) bool { return k.name == name })
	if i >= 0 {
		if !keys[i].set(value) {
			return fmt.Errorf("%s must be %s, not %s", name, keys[i].want, describe(value))
		}
		return nil
	}
	if !slices.ContainsFunc(keys, func(k key) bool { return strings.HasPrefix(k.name, name+".") }) {
		return unknown(keys, p.path)
	}
	if _, ok := value.(map[string]any); !ok {
		return fmt.Errorf("%s must be a table, not %s", name, describe(value))
	}
	return nil
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
