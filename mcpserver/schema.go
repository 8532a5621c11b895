package mcpserver

import (
	"bytes"
	"encoding/json"
)

// withoutTypeLists returns a schema in which anyOf takes the place of a list of types for values that may be null. Not
// every client understands such lists. A schema that is not JSON is returned as it is.
func withoutTypeLists(schema json.RawMessage) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(schema))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return schema
	}
	split, err := json.Marshal(splitNull(v))
	if err != nil {
		return schema
	}
	return split
}

func splitNull(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = splitNull(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = splitNull(v[key])
		}
		types, ok := v["type"].([]any)
		if !ok || len(types) != 2 || types[1] != "null" {
			return v
		}
		v["type"] = types[0]
		if values, ok := v["enum"].([]any); ok {
			some := []any{}
			for _, value := range values {
				if value != nil {
					some = append(some, value)
				}
			}
			v["enum"] = some
		}
		return map[string]any{"anyOf": []any{v, map[string]any{"type": "null"}}}
	}
	return v
}
