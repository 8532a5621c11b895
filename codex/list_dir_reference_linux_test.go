package codex

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
)

// A listed is an entry of the reference.
type listed struct{ key, path, line string }

// collect returns every entry down to a depth with its sort key.
func collect(t testing.TB, dir, relative string, depth, maxDepth uint64) (all []listed) {
	entries, err := os.ReadDir(dir)
	fixture.Must(t, err)
	marks := map[os.FileMode]string{0: "", os.ModeDir: "/", os.ModeSymlink: "@"}
	for _, e := range entries {
		path := filepath.Join(relative, e.Name())
		mark, known := marks[e.Type()]
		if !known {
			mark = "?"
		}
		all = append(all, listed{
			key:  first500(strings.ReplaceAll(fixture.Lossy(path), `\`, "/")),
			path: path,
			line: strings.Repeat("  ", int(depth)) + first500(fixture.Lossy(e.Name())) + mark,
		})
		if e.IsDir() && depth+1 < maxDepth {
			all = append(all, collect(t, filepath.Join(dir, e.Name()), path, depth+1, maxDepth)...)
		}
	}
	return all
}

// referenceListing sorts all entries and returns the page.
func referenceListing(t testing.TB, dir string, offset, limit, depth uint64) string {
	all := collect(t, dir, "", 0, depth)
	slices.SortFunc(all, func(a, b listed) int {
		return cmp.Or(strings.Compare(a.key, b.key), strings.Compare(a.path, b.path))
	})
	lines := []string{"Absolute path: " + dir}
	n := uint64(len(all))
	switch {
	case n == 0:
		return lines[0]
	case offset > n:
		return "error: offset exceeds directory entry count"
	}
	shown := min(limit, n-offset+1)
	for _, e := range all[offset-1 : offset-1+shown] {
		lines = append(lines, e.line)
	}
	if offset-1+shown < n {
		lines = append(lines, fmt.Sprintf("More than %d entries found", shown))
	}
	return strings.Join(lines, "\n")
}

// number returns an argument: usually at most limit, the size of a tree, and sometimes huge.
func number(r *rand.Rand, limit int) uint64 {
	huge := []uint64{1000, math.MaxInt32, math.MaxInt64 - 1, math.MaxInt64, 1 << 63, math.MaxUint64}
	if r.IntN(8) == 0 {
		return huge[r.IntN(len(huge))]
	}
	return 1 + r.Uint64N(uint64(limit))
}

// TestListDirReference compares pages of random trees with the reference. Some trees have paths
// longer than a sort key.
func TestListDirReference(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		size := 1 + r.IntN(90)
		entries := fixture.Random(r, size, 1+r.IntN(6))
		depth := 6
		if seed%4 == 0 {
			depth = 9
			part := []string{"x", "漢", "\\"}[seed/4%3]
			stem := strings.Repeat(part, 250/len(part))
			for i, e := range entries {
				entries[i] = stem + "/" + stem[:len(stem)-int(seed/4%4)*3] + "/" + e
			}
		}
		root := fixture.Make(t, entries...)
		list := newList(open(t, root))
		for range 30 {
			offset, limit, depth := number(r, size+1), number(r, size), number(r, depth)
			args := fmt.Sprintf(`{"dir_path":%q,"offset":%d,"limit":%d,"depth":%d}`,
				root, offset, limit, depth)
			want := referenceListing(t, root, offset, limit, depth)
			if got := output(t, list, args); got != want {
				t.Fatalf("%s\ngot\n%s\nwant\n%s", args, got, want)
			}
		}
	}
}
