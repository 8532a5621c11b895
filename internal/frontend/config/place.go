package config

import (
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A place is where the document names a key or a table. Lines and columns count from 1; columns count bytes.
type place struct {
	path         []string
	line, column int
}

// locate returns the places of a valid document in their order. Tables that are written in braces count as well.
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

// placeOf returns the place of the key that e begins with, inside of table.
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

// dotted writes a path as TOML does: a part that is not a bare key is quoted.
func dotted(path []string) string {
	odd := func(r rune) bool {
		return !(r == '_' || r == '-' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z')
	}
	parts := make([]string, len(path))
	for i, part := range path {
		parts[i] = part
		if part == "" || strings.ContainsFunc(part, odd) {
			parts[i] = strconv.Quote(part)
		}
	}
	return strings.Join(parts, ".")
}
