//go:build unix

package workspace_test

import (
	"fmt"
	"strings"
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/registry"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// TestPage counts the backend calls for a page of a tree of 1,000 directories. A directory is
// opened only for entries on the page, and an entry is inspected only to describe it.
func TestPage(t *testing.T) {
	var entries []string
	for i := range 1000 {
		entries = append(entries, fmt.Sprintf("d%03d/f", i), fmt.Sprintf("d%03d/s/g", i))
	}
	root := fixture.Make(t, entries...)
	{
		on := workspace.Backends()[0]
		for _, tt := range []struct {
			tool, args     string
			opened, looked int // at most
		}{
			// The root has 1000 entries, and each directory in it has two. A tool may read one more
			// entry than it shows.
			{"codex/list_dir", `{"dir_path":"{root}","limit":25,"depth":2}`, 1 + 9, 0},
			{"codex/list_dir", `{"dir_path":"{root}","limit":3,"depth":2}`, 1 + 1, 0},
			{"codex/list_dir", `{"dir_path":"{root}","limit":25,"depth":1}`, 1, 0},
			{"toolkit/tree", `{"path":".","max_entries":25,"max_depth":1}`, 1, 1},
			{"toolkit/tree", `{"path":".","max_entries":24,"max_depth":2}`, 1 + 12, 1},
			{
				"forge/list_directory", `{"path":".","recursive":true,"max_entries":25,"max_depth":2}`, 1 + 9,
				25 + 10,
			},
		} {
			made := systemCallsOf(t, on, root, tt.tool, strings.ReplaceAll(tt.args, "{root}", root))
			opened, looked := made["openDir"], made["lstat"]
			if opened > tt.opened || looked > tt.looked || opened == 0 {
				t.Errorf("%s, %s %s: %d directories opened, %d entries looked at; want at most %d and %d: %v",
					on, tt.tool, tt.args, opened, looked, tt.opened, tt.looked, made)
			}
		}
	}
}

// systemCallsOf counts the system calls that a call makes, by name.
func systemCallsOf(t *testing.T, on, root, name, args string) map[string]int {
	t.Helper()
	f := &faulty{at: -1}
	w := workspace.Must(workspace.OpenHooked(on, f.pass, workspace.Options{}, root))
	defer w.Close()
	f.calls = nil
	if _, err := everyTool(t, w, registry.Options{}).Call(
		t.Context(), name, tool.Call{Args: []byte(args)},
	); err != nil {
		t.Fatal(err)
	}
	made := map[string]int{}
	for _, call := range f.calls {
		made[call]++
	}
	return made
}
