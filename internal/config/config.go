// Package config reads a configuration file into [gander.Options].
package config

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"gander"
	"gander/codex"
	"gander/documents"
	"gander/filesystem"
	"gander/forge"
	"gander/gemini"
	"gander/internal/audit"
	"gander/internal/option"
	"gander/shell"
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
	Audit   audit.Options

	reader *reader // nil for the defaults
}

// A place is an option that the file sets, or an element of a list.
type place struct{ option, element string }

type settings struct {
	gander.Options
	Codex   codex.Options
	Gemini  gemini.Options
	Forge   forge.Options
	Toolkit toolkit.Options
	Shell   shell.Options
	Audit   audit.Options

	IncludeDefaultDenies *bool
	VerbatimNames        bool
}

// Defaults returns the options without a file.
func Defaults() gander.Options { return settings{}.options() }

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
		shell.Tools(s.Shell),
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
	r, err := parse(name, data, suggest)
	if err != nil {
		return nil, err
	}
	return r.file(), nil
}

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

// Locate adds to an error of [gander.Open] the position of the value that causes it, and replaces
// the names of options in it with keys. An error that the file does not cause is unchanged.
func (f *File) Locate(err error) error {
	wrong, ok := errors.AsType[*option.Error](err)
	if !ok || f.reader == nil {
		return err
	}
	var keys []string // in place of options
	for name, k := range f.reader.keys {
		if strings.Contains(k.name, ".") {
			keys = append(keys, k.name, name)
		}
	}
	for _, p := range []place{{wrong.Option, wrong.Value}, {option: wrong.Limit}} {
		if at, ok := f.reader.places[p]; ok {
			return f.reader.located(at, strings.NewReplacer(keys...).Replace(err.Error()))
		}
	}
	return err
}
