//go:build unix

package walk_test

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/testkit/fixture"
)

// maxHandles exceeds the number of open files of a walk in any tree.
const maxHandles = 80

// handles returns the number of open files of this process.
func handles(t testing.TB) int {
	t.Helper()
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		t.Skip("this platform does not tell which files are open: ", err)
	}
	return len(entries)
}

func allOrders() map[string]walk.Order {
	orders := nameOrders()
	orders["NewestFirst"] = walk.NewestFirst
	return orders
}

// nameOrders returns the lazy orders.
func nameOrders() map[string]walk.Order {
	return map[string]walk.Order{"PreOrder": walk.PreOrder, "PathOrder": walk.PathOrder}
}

// inAllOrders runs a test for each order of a walk.
func inAllOrders(t *testing.T, body func(t *testing.T, order walk.Order)) {
	for name, order := range allOrders() {
		t.Run(name, func(t *testing.T) { body(t, order) })
	}
}

// hostileTrees returns trees in which a walk would have many open directories if it did not release
// them.
func hostileTrees() map[string][]string {
	var deep, alike, prefixes []string
	for i := range 100 {
		below := strings.Repeat("d/", i)
		deep = append(deep, below+"a/f", below+"c/", below+"e/g", below+"z")
	}
	for i := range 200 { // names with equal keys
		name := string([]byte{0x80 + byte(i%100), 0x80 + byte(i/100)})
		alike = append(alike, name+"/f", name+"/g/h")
	}
	for i := range 200 { // names that differ only after the cut of their keys
		prefixes = append(prefixes, strings.Repeat("-", 50+i)+"/f", strings.Repeat("-", 50+i)+"/g/h")
	}
	return map[string][]string{"deep": deep, "alike": alike, "prefixes": prefixes}
}

// TestHandles checks that few directories are open during a walk, whether or not the caller
// describes the entries, and none at the end.
func TestHandles(t *testing.T) {
	inMemory(t)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the garbage collector would close leaked files
	for name, entries := range hostileTrees() {
		start := open(t, fixture.Make(t, entries...))
		for _, lstat := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, looked at %v", name, lstat), func(t *testing.T) {
				inAllOrders(t, func(t *testing.T, order walk.Order) {
					before, most, count := handles(t), 0, 0
					for e, err := range walk.Entries(t.Context(), start, walk.Options{Order: order, Depth: 1000, NameOrder: names.Order{Key: text.LossyKey}, MaxKey: 40}) {
						if err != nil {
							t.Fatalf("%q: %v", e.Path(), err)
						}
						if lstat {
							if _, err := e.Lstat(); err != nil {
								t.Fatalf("%q: %v", e.Path(), err)
							}
						}
						most = max(most, handles(t)-before)
						count++
					}
					if want := countOf(entries); count != want {
						t.Errorf("%d entries, want %d", count, want)
					}
					if most > maxHandles {
						t.Errorf("%d directories are open at a time, want at most %d", most, maxHandles)
					}
					if left := handles(t) - before; left != 0 {
						t.Errorf("%d handles are left open", left)
					}
				})
			})
		}
	}
}

// countOf returns the number of entries of a fixture.
func countOf(lines []string) int {
	all := map[string]bool{}
	for _, line := range lines {
		line = strings.TrimSuffix(line, "/")
		for all[line] = true; strings.Contains(line, "/"); all[line] = true {
			line = line[:strings.LastIndexByte(line, '/')]
		}
	}
	return len(all)
}

