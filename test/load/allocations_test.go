//go:build unix

package load

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
)

// TestAllocationsPerEntry checks the number of allocations for each additional entry of a result.
func TestAllocationsPerEntry(t *testing.T) {
	const few, many = 90, 190
	var entries []string
	for i := range many {
		if i < few {
			entries = append(entries, fmt.Sprintf("few/file-%04d.go", i))
		}
		entries = append(entries, fmt.Sprintf("many/file-%04d.go", i))
	}
	root := fixture.Make(t, entries...)
	toolset := testkit.Open(t, gander.Options{
		Roots: []string{root}, Tools: []string{"all"},
		Limits: gander.Limits{CacheBytes: -1, MaxOutputBytes: -1},
	})
	for _, c := range []struct {
		id, args string // DIR is replaced by the absolute path of a directory, NAME by its name
		each     float64
	}{
		{"gander/list_dir", `{"path":"DIR","limit":500}`, 1},
		{"gander/find_files", `{"path":"DIR","pattern":"*.go","limit":500}`, 2},
		{"codex/list_dir", `{"dir_path":"DIR","limit":500}`, 0},
		{"gemini/list_directory", `{"path":"DIR"}`, 0},
		{"toolkit/tree", `{"path":"NAME","entry_kind":"all","max_entries":200}`, 1},
		{"forge/list_directory", `{"path":"NAME","max_entries":200}`, 3},
		{"filesystem/list_directory", `{"path":"DIR"}`, 0},
		{"filesystem/list_directory_with_sizes", `{"path":"DIR"}`, 5},
		{"filesystem/directory_tree", `{"path":"DIR"}`, 0},
	} {
		allocated := func(dir string) float64 {
			args := strings.NewReplacer("DIR", filepath.Join(root, dir), "NAME", dir).Replace(c.args)
			return testing.AllocsPerRun(5, func() {
				got, failure := testkit.Call(t, toolset, c.id, json.RawMessage(args))
				if failure != nil || got.Truncated {
					t.Fatal(c.id, failure)
				}
			})
		}
		each := (allocated("many") - allocated("few")) / (many - few)
		if each > c.each+0.1 {
			t.Errorf("%s: %.2f allocations an entry, want at most %v", c.id, each, c.each)
		}
	}
}
