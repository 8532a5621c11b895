package mcpserver

import (
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"gander/tool"
)

func TestWithoutTypeLists(t *testing.T) {
	for in, want := range map[string]string{
		`{"type":"object","properties":{"a":{"type":["integer","null"],"minimum":1}}}`: `{"properties":{"a":{"anyOf":[{"minimum":1,"type":"integer"},{"type":"null"}]}},"type":"object"}`,
		`{"type":["string","null"],"enum":["a",null]}`:                                 `{"anyOf":[{"enum":["a"],"type":"string"},{"type":"null"}]}`,
		`{"type":["string","integer"]}`:                                                `{"type":["string","integer"]}`,
		`{"a":[{"type":["string","null"]}],"b":1.0}`:                                   `{"a":[{"anyOf":[{"type":"string"},{"type":"null"}]}],"b":1.0}`,
		`{`: `{`,
	} {
		if got := string(withoutTypeLists(json.RawMessage(in))); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// TestWithoutTypeListsHolds checks that answers are valid by the schemas in both forms.
func TestWithoutTypeListsHolds(t *testing.T) {
	ts := sample(t)
	for _, d := range ts.Definitions() {
		if len(d.Output) == 0 {
			continue
		}
		result, err := ts.Call(t.Context(), d.ID, tool.Call{Args: []byte(`{"path":"."}`)})
		if err != nil {
			t.Fatal(err)
		}
		var answer any
		if err := json.Unmarshal([]byte(result.Text()), &answer); err != nil {
			t.Fatal(err)
		}
		for _, schema := range []json.RawMessage{d.Output, withoutTypeLists(d.Output)} {
			var s jsonschema.Schema
			if err := json.Unmarshal(schema, &s); err != nil {
				t.Fatal(err)
			}
			resolved, err := s.Resolve(nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := resolved.Validate(answer); err != nil {
				t.Errorf("%s: %v", d.ID, err)
			}
		}
	}
}
