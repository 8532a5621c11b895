package search_test

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gander/internal/files/ignore"
	"gander/internal/files/walk"
	"gander/internal/search"
	"gander/internal/testkit/fixture"
)

// TestFindGlobs checks that a pattern with a special character is a glob, and any other a part of
// the path.
func TestFindGlobs(t *testing.T) {
	tr := open(t, fixture.Make(t, "a.go", "d/", "d/a.go", "d/e/", "d/e/a.go", "d/e/B.go", "[x]/"))
	for pattern, want := range map[string]string{
		"*.go": "a.go d/a.go d/e/B.go d/e/a.go", "/*.go": "a.go", "d/*.go": "d/a.go",
		"d/**": "d/a.go d/e d/e/B.go d/e/a.go", "[de]/": "d d/e", "b.G": "d/e/B.go",
		"E/": "d/e d/e/B.go d/e/a.go", `\[x\]`: "[x]", "[[]x[]]": "[x]",
		"/[^]]*.go": "a.go", "[]d]": "d", "{a,B}.go": "a.go d/a.go d/e/B.go d/e/a.go",
	} {
		for _, order := range []walk.Order{walk.PreOrder, walk.NewestFirst} {
			var found []string
			totals := new(search.Totals)
			o := search.FindOptions{
				Scope: search.Scope{Order: order}, Pattern: pattern, Totals: totals,
			}
			for e, err := range search.Find(t.Context(), tr.w, tr.start, o) {
				if err != nil {
					t.Fatal(err)
				}
				found = append(found, e.Path())
			}
			slices.Sort(found)
			if got := strings.Join(found, " "); got != want || totals.Selected != len(found) {
				t.Errorf("%s: found %s, counted %d, not %s", pattern, got, totals.Selected, want)
			}
		}
	}
}

// TestFindCase checks that a part of a path is found in all cases of its letters.
func TestFindCase(t *testing.T) {
	for pattern, name := range map[string]string{"ΣΑΣ": "σας", "straſse": "STRASSE", "ÉTÉ": "été"} {
		tr := open(t, fixture.Make(t, name))
		found := 0
		for _, err := range search.Find(t.Context(), tr.w, tr.start, search.FindOptions{Pattern: pattern}) {
			if err != nil {
				t.Fatal(err)
			}
			found++
		}
		if found != 1 {
			t.Errorf("%s does not find %s", pattern, name)
		}
	}
}

// TestFindEnds checks that Progress can end a walk before any directory, and also while a large one
// is read. The entries are then the first ones, without an error.
func TestFindEnds(t *testing.T) {
	root := fixture.Make(t, "a/b/c", "a/d", "e/f", "z/")
	for i := range 2000 { // of which the system lists some hundred at a time
		write(t, fmt.Sprintf("%s/z/%0120d", root, i), "")
	}
	tr := open(t, root)
	find := func(calls int) (found []string, visited int) {
		var totals search.Totals
		o := search.FindOptions{Totals: &totals, Progress: func() bool {
			calls--
			return calls >= 0
		}}
		for e, err := range search.Find(t.Context(), tr.w, tr.start, o) {
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, e.Path())
		}
		return found, totals.Listed
	}
	all, total := find(1000)
	if len(all) != total || total < 2000 {
		t.Fatalf("%d entries of %d", len(all), total)
	}
	for calls := range 6 {
		found, visited := find(calls)
		if !slices.Equal(found, all[:len(found)]) || len(found) > 7 || visited >= total {
			t.Errorf("after %d calls: %d entries of %d listed: %q", calls, len(found), visited, found)
		}
	}
}

// TestNewestMemory checks that the ignore files of directories are not kept with their entries.
func TestNewestMemory(t *testing.T) {
	root := fixture.Make(t)
	rules := "x\n#" + strings.Repeat("x", 1<<20-4)
	for i := range 32 {
		dir := fmt.Sprintf("%s/%d", root, i)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, dir+"/.ignore", rules)
		write(t, dir+"/file", "")
	}
	tr := open(t, root)
	o := search.FindOptions{Scope: search.Scope{
		Order: walk.NewestFirst, Ignore: ignore.Options{Tools: search.ToolIgnoreFiles()},
	}}
	before := heap()
	for _, err := range search.Find(t.Context(), tr.w, tr.start, o) {
		if err != nil {
			t.Fatal(err)
		}
		if size := heap() - before; size > 8<<20 {
			t.Errorf("%d bytes are held", size)
		}
		break
	}
}

// heap returns the size of the memory in use in bytes.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
