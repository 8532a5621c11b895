// Package config reads the configuration: its keys, their types and ranges, and how a file, the environment and the
// command line set them. It does not look for a file; it reads the one whose path it is given.
package config

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"

	"gander"
)

// example is a copy of gander.example.toml, which states every key with its default.
//
//go:embed example.toml
var example string

// Example returns a configuration file that states every key with its default and its meaning.
func Example() string { return example }

// Sources are where values come from. The command line overrides the environment, which overrides the file.
type Sources struct {
	// File is the path of the configuration file; "" means none.
	File string
	// Environ is the environment, each entry NAME=value; see [Variable]. An empty value counts as unset.
	Environ []string
	// Set holds the values of the command line, each KEY=VALUE. A value is written as in the environment.
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
	Key string `json:"key"`
	// Value is a [Literal].
	Value any `json:"value"`
	// Origin is one of the constants.
	Origin string `json:"origin"`
	// Where says where exactly the value comes from: file:line:column, the variable, or the flag.
	Where string `json:"where,omitempty"`
}

// A Literal is a value written in JSON, which for the values of keys is TOML too.
type Literal string

// MarshalJSON returns the literal as it is.
func (l Literal) MarshalJSON() ([]byte, error) { return []byte(l), nil }

// A Config is a configuration that has been read.
type Config struct {
	// Options holds the zero value, which stands for the default, for every key that no source sets.
	Options gander.Options
	MCP     MCP

	keys []key
	set  map[string]Value // by key, without the defaults
}

// MCP holds the keys of [mcp], which only the MCP server has. Its zero value is the default.
type MCP struct{ Structured, NoResources, ClientRoots bool }

func newConfig() *Config {
	c := &Config{set: map[string]Value{}}
	c.keys = schema(&c.Options, &c.MCP)
	return c
}

