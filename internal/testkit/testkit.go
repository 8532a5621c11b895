package testkit

import (
	"encoding/json"
	"errors"
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

// Open opens a toolset that is closed when the test ends. Unless o says otherwise, a call may take a minute, because tests run on
// slow machines, together with others and under the race detector.
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

// Call calls a tool with args as JSON, to which it adds what [Complete] adds. It ends the test if the call fails with anything but
// a [tool.Error].
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

// Complete returns args with the arguments that a tool requires besides its path, unless they are given.
func Complete(t testing.TB, id string, args []byte) []byte {
	t.Helper()
	pattern := map[string]string{"codex/grep_files": `"."`, "filesystem/search_files": `"**"`, "gander/search_text": `"."`}[id]
	if pattern == "" {
		return args
	}
	all := map[string]json.RawMessage{"pattern": json.RawMessage(pattern)}
	Must(t, json.Unmarshal(args, &all))
	raw, err := json.Marshal(all)
	Must(t, err)
	return raw
}

// PathArguments returns, for the id of each tool, the name of its path argument.
func PathArguments() map[string]string {
	return map[string]string{
		"gander/list_dir": "path", "gander/read_file": "path", "gander/find_files": "path", "gander/search_text": "path",
		"codex/list_dir": "dir_path", "codex/read_file": "file_path", "codex/grep_files": "path", "gemini/list_directory": "path", "forge/list_directory": "path", "toolkit/tree": "path",
		"filesystem/read_text_file": "path", "filesystem/read_media_file": "path", "filesystem/get_file_info": "path", "filesystem/search_files": "path",
		"filesystem/list_directory": "path", "filesystem/list_directory_with_sizes": "path", "filesystem/directory_tree": "path",
	}
}

// ReadsFile reports whether the path of a tool is that of a file and not of a directory.
func ReadsFile(id string) bool {
	return id == "gander/read_file" || id == "codex/read_file" || id == "filesystem/read_text_file" || id == "filesystem/read_media_file"
}
