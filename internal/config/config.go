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
	// Problems are the errors in the file, each with its position. If there are any, Options is
	// zero.
	Problems []error

	name     string
	settings settings
	parser   unstable.Parser
	keys     map[string]key
	places   map[place]unstable.Range
	suggest  func(word string, words []string) []string
}

// A place is an option, or an element of a list, that the file sets.
type place struct{ option, element string }

// settings are the options that a file can set.
type settings struct {
	gander.Options
	Codex         codex.Options
	Gemini        gemini.Options
	Forge         forge.Options
	Toolkit       toolkit.Options
	VerbatimNames bool
}

// options returns the options of the library, with all sets.
func (s settings) options() gander.Options {
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
// find the keys that resemble an unknown one.
func Load(name string, suggest func(word string, words []string) []string) *File {
	if name == "" {
		return &File{Options: settings{}.options()}
	}
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
		return &File{Problems: []error{fmt.Errorf("cannot read the configuration: %w", err)}}
	}
	file := &File{name: name, suggest: suggest}
	file.parse(data)
	return file
}

// parse sets the options.
func (f *File) parse(data []byte) {
	if err := toml.Unmarshal(data, new(map[string]any)); err != nil {
		position := f.name
		if e, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, column := e.Position()
			position = fmt.Sprintf("%s:%d:%d", f.name, line, column)
		}
		problem := strings.TrimPrefix(err.Error(), "toml: ")
		f.Problems = []error{errors.New(position + ": " + problem)}
		return
	}
	f.keys = f.settings.keys()
	f.parser.Reset(data)
	f.places = map[place]unstable.Range{}
	for current := ""; f.parser.NextExpression(); {
		if e := f.parser.Expression(); e.Kind != unstable.KeyValue {
			current = f.enter("", e)
		} else if table, ok := f.keys[current]; ok && table.isTable() {
			f.enter(current, e)
		}
	}
	if len(f.Problems) == 0 {
		f.Options = f.settings.options()
	}
}

// problem returns an error with the position of a text.
func (f *File) problem(text unstable.Range, format string, args ...any) error {
	at := f.parser.Shape(text).Start
	return fmt.Errorf("%s:%d:%d: "+format, append([]any{f.name, at.Line, at.Column}, args...)...)
}

// enter sets the settings of an entry in a table: a table header, or a key with its value. It returns
// the name of the entry.
func (f *File) enter(name string, entry *unstable.Node) string {
	value, at := entry, entry.Child().Raw
	if entry.Kind == unstable.KeyValue {
		value, at = entry.Value(), entry.Raw
	}
	for part := entry.Key(); part.Next(); {
		word := string(part.Node().Data)
		if word == "" || strings.Contains(word, ".") { // no key of a configuration is such
			word = strconv.Quote(word)
		}
		name = strings.TrimPrefix(name+"."+word, ".")
	}
	switch k, ok := f.keys[name]; {
	case !ok:
		isTable := value.Kind == unstable.Table || value.Kind == unstable.InlineTable
		unknown := f.problem(at, "unknown key %q; %s", name, f.advice(name, isTable))
		f.Problems = append(f.Problems, unknown)
	case k.isTable() && value.Kind == unstable.InlineTable:
		for inner := value.Children(); inner.Next(); {
			f.enter(name, inner.Node())
		}
	case k.isTable() && value.Kind == unstable.Table:
	case k.isTable() || !k.value.set(value):
		f.Problems = append(f.Problems, f.problem(at, "%s must be %s", name, k.kind()))
	default:
		f.places[place{option: k.option}] = at
		for e := value.Children(); e.Next(); {
			f.places[place{k.option, string(e.Node().Data)}] = e.Node().Raw
		}
	}
	return name
}

// advice suggests keys, or tables, that resemble an unknown one or have its name in another table.
func (f *File) advice(unknown string, isTable bool) string {
	last := "." + unknown[strings.LastIndexByte(unknown, '.')+1:]
	var names, near []string
	for _, name := range slices.Sorted(maps.Keys(f.keys))[1:] {
		if isTable == f.keys[name].isTable() {
			names = append(names, name)
			if strings.HasSuffix("."+name, last) {
				near = append(near, name)
			}
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

// Locate adds the position of the value that causes an error of [gander.Open], and replaces the
// names of options in it with keys.
func (f *File) Locate(err error) error {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		var located []error
		for _, each := range several.Unwrap() {
			located = append(located, f.Locate(each))
		}
		return errors.Join(located...)
	}
	failed, ok := errors.AsType[*option.Error](err)
	if !ok {
		return err
	}
	var keys []string // in place of options
	for name, k := range f.keys {
		if strings.Contains(k.option, ".") {
			keys = append(keys, k.option, name)
		}
	}
	for _, p := range []place{{failed.Option, failed.Value}, {option: failed.Limit}} {
		if at, ok := f.places[p]; ok {
			return f.problem(at, "%s", strings.NewReplacer(keys...).Replace(err.Error()))
		}
	}
	return err
}
