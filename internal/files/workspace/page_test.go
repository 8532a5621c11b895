//go:build unix

package workspace_test

import (
	"fmt"
	"strings"
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/testkit/fixture"
	"gander/internal/toolset"
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
	f := &faulty{at: -1}
	w := workspace.Must(workspace.OpenHooked("native", f.pass, workspace.Options{}, root))
	defer w.Close()
	r := everyTool(w, toolset.Options{})
	for _, tt := range []struct {
		tool, args     string
		opened, looked int // maximum numbers of directories and entries
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
		f.set(-1, 0)
		args := []byte(strings.ReplaceAll(tt.args, "{root}", root))
		if _, err := r.Call(t.Context(), tt.tool, tool.Call{Args: args}); err != nil {
			t.Fatal(err)
		}
		made := map[string]int{}
		for _, call := range f.calls {
			made[call]++
		}
		opened, looked := made["openDir"], made["lstat"]
		if opened > tt.opened || looked > tt.looked || opened == 0 {
			t.Errorf("%s %s: %d directories opened, %d entries inspected; want at most %d and %d: %v",
				tt.tool, tt.args, opened, looked, tt.opened, tt.looked, made)
		}
	}
}
