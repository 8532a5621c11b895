// Package config reads a configuration file into [gander.Options].
package config

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"gander"
	"gander/codex"
	"gander/documents"
	"gander/filesystem"
	"gander/forge"
	"gander/gemini"
	"gander/internal/option"
	"gander/toolkit"
)

//go:embed example.toml
var example string

// Example returns a configuration file that sets every key to its default.
func Example() string { return example }

// maxFileSize bounds the parser's time, which grows with the square of the number of keys.
const maxFileSize = 256 << 10

// A File is a configuration file.
type File struct {
	// Options has the sets of all tools that gander reproduces.
	Options gander.Options

	name     string
	settings settings
	parser   unstable.Parser
	keys     map[string]key
	places   map[place]unstable.Range
	suggest  func(word string, words []string) []string
	problems []error // each with its position
}

// A place is an option that the file sets, or an element of a list.
type place struct{ option, element string }

// settings are the options that a file can set.
type settings struct {
	gander.Options
	Codex   codex.Options
	Gemini  gemini.Options
	Forge   forge.Options
	Toolkit toolkit.Options

	IncludeDefaultDenies *bool
	VerbatimNames        bool
}

// Defaults returns the options without a file.
func Defaults() gander.Options { return settings{}.options() }

// options returns the options of the library, with all sets.
func (s settings) options() gander.Options {
	s.NoDefaultDeny = s.IncludeDefaultDenies != nil && !*s.IncludeDefaultDenies
	s.Codex.VerbatimNames = s.VerbatimNames
	s.Gemini.VerbatimNames = s.VerbatimNames
	s.Options.Sets = []gander.Set{
		codex.Tools(s.Codex),
		gemini.Tools(s.Gemini),
		forge.Tools(s.Forge),
		toolkit.Tools(s.Toolkit),
		filesystem.Tools(filesystem.Options{VerbatimNames: s.VerbatimNames}),
	}
	s.Documents = documents.All()
	return s.Options
}

// Load reads a configuration file, or returns the defaults if name is empty. It calls suggest to
// find the keys that resemble an unknown one. The error joins all errors in the file, each with its
// position.
func Load(name string, suggest func(word string, words []string) []string) (*File, error) {
	if name == "" {
		return &File{Options: Defaults()}, nil
	}
	data, err := read(name)
	if err != nil {
		return nil, fmt.Errorf("cannot read the configuration: %w", err)
	}
	f := &File{name: name, suggest: suggest}
	if err := f.parse(data); err != nil {
		return nil, err
	}
	f.Options = f.settings.options()
	return f, nil
}

// read reads a file of at most maxFileSize bytes.
func read(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err == nil && len(data) > maxFileSize {
		err = fmt.Errorf("%s is larger than %d bytes", name, maxFileSize)
	}
	return data, err
}

// parse applies the file to the settings.
func (f *File) parse(data []byte) error {
	if err := toml.Unmarshal(data, new(map[string]any)); err != nil {
		position := f.name
		if e, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, column := e.Position()
			position = fmt.Sprintf("%s:%d:%d", f.name, line, column)
		}
		return errors.New(position + ": " + strings.TrimPrefix(err.Error(), "toml: "))
	}
	f.keys = f.settings.keys()
	f.places = make(map[place]unstable.Range)
	f.parser.Reset(data)
	for table := ""; f.parser.NextExpression(); {
		e := f.parser.Expression()
		if e.Kind == unstable.KeyValue {
			f.applyEntry(table, e)
		} else {
			table = keyName("", e)
			f.apply(table, e, e.Child().Raw)
		}
	}
	return errors.Join(f.problems...)
}

// applyEntry applies a key with its value in a table. An unknown table is a single problem.
func (f *File) applyEntry(table string, entry *unstable.Node) {
	if k, ok := f.keys[table]; ok && k.isTable() {
		f.apply(keyName(table, entry), entry.Value(), entry.Raw)
	}
}

// apply applies the value of a key, or the header of a table.
func (f *File) apply(name string, value *unstable.Node, at unstable.Range) {
	isInline := value.Kind == unstable.InlineTable
	isTable := isInline || value.Kind == unstable.Table
	switch k, ok := f.keys[name]; {
	case !ok:
		f.addProblem(at, "unknown key %q; %s", name, f.advice(name, isTable))
	case k.isTable() && isInline:
		for inner := value.Children(); inner.Next(); {
			f.applyEntry(name, inner.Node())
		}
	case k.isTable() && isTable: // its entries follow
	case k.isTable() || !k.set(value):
		f.addProblem(at, "%s must be %s", name, k.kind())
	case value.Kind == unstable.Array:
		for e := value.Children(); e.Next(); {
			f.places[place{k.name, string(e.Node().Data)}] = e.Node().Raw
		}
	case k.name != "":
		f.places[place{option: k.name}] = at
	}
}

// keyName returns the name of an entry in a table: a key, or another table.
func keyName(table string, entry *unstable.Node) string {
	name := table
	for part := entry.Key(); part.Next(); {
		word := string(part.Node().Data)
		if word == "" || strings.Contains(word, ".") { // no key of a configuration is such
			word = strconv.Quote(word)
		}
		name = strings.TrimPrefix(name+"."+word, ".")
	}
	return name
}

func (f *File) addProblem(at unstable.Range, format string, args ...any) {
	f.problems = append(f.problems, f.located(at, fmt.Sprintf(format, args...)))
}

// located returns an error with the position of a part of the file.
func (f *File) located(part unstable.Range, message string) error {
	at := f.parser.Shape(part).Start
	return fmt.Errorf("%s:%d:%d: %s", f.name, at.Line, at.Column, message)
}

// advice suggests keys, or tables, that resemble an unknown one or have its name in another table.
func (f *File) advice(unknown string, isTable bool) string {
	last := "." + unknown[strings.LastIndexByte(unknown, '.')+1:]
	var names, near []string
	known := slices.Sorted(maps.Keys(f.keys))
	for _, name := range known[1:] { // without the top table, whose name is empty
		if f.keys[name].isTable() != isTable {
			continue
		}
		names = append(names, name)
		if strings.HasSuffix("."+name, last) {
			near = append(near, name)
		}
	}
	if len(near) == 0 {
		near = f.suggest(unknown, names)
	}
	if len(near) == 0 {
		return "'gander config init' prints every key"
	}
	return "did you mean " + strings.Join(near, " or ") + "?"
}

// Locate adds to an error of [gander.Open] the position of the value that causes it, and replaces
// the names of options in it with keys. An error that the file does not cause is unchanged.
func (f *File) Locate(err error) error {
	failed, ok := errors.AsType[*option.Error](err)
	if !ok {
		return err
	}
	var keys []string // in place of options
	for name, k := range f.keys {
		if strings.Contains(k.name, ".") {
			keys = append(keys, k.name, name)
		}
	}
	for _, p := range []place{{failed.Option, failed.Value}, {option: failed.Limit}} {
		if at, ok := f.places[p]; ok {
			return f.located(at, strings.NewReplacer(keys...).Replace(err.Error()))
		}
	}
	return err
}
