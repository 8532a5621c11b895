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

// A usualWalk is a walk with the options of a tool.
type usualWalk struct {
	name  string
	order walk.Order
	key   func(scratch, name []byte) []byte
}

func usualWalks() []usualWalk {
	return []usualWalk{
		{"path order", walk.PathOrder, text.LossyKey}, {"pre-order", walk.PreOrder, text.UTF16Key},
	}
}

// forest returns the paths of a tree of directories with the given number of files each.
func forest(directories, files int) []string {
	var entries []string
	for d := range directories {
		for f := range files {
			entries = append(entries, fmt.Sprintf("directory-%04d/file-%04d.go", d, f*7919%files))
		}
	}
	return entries
}

// pass walks the tree and returns the number of entries.
func (k usualWalk) pass(t testing.TB, start *workspace.Dir) int {
	n := 0
	o := walk.Options{Order: k.order, Depth: 9, NameOrder: names.Order{Key: k.key}}
	for _, err := range walk.Entries(t.Context(), start, o) {
		testkit.Must(t, err)
		n++
	}
	return n
}

// TestAllocations checks that the number of allocations does not depend on the number of files.
func TestAllocations(t *testing.T) {
	needsOpenat(t)
	inMemory(t)
	const directories, few, many, perDirectory = 64, 16, 128, 7
	small := open(t, fixture.Make(t, forest(directories, few)...))
	large := open(t, fixture.Make(t, forest(directories, many)...))
	for _, k := range usualWalks() {
		count := func(start *workspace.Dir) float64 {
			return testing.AllocsPerRun(5, func() { k.pass(t, start) })
		}
		atFew, atMany := count(small), count(large)
		if each := atFew / directories; each > perDirectory {
			t.Errorf("%s: %.1f allocations a directory of %d entries", k.name, each, few)
		}
		// The memory for the names of a directory grows a few times and is then reused.
		if more := atMany - atFew; more > directories {
			t.Errorf("%s: %d entries more cost %v allocations", k.name, directories*(many-few), more)
		}
	}
}

func BenchmarkWalk(b *testing.B) {
	inMemory(b)
	trees := map[string][]string{
		"1000 directories of 20": forest(1000, 20), "one directory of 20000": flat("", 20_000),
	}
	for tree, entries := range trees {
		start := open(b, fixture.Make(b, entries...))
		for _, k := range usualWalks() {
			b.Run(tree+"/"+k.name, func(b *testing.B) {
				b.ReportAllocs()
				n := 0
				for b.Loop() {
					n = k.pass(b, start)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/entry")
			})
		}
	}
}
