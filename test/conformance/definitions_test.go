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
	"gander/internal/testkit"
	"gander/tool"
)

var updateDefinitions = flag.Bool("update-definitions", false, "rewrite testdata/definitions")

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

func spec(t testing.TB, id string) tool.Spec {
	t.Helper()
	for _, s := range specs(t) {
		if s.ID == id {
			return s
		}
	}
	t.Fatalf("no tool %s", id)
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

// TestDefinitions compares the specs with testdata/definitions, byte for byte. Every schema must be
// a valid and compact JSON Schema of an object, with valid defaults.
func TestDefinitions(t *testing.T) {
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
		if *updateDefinitions {
			testkit.Must(t, os.WriteFile(file, b.Bytes(), 0o644))
		}
		want, err := os.ReadFile(file)
		testkit.Must(t, err)
		if got := b.String(); got != string(want) {
			t.Errorf("%s differs from %s\ngot\n%s\nwant\n%s", s.ID, file, got, want)
		}
		for _, schema := range []json.RawMessage{s.Input, s.Output} {
			if len(schema) > 0 && string(schema) != compact(t, schema) {
				t.Errorf("%s: a schema has white space: %s", s.ID, schema)
			}
			if len(schema) > 0 && resolved(t, schema).Schema().Type != "object" {
				t.Errorf("%s: %s is not the schema of an object", s.ID, schema)
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

// TestForgeSchema compares the schema with section 3.2 of the requirements document.
func TestForgeSchema(t *testing.T) {
	document, err := os.ReadFile("testdata/spec/forge_list_directory.3.2.json")
	testkit.Must(t, err)
	if got, want := string(spec(t, "forge/list_directory").Input), compact(t, document); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestTreeDefinition compares name, description and parameters with section 4.4 of the feature
// spec, an object literal of TypeScript.
func TestTreeDefinition(t *testing.T) {
	document, err := os.ReadFile("testdata/spec/toolkit_tree.4.4.ts")
	testkit.Must(t, err)
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
