package install

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
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

// set adds a table, or a key to a table.
func (f tomlFormat) set(text []byte, keys []string, value any) ([]byte, error) {
	text, err := f.remove(text, keys)
	if err != nil {
		return nil, err
	}
	table, isTable := value.(map[string]any)
	if !isTable {
		last := len(keys) - 1
		return f.setKey(text, keys[:last], keys[last], value)
	}
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text, '\n')
	}
	if len(text) > 0 {
		text = append(text, '\n')
	}
	text = fmt.Appendf(text, "[%s]\n", strings.Join(keys, "."))
	for _, key := range sortedKeys(table) {
		line, err := tomlLine(key, table[key])
		if err != nil {
			return nil, err
		}
		text = append(text, line...)
	}
	return text, f.check(text, keys)
}

func tomlLine(key string, value any) (string, error) {
	switch v := value.(type) {
	case string:
		return fmt.Sprintf("%s = %s\n", key, tomlString(v)), nil
	case bool:
		return fmt.Sprintf("%s = %t\n", key, v), nil
	case []string:
		quoted := make([]string, len(v))
		for i, s := range v {
			quoted[i] = tomlString(s)
		}
		return fmt.Sprintf("%s = [%s]\n", key, strings.Join(quoted, ", ")), nil
	}
	return "", fmt.Errorf("%s: a value of this type cannot be written", key)
}

// tomlString quotes a text. Strings of TOML have the escapes of JSON.
func tomlString(s string) string {
	encoded, err := encode(s)
	if err != nil {
		return strconv.Quote(s)
	}
	return string(encoded)
}

// setKey adds a key at the beginning of a table, which it adds if it is missing. The top of the
// file is a table without a name.
func (f tomlFormat) setKey(text []byte, table []string, key string, value any) ([]byte, error) {
	start, _, found := section(text, table)
	if !found {
		existing, err := f.get(text, table)
		if err == nil && existing != nil { // such as "features = { … }", which set would replace
			err = errOtherForm
		}
		if err != nil {
			return nil, err
		}
		return f.set(text, table, map[string]any{key: value})
	}
	line, err := tomlLine(key, value)
	if err != nil {
		return nil, err
	}
	at := start
	if len(table) > 0 {
		header := bytes.IndexByte(text[start:], '\n')
		if header < 0 {
			return slices.Concat(text, []byte("\n"+line)), nil
		}
		at += header + 1
	}
	text = slices.Concat(text[:at], []byte(line), text[at:])
	return text, f.check(text, append(table, key))
}

// check returns an error unless a text is valid and has a value.
func (f tomlFormat) check(text []byte, keys []string) error {
	value, err := f.get(text, keys)
	if err == nil && value == nil {
		err = errors.New("cannot be changed without changing other settings; change it by hand")
	}
	return err
}

// section returns the bounds of a table in the text, from its header to the next one.
func section(text []byte, table []string) (start, end int, found bool) {
	name := strings.Join(table, ".")
	found = name == ""
	at := 0
	for line := range bytes.Lines(text) {
		trimmed := bytes.TrimSpace(line)
		isHeader := bytes.HasPrefix(trimmed, []byte("["))
		if found && isHeader {
			return start, at, true
		}
		if isHeader && string(bytes.Trim(trimmed, "[ ]")) == name {
			start, found = at, true
		}
		at += len(line)
	}
	return start, len(text), found
}

// remove removes a table, with the empty line before it, or a key of a table.
func (f tomlFormat) remove(text []byte, keys []string) ([]byte, error) {
	value, err := f.get(text, keys)
	if err != nil || value == nil {
		return text, err
	}
	var rest []byte
	if start, end, found := section(text, keys); found {
		before := text[:start]
		if end == len(text) {
			before = slices.Concat(bytes.TrimRight(before, "\n"), []byte("\n"))
		}
		rest = slices.Concat(bytes.TrimLeft(before, "\n"), text[end:])
	} else {
		rest = f.removeKey(text, keys)
	}
	left, err := f.get(rest, keys)
	if err == nil && left != nil {
		err = errOtherForm
	}
	return rest, err
}

// removeKey removes the line of a key of a table.
func (tomlFormat) removeKey(text []byte, keys []string) []byte {
	last := len(keys) - 1
	start, end, found := section(text, keys[:last])
	if !found {
		return text
	}
	lines := bytes.Count(bytes.TrimSpace(text[start:end]), []byte("\n"))
	if lines == 1 && last > 0 {
		return slices.Concat(text[:start], text[end:]) // the table has nothing else
	}
	at := start
	for line := range bytes.Lines(text[start:end]) {
		key, _, isPair := strings.Cut(string(line), "=")
		if isPair && strings.TrimSpace(key) == keys[last] {
			return slices.Concat(text[:at], text[at+len(line):])
		}
		at += len(line)
	}
	return text
}
