package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// A reader applies a configuration file to settings.
type reader struct {
	name     string // of the file
	parser   unstable.Parser
	settings settings
	keys     map[string]key // of settings
	places   map[place]unstable.Range
	suggest  func(word string, words []string) []string
	problems []error // each with its position
}

// parse applies a file to settings. The error joins all problems.
func parse(
	name string, data []byte, suggest func(word string, words []string) []string,
) (*reader, error) {
	if err := checkSyntax(name, data); err != nil {
		return nil, err
	}
	r := &reader{name: name, suggest: suggest, places: make(map[place]unstable.Range)}
	r.keys = r.settings.keys()
	r.parser.Reset(data)
	for table := ""; r.parser.NextExpression(); {
		e := r.parser.Expression()
		if e.Kind == unstable.KeyValue {
			r.applyEntry(table, e)
		} else {
			table = keyName("", e)
			r.apply(table, e, e.Child().Raw)
		}
	}
	return r, errors.Join(r.problems...)
}

func (r *reader) file() *File {
	return &File{r.settings.options(), r.settings.Audit, r}
}

func (r *reader) located(part unstable.Range, message string) error {
	at := r.parser.Shape(part).Start
	return fmt.Errorf("%s:%d:%d: %s", r.name, at.Line, at.Column, message)
}

// checkSyntax returns an error with its position if a file is not TOML. The parser of a [reader],
// which has the positions of values, accepts some files that are not, such as one with a key twice.
func checkSyntax(name string, data []byte) error {
	err := toml.Unmarshal(data, new(map[string]any))
	if err == nil {
		return nil
	}
	position := name
	if e, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := e.Position()
		position = fmt.Sprintf("%s:%d:%d", name, line, column)
	}
	return errors.New(position + ": " + strings.TrimPrefix(err.Error(), "toml: "))
}

// applyEntry applies a key with its value in a table. An unknown table is a single problem.
func (r *reader) applyEntry(table string, entry *unstable.Node) {
	if k, ok := r.keys[table]; ok && k.isTable() {
		r.apply(keyName(table, entry), entry.Value(), entry.Raw)
	}
}

func (r *reader) apply(name string, value *unstable.Node, at unstable.Range) {
	isInline := value.Kind == unstable.InlineTable
	isTable := isInline || value.Kind == unstable.Table
	switch k, ok := r.keys[name]; {
	case !ok:
		r.addProblem(at, "unknown key %q; %s", name, r.advice(name, isTable))
	case k.isTable() && isInline:
		for inner := value.Children(); inner.Next(); {
			r.applyEntry(name, inner.Node())
		}
	case k.isTable() && isTable: // its entries follow
	case k.isTable() || !k.set(value):
		r.addProblem(at, "%s must be %s", name, k.kind())
	case value.Kind == unstable.Array:
		for e := value.Children(); e.Next(); {
			r.places[place{k.name, string(e.Node().Data)}] = e.Node().Raw
		}
	case k.name != "":
		r.places[place{option: k.name}] = at
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

func (r *reader) addProblem(at unstable.Range, format string, args ...any) {
	r.problems = append(r.problems, r.located(at, fmt.Sprintf(format, args...)))
}

// advice suggests keys, or tables, that resemble an unknown one or have its name in another table.
func (r *reader) advice(unknown string, isTable bool) string {
	last := "." + unknown[strings.LastIndexByte(unknown, '.')+1:]
	var names, near []string
	known := slices.Sorted(maps.Keys(r.keys))
	for _, name := range known[1:] { // without the top table, whose name is empty
		if r.keys[name].isTable() != isTable {
			continue
		}
		names = append(names, name)
		if strings.HasSuffix("."+name, last) {
			near = append(near, name)
		}
	}
	if len(near) == 0 {
		near = r.suggest(unknown, names)
	}
	if len(near) == 0 {
		return "'gander config init' prints every key"
	}
	return "did you mean " + strings.Join(near, " or ") + "?"
}
