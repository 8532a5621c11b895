package config

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"gander"

	"github.com/pelletier/go-toml/v2"
)

// example is gander.example.toml: every key with its default.
//
//go:embed example.toml
var example string

// Example returns a configuration file that holds every key with its default and what it means.
func Example() string { return example }

// Layers are where values come from. Those of the environment go before those of the file, and Set before both.
type Layers struct {
	// File is the path of the configuration file, "" for none.
	File string
	// Environ is the environment, NAME=value each; see [Variable]. An empty value is as good as none.
	Environ []string
	// Set are values of the command line, KEY=VALUE each. The value is written as in the environment.
	Set []string
}

// The origins of a value.
const (
	Default     = "default"
	File        = "file"
	Environment = "environment"
	Flag        = "flag"
)

// A Value is the value of one key.
type Value struct {
	// Key is the dotted name.
	Key string
	// Value is written as in the file, in JSON, which is TOML as well.
	Value string
	// Origin is one of the constants, Where the place there: file:line:column, a variable, a flag.
	Origin, Where string
}

// Resolve puts the layers together. The values are those of all keys, in the order of the example. An error names what
// holds the wrong value: the file with line and column, the variable, or the flag.
func Resolve(l Layers) (gander.Options, []Value, error) {
	r, err := l.resolve()
	if err != nil {
		return gander.Options{}, nil, err
	}
	return r.options, r.values(), nil
}

// Options is [Resolve] for who wants no values, which cost more than all else.
func Options(l Layers) (gander.Options, MCP, error) {
	r, err := l.resolve()
	if err != nil {
		return gander.Options{}, MCP{}, err
	}
	return r.options, r.mcp, nil
}

func (l Layers) resolve() (*resolver, error) {
	r := newResolver()
	if l.File != "" {
		data, err := os.ReadFile(l.File)
		if err != nil {
			return nil, fmt.Errorf("cannot read the configuration: %w", err)
		}
		if err := r.file(l.File, data); err != nil {
			return nil, err
		}
	}
	if err := r.environment(l.Environ); err != nil {
		return nil, err
	}
	for _, set := range l.Set {
		if err := r.set(set); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// A resolver takes one layer over after the other.
type resolver struct {
	options gander.Options
	mcp     MCP
	keys    []key
	byKey   map[string]Value // those that are not the default
}

func newResolver() *resolver {
	r := &resolver{byKey: map[string]Value{}}
	r.keys = schema(&r.options, &r.mcp)
	return r
}

func (r *resolver) note(k key, value any, origin, where string) {
	r.byKey[k.name] = Value{k.name, written(value), origin, where}
}

// file takes over what a TOML document sets.
func (r *resolver) file(name string, data []byte) error {
	document, places, err := decode(name, data)
	if err != nil {
		return err
	}
	for _, p := range places {
		value := lookup(document, p.path)
		where := fmt.Sprintf("%s:%d:%d", name, p.line, p.column)
		k, err := find(r.keys, p, value)
		if err == nil && k.name != "" {
			if err = k.take(value); err == nil {
				r.note(k, value, File, where)
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", where, err)
		}
	}
	return nil
}

// variablePrefix begins the names of all environment variables that stand for keys.
const variablePrefix = "GANDER_"

// Variable returns the name of the environment variable that stands for a key.
func Variable(key string) string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// environment takes over the variables that stand for keys.
func (r *resolver) environment(environ []string) error {
	if !slices.ContainsFunc(environ, func(entry string) bool { return strings.HasPrefix(entry, variablePrefix) }) {
		return nil
	}
	for _, k := range r.keys {
		name := Variable(k.name)
		raw := variable(environ, name)
		if raw == "" {
			continue
		}
		value, err := k.text(raw)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		r.note(k, value, Environment, name)
	}
	return nil
}

// variable returns the value of a variable; the last one of a name counts.
func variable(environ []string, name string) (value string) {
	for _, entry := range environ {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			value = v
		}
	}
	return value
}

// set takes over KEY=VALUE of the command line.
func (r *resolver) set(set string) error {
	name, raw, ok := strings.Cut(set, "=")
	if !ok {
		return fmt.Errorf("--set %s: give KEY=VALUE, as in limits.timeout=5s", set)
	}
	i := slices.IndexFunc(r.keys, func(k key) bool { return k.name == name })
	if i < 0 {
		return &UnknownKeyError{Key: name, where: "--set " + set}
	}
	value, err := r.keys[i].text(raw)
	if err != nil {
		return fmt.Errorf("--set %s: %w", set, err)
	}
	r.note(r.keys[i], value, Flag, "--set "+name)
	return nil
}

// An UnknownKeyError is the error about a key of the command line that there is not.
type UnknownKeyError struct {
	// Key is what was given for one.
	Key   string
	where string
}

func (e *UnknownKeyError) Error() string { return e.where + ": unknown key" }

// values returns the values of all keys.
func (r *resolver) values() []Value {
	defaults, places, err := decode("the example", []byte(example))
	if err != nil {
		return nil // a test reads it
	}
	var all []Value
	for _, p := range places {
		name := dotted(p.path)
		if !slices.ContainsFunc(r.keys, func(k key) bool { return k.name == name }) {
			continue
		}
		v, ok := r.byKey[name]
		if !ok {
			v = Value{name, written(lookup(defaults, p.path)), Default, ""}
		}
		all = append(all, v)
	}
	return all
}

// Keys returns the dotted names of all keys.
func Keys() []string {
	var names []string
	for _, k := range schema(&gander.Options{}, &MCP{}) {
		names = append(names, k.name)
	}
	return names
}

// text takes over a value that is written without the quotes of TOML where it can be: 5s, or words with commas between.
func (k key) text(raw string) (any, error) {
	if !utf8.ValidString(raw) {
		return nil, fmt.Errorf("%s must be %s, not text that is not UTF-8", k.name, k.want)
	}
	var document map[string]any
	candidates := []any{raw}
	if toml.Unmarshal([]byte("value = "+raw), &document) == nil && len(document) == 1 {
		candidates = []any{document["value"], raw}
	}
	if k.list && !strings.HasPrefix(strings.TrimSpace(raw), "[") {
		var items []any
		for item := range strings.SplitSeq(raw, ",") {
			items = append(items, strings.TrimSpace(item))
		}
		candidates = []any{items}
	}
	var first error
	for _, value := range candidates {
		err := k.take(value)
		if err == nil {
			return value, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// take takes a value over, or says what it must be.
func (k key) take(value any) error {
	if !k.set(value) {
		return fmt.Errorf("%s must be %s, not %s", k.name, k.want, describe(value))
	}
	return nil
}

// written writes a value in JSON. For what values there are, that is TOML as well.
func written(value any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return ""
	}
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\x7f", `\u007f`) // which TOML does not take as it is
}
