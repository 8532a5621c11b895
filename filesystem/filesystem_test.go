package filesystem

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/internal/toolset"
	"gander/tool"
)

// open returns the tools by name, over a workspace with one root.
func open(t testing.TB, root string, deny ...string) map[string]tool.Tool {
	t.Helper()
	tools := map[string]tool.Tool{}
	for _, one := range newTools(tooltest.Workspace(t, deny, root), Options{}) {
		tools[one.Spec().Name] = one
	}
	return tools
}

func call(
	t testing.TB, called tool.Tool, args map[string]any, limit int,
) (tool.Result, *tool.Error) {
	t.Helper()
	raw, err := json.Marshal(args)
	fixture.Must(t, err)
	return tooltest.NewCaller(t, called, toolset.Options{}).Call(string(raw), limit)
}

// write writes files below a new directory, whose path is free of symlinks.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	fixture.Must(t, err)
	fixture.Write(t, root, files)
	return root
}

// TestEveryLimit checks that a result is complete, or fits the limit and reports that it is cut.
func TestEveryLimit(t *testing.T) {
	files := map[string]string{
		"lines": strings.Repeat("a líne\r\n", 60), "line": strings.Repeat("é", 300), "empty": "",
	}
	for i := range 12 {
		files[fmt.Sprintf("d/e%d/file%02d", i/3, i)] = strings.Repeat("x", 100*i)
	}
	tools := open(t, write(t, files))
	for _, tt := range []struct{ tool, args string }{
		{"read_text_file", `{"path":"lines"}`},
		{"read_text_file", `{"path":"line"}`},
		{"read_text_file", `{"path":"lines","head":50}`},
		{"read_text_file", `{"path":"lines","tail":50}`},
		{"read_multiple_files", `{"paths":["lines","none","line","empty","lines"]}`},
		{"list_directory", `{"path":"d"}`},
		{"list_directory_with_sizes", `{"path":"d/e3"}`},
		{"list_directory_with_sizes", `{"path":"d/e3","sortBy":"size"}`},
		{"directory_tree", `{"path":"."}`},
		{"search_files", `{"path":".","pattern":"**"}`},
		{"get_file_info", `{"path":"lines"}`},
		{"list_allowed_directories", `{}`},
	} {
		c := tooltest.NewCaller(t, tools[tt.tool], toolset.Options{})
		whole, failure := c.Call(tt.args, -1)
		if failure != nil {
			t.Fatal(tt.tool, failure)
		}
		size := 0
		for _, p := range whole.Parts {
			size += len(p.Text)
		}
		least := 0 // limit with a result
		step := 1
		if testing.Short() {
			step = 13
		}
		for limit := 0; limit < size+2; limit += step {
			got, failure := c.Call(tt.args, limit)
			if failure != nil {
				tooSmall := strings.Contains(failure.Message, "too small for any answer")
				if !tooSmall || least > 0 || limit >= size {
					t.Errorf("%s of %s with %d bytes: %v", tt.tool, tt.args, limit, failure)
				}
				continue
			}
			least = cmp.Or(least, limit)
			if problem := limitProblem(tt.tool, got, whole, limit, size); problem != "" {
				t.Errorf("%s of %s with %d of %d bytes: %s: %q",
					tt.tool, tt.args, limit, size, problem, got.Text())
			}
		}
	}
}

// limitProblem describes the problem of a result under a limit, if any.
func limitProblem(name string, got, whole tool.Result, limit, size int) string {
	text := got.Text()
	const totals = "\nTotal: 3 files, 0 directories\nCombined size: 2.93 KB"
	reached := fmt.Sprintf("output limit of %d bytes reached", limit)
	switch {
	case got.Truncated != (limit < size):
		return "wrong truncated"
	case len(text) > limit:
		return "too long"
	case !got.Truncated && text != whole.Text():
		return "incomplete"
	case got.Truncated && !strings.Contains(text, reached):
		return "no notice"
	case name == "directory_tree" && !json.Valid([]byte(got.Parts[0].Text)):
		return "no JSON"
	case name == "list_directory_with_sizes" && !strings.Contains(text, totals):
		return "no totals"
	default:
		return ""
	}
}

