package codex

import (
	"encoding/json"
	"errors"
	"testing"

	"gander/internal/engine/workspace"
	"gander/tool"
)

// open opens a workspace with one root for as long as t runs.
func open(t testing.TB, root string) *workspace.Workspace {
	t.Helper()
	w, err := workspace.Open(workspace.Options{}, root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

func listDir(w *workspace.Workspace) *ListDir {
	return NewListDir(w, ListDirSettings{Limit: 25, Depth: 2, VerbatimNames: true})
}

func readFile(w *workspace.Workspace) *ReadFile {
	return NewReadFile(w, ReadFileSettings{Limit: 2000, MaxLevels: 4})
}

// call calls a tool. A limit of less than 0 is none.
func call(t testing.TB, to tool.Tool, args string, limit int) (tool.Result, error) {
	t.Helper()
	c := tool.Call{Args: json.RawMessage(args)}
	if limit >= 0 {
		c.Budget.MaxOutputBytes = &limit
	}
	return to.Call(t.Context(), c)
}

// pathArgument is arguments with a path and nothing else.
func pathArgument(t testing.TB, key, path string) string {
	t.Helper()
	args, err := json.Marshal(map[string]string{key: path})
	if err != nil {
		t.Fatal(err)
	}
	return string(args)
}

// answer is what the model reads: the content, or the message of the error.
func answer(t testing.TB, to tool.Tool, args string) string {
	t.Helper()
	result, err := call(t, to, args, -1)
	if err != nil {
		return "error: " + err.Error()
	}
	return result.Text()
}

func kindOf(err error) tool.Kind {
	var e *tool.Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}
