//go:build unix

package test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gander"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// pathKey is the argument of each tool that is a path.
var pathKey = map[string]string{
	"codex/list_dir": "dir_path", "codex/read_file": "file_path", "gemini/list_directory": "path", "forge/list_directory": "path", "toolkit/tree": "path",
}

func openToolset(t testing.TB, o gander.Options) *gander.Toolset {
	t.Helper()
	toolset, err := gander.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = toolset.Close() })
	return toolset
}

// ask calls a tool with JSON arguments.
func ask(t testing.TB, toolset *gander.Toolset, id string, args any) (tool.Result, *tool.Error) {
	t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	result, err := toolset.Call(t.Context(), id, tool.Call{Args: raw})
	var failure *tool.Error
	if err != nil && !errors.As(err, &failure) {
		t.Fatalf("%s: %T is no *tool.Error", id, err)
	}
	return result, failure
}

// TestOutsideAlike: what exists outside and what does not get the same answer, in every tool and by every way.
func TestOutsideAlike(t *testing.T) {
	outside := fixture.Make(t, "there/x", "file", "pipe|")
	root := fixture.Make(t, "in/", "dir => "+outside+"/there", "file => "+outside+"/file", "pipe => "+outside+"/pipe", "none => "+outside+"/none",
		"up => ../../../../../../../../..", "in/away => ../dir")
	toolset := openToolset(t, gander.Options{Roots: []string{root}})
	for id, key := range pathKey {
		want := map[string]string{} // the answer by the way in which a path leads outside
		for _, path := range []string{
			"outside:" + outside, "outside:" + outside + "/there", "outside:" + outside + "/file", "outside:" + outside + "/file/x", "outside:" + outside + "/none", "outside:/",
			"outside:" + outside + "/pipe", "outside:" + root + "x", "outside:" + filepath.Dir(root), "outside:/proc/self/root", "outside:/no/such",
			"link:" + root + "/dir", "link:" + root + "/none", "link:" + root + "/dir/x", "link:" + root + "/dir/none", "link:" + root + "/dir/x/y", "link:" + root + "/none/x",
			"link:" + root + "/up", "link:" + root + "/up/etc", "link:" + root + "/up/none", "link:" + root + "/in/away", "link:" + root + "/in/away/x",
			"dots:" + root + "/../x", "dots:" + root + "/in/../../x", "dots:" + root + "/in/../../" + filepath.Base(outside),
		} {
			way, path, _ := strings.Cut(path, ":")
			if id == "toolkit/tree" && (path == root+"/dir" || path == root+"/none" || path == root+"/up" || path == root+"/in/away") {
				way = "a link itself, which is no directory"
			}
			_, err := ask(t, toolset, id, map[string]string{key: path})
			if err == nil {
				t.Errorf("%s of %s succeeds", id, path)
				continue
			}
			got := fmt.Sprintf("%s %s %s %s", err.Kind, err.Code, err.Message, err.Display)
			if want[way] == "" {
				want[way] = got
			}
			if got != want[way] || way == "link" && err.Kind != tool.Outside {
				t.Errorf("%s of %s\ngot  %s\nwant %s", id, path, got, want[way])
			}
		}
	}
}

// TestNothingOutsideIsTold: whatever the path and whatever it leads through, no name and no content from outside shows.
func TestNothingOutsideIsTold(t *testing.T) {
	outside := fixture.Make(t, "SECRET/SECRET", "SECRET.txt")
	root := fixture.Make(t, "a/b/", "a/dir => "+outside, "a/file => "+outside+"/SECRET.txt", "a/deep => "+outside+"/SECRET", "a/rel => ../../"+filepath.Base(outside))
	toolset := openToolset(t, gander.Options{Roots: []string{root}})
	for id, key := range pathKey {
		for _, path := range []string{"", "/a", "/a/dir", "/a/dir/.", "/a/dir/SECRET", "/a/file", "/a/file/", "/a/deep/SECRET", "/a/rel/SECRET.txt", "/a/b/../dir", "/a/dir/../file"} {
			for _, more := range []string{`{}`, `{"depth":9}`, `{"recursive":true}`, `{"entry_kind":"all","max_depth":9}`, `{"mode":"indentation"}`, `{"file_filtering_options":{}}`} {
				args := map[string]any{}
				if err := json.Unmarshal([]byte(more), &args); err != nil {
					t.Fatal(err)
				}
				args[key] = root + path
				result, err := ask(t, toolset, id, args)
				said := result.Content + result.Display
				if err != nil {
					said = err.Message + err.Display
				}
				if strings.Contains(strings.ReplaceAll(said, root+path, ""), "SECRET") {
					t.Errorf("%s of %v: %s", id, args, said)
				}
			}
		}
	}
}

// TestOutputSchemas: what the JSON tools answer is what their output schema says.
func TestOutputSchemas(t *testing.T) {
	root := fixture.Make(t, "a/b/c/d/e", "a/.h", "f", "l => f", "p|", "\xff", "secret/x")
	toolset := openToolset(t, gander.Options{Roots: []string{root}, Sandbox: gander.Sandbox{Deny: []string{"**/secret"}}})
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
				result, failure := ask(t, toolset, id, args)
				if failure != nil {
					t.Fatalf("%s of %v: %v", id, args, failure)
				}
				var value any
				if err := json.Unmarshal([]byte(result.Content), &value); err != nil {
					t.Fatal(err)
				}
				if err := output.Validate(value); err != nil {
					t.Errorf("%s of %v: %v in %s", id, args, err, result.Content)
				}
			}
		}
	}
}

// TestInputSchemas: arguments that a tool's schema does not allow are refused as such. The exceptions are where null asks for
// a default, as it does in the originals of codex/read_file and toolkit/tree.
func TestInputSchemas(t *testing.T) {
	root := fixture.Make(t, "a/b", "f")
	toolset := openToolset(t, gander.Options{Roots: []string{root}})
	values := []string{`null`, `true`, `false`, `0`, `1`, `2.0`, `-1`, `1.5`, `"x"`, `""`, `[]`, `["a"]`, `[1]`, `{}`, `{"x":1}`, `"all"`, `"slice"`, `{"max_levels":-1}`, `{"respect_git_ignore":1}`}
	r := rand.New(rand.NewPCG(1, 1))
	refused, accepted := 0, 0
	for _, s := range specs(t) {
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
			args := map[string]any{pathKey[s.ID]: root}
			if s.ID == "codex/read_file" {
				args["file_path"] = root + "/f"
			}
			for range 1 + r.IntN(2) {
				var value any
				if err := json.Unmarshal([]byte(values[r.IntN(len(values))]), &value); err != nil {
					t.Fatal(err)
				}
				key := keys[r.IntN(len(keys))]
				if value == nil && (key == "indentation" || s.ID == "toolkit/tree" && key != "path" && key != "exclude") {
					continue
				}
				args[key] = value
			}
			_, failure := ask(t, toolset, s.ID, args)
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
		t.Errorf("%d refused, %d accepted: too few to tell", refused, accepted)
	}
}
