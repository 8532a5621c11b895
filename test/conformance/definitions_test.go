package conformance

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"gander"
	"gander/tool"
)

var updateDefinitions = flag.Bool("update-definitions", false, "rewrite testdata/definitions")

// published is the form of testdata/definitions.
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

// specs returns what the tools publish.
func specs(t testing.TB) []tool.Spec {
	t.Helper()
	toolset, err := gander.Open(gander.Options{Roots: []string{t.TempDir()}, Tools: []string{"codex", "gemini", "forge", "toolkit", "filesystem"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = toolset.Close() })
	all := toolset.Tools()
	for i := range all {
		_, all[i].Name, _ = strings.Cut(all[i].ID, "/")
	}
	if len(all) != 16 {
		t.Fatalf("there are %d tools", len(all))
	}
	return all
}

func spec(t testing.TB, id string) tool.Spec {
	t.Helper()
	for _, s := range specs(t) {
		if s.ID == id {
			return s
		}
	}
	t.Fatalf("there is no %s", id)
	return tool.Spec{}
}

func compact(t testing.TB, text []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return b.String()
}

// TestDefinitions: what the tools publish is what testdata/definitions holds, byte for byte.
func TestDefinitions(t *testing.T) {
	for _, s := range specs(t) {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(published{s.ID, s.Name, s.Title, s.Description, s.Input, s.Output, s.SideEffects, s.RequiresApproval, s.Risk}); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("testdata", "definitions", strings.ReplaceAll(s.ID, "/", "_")+".json")
		if *updateDefinitions {
			if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := b.String(); got != string(want) {
			t.Errorf("%s does not publish what %s holds\ngot\n%s\nwant\n%s", s.ID, file, got, want)
		}
		for _, schema := range []json.RawMessage{s.Input, s.Output} {
			if len(schema) > 0 && string(schema) != compact(t, schema) {
				t.Errorf("%s: a schema has white space: %s", s.ID, schema)
			}
		}
	}
}

// TestForgeSchema compares the schema with section 3.2 of the requirements document.
func TestForgeSchema(t *testing.T) {
	document, err := os.ReadFile("testdata/spec/forge_list_directory.3.2.json")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(spec(t, "forge/list_directory").Input), compact(t, document); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestTreeDefinition compares name, description and parameters with section 4.4 of the feature spec, an object literal of
// TypeScript.
func TestTreeDefinition(t *testing.T) {
	document, err := os.ReadFile("testdata/spec/toolkit_tree.4.4.ts")
	if err != nil {
		t.Fatal(err)
	}
	_, literal, _ := strings.Cut(string(document), " = ")
	literal, _, _ = strings.Cut(literal, " as const")
	literal = regexp.MustCompile(`([{,]\s*)(\w+):`).ReplaceAllString(literal, `$1"$2":`)
	literal = regexp.MustCompile(`,(\s*[}\]])`).ReplaceAllString(literal, `$1`)
	var want struct {
		Name, Description string
		Parameters        json.RawMessage
	}
	if err := json.Unmarshal([]byte(literal), &want); err != nil {
		t.Fatalf("%v in %s", err, literal)
	}
	s := spec(t, "toolkit/tree")
	if s.Name != want.Name || s.Description != want.Description {
		t.Errorf("got %s: %s", s.Name, s.Description)
	}
	if got, want := string(s.Input), compact(t, want.Parameters); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
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

// TestSchemas: every schema is a valid JSON Schema of an object, including its defaults.
func TestSchemas(t *testing.T) {
	for _, s := range specs(t) {
		for _, schema := range []json.RawMessage{s.Input, s.Output} {
			if len(schema) > 0 && resolved(t, schema).Schema().Type != "object" {
				t.Errorf("%s: %s is not the schema of an object", s.ID, schema)
			}
		}
	}
}
