//go:build unix

package vectors

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"testing"

	"gander"
	"gander/internal/toolset"
	"gander/tool"
)

// fake has one tool, fake/names, which lists the names in the directory it is asked for, as JSON.
type fake struct {
	root   string
	closed func()
}

func (f fake) Lookup(string) (toolset.Definition, error) {
	return toolset.Definition{Spec: tool.Spec{ID: "fake/names", Name: "names", Description: "names", Input: json.RawMessage(`{"type":"object"}`)}}, nil
}

func (f fake) Call(_ context.Context, name string, c tool.Call) (tool.Result, error) {
	var args struct{ Path string }
	if err := json.Unmarshal(c.Args, &args); err != nil || name != "fake/names" {
		return tool.Result{}, errors.Join(err, errors.New(name))
	}
	entries, err := os.ReadDir(args.Path)
	if errors.Is(err, fs.ErrPermission) {
		return tool.Result{}, &tool.Error{Code: "DENIED", Message: "denied: " + args.Path}
	}
	if err != nil {
		return tool.Result{}, &tool.Error{Code: "FAILED", Message: err.Error()}
	}
	names := []string{f.root}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	content, err := json.Marshal(names)
	return tool.Result{Parts: tool.Text(string(content)), Display: "listed"}, err
}

func (f fake) Close() error {
	f.closed()
	return nil
}

const fakeVectors = `{
	"tool": "fake/names",
	"definition": {"name": "names", "description": "names", "parameters": {"type": "object"}},
	"fixtures": {
		"x": [{"path": "b/c", "type": "file"}, {"path": "a", "type": "symlink", "target": "${ROOT}/b"}],
		"locked": [{"path": "shut/in", "type": "file"}, {"path": "shut", "type": "dir", "mode": "0000"}]
	},
	"cases": [
		{"name": "root", "fixture": "x", "args": {"path": "${ROOT}"},
		 "expect": {"ok": true, "content": "[\"${ROOT}\",\"a\",\"b\"]", "display": "listed"}},
		{"name": "by a link/absolute", "fixture": "x", "args": {"path": "${ROOT}/a"}, "expect": {"ok": true, "json": ["${ROOT}", "c"]}},
		{"name": "another root", "fixture": "x", "args": {"path": "${ROOT}/b"}, "config": {"workspace_root": "${ROOT}/b"},
		 "expect": {"ok": true, "json": ["${ROOT}/b", "c"]}},
		{"name": "missing", "fixture": "x", "args": {"path": "${ROOT}/m"},
		 "expect": {"ok": false, "code": "FAILED", "message": "open ${ROOT}/m: no such file or directory"}},
		{"name": "[ours] (shut) | 1+1: denied", "fixture": "locked", "args": {"path": "${ROOT}/shut"}, "needs_unprivileged": true,
		 "expect": {"ok": false, "code": "DENIED", "message_contains": "${ROOT}"}}
	]}`

func TestRun(t *testing.T) {
	opened, closed := 0, 0
	Run(t, []File{load(t, fakeVectors)}, Interface{Name: "fake", Open: func(_ testing.TB, o gander.Options, _ Config) Toolset {
		opened++
		return fake{root: o.Roots[0], closed: func() { closed++ }}
	}})
	if opened == 0 || opened != closed {
		t.Errorf("%d toolsets were opened and %d closed", opened, closed)
	}
}
