//go:build unix

package conformance

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// TestOutputSchemas: the answers of the JSON tools conform to their output schemas.
func TestOutputSchemas(t *testing.T) {
	root := fixture.Make(t, "a/b/c/d/e", "a/.h", "f", "l => f", "p|", "\xff", "secret/x")
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: []string{"codex", "gemini", "forge", "toolkit", "filesystem"}, Deny: []string{"**/secret"}})
	for id, all := range map[string][]string{
		"forge/list_directory": {`{}`, `{"recursive":true}`, `{"recursive":true,"include_hidden":true,"include_other":true}`, `{"max_entries":2}`, `{"include_files":false}`},
		"toolkit/tree":         {`{}`, `{"entry_kind":"all"}`, `{"max_depth":0}`, `{"max_entries":1}`, `{"entry_kind":"all","max_entries":3,"include_hidden":true}`},
	} {
		output := resolved(t, spec(t, id).Output)
		for _, more := range all {
			for _, path := range []string{".", "a", "a/b/c/d"} {
				args := map[string]any{"path": path}
				if err := json.Unmarshal([]byte(more), &args); err != nil {
					t.Fatal(err)
				}
				result, failure := testkit.Call(t, toolset, id, args)
				if failure != nil {
					t.Fatalf("%s of %v: %v", id, args, failure)
				}
				var value any
				if err := json.Unmarshal([]byte(result.Text()), &value); err != nil {
					t.Fatal(err)
				}
				if err := output.Validate(value); err != nil {
					t.Errorf("%s of %v: %v in %s", id, args, err, result.Text())
				}
			}
		}
	}
}

// TestInputSchemas: a tool refuses arguments that its schema does not allow. The exception is null where it stands for a default,
// as in the originals of codex/read_file and toolkit/tree.
func TestInputSchemas(t *testing.T) {
	root := fixture.Make(t, "a/b", "f")
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: []string{"codex", "gemini", "forge", "toolkit", "filesystem"}})
	values := []string{`null`, `true`, `false`, `0`, `1`, `2.0`, `-1`, `1.5`, `"x"`, `""`, `[]`, `["a"]`, `[1]`, `{}`, `{"x":1}`, `"all"`, `"slice"`, `{"max_levels":-1}`, `{"respect_git_ignore":1}`}
	r := rand.New(rand.NewPCG(1, 1))
	refused, accepted := 0, 0
	for _, s := range specs(t) {
		key, given := testkit.PathArguments()[s.ID]
		if !given {
			continue
		}
		var schema struct{ Properties map[string]json.RawMessage }
		if err := json.Unmarshal(s.Input, &schema); err != nil {
			t.Fatal(err)
		}
		keys := []string{"unknown"}
		for key := range schema.Properties {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		input := resolved(t, s.Input)
		for range 1500 {
			args := map[string]any{key: root}
			switch s.ID {
			case "codex/read_file", "filesystem/read_text_file", "filesystem/read_media_file":
				args[key] = root + "/f"
			case "codex/grep_files", "filesystem/search_files":
				args["pattern"] = "."
			}
			for range 1 + r.IntN(2) {
				var value any
				if err := json.Unmarshal([]byte(values[r.IntN(len(values))]), &value); err != nil {
					t.Fatal(err)
				}
				key := keys[r.IntN(len(keys))]
				if value == nil && (key == "indentation" || s.ID == "codex/grep_files" && key != "pattern" || s.ID == "toolkit/tree" && key != "path" && key != "exclude") {
					continue
				}
				args[key] = value
			}
			_, failure := testkit.Call(t, toolset, s.ID, args)
			if input.Validate(args) == nil {
				if failure == nil {
					accepted++
				}
				continue
			}
			refused++
			if failure == nil || failure.Kind != tool.BadArguments && failure.Kind != tool.Outside {
				t.Errorf("%s of %v: %v", s.ID, args, failure)
			}
		}
	}
	if refused < 2000 || accepted < 500 {
		t.Errorf("%d refused and %d accepted are too few", refused, accepted)
	}
}