// TestBreak checks that a walk closes all directories except the start if the loop ends early, if
// the walk reaches its limit, and if it is canceled.
func TestBreak(t *testing.T) {
	inMemory(t)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var entries []string
	for i := range 40 {
		entries = append(entries, strings.Repeat("d/", i)+"a/f", strings.Repeat("d/", i)+"z")
	}
	start := open(t, fixture.Make(t, entries...))
	whole := countOf(entries)
	inAllOrders(t, func(t *testing.T, order walk.Order) {
		before := handles(t)
		for stop := 1; stop <= whole; stop += 1 + stop/20 {
			for _, limit := range []int{0, stop} {
				count := 0
				for _, err := range walk.Entries(t.Context(), start, walk.Options{Order: order, Depth: 100, Limit: limit}) {
					if err != nil {
						t.Fatal(err)
					}
					if count++; count == stop && limit == 0 {
						break
					}
				}
				if left := handles(t) - before; left != 0 || count != stop {
					t.Fatalf("left after %d entries (limit %d): %d handles are open", count, limit, left)
				}
			}
			ctx, cancel := context.WithCancel(t.Context())
			count := 0
			for range walk.Entries(ctx, start, walk.Options{Order: order, Depth: 100}) {
				if count++; count == stop {
					cancel()
				}
			}
			cancel()
			if left := handles(t) - before; left != 0 {
				t.Fatalf("cancelled after %d entries: %d handles are open", stop, left)
			}
		}
		if err := start.Names(t.Context(), func([]byte, workspace.EntryKind) bool { return true }); err != nil {
			t.Errorf("the walk closed its start: %v", err)
		}
	})
}

// TestLazy checks that a page reads only the directories that it needs.
func TestLazy(t *testing.T) {
	inMemory(t)
	var entries []string
	for i := range 1000 {
		entries = append(entries, fmt.Sprintf("d%03d/s/f", i), fmt.Sprintf("d%03d/t", i))
	}
	start := open(t, fixture.Make(t, entries...))
	for _, tt := range []struct {
		depth, limit int
		want         int // number of directories read, including the start
	}{
		{1, 25, 1}, {2, 25, 9}, {3, 25, 13}, {2, 3, 2}, {2, 1, 1}, {3, 4, 3}, {2, 1004, 336}, {3, 3004, 1503},
	} {
		for name, order := range nameOrders() {
			read := map[string]bool{}
			o := walk.Options{Order: order, Depth: tt.depth, Limit: tt.limit, Filter: func(d *walk.Directory, _ []byte, _ workspace.EntryKind) walk.Decision {
				read[d.Path] = true
				return walk.Show
			}}
			if got := collect(t, walk.Entries(t.Context(), start, o)); len(got) != tt.limit || len(read) != tt.want {
				t.Errorf("%s, %d entries at depth %d: %d, with %d directories read, want %d", name, tt.limit, tt.depth, len(got), len(read), tt.want)
			}
		}
	}
}

// TestSkipBeyondLimit checks that skipped entries count toward the limit.
func TestSkipBeyondLimit(t *testing.T) {
	start := open(t, fixture.Make(t, flat("", 20)...))
	inAllOrders(t, func(t *testing.T, order walk.Order) {
		for skip := range 25 {
			for limit := 1; limit <= skip; limit++ {
				if got := collect(t, walk.Entries(t.Context(), start, walk.Options{Order: order, Depth: 1, Skip: skip, Limit: limit})); len(got) > 0 {
					t.Fatalf("%d skipped, limit %d: got %v", skip, limit, got)
				}
			}
		}
	})
}

// TestVanished removes directories during the walk. They must be yielded with an error, and the
// walk must continue.
func TestVanished(t *testing.T) {
	inMemory(t)
	for _, order := range []walk.Order{walk.PreOrder, walk.PathOrder} {
		root := fixture.Make(t, "a/f", "b/c/f", "b/d/f", "z/f")
		var got []string
		for e, err := range walk.Entries(t.Context(), open(t, root), walk.Options{Order: order, Depth: 9}) {
			if e.Dir == nil {
				t.Fatalf("the walk ended with %v after %q", err, got)
			}
			if err != nil {
				got = append(got, "!")
			}
			got = append(got, e.Path())
			if e.Path() == "a/f" {
				if err := os.RemoveAll(root + "/b/c"); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(root+"/z", root+"/b/e"); err != nil {
					t.Fatal(err)
				}
			}
			if e.Path() == "b/d" {
				if err := os.RemoveAll(root + "/z"); err != nil {
					t.Fatal(err)
				}
			}
		}
		if want := "a a/f b b/d b/d/f b/e ! z"; strings.Join(got, " ") != want && strings.Join(got, " ") != strings.Replace(want, "! z", "z ! z", 1) {
			t.Errorf("got %q, want %s", got, want)
		}
	}
}
