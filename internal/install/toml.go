package install

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlFormat is TOML.
type tomlFormat struct{}

func (tomlFormat) decode(text []byte) (map[string]any, error) {
	if err := checkTOML(text); err != nil {
		return nil, err
	}
	document := map[string]any{}
	err := toml.Unmarshal(text, &document)
	var at *toml.DecodeError
	if errors.As(err, &at) {
		line, column := at.Position()
		return nil, fmt.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(at.Error(), "toml: "))
	}
	return document, err
}

func (tomlFormat) edit(text []byte, path []string, fields []field) ([]byte, error) {
	t, err := locate(text, path)
	if err != nil {
		return nil, err
	}
	end := lineEnding(text)
	var splices []splice
	var missing strings.Builder
	for _, f := range fields {
		if at, there := t.values[f.key]; there {
			splices = append(splices, splice{at.from, at.to, encode(f.value)})
			continue
		}
		missing.WriteString(f.key + " = " + encode(f.value) + end)
	}
	switch {
	case missing.Len() == 0:
	case t.body > 0:
		splices = append(splices, splice{t.body, t.body, missingLineEnd(text[:t.body], end) + missing.String()})
	case t.elsewhere:
		return nil, fmt.Errorf("%s is not written as a table of its own, so the file is left alone; write it as [%[1]s]", strings.Join(path, "."))
	default:
		gap := missingLineEnd(text, end)
		if len(text) > 0 {
			gap += end
		}
		splices = append(splices, splice{len(text), len(text), gap + "[" + strings.Join(path, ".") + "]" + end + missing.String()})
	}
	return apply(text, splices), nil
}

func (tomlFormat) remove(text []byte, path []string) ([]byte, error) {
	var parser unstable.Parser
	parser.Reset(text)
	var splices []splice
	inside := false
	for parser.NextExpression() {
		e := parser.Expression()
		key, keyEnd := keyOf(e)
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			inside = len(key) >= len(path) && slices.Equal(key[:len(path)], path)
			if inside {
				from := bytes.LastIndexByte(text[:keyEnd], '\n') + 1
				splices = append(splices, splice{from: from, to: lineAfter(text, keyEnd)})
			}
		case unstable.KeyValue:
			if inside {
				_, end := valueOf(text, e, keyEnd)
				splices[len(splices)-1].to = lineAfter(text, end)
			}
		}
	}
	if err := parser.Error(); err != nil {
		return nil, err
	}
	if len(splices) == 0 {
		return nil, fmt.Errorf("%s is not written as a table of its own, so the file is left alone; remove it yourself", strings.Join(path, "."))
	}
	for i, s := range splices { // the empty line above a table goes with it
		if above := bytes.TrimRight(text[:s.from], "\r\n"); s.from-len(above) > len(lineEnding(text)) || len(above) == 0 {
			splices[i].from -= min(len(lineEnding(text)), s.from-len(above))
		}
	}
	return apply(text, splices), nil
}

// missingLineEnd returns end, or "" if the last line of text is ended already.
func missingLineEnd(text []byte, end string) string {
	if len(text) == 0 || bytes.HasSuffix(text, []byte("\n")) {
		return ""
	}
	return end
}

// A tomlTable is where a document defines one table.
type tomlTable struct {
	// body is the offset of the line after the table's header, or 0 if it has no header.
	body int
	// values are the ranges of the table's own values by their keys.
	values map[string]splice
	// elsewhere reports whether the table or one of its keys is defined other than below the header.
	elsewhere bool
}

// locate returns where a valid document defines the table at path.
func locate(text []byte, path []string) (tomlTable, error) {
	t := tomlTable{values: map[string]splice{}}
	var parser unstable.Parser
	parser.Reset(text)
	var current []string
	for parser.NextExpression() {
		e := parser.Expression()
		key, keyEnd := keyOf(e)
		if e.Kind == unstable.Table || e.Kind == unstable.ArrayTable {
			current = key
			if e.Kind == unstable.Table && slices.Equal(key, path) {
				t.body = lineAfter(text, keyEnd)
			}
			continue
		}
		if e.Kind != unstable.KeyValue {
			continue
		}
		full := append(slices.Clone(current), key...)
		switch {
		case len(full) == len(path)+1 && slices.Equal(full[:len(path)], path):
			from, to := valueOf(text, e, keyEnd)
			t.values[full[len(path)]] = splice{from: from, to: to}
			t.elsewhere = t.elsewhere || !slices.Equal(current, path)
		case len(full) <= len(path) && slices.Equal(full, path[:len(full)]):
			t.elsewhere = true
		}
	}
	return t, parser.Error()
}

// keyOf returns the key of a table or a value, and the offset of its end.
func keyOf(e *unstable.Node) (key []string, end int) {
	if e.Kind != unstable.Table && e.Kind != unstable.ArrayTable && e.Kind != unstable.KeyValue {
		return nil, 0
	}
	for parts := e.Key(); parts.Next(); {
		n := parts.Node()
		key = append(key, string(n.Data))
		end = int(n.Raw.Offset + n.Raw.Length)
	}
	return key, end
}

// valueOf returns the range of the value of e, whose key ends at keyEnd.
func valueOf(text []byte, e *unstable.Node, keyEnd int) (from, to int) {
	from = keyEnd + bytes.IndexByte(text[keyEnd:], '=') + 1
	to = int(e.Raw.Offset + e.Raw.Length)
	value := text[from:to]
	from += len(value) - len(bytes.TrimLeft(value, " \t"))
	return from, to - (len(value) - len(bytes.TrimRight(value, " \t\r\n")))
}

// lineAfter returns the offset of the line after the one of offset.
func lineAfter(text []byte, offset int) int {
	if next := bytes.IndexByte(text[offset:], '\n'); next >= 0 {
		return offset + next + 1
	}
	return len(text)
}
