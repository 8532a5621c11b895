package config

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// A place is where a document names a key or a table. Lines and columns count from 1; columns count bytes.
type place struct {
	path         []string
	line, column int
}

// decode returns the values of a TOML document and the places of its keys, in their order.
func decode(name string, data []byte) (document map[string]any, places []place, err error) {
	err = toml.Unmarshal(data, &document)
	if syntax, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := syntax.Position()
		words := regexp.MustCompile(`^toml: |strconv\.\w+: parsing `).ReplaceAllString(syntax.Error(), "")
		return nil, nil, fmt.Errorf("%s:%d:%d: %s", name, line, column, words)
	}
	if err == nil {
		places, err = locate(data)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return document, places, nil
}

// lookup returns the value at path, or nil if there is none.
func lookup(document map[string]any, path []string) any {
	var value any = document
	for _, part := range path {
		table, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = table[part]
	}
	return value
}

// locate returns the places of a valid document in their order, those in inline tables included.
func locate(data []byte) ([]place, error) {
	var (
		parser unstable.Parser
		places []place
		table  []string
	)
	parser.Reset(data)
	for parser.NextExpression() {
		switch e := parser.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			p := placeOf(&parser, nil, e)
			table = p.path
			places = append(places, p)
		case unstable.KeyValue:
			places = appendPlaces(places, &parser, table, e)
		}
	}
	return places, parser.Error()
}

// appendPlaces appends the place of the key e, which lies in table, and those of the inline table that is its value.
func appendPlaces(places []place, parser *unstable.Parser, table []string, e *unstable.Node) []place {
	p := placeOf(parser, table, e)
	places = append(places, p)
	value := e.Value()
	if value.Kind != unstable.InlineTable {
		return places
	}
	for inner := value.Children(); inner.Next(); {
		if inner.Node().Kind == unstable.KeyValue {
			places = appendPlaces(places, parser, p.path, inner.Node())
		}
	}
	return places
}

// placeOf returns the place of the key that e begins with, which lies in table.
func placeOf(parser *unstable.Parser, table []string, e *unstable.Node) place {
	p := place{path: append([]string(nil), table...)}
	for parts := e.Key(); parts.Next(); {
		if p.line == 0 {
			start := parser.Shape(parts.Node().Raw).Start
			p.line, p.column = start.Line, start.Column
		}
		p.path = append(p.path, string(parts.Node().Data))
	}
	return p
}

// dotted writes a path as TOML does, with quotes around a part that is not a bare key.
func dotted(path []string) string {
	needsQuotes := func(r rune) bool {
		return !(r == '_' || r == '-' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z')
	}
	parts := make([]string, len(path))
	for i, part := range path {
		parts[i] = part
		if part == "" || strings.ContainsFunc(part, needsQuotes) {
			parts[i] = strconv.Quote(part)
		}
	}
	return strings.Join(parts, ".")
}
