package walk_test

import (
	"fmt"
	"testing"

	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
)

// TestAllocations checks that the number of allocations does not depend on the number of files.
func TestAllocations(t *testing.T) {
	needsOpenat(t)
	inMemory(t)
	const directories, few, many, perDirectory = 64, 16, 128, 7
	forest := func(files int) *workspace.Dir {
		var entries []string
		for d := range directories {
			for f := range files {
				entries = append(entries, fmt.Sprintf("directory-%04d/file-%04d.go", d, f*7919%files))
			}
		}
		return open(t, fixture.Make(t, entries...))
	}
	small, large := forest(few), forest(many)
	for order, key := range map[walk.Order]func(scratch, name []byte) []byte{
		walk.PathOrder: text.LossyKey, walk.PreOrder: text.UTF16Key,
	} {
		o := walk.Options{Order: order, Depth: 9, NameOrder: names.Order{Key: key}}
		count := func(start *workspace.Dir) float64 {
			return testing.AllocsPerRun(5, func() {
				for _, err := range walk.Entries(t.Context(), start, o) {
					testkit.Must(t, err)
				}
			})
		}
		atFew, atMany := count(small), count(large)
		if each := atFew / directories; each > perDirectory {
			t.Errorf("order %d: %.1f allocations a directory of %d entries", order, each, few)
		}
		// The memory for the names of a directory grows a few times and is then reused.
		if more := atMany - atFew; more > directories {
			t.Errorf("order %d: %d entries more cost %v allocations", order, directories*(many-few), more)
		}
	}
}
