package mcpserver

import (
	"bytes"
	"encoding/json"
)

// portable returns a schema in which a value that may be null is said to be one thing or the other, instead of having two
// types at once, which not every client can read. A schema that is not JSON stays as it is.
func portable(schema json.RawMessage) json.RawMessage {
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
