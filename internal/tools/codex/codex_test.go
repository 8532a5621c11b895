package codex

import (
	"encoding/json"
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/registry"
	"gander/internal/testkit/tooltest"
	"gander/tool"
)

// open opens a workspace with one root that is closed when the test ends.
func open(t testing.TB, root string) *workspace.Workspace {
	t.Helper()
	return tooltest.Workspace(t, nil, root)
}

// listDir returns the tool with the published defaults, except that it prints names as they are.
func listDir(w *workspace.Workspace) *ListDir {
	s := DefaultListDirSettings()
	s.VerbatimNames = true
	return NewListDir(w, s)
}

func readFile(w *workspace.Workspace) *ReadFile { return NewReadFile(w, DefaultReadFileSettings()) }

// call calls a tool. A negative limit sets no limit on the bytes of the answer.
func call(t testing.TB, called tool.Tool, args string, limit int) (tool.Result, *tool.Error) {
	t.Helper()
	return tooltest.NewCaller(t, called, registry.Options{}).Call(args, limit)
}

// pathArgument returns arguments that hold a path and nothing else.
func pathArgument(t testing.TB, key, path string) string {
	t.Helper()
	args, err := json.Marshal(map[string]string{key: path})
	if err != nil {
		t.Fatal(err)
	}
	return string(args)
}

// answer returns what the model reads: the content, or the message of the error.
func answer(t testing.TB, called tool.Tool, args string) string {
	t.Helper()
	result, err := call(t, called, args, -1)
	if err != nil {
		return "error: " + err.Error()
	}
	return result.Text()
}
