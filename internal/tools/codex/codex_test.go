package codex

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"gander/internal/files/workspace"
	"gander/internal/testkit/tooltest"
	"gander/internal/toolset"
	"gander/tool"
)

// open opens a workspace with one root until the test ends.
func open(t testing.TB, root string) *workspace.Workspace {
	t.Helper()
	return tooltest.Workspace(t, nil, root)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// listDir returns the tool with the published defaults and verbatim names.
func listDir(w *workspace.Workspace) *ListDir {
	s := DefaultListDirSettings()
	s.VerbatimNames = true
	return NewListDir(w, s)
}

func readFile(w *workspace.Workspace) *ReadFile { return NewReadFile(w, DefaultReadFileSettings()) }

// call calls a tool. A negative limit means no limit on the bytes of the result.
func call(t testing.TB, called tool.Tool, args string, limit int) (tool.Result, *tool.Error) {
	t.Helper()
	c := tool.Call{Args: json.RawMessage(args)}
	if limit >= 0 {
		c.Budget.MaxOutputBytes = &limit
	}
	result, err := called.Call(t.Context(), c)
	failure, ok := errors.AsType[*tool.Error](err)
	if err != nil && !ok {
		t.Fatalf("%s: %v", args, err)
	}
	return result, failure
}

// pathArgument returns arguments with only a path.
func pathArgument(t testing.TB, key, path string) string {
	t.Helper()
	args, err := json.Marshal(map[string]string{key: path})
	if err != nil {
		t.Fatal(err)
	}
	return string(args)
}

// output returns the text for the model: the content or the message of the error.
func output(t testing.TB, called tool.Tool, args string) string {
	t.Helper()
	result, err := call(t, called, args, -1)
	if err != nil {
		return "error: " + err.Message
	}
	return result.Text()
}

// first500 cuts s to 500 bytes at a character boundary.
func first500(s string) string {
	end := 0
	for i, r := range s {
		if i+utf8.RuneLen(r) > 500 {
			break
		}
		end = i + utf8.RuneLen(r)
	}
	return s[:end]
}

// byName returns a function that calls one of two tools, whose name precedes the arguments.
func byName(t *testing.T, list *ListDir, read *ReadFile) func(args string) *tool.Error {
	return func(args string) *tool.Error {
		name, args, _ := strings.Cut(args, " ")
		called := map[string]tool.Tool{"list_dir": list, "read_file": read}[name]
		_, err := call(t, called, args, -1)
		return err
	}
}

// TestInvalidArguments checks the published order and messages. The workspace is closed, so that
// any file access fails differently.
func TestInvalidArguments(t *testing.T) {
	w, root := tooltest.ClosedWorkspace(t)
	list := NewListDir(w, ListDirSettings{Limit: 25, Depth: 2, MaxLimit: 100, MaxDepth: 9})
	read := NewReadFile(w, ReadFileSettings{Limit: 2000, MaxLevels: 4, MaxLimit: 5000})
	tooltest.CheckErrors(t, "arguments.txt", root, byName(t, list, read))
}

// TestAcceptedArguments checks that calls fail only because the workspace is closed.
func TestAcceptedArguments(t *testing.T) {
	w, root := tooltest.ClosedWorkspace(t)
	for args, to := range map[string]tool.Tool{
		`{"dir_path":"ROOT","offset":18446744073709551615,"depth":9223372036854775808}`: listDir(w),
		`{"file_path":"ROOT","indentation":null,"mode":"indentation"}`:                  readFile(w),
		`{"file_path":"ROOT","mode":"indentation","indentation":{"anchor_line":null,` +
			`"max_lines":null,"max_levels":18446744073709551615}}`: readFile(w),
		`{"file_path":"ROOT","indentation":{"anchor_line":0,"max_lines":0}}`: readFile(w),
	} {
		args = strings.ReplaceAll(args, "ROOT", filepath.ToSlash(root))
		if got := output(t, to, args); !strings.HasSuffix(got, "file already closed") {
			t.Errorf("%s: %s", args, got)
		}
	}
}

func TestHostileArguments(t *testing.T) {
	root := filepath.ToSlash(t.TempDir())
	w := open(t, root)
	tooltest.NewCaller(t, NewListDir(w, ListDirSettings{Limit: 25, Depth: 2}), toolset.Options{}).
		CheckHostile(500, `{"dir_path":%s}`, `{"dir_path":"`+root+`","offset":%s}`, `{"%s":1}`,
			`{"dir_path":"`+root+`","limit":%s}`, `{"dir_path":"`+root+`","depth":%s}`)
	tooltest.NewCaller(t, readFile(w), toolset.Options{}).
		CheckHostile(500, `{"file_path":%s}`, `{"file_path":"/","mode":%s}`,
			`{"file_path":"/","indentation":%s}`, `{"file_path":"/","indentation":{"max_levels":%s}}`)
}

func FuzzArguments(f *testing.F) {
	w := open(f, f.TempDir())
	tooltest.FuzzArguments(f, 500, []tool.Tool{listDir(w), readFile(w)},
		`{"dir_path":"/","offset":1}`,
		`{"file_path":"/","mode":"indentation","indentation":{"max_levels":0}}`)
}
