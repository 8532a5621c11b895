package load

import (
	"encoding/json"
	"fmt"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
)

// TestAllocationsPerEntry checks the number of allocations for each additional entry of a result.
func TestAllocationsPerEntry(t *testing.T) {
	if testing.Short() {
		t.Skip("under the race detector, pools forget at random")
	}
	const few, many = 90, 190
	var entries []string
	for i := range many {
		if i < few {
			entries = append(entries, fmt.Sprintf("few/file-%04d.go", i))
		}
		entries = append(entries, fmt.Sprintf("many/file-%04d.go", i))
	}
	root := fixture.Make(t, entries...)
	toolset := openAll(t, root, gander.Limits{CacheBytes: -1, MaxOutputBytes: -1})
	for id, most := range map[string]float64{
		"codex/list_dir": 0, "gemini/list_directory": 0, "toolkit/tree": 1, "gander/list_dir": 1,
		"gander/find_files": 2, "forge/list_directory": 3, "filesystem/list_directory": 0,
		"filesystem/list_directory_with_sizes": 5, "filesystem/directory_tree": 0,
	} {
		allocated := func(dir string) float64 {
			args := testkit.PathTools()[id].Arguments(root + "/" + dir)
			switch id {
			case "gander/list_dir", "gander/find_files":
				args["limit"] = 500
				delete(args, "details")
			case "toolkit/tree", "forge/list_directory":
				args["max_entries"] = 200
			}
			raw, err := json.Marshal(args)
			testkit.Must(t, err)
			return testing.AllocsPerRun(5, func() {
				if got, err := toolset.Call(t.Context(), id, raw); err != nil || got.Truncated {
					t.Fatal(id, err)
				}
			})
		}
		if each := (allocated("many") - allocated("few")) / (many - few); each > most+0.1 {
			t.Errorf("%s: %.2f allocations an entry, want at most %v", id, each, most)
		}
	}
}
