package walk_test

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
)

// maxHandles exceeds the number of open files of a walk in any tree.
const maxHandles = 80

// handles returns the number of open files of this process.
func handles(t testing.TB) int {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not list open files")
	}
	entries, err := os.ReadDir("/dev/fd")
	testkit.Must(t, err)
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
		name := strings.Repeat("-", 50+i)
		prefixes = append(prefixes, name+"/f", name+"/g/h")
	}
	return map[string][]string{"deep": deep, "alike": alike, "prefixes": prefixes}
}

// TestHandles checks that few directories are open during a walk, whether or not the caller
// describes the entries, and none at the end.
func TestHandles(t *testing.T) {
	inMemory(t)
	handles(t) // or skip
	// The garbage collector would close leaked files.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for name, entries := range hostileTrees() {
		start := open(t, fixture.Make(t, entries...))
		for _, lstat := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, looked at %v", name, lstat), func(t *testing.T) {
				inAllOrders(t, func(t *testing.T, order walk.Order) {
					before, most, count := handles(t), 0, 0
					o := walk.Options{Order: order, Depth: 1000, MaxKey: 40}
					o.NameOrder.Key = text.LossyKey
					for e, err := range walk.Entries(t.Context(), start, o) {
						testkit.Must(t, err)
						if lstat {
							_, err := e.Lstat()
							testkit.Must(t, err)
						}
						most = max(most, handles(t)-before)
						count++
					}
					if want := countOf(entries); count != want {
						t.Errorf("%d entries, want %d", count, want)
					}
					if most > maxHandles {
						t.Errorf("%d open directories, want at most %d", most, maxHandles)
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
	handles(t) // or skip
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var entries []string
	for i := range 40 {
		entries = append(entries, strings.Repeat("d/", i)+"a/f", strings.Repeat("d/", i)+"z")
	}
	start := open(t, fixture.Make(t, entries...))
	whole := countOf(entries)
	inAllOrders(t, func(t *testing.T, order walk.Order) {
		before := handles(t)
		o := walk.Options{Order: order, Depth: 100}
		for stop := 1; stop <= whole; stop += 1 + stop/20 {
			for _, o.Limit = range []int{stop, 0} {
				count := 0
				for _, err := range walk.Entries(t.Context(), start, o) {
					testkit.Must(t, err)
					if count++; count == stop && o.Limit == 0 {
						break
					}
				}
				if left := handles(t) - before; left != 0 || count != stop {
					t.Fatalf("%d entries (limit %d): %d open handles", count, o.Limit, left)
				}
			}
			cancelAfter(t, start, o, stop)
			if left := handles(t) - before; left != 0 {
				t.Fatalf("cancelled after %d entries: %d handles are open", stop, left)
			}
		}
		testkit.Must(t, start.Names(t.Context(), func([]byte, workspace.EntryKind) bool { return true }))
	})
}

// TestVanished removes directories during the walk. They must be yielded with an error, and the
// walk must continue.
func TestVanished(t *testing.T) {
	inMemory(t)
	for _, order := range nameOrders() {
		root := fixture.Make(t, "a/f", "b/c/f", "b/d/f", "z/f")
		var got []string
		o := walk.Options{Order: order, Depth: 9}
		for e, err := range walk.Entries(t.Context(), open(t, root), o) {
			if e.Dir == nil {
				t.Fatalf("the walk ended with %v after %q", err, got)
			}
			if err != nil {
				got = append(got, "!")
			}
			got = append(got, e.Path())
			switch e.Path() {
			case "a/f":
				testkit.Must(t, os.RemoveAll(root+"/b/c"))
				testkit.Must(t, os.WriteFile(root+"/b/e", nil, 0o600))
			case "b/d":
				testkit.Must(t, os.RemoveAll(root+"/z"))
			}
		}
		want := "a a/f b b/d b/d/f b/e ! z"
		if order == walk.PathOrder {
			want = "a a/f b b/d b/d/f b/e z ! z"
		}
		if strings.Join(got, " ") != want {
			t.Errorf("got %q, want %s", got, want)
		}
	}
}