// Load reads the sources. An unknown key, a value of the wrong type and a value out of range are errors. An error names
// the file with line and column, the variable, or the flag that holds the wrong value.
func Load(s Sources) (*Config, error) {
	c := newConfig()
	if s.File != "" {
		data, err := ReadFile(s.File)
		if err != nil {
			return nil, err
		}
		if wrong := c.readFile(s.File, data); len(wrong) > 0 {
			return nil, wrong[0]
		}
	}
	if err := c.readEnvironment(s.Environ); err != nil {
		return nil, err
	}
	for _, setting := range s.Set {
		if err := c.readFlag(setting); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// maxFileSize bounds the size of a file. The parser's time grows with the square of the number of keys.
const maxFileSize = 256 << 10

// ReadFile returns the bytes of a configuration file. A file of more than 256 KiB is an error.
func ReadFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("cannot read the configuration: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err == nil && len(data) > maxFileSize {
		err = fmt.Errorf("%s is larger than %d bytes", name, maxFileSize)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the configuration: %w", err)
	}
	return data, nil
}

// Check returns all errors of a TOML document, in its order. The name stands for the file in them. Check does not see what
// only the tools can judge, such as a pattern.
func Check(name string, data []byte) []error { return newConfig().readFile(name, data) }

// readFile takes the values of a TOML document and returns its errors.
func (c *Config) readFile(name string, data []byte) (wrong []error) {
	document, places, err := decode(name, data)
	if err != nil {
		return []error{err}
	}
	for _, p := range places {
		value := lookup(document, p.path)
		where := fmt.Sprintf("%s:%d:%d", name, p.line, p.column)
		k, isKey, err := c.find(p.path, value)
		if isKey {
			err = k.take(value)
			c.set[k.name] = Value{k.name, written(value), File, where}
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", where, err))
		}
	}
	return wrong
}

// find returns the key at path, where the document has value. It is no error if path is a table of keys.
func (c *Config) find(path []string, value any) (k key, isKey bool, err error) {
	name := dotted(path)
	if i := c.index(name); i >= 0 {
		return c.keys[i], true, nil
	}
	if !slices.ContainsFunc(c.keys, func(k key) bool { return strings.HasPrefix(k.name, name+".") }) {
		return key{}, false, c.unknown(path)
	}
	if _, ok := value.(map[string]any); !ok {
		return key{}, false, fmt.Errorf("%s must be a table, not %s", name, describe(value))
	}
	return key{}, false, nil
}

func (c *Config) index(name string) int {
	return slices.IndexFunc(c.keys, func(k key) bool { return k.name == name })
}

// unknown returns an error that lists the known keys of the table in which path lies. If that table is unknown too, the
// error is about the outermost unknown one.
func (c *Config) unknown(path []string) error {
	known := c.known("")
	for i := range path {
		if inner := c.known(dotted(path[:i+1]) + "."); len(inner) > 0 {
			known = inner
			continue
		}
		path = path[:i+1]
		break
	}
	return fmt.Errorf("unknown key %s; known here: %s", dotted(path), strings.Join(known, ", "))
}

// known returns what follows prefix, up to the next dot, in the names of the keys.
func (c *Config) known(prefix string) []string {
	var known []string
	for _, k := range c.keys {
		rest, ok := strings.CutPrefix(k.name, prefix)
		word, _, _ := strings.Cut(rest, ".")
		if ok && !slices.Contains(known, word) {
			known = append(known, word)
		}
	}
	return known
}

// variablePrefix begins the name of every environment variable that sets a key.
const variablePrefix = "GANDER_"

// Variable returns the name of the environment variable that sets a key.
func Variable(key string) string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// readEnvironment takes the values of the variables that set keys.
func (c *Config) readEnvironment(environ []string) error {
	values := map[string]string{}
	for _, entry := range environ {
		if name, value, _ := strings.Cut(entry, "="); strings.HasPrefix(name, variablePrefix) {
			values[name] = value // the last one counts
		}
	}
	for _, k := range c.keys {
		name := Variable(k.name)
		if values[name] == "" {
			continue
		}
		value, err := k.takeText(values[name])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		c.set[k.name] = Value{k.name, written(value), Environment, name}
	}
	return nil
}

// An UnknownKeyError reports a key of the command line that does not exist.
type UnknownKeyError struct{ Key, setting string }

func (e *UnknownKeyError) Error() string { return "--set " + e.setting + ": unknown key" }

// readFlag takes the value of KEY=VALUE of the command line.
func (c *Config) readFlag(setting string) error {
	name, raw, ok := strings.Cut(setting, "=")
	if !ok {
		return fmt.Errorf("--set %s: give KEY=VALUE, as in limits.timeout=5s", setting)
	}
	i := c.index(name)
	if i < 0 {
		return &UnknownKeyError{Key: name, setting: setting}
	}
	value, err := c.keys[i].takeText(raw)
	if err != nil {
		return fmt.Errorf("--set %s: %w", setting, err)
	}
	c.set[name] = Value{name, written(value), Flag, "--set " + name}
	return nil
}

// Values returns the values of all keys in the order of the example, which states the defaults.
func (c *Config) Values() []Value {
	defaults, places, err := decode("the example", []byte(example))
	if err != nil {
		return nil // a test reads the example
	}
	var values []Value
	for _, p := range places {
		name := dotted(p.path)
		if c.index(name) < 0 {
			continue
		}
		v, ok := c.set[name]
		if !ok {
			v = Value{name, written(lookup(defaults, p.path)), Default, ""}
		}
		values = append(values, v)
	}
	return values
}

// Keys returns the dotted names of all keys.
func Keys() []string {
	var names []string
	for _, k := range newConfig().keys {
		names = append(names, k.name)
	}
	return names
}

// NameKey returns err with its options named by the keys that set them, if err is a [gander.OptionError]. Other errors it
// returns as they are.
func NameKey(err error) error {
	option, ok := errors.AsType[*gander.OptionError](err)
	if !ok {
		return err
	}
	named := *option
	named.Option, named.MaxOption = keyOf(option.Option), keyOf(option.MaxOption)
	if named == *option {
		return err
	}
	return &named
}

// keyOf returns the key that sets the field of [gander.Options] called option, or option itself if there is none.
func keyOf(option string) string {
	c := newConfig()
	field := reflect.ValueOf(&c.Options).Elem()
	for name := range strings.SplitSeq(option, ".") {
		if field = field.FieldByName(name); !field.IsValid() {
			return option
		}
	}
	for _, k := range c.keys {
		if k.field == field.Addr().Interface() {
			return k.name
		}
	}
	return option
}
