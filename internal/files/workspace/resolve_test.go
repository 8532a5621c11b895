package workspace

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
)

// TestResolve has the roots w and v, and a directory out next to them.
func TestResolve(t *testing.T) { checkTrees(t, "resolve") }

// TestSpecial checks that only regular files and directories are opened. Opening a FIFO would
// block.
func TestSpecial(t *testing.T) {
	root := fixture.Make(t, "p|", "s=", "d/", "top => p", "tos => s", "d/up => ../p")
	onEach(t, func(t *testing.T, b backend) {
		w := mustOpen(t, b, Options{}, root)
		d := mustFind(t, w, "")
		for name, want := range map[string]string{
			"p": "!notreg", "s": "!notreg", "top": "!notreg", "d": "!isdir",
		} {
			// The kind is Regular if the entry was replaced after it was listed.
			for _, kind := range []EntryKind{Unknown, Other, Regular} {
				f, err := d.File(name, kind)
				// The error for opening a socket depends on the system.
				if name == "s" && kind == Regular && err != nil {
					continue
				}
				if err == nil || word(err) != want {
					t.Errorf("Dir.File of %s, listed as %d: got %v, %v; want %s", name, kind, f, err, want)
				}
			}
		}
		for _, name := range []string{"p", "s", "top"} {
			if sub, err := d.Open(name); err == nil || word(err) != "!notdir" {
				t.Errorf("Dir.Open of %s: got %v, %v", name, sub, err)
			}
		}
	})
}

// TestLongPaths checks that the cost of a path through a hostile tree is bounded, and that other
// paths are far from the bound.
func TestLongPaths(t *testing.T) {
	deep := strings.Repeat("d/", 150)
	entries := []string{
		"w/" + deep, "w/f", "w/there => " + deep, "w/down => " + deep + "../f", "w/0 => f",
	}
	for i := 1; i < 40; i++ {
		entries = append(
			entries,
			fmt.Sprintf(
				"w/%d => %s%s%s%d", i, deep, strings.Repeat("../d/", 100), strings.Repeat("../", 150), i-1,
			),
		)
	}
	root := fixture.Make(t, entries...)
	at := func(depth int) string { return "0:" + strings.TrimSuffix(deep[:2*depth], "/") }
	onEach(t, func(t *testing.T, b backend) {
		w := mustOpen(t, b, Options{}, root+"/w")
		if _, err := lookFile(w, "39"); word(err) != "!toolong" {
			t.Errorf("a long way: %v", err)
		}
		checkLooks(t, w, root, strings.NewReplacer(
			"{deep}", deep, "{up}", strings.Repeat("../", 50), "{over}", strings.Repeat("../d/", 8),
		).Replace(`
			{deep} = `+at(150)+`, {deep}{up}{up} = `+at(50)+`, {deep}{up}{up}{up}f = w/f,
			{deep}{up}{up}{up}../ = !outside, there/../d/../.. = `+at(148)+`,
			there/{over} = `+at(150)+`, down = !missing @, 0 = w/f @
		`))
	})
}

// TestManyComponents checks that the cost of ".." does not depend on the number of components after
// it: chains of links resolve ".." in a root and at its top, each with thousands of components.
func TestManyComponents(t *testing.T) {
	for _, unit := range []string{"a/../", "../w/"} {
		entries := []string{"w/a/", fmt.Sprintf("w/%d => .", maxLinks)}
		for i := range maxLinks - 1 {
			target := fmt.Sprintf("%d/%s", i+2, strings.Repeat(unit, 1000/len(unit)))
			entries = append(entries, fmt.Sprintf("w/%d => %s", i+1, target))
		}
		root := fixture.Make(t, entries...)
		onEach(t, func(t *testing.T, b backend) {
			w := mustOpen(t, b, Options{}, root+"/w")
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got := readAt(w, "1")
			runtime.ReadMemStats(&after)
			allocated := (after.TotalAlloc - before.TotalAlloc) >> 20
			if got != "!toolong" && got != "!isdir" || allocated > 64 {
				t.Errorf("%q: %s, and %d MiB are allocated", unit, got, allocated)
			}
		})
	}
}
