//go:build unix

package vectors

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gander"
	"gander/tool"
)

// fake has one tool, fake/names, which lists the names in the directory it is asked for, as JSON.
type fake struct {
	root   string
	closed func()
}

func (f fake) Lookup(string) (tool.Spec, error) {
	return tool.Spec{ID: "fake/names", Name: "names", Description: "names", Input: json.RawMessage(`{"type":"object"}`)}, nil
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
	Run(t, func(_ testing.TB, o gander.Options) Toolset {
		opened++
		return fake{root: o.Roots[0], closed: func() { closed++ }}
	}, []File{load(t, fakeVectors)})
	if opened == 0 || opened != closed {
		t.Errorf("%d toolsets were opened and %d closed", opened, closed)
	}
}

func TestOptions(t *testing.T) {
	common := gander.Options{
		Roots:   []string{"/r"},
		Tools:   []string{"d/n"},
		Sandbox: gander.Sandbox{NoDefaultDenies: true},
		Limits:  gander.Limits{MaxOutputBytes: -1, Timeout: -1},
		Output:  gander.Output{VerbatimNames: true},
	}
	with := func(change func(*gander.Options)) gander.Options {
		o := common
		change(&o)
		return o
	}
	tests := []struct {
		config string
		want   gander.Options
	}{
		{`{}`, common},
		{
			`{"workspace_root": "/a", "additional_workspace_dirs": ["/c", "/b"]}`,
			with(func(o *gander.Options) { o.Roots = []string{"/a", "/c", "/b"} }),
		},
		{`{"additional_workspace_dirs": ["/c"]}`, with(func(o *gander.Options) { o.Roots = []string{"/r", "/c"} })},
		{`{"sandbox": {"allow_absolute": false}}`, with(func(o *gander.Options) { o.Sandbox.RelativeOnly = true })},
		{`{"respect_git_ignore": false}`, with(func(o *gander.Options) { o.GeminiListDirectory.NoGitIgnore = true })},
		{`{"respect_gemini_ignore": false}`, with(func(o *gander.Options) { o.GeminiListDirectory.NoGeminiIgnore = true })},
		{
			`{"sandbox": {"allow_absolute": true}, "respect_git_ignore": true, "respect_gemini_ignore": true,
			  "list_directory": {"include_files_default": true, "include_dirs_default": true, "include_symlinks_default": true,
			    "include_hidden_default": false, "include_other_default": false}}`,
			common,
		},
		{
			`{"list_directory": {"max_entries": 2, "max_depth": 3, "include_hidden_default": true, "include_other_default": true,
			    "include_files_default": false, "include_dirs_default": false, "include_symlinks_default": false}}`,
			with(func(o *gander.Options) {
				o.ForgeListDirectory = gander.ForgeListDirectory{
					MaxEntries: 2, MaxDepth: 3, IncludeHidden: true, IncludeOther: true,
					OmitFiles: true, OmitDirs: true, OmitSymlinks: true,
				}
			}),
		},
		{`{"max_output_bytes": 5, "available_capacity_bytes": 6}`, common},
	}
	for _, tt := range tests {
		var c Case
		if err := strict([]byte(tt.config), &c.Config); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, c.options("d/n", "/r")); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.config, diff)
		}
	}
}

func TestBudget(t *testing.T) {
	tests := []struct {
		config  string
		bytes   int
		limited bool
	}{
		{`{}`, 0, false},
		{`{"max_output_bytes": 0}`, 0, true},
		{`{"max_output_bytes": 5, "available_capacity_bytes": 6}`, 5, true},
		{`{"available_capacity_bytes": 6}`, 6, true},
	}
	for _, tt := range tests {
		var c Case
		if err := strict([]byte(tt.config), &c.Config); err != nil {
			t.Fatal(err)
		}
		if bytes, limited := c.budget().Limit(); bytes != tt.bytes || limited != tt.limited {
			t.Errorf("%s: the limit is %d, %v; want %d, %v", tt.config, bytes, limited, tt.bytes, tt.limited)
		}
	}
}
