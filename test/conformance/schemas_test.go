package conformance

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// TestOutputSchemas validates the results of tools with output schemas.
func TestOutputSchemas(t *testing.T) {
	root, missing := fixture.MakePossible(t,
		"a/b/c/d/e", "a/.h", "f", "l => f", "p|", "\xff", "secret/x")
	if len(missing) > 0 {
		t.Logf("left out, because the system lacks them: %q", missing)
	}
	toolset := testkit.Open(t, gander.Options{
		Roots: []string{root}, Tools: reproductions(), Deny: []string{"**/secret"},
	})
	calls := map[string][]string{
		"forge/list_directory": {
			`{}`, `{"recursive":true}`, `{"max_entries":2}`, `{"include_files":false}`,
			`{"recursive":true,"include_hidden":true,"include_other":true}`,
		},
		"toolkit/tree": {
			`{}`, `{"entry_kind":"all"}`, `{"max_depth":0}`, `{"max_entries":1}`,
			`{"entry_kind":"all","max_entries":3,"include_hidden":true}`,
		},
	}
	for _, s := range specs(t) {
		for _, more := range calls[s.ID] {
			for _, path := range []string{".", "a", "a/b/c/d"} {
				args := map[string]any{"path": path}
				testkit.Must(t, json.Unmarshal([]byte(more), &args))
				result, failure := testkit.Call(t, toolset, s.ID, args)
				if failure != nil {
					t.Fatalf("%s of %v: %v", s.ID, args, failure)
				}
				var value any
				testkit.Must(t, json.Unmarshal([]byte(result.Text()), &value))
				if err := resolved(t, s.Output).Validate(value); err != nil {
					t.Errorf("%s of %v: %v in %s", s.ID, args, err, result.Text())
				}
			}
		}
	}
}

// TestInputSchemas checks that a tool rejects arguments that violate its schema. An exception is
// null for a default, as in the originals of codex/read_file, codex/grep_files and toolkit/tree.
func TestInputSchemas(t *testing.T) {
	if onWindows && testing.Short() {
		t.Skip("does not depend on the system, and takes long under Wine")
	}
	root := fixture.Make(t, "a/b", "f")
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: reproductions()})
	values := []string{
		`null`, `true`, `false`, `0`, `1`, `2.0`, `-1`, `1.5`, `"x"`, `""`, `[]`, `["a"]`, `[1]`, `{}`,
		`{"x":1}`, `"all"`, `"slice"`, `{"max_levels":-1}`, `{"respect_git_ignore":1}`,
	}
	nullable := map[string][]string{
		"codex/read_file":  {"indentation"},
		"codex/grep_files": {"unknown", "include", "path", "limit"},
		"toolkit/tree":     {"unknown", "entry_kind", "max_depth", "max_entries", "include_hidden"},
	}
	r := rand.New(rand.NewPCG(1, 1))
	rejected, accepted := 0, 0
	for _, s := range specs(t) {
		pathKey, given := testkit.PathArguments()[s.ID]
		if !given {
			continue
		}
		var schema struct{ Properties map[string]json.RawMessage }
		testkit.Must(t, json.Unmarshal(s.Input, &schema))
		keys := append(slices.Sorted(maps.Keys(schema.Properties)), "unknown")
		input := resolved(t, s.Input)
		for range 1500 {
			args := map[string]any{pathKey: root}
			if testkit.ReadsFile(s.ID) {
				args[pathKey] = root + "/f"
			}
			if _, required := schema.Properties["pattern"]; required {
				args["pattern"] = "."
			}
			for range 1 + r.IntN(2) {
				var value any
				testkit.Must(t, json.Unmarshal([]byte(values[r.IntN(len(values))]), &value))
				key := keys[r.IntN(len(keys))]
				if value != nil || !slices.Contains(nullable[s.ID], key) {
					args[key] = value
				}
			}
			_, failure := testkit.Call(t, toolset, s.ID, args)
			if input.Validate(args) == nil {
				if failure == nil {
					accepted++
				}
				continue
			}
			rejected++
			if failure == nil || failure.Kind != tool.BadArguments && failure.Kind != tool.Outside {
				t.Errorf("%s of %v: %v", s.ID, args, failure)
			}
		}
	}
	if rejected < 2000 || accepted < 500 {
		t.Errorf("%d rejected and %d accepted are too few", rejected, accepted)
	}
}
