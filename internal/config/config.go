// Package config reads a configuration file into [gander.Options].
package config

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"gander"
	"gander/internal/toolset"
)

// example is a copy of gander.example.toml.
//
//go:embed example.toml
var example string

// Example returns a configuration file that sets every key to its default.
func Example() string { return example }

// maxFileSize bounds the parser's time, which grows with the square of the number of keys.
const maxFileSize = 256 << 10

// An Error reports a problem at a position of a configuration file.
type Error struct {
	File         string
	Line, Column int // 0 if unknown
	Problem      string
	// UnknownKey is the key if the problem is that it does not exist, and "" otherwise.
	UnknownKey string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Problem
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Problem)
}

// Load reads the configuration file called name. Keys that it does not set have their defaults. The
// errors are an [*Error] for each problem, or the error of reading the file.
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

// parse decodes a file over the defaults.
func parse(name string, data []byte) (o gander.Options, problems []error) {
	var d document
	problems = append(decode("example", []byte(example), &d), decode(name, data, &d)...)
	if len(problems) > 0 {
		return gander.Options{}, problems
	}
	for _, k := range keys(reflect.ValueOf(d), "") {
		k.apply(reflect.ValueOf(&o).Elem())
	}
	return o, nil
}

// decode decodes a TOML document into d. It reports all unknown keys, but only the first of other
// problems.
func decode(name string, data []byte, d *document) (problems []error) {
	decoder := toml.NewDecoder(bytes.NewReader(data))
	err := decoder.DisallowUnknownFields().EnableUnmarshalerInterface().Decode(d)
	report := func(e *toml.DecodeError, problem, unknown string) {
		line, column := e.Position()
		problems = append(problems, &Error{name, line, column, problem, unknown})
	}
	if missing, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		for _, e := range missing.Errors {
			key := strings.Join(e.Key(), ".")
			report(&e, fmt.Sprintf("unknown key %q", key), key)
		}
	} else if e, ok := errors.AsType[*toml.DecodeError](err); ok {
		report(e, describe(e), "")
	} else if err != nil {
		problems = append(problems, &Error{File: name, Problem: err.Error()})
	}
	return problems
}

// describe returns the problem of e without the names of Go types.
func describe(e *toml.DecodeError) string {
	problem := strings.TrimPrefix(e.Error(), "toml: ")
	_, want, ok := strings.Cut(problem, wrongPrefix)
	switch _, goType, _ := strings.Cut(problem, " of type "); {
	case ok:
	case goType == "bool":
		want = "true or false"
	case goType == "string" || goType == "[]string":
		want = "an array of strings"
	case goType != "" || strings.HasPrefix(problem, "cannot store"):
		want = "a table"
	default:
		return problem
	}
	return strings.Join(e.Key(), ".") + " must be " + want
}

// A key is a leaf of a [document].
type key struct {
	name, option string
	value        reflect.Value
}

// keys returns the keys of a table, whose name is prefix without the last dot.
func keys(table reflect.Value, prefix string) (all []key) {
	for i := range table.NumField() {
		tag, value := table.Type().Field(i).Tag, table.Field(i)
		name := prefix + tag.Get("toml")
		if option := tag.Get("sets"); option != "" {
			all = append(all, key{name, option, value})
		} else {
			all = append(all, keys(value, name+".")...)
		}
	}
	return all
}

// Keys returns the names of all keys.
func Keys() (names []string) {
	for _, k := range keys(reflect.ValueOf(document{}), "") {
		names = append(names, k.name)
	}
	return names
}

// Similar returns the key or table that has the name of an unknown one in another table, or "".
func Similar(unknown string) string {
	flat := strings.NewReplacer(".", "_")
	_, name, _ := strings.Cut(unknown, ".")
	for _, known := range Keys() {
		for table := known; table != "" && name != ""; {
			if strings.HasSuffix("_"+flat.Replace(table), "_"+flat.Replace(name)) {
				return table
			}
			table = table[:max(strings.LastIndexByte(table, '.'), 0)]
		}
	}
	return ""
}

// apply sets the option of k in o.
func (k key) apply(o reflect.Value) {
	option, negated := strings.CutPrefix(k.option, "!")
	for name := range strings.SplitSeq(option, ".") {
		o = o.FieldByName(name)
	}
	if o.Kind() == reflect.Pointer {
		o.Set(reflect.New(o.Type().Elem()))
		o = o.Elem()
	}
	switch k.value.Kind() {
	case reflect.Bool:
		o.SetBool(k.value.Bool() != negated)
	case reflect.Slice:
		if k.value.Len() > 0 {
			o.Set(k.value)
		}
	default:
		o.SetInt(k.value.Int())
	}
}

// NameKey returns err with its options named by the keys that set them if err is a
// [*toolset.OptionError], and err itself otherwise.
func NameKey(err error) error {
	option, ok := errors.AsType[*toolset.OptionError](err)
	if !ok {
		return err
	}
	named := *option
	for _, k := range keys(reflect.ValueOf(document{}), "") {
		switch k.option {
		case option.Option:
			named.Option = k.name
		case option.MaxOption:
			named.MaxOption = k.name
		}
	}
	return &named
}
