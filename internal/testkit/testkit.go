package testkit

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"testing"
	"time"

	"gander"
	"gander/codex"
	"gander/filesystem"
	"gander/forge"
	"gander/gemini"
	"gander/internal/testkit/fixture"
	"gander/internal/toolset"
	"gander/shell"
	"gander/tool"
	"gander/toolkit"
)

// Must ends the test if err is not nil.
func Must(t testing.TB, err error) {
	t.Helper()
	fixture.Must(t, err)
}

// SkipLong skips a test that takes long, except in the checks of every change, which set CI.
func SkipLong(t testing.TB) {
	t.Helper()
	if testing.Short() || os.Getenv("CI") == "" {
		t.Skip("takes long; CI=true runs it")
	}
}

// Sets returns all sets with the default options.
func Sets() []gander.Set {
	return []gander.Set{
		codex.Tools(codex.Options{}), gemini.Tools(gemini.Options{}), forge.Tools(forge.Options{}),
		toolkit.Tools(toolkit.Options{}), filesystem.Tools(filesystem.Options{}),
		shell.Tools(shell.Options{}),
	}
}

// Open opens a toolset, with all sets if o has none, until the test ends. A call has a minute,
// because tests run on slow machines, concurrently and with the race detector.
func Open(t testing.TB, o gander.Options) *gander.Toolset {
	t.Helper()
	if o.Sets == nil {
		o.Sets = Sets()
	}
	if o.Limits.Timeout == 0 {
		o.Limits.Timeout = time.Minute
	}
	ts, err := gander.Open(o)
	Must(t, err)
	t.Cleanup(func() { _ = ts.Close() })
	return ts
}

// Inner returns the internal toolset of a toolset.
func Inner(ts *gander.Toolset) *toolset.Toolset { return (*toolset.Toolset)(ts) }

// Call calls a tool with args as JSON. An error must be a [tool.Error].
func Call(t testing.TB, ts *gander.Toolset, id string, args any) (tool.Result, *tool.Error) {
	t.Helper()
	raw, err := json.Marshal(args)
	Must(t, err)
	result, err := ts.Call(t.Context(), id, raw)
	var failure *tool.Error
	if err != nil && !errors.As(err, &failure) {
		t.Fatalf("%s: %T is not a *tool.Error", id, err)
	}
	return result, failure
}

// A PathTool is a tool that takes a path.
type PathTool struct {
	Key   string         // the argument that takes the path
	More  map[string]any // the other arguments that reveal most
	Reads bool           // files, not directories
}

// PathTools returns the tools that take a path by their ids.
func PathTools() map[string]PathTool {
	type more = map[string]any
	return map[string]PathTool{
		"gander/list_dir":       {"path", more{"depth": 9, "ignored": true, "details": true}, false},
		"gander/read_file":      {"path", nil, true},
		"gander/find_files":     {"path", more{"pattern": "**", "ignored": true}, false},
		"gander/search_text":    {"path", more{"pattern": ".", "ignored": true}, false},
		"codex/list_dir":        {"dir_path", more{"depth": 9, "limit": 500}, false},
		"codex/read_file":       {"file_path", nil, true},
		"codex/grep_files":      {"path", more{"pattern": "."}, false},
		"gemini/list_directory": {"path", nil, false},
		"forge/list_directory": {
			"path", more{"recursive": true, "include_hidden": true, "include_other": true}, false,
		},
		"toolkit/tree": {
			"path", more{"entry_kind": "all", "max_depth": 9, "include_hidden": true}, false,
		},
		"filesystem/read_text_file":            {"path", nil, true},
		"filesystem/read_media_file":           {"path", nil, true},
		"filesystem/get_file_info":             {"path", nil, false},
		"filesystem/search_files":              {"path", more{"pattern": "**"}, false},
		"filesystem/list_directory":            {"path", nil, false},
		"filesystem/list_directory_with_sizes": {"path", nil, false},
		"filesystem/directory_tree":            {"path", nil, false},
	}
}

// Arguments returns the arguments of a call with a path.
func (p PathTool) Arguments(path string) map[string]any {
	args := map[string]any{p.Key: path}
	maps.Copy(args, p.More)
	return args
}