func TestDenied(t *testing.T) {
	root := write(t, map[string]string{"open/f": "text", "secret/f": "hidden", "none": ""})
	tools := open(t, root, "secret", "none")
	_, failure := call(t, tools["read_text_file"], map[string]any{"path": "none", "tail": 1}, -1)
	if got := tooltest.Describe(failure); !strings.HasPrefix(got, "denied: EACCES") {
		t.Errorf("the tail of an empty file: %s", got)
	}
	for name, called := range map[string]string{
		"read_text_file": "open", "read_media_file": "open", "list_directory": "scandir",
		"directory_tree": "scandir", "get_file_info": "stat",
	} {
		_, failure := call(t, tools[name], map[string]any{"path": "secret"}, -1)
		want := fmt.Sprintf("denied: EACCES: permission denied, %s '%s'", called, root+"/secret")
		if got := tooltest.Describe(failure); filepath.ToSlash(got) != filepath.ToSlash(want) {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	got, failure := call(t, tools["directory_tree"], map[string]any{"path": "."}, -1)
	tree := got.Text()
	if failure != nil || !strings.Contains(tree, `"error": `) || strings.Count(tree, `"name"`) != 4 {
		t.Errorf("the tree is %s, %v", tree, failure)
	}
}

// TestFlags checks what results report besides their text.
func TestFlags(t *testing.T) {
	root := write(t, map[string]string{"open/f": "text", "open/shut/f": "", "open/g": ""})
	fixture.Must(t, os.Mkdir(filepath.Join(root, "empty"), 0o700))
	tools := open(t, root, "open/shut")
	for call, want := range map[string]tool.Result{
		`directory_tree {"path":"open"}`:                            {Exact: true, Unreadable: true},
		`directory_tree {"path":"open","excludePatterns":["shut"]}`: {Exact: true},
		`directory_tree {"path":"empty"}`:                           {Exact: true},
		`search_files {"path":"open","pattern":"f"}`:                {},
		`search_files {"path":"open","pattern":"none"}`:             {NothingFound: true},
		`read_multiple_files {"paths":["open/f","open/none"]}`:      {Unreadable: true},
		`read_multiple_files {"paths":["open/f","open/g"]}`:         {},
	} {
		name, args, _ := strings.Cut(call, " ")
		got, failure := tooltest.NewCaller(t, tools[name], toolset.Options{}).Call(args, -1)
		text := got.Text()
		got.Parts = nil
		if failure != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v; want %+v\n%s", call, got, failure, want, text)
		}
	}
}

func TestInvalidArguments(t *testing.T) {
	root := write(t, nil)
	tools := open(t, root)
	tooltest.CheckErrors(t, "arguments.txt", root, func(args string) *tool.Error {
		name, args, _ := strings.Cut(args, " ")
		_, err := tooltest.NewCaller(t, tools[name], toolset.Options{}).Call(args, -1)
		if err != nil {
			err.Message = strings.Replace(err.Message, " "+name+":", " TOOL:", 1)
		}
		return err
	})
}

// TestManyWrongArguments checks that the number of problems in an error is bounded.
func TestManyWrongArguments(t *testing.T) {
	args := `{"paths":[` + strings.Repeat("1,", 8_999) + `1]}`
	called := open(t, write(t, nil))["read_multiple_files"]
	_, err := called.Call(t.Context(), tool.Call{Args: json.RawMessage(args)})
	const end = "\n... and 8980 more"
	if err == nil || len(err.Error()) > 4096 || !strings.HasSuffix(err.Error(), end) {
		t.Errorf("got %v", err)
	}
}
