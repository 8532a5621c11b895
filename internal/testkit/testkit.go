package testkit

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"gander"
	"gander/internal/toolset"
	"gander/tool"
)

// Must ends the test if err is not nil.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Open opens a toolset until the test ends. The default timeout of a call is a minute, because
// tests run on slow machines, concurrently and with the race detector.
func Open(t testing.TB, o gander.Options) *gander.Toolset {
	t.Helper()
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

// Call calls a tool with args as JSON, completed by [Complete]. An error must be a [tool.Error].
func Call(t testing.TB, ts *gander.Toolset, id string, args any) (tool.Result, *tool.Error) {
	t.Helper()
	raw, err := json.Marshal(args)
	Must(t, err)
	raw = Complete(t, id, raw)
	result, err := ts.Call(t.Context(), id, raw)
	var failure *tool.Error
	if err != nil && !errors.As(err, &failure) {
		t.Fatalf("%s: %T is not a *tool.Error", id, err)
	}
	return result, failure
}

// Complete adds the argument that a tool requires in addition to its path, if any, unless given.
func Complete(t testing.TB, id string, args []byte) []byte {
	t.Helper()
	pattern := map[string]string{
		"codex/grep_files": `"."`, "filesystem/search_files": `"**"`, "gander/search_text": `"."`,
	}[id]
	if pattern == "" {
		return args
	}
	all := map[string]json.RawMessage{"pattern": json.RawMessage(pattern)}
	Must(t, json.Unmarshal(args, &all))
	raw, err := json.Marshal(all)
	Must(t, err)
	return raw
}

// PathArguments returns the names of the tools' path arguments by the tools' ids.
func PathArguments() map[string]string {
	names := map[string]string{"codex/list_dir": "dir_path", "codex/read_file": "file_path"}
	for _, id := range []string{
		"gander/list_dir", "gander/read_file", "gander/find_files", "gander/search_text",
		"codex/grep_files", "gemini/list_directory", "forge/list_directory", "toolkit/tree",
		"filesystem/read_text_file", "filesystem/read_media_file", "filesystem/get_file_info",
		"filesystem/search_files", "filesystem/list_directory",
		"filesystem/list_directory_with_sizes", "filesystem/directory_tree",
	} {
		names[id] = "path"
	}
	return names
}

// ReadsFile reports whether the path argument of a tool names a file and not a directory.
func ReadsFile(id string) bool {
	return slices.Contains([]string{
		"gander/read_file", "codex/read_file",
		"filesystem/read_text_file", "filesystem/read_media_file",
	}, id)
}
