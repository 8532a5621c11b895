// Package config reads a configuration file into [gander.Options].
package config

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"gander"
)

//go:embed example.toml
var example string

// Example returns a configuration file that sets every key to its default.
func Example() string { return example }

// maxFileSize bounds the parser's time, which grows with the square of the number of keys.
const maxFileSize = 256 << 10

// Load reads a configuration file. It returns the error of reading the file, or every problem in it
// with its position. The problem with a key that does not exist is an [UnknownKey].
func Load(name string) (gander.Options, []error) {
	f, err := os.Open(name)
	var data []byte
	if err == nil {
		defer f.Close()
		data, err = io.ReadAll(io.LimitReader(f, maxFileSize+1))
	}
	if err == nil && len(data) > maxFileSize {
		err = fmt.Errorf("%s is larger than %d bytes", name, maxFileSize)
	}
	if err != nil {
		return gander.Options{}, []error{fmt.Errorf("cannot read the configuration: %w", err)}
	}
	return parse(name, data)
}

// An UnknownKey is the error for a key or a table that does not exist.
type UnknownKey struct{ Position, Key string }

func (e *UnknownKey) Error() string { return fmt.Sprintf("%s: unknown key %q", e.Position, e.Key) }

// parse returns the options that a file sets.
func parse(name string, data []byte) (o gander.Options, problems []error) {
	err := toml.Unmarshal(data, new(map[string]any))
	if e, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := e.Position()
		name = fmt.Sprintf("%s:%d:%d", name, line, column)
	}
	if err != nil {
		return o, []error{errors.New(name + ": " + strings.TrimPrefix(err.Error(), "toml: "))}
	}
	d := document{name: name, keys: keysByName(), options: reflect.ValueOf(&o).Elem()}
	d.parser.Reset(data)
	for current := ""; d.parser.NextExpression(); {
		if e := d.parser.Expression(); e.Kind != unstable.KeyValue {
			current = d.set("", e)
		} else if d.keys[current].kind == table {
			d.set(current, e)
		}
	}
	if len(d.problems) > 0 {
		return gander.Options{}, d.problems
	}
	return o, nil
}

// A document is valid TOML.
type document struct {
	name     string
	parser   unstable.Parser
	keys     map[string]key
	options  reflect.Value
	problems []error
}

// set sets the options of an entry in a table: a table header, or a key with its value. It returns
// the name of the entry.
func (d *document) set(name string, entry *unstable.Node) string {
	value, start := entry, entry.Child().Raw
	if entry.Kind == unstable.KeyValue {
		value, start = entry.Value(), entry.Raw
	}
	for part := entry.Key(); part.Next(); {
		name = strings.TrimPrefix(name+"."+string(part.Node().Data), ".")
	}
	at := d.parser.Shape(start).Start
	position := fmt.Sprintf("%s:%d:%d", d.name, at.Line, at.Column)
	switch k, ok := d.keys[name]; {
	case !ok:
		d.problems = append(d.problems, &UnknownKey{position, name})
	case k.kind == table && value.Kind == unstable.InlineTable:
		for inner := value.Children(); inner.Next(); {
			d.set(name, inner.Node())
		}
	case k.kind == table && value.Kind == unstable.Table:
	case !k.set(d.options, value):
		d.problems = append(d.problems, fmt.Errorf("%s: %s must be %s", position, name, k.kind))
	}
	return name
}
