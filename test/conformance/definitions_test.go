package conformance

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"gander"
	"gander/internal/testkit"
	"gander/tool"
)

// published is the format of testdata/definitions.
type published struct {
	ID               string          `json:"id"`
	Name             string          `json:"name"`
	Title            string          `json:"title"`
	Description      string          `json:"description"`
	Input            json.RawMessage `json:"input"`
	Output           json.RawMessage `json:"output,omitempty"`
	SideEffects      bool            `json:"is_side_effecting"`
	RequiresApproval bool            `json:"requires_approval"`
	Risk             string          `json:"risk_level"`
}

// reproductions returns the selectors of all tools except the native ones.
func reproductions() []string {
	return []string{"codex", "gemini", "forge", "toolkit", "filesystem"}
}

// specs returns the specs of the tools.
func specs(t testing.TB) []tool.Spec {
	t.Helper()
	options := gander.Options{Roots: []string{t.TempDir()}, Tools: reproductions()}
	all := testkit.Open(t, options).Tools()
	for i := range all {
		_, all[i].Name, _ = strings.Cut(all[i].ID, "/")
	}
	if len(all) != 16 {
		t.Fatalf("got %d tools", len(all))
	}
	return all
}

// TestDefinitions compares the specs with testdata/definitions, byte for byte, and with the
// definitions in the vectors. Every schema must be a valid JSON Schema of an object, with valid
// defaults.
func TestDefinitions(t *testing.T) {
	definitions := map[string]map[string]json.RawMessage{}
	for _, s := range specs(t) {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		testkit.Must(t, e.Encode(published{
			s.ID, s.Name, s.Title, s.Description, s.Input, s.Output,
			s.SideEffects, s.RequiresApproval, s.Risk,
		}))
		file := filepath.Join("testdata", "definitions", strings.ReplaceAll(s.ID, "/", "_")+".json")
		want, err := os.ReadFile(file)
		testkit.Must(t, err)
		if got := b.String(); got != string(want) {
			t.Errorf("%s differs from %s\ngot\n%s\nwant\n%s", s.ID, file, got, want)
		}
		for _, schema := range []json.RawMessage{s.Input, s.Output} {
			var compact bytes.Buffer
			if len(schema) > 0 && (json.Compact(&compact, schema) != nil || compact.Len() != len(schema)) {
				t.Errorf("%s: a schema is not compact: %s", s.ID, schema)
			}
			if len(schema) > 0 && resolved(t, schema).Schema().Type != "object" {
				t.Errorf("%s: %s is not the schema of an object", s.ID, schema)
			}
		}
		var got map[string]json.RawMessage
		testkit.Must(t, json.Unmarshal(want, &got))
		got["schema"], got["parameters"] = got["input"], got["input"]
		definitions[s.ID] = got
	}
	for _, f := range allVectors(t) {
		for key, want := range f.Definition {
			if err := sameJSON(key, want, definitions[f.Tool][key]); err != nil {
				t.Errorf("%s: %v", f.Tool, err)
			}
		}
	}
}

func resolved(t testing.TB, schema json.RawMessage) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		t.Fatalf("%v in %s", err, schema)
	}
	r, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		t.Fatalf("%v in %s", err, schema)
	}
	return r
}
