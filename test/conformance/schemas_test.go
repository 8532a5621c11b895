package conformance

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

type object = map[string]any

// TestOutputSchemas validates the results of tools with output schemas.
func TestOutputSchemas(t *testing.T) {
	root, _ := fixture.MakePossible(t,
		"a/b/c/d/e", "a/.h", "f", "l => f", "p|", "\xff", "secret/x")
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
				args := object{"path": path}
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
	root := fixture.Make(t, "a/b", "f")
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: reproductions()})
	nullable := map[string]string{
		"codex/read_file":  "indentation",
		"codex/grep_files": "unknown include path limit",
		"toolkit/tree":     "unknown entry_kind max_depth max_entries include_hidden",
	}
	rejected, accepted := 0, 0
	for _, s := range specs(t) {
		p, given := testkit.PathTools()[s.ID]
		if !given {
			continue
		}
		path := root
		if p.Reads {
			path += "/f"
		}
		input := resolved(t, s.Input)
		for _, key := range append(slices.Collect(maps.Keys(input.Schema().Properties)), "unknown") {
			for _, value := range []any{
				nil, true, 0.0, 1.0, -1.0, 1.5, "x", "",
				[]any{},
				[]any{"a"},
				[]any{1.0},
				object{},
				object{"x": 1.0},
				"all", "slice",
				object{"max_levels": -1.0},
				object{"respect_git_ignore": 1.0},
			} {
				if value == nil && slices.Contains(strings.Fields(nullable[s.ID]), key) {
					continue
				}
				args := p.Arguments(path)
				args[key] = value
				_, failure := testkit.Call(t, toolset, s.ID, args)
				switch {
				case input.Validate(args) == nil:
					accepted++
				case failure == nil || failure.Kind != tool.BadArguments && failure.Kind != tool.Outside:
					t.Errorf("%s of %v: %v", s.ID, args, failure)
				default:
					rejected++
				}
			}
		}
	}
	if rejected < 500 || accepted < 100 {
		t.Errorf("%d rejected and %d accepted are too few", rejected, accepted)
	}
}
