package install

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

var errOtherForm = errors.New(
	"it is written in a form that cannot be changed here; change it by hand")

// A tomlFormat is TOML, in which gander adds and removes whole tables at the end of the file, and
// single keys of tables. What it does not change keeps every byte.
type tomlFormat struct{}

func (tomlFormat) get(text []byte, keys []string) (any, error) {
	var value any
	var table map[string]any
	if err := toml.Unmarshal(text, &table); err != nil {
		return nil, err
	}
	value = table
	for _, key := range keys {
		inner, ok := value.(map[string]any)
		if !ok {
			return nil, nil
		}
		value = inner[key]
	}
	return value, nil
}

// set adds a table at the end, or a key at the beginning of its table. It replaces what is there.
func (f tomlFormat) set(text []byte, keys []string, value any) ([]byte, error) {
	after, err := f.remove(text, keys)
	if err != nil {
		return nil, err
	}
	if len(after) > 0 && !bytes.HasSuffix(after, []byte("\n")) {
		after = append(after, '\n')
	}
	last := len(keys) - 1
	start, _, found := section(after, keys[:last], false)
	table, isTable := value.(map[string]any)
	switch {
	case isTable:
		after = appendTable(after, keys, table)
	case found:
		if last > 0 { // behind the header
			start += bytes.IndexByte(after[start:], '\n') + 1
		}
		after = slices.Concat(after[:start], tomlLine(keys[last], value), after[start:])
	default:
		after = appendTable(after, keys[:last], map[string]any{keys[last]: value})
	}
	return after, f.check(text, after, keys, value)
}

func appendTable(text []byte, keys []string, table map[string]any) []byte {
	if len(text) > 0 {
		text = append(text, '\n')
	}
	text = fmt.Appendf(text, "[%s]\n", strings.Join(keys, "."))
	for _, key := range slices.Sorted(maps.Keys(table)) {
		text = append(text, tomlLine(key, table[key])...)
	}
	return text
}

// tomlLine returns the line of a key, whose value TOML writes as JSON does.
func tomlLine(key string, value any) []byte {
	return fmt.Appendf(nil, "%s = %s\n", key, encode(value))
}

// remove removes a table, with the tables in it, or a key of a table.
func (f tomlFormat) remove(text []byte, keys []string) ([]byte, error) {
	value, err := f.get(text, keys)
	if err != nil || value == nil {
		return text, err
	}
	after := text
	start, end, found := section(text, keys, true)
	if !found {
		after = removeKey(text, keys)
	}
	for ; found; start, end, found = section(after, keys, true) {
		after = cut(after, start, end)
	}
	return after, f.check(text, after, keys, nil)
}

func removeKey(text []byte, keys []string) []byte {
	last := len(keys) - 1
	start, end, found := section(text, keys[:last], false)
	if !found {
		return text
	}
	lines := bytes.Count(bytes.TrimSpace(text[start:end]), []byte("\n"))
	if lines == 1 && last > 0 {
		return cut(text, start, end) // the table has nothing else
	}
	for line := range bytes.Lines(text[start:end]) {
		key, _, isPair := strings.Cut(string(line), "=")
		if isPair && strings.TrimSpace(key) == keys[last] {
			return slices.Concat(text[:start], text[start+len(line):])
		}
		start += len(line)
	}
	return text
}

// section returns the bounds of a table in the text, from its header to its last line: the comments
// behind that are about the next table. With below, a table in the table will do.
func section(text []byte, table []string, below bool) (start, end int, found bool) {
	name := strings.Join(table, ".")
	found = name == ""
	at := 0
	for line := range bytes.Lines(text) {
		trimmed := bytes.TrimSpace(line)
		header, isHeader := bytes.CutPrefix(trimmed, []byte("["))
		if isHeader && found {
			return start, end, true
		}
		header = bytes.Trim(header, "[ ]")
		isWanted := string(header) == name || below && bytes.HasPrefix(header, []byte(name+"."))
		if isHeader && isWanted {
			start, found = at, true
		}
		at += len(line)
		if isComment := bytes.HasPrefix(trimmed, []byte("#")); len(trimmed) > 0 && !isComment {
			end = at
		}
	}
	return start, end, found
}

// cut removes a part of a text, and the empty line before it.
func cut(text []byte, start, end int) []byte {
	before, after := text[:start], text[end:]
	isLast := len(after) == 0 || after[0] == '\n'
	if isLast && bytes.HasSuffix(before, []byte("\n\n")) {
		before = before[:start-1]
	}
	if len(before) == 0 {
		after = bytes.TrimLeft(after, "\n")
	}
	return slices.Concat(before, after)
}

// check returns an error unless a text has a value, or none if it is nil, and is otherwise the same
// document as before.
func (f tomlFormat) check(before, after []byte, keys []string, value any) error {
	var old, changed map[string]any
	_ = toml.Unmarshal(before, &old) // It has been read.
	err := toml.Unmarshal(after, &changed)
	got, _ := f.get(after, keys)
	if err == nil && isSame(got, value) && isSame(withoutKey(old, keys), withoutKey(changed, keys)) {
		return nil
	}
	return errOtherForm
}

// withoutKey removes a value from a table, and the tables that have only that.
func withoutKey(table map[string]any, keys []string) map[string]any {
	inner, isTable := table[keys[0]].(map[string]any)
	if isTable && len(keys) > 1 && len(withoutKey(inner, keys[1:])) > 0 {
		return table
	}
	delete(table, keys[0])
	return table
}
