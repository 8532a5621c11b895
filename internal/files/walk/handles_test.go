package walk_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/handles"
)

// inAllOrders runs a test for each order of a walk.
func inAllOrders(t *testing.T, body func(t *testing.T, order walk.Order)) {
	for name, order := range map[string]walk.Order{
		"PreOrder": walk.PreOrder, "PathOrder": walk.PathOrder, "NewestFirst": walk.NewestFirst,
	} {
		t.Run(name, func(t *testing.T) { body(t, order) })
	}
}

// TestHandles checks that few directories are open during a walk of trees where a walk would
// have many open directories if it did not release them, and that none is open at the end. It also
// opens the files.
func TestHandles(t *testing.T) {
	inMemory(t)
	if handles.Count(t) < 0 {
		t.Skip("this system does not list open files")
	}
	const maxHandles = 80
	var deep, alike, prefixes []string
	for i := range 100 {
		below := strings.Repeat("d/", i)
		deep = append(deep, below+"a/f", below+"e/g", below+"z")
	}
	for i := range 200 { // names with equal keys, and names that differ after the cut of their keys
		name := string([]byte{0x80 + byte(i%100), 0x80 + byte(i/100)})
		alike = append(alike, name+"/f", name+"/g/h")
		name = strings.Repeat("-", 50+i)
		prefixes = append(prefixes, name+"/f", name+"/g/h")
	}
	// The garbage collector would close leaked files.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for name, entries := range map[string][]string{
		"deep": deep, "alike": alike, "prefixes": prefixes,
	} {
		start := open(t, fixture.Make(t, entries...))
		inAllOrders(t, func(t *testing.T, order walk.Order) {
			before, most, files := handles.Count(t), 0, 0
			o := walk.Options{Order: order, Depth: 1000, MaxKey: 40}
			o.NameOrder.Key = text.LossyKey
			for e, err := range walk.Entries(t.Context(), start, o) {
				testkit.Must(t, err)
				if e.Kind == workspace.Regular {
					f, err := e.File()
					testkit.Must(t, err)
					content := make([]byte, 1000)
					n, _ := f.ReadAt(content, 0)
					if files++; string(content[:n]) != e.Path() {
						t.Errorf("%s has the content %q", e.Path(), content[:n])
					}
					testkit.Must(t, f.Close())
				}
				most = max(most, handles.Count(t)-before)
			}
			if left := handles.Count(t) - before; files != len(entries) || most > maxHandles || left != 0 {
				t.Errorf("%s: %d files; up to %d handles, and %d at the end", name, files, most, left)
			}
		})
	}
}

// TestStop checks that a walk closes all directories except the start if the loop ends early, if
// the walk reaches its limit, and if it is canceled.
func TestStop(t *testing.T) {
	inMemory(t)
	if handles.Count(t) < 0 {
		t.Skip("this system does not list open files")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	const whole = 119
	var entries []string
	for i := range 40 {
		entries = append(entries, strings.Repeat("d/", i)+"a/f", strings.Repeat("d/", i)+"z")
	}
	start := open(t, fixture.Make(t, entries[:len(entries)-1]...))
	inAllOrders(t, func(t *testing.T, order walk.Order) {
		before := handles.Count(t)
		o := walk.Options{Order: order, Depth: 100}
		for stop := 1; stop <= whole; stop += 1 + stop/9 {
			for _, o.Limit = range []int{stop, 0} {
				count := 0
				for _, err := range walk.Entries(t.Context(), start, o) {
					testkit.Must(t, err)
					if count++; count == stop && o.Limit == 0 {
						break
					}
				}
				if left := handles.Count(t) - before; left != 0 || count != stop {
					t.Fatalf("%d entries (limit %d): %d open handles", count, o.Limit, left)
				}
			}
			if stop < whole-3 {
				cancelAfter(t, start, o, stop, 3)
			}
			if left := handles.Count(t) - before; left != 0 {
				t.Fatalf("canceled after %d entries: %d handles are open", stop, left)
			}
		}
		testkit.Must(t, start.Names(t.Context(), func([]byte, workspace.EntryKind) bool { return true }))
	})
}

// TestCancelInDirectory checks that a canceled walk ends in the middle of a directory that it has
// already read.
func TestCancelInDirectory(t *testing.T) {
	inMemory(t)
	start := open(t, fixture.Make(t, flat("", 1000)...))
	inAllOrders(t, func(t *testing.T, order walk.Order) {
		for _, after := range []int{0, 1, 500} {
			cancelAfter(t, start, walk.Options{Order: order, Depth: 1}, after, 300)
		}
	})
}

// cancelAfter cancels a walk after a number of entries. The walk must read no further directory,
// and end with the context's error soon.
func cancelAfter(t *testing.T, start *workspace.Dir, o walk.Options, after, soon int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o.Filter = func(d *walk.Directory, _ []byte, _ workspace.EntryKind) walk.Decision {
		if ctx.Err() != nil {
			t.Errorf("canceled after %d: %q is read", after, d.Path)
		}
		return walk.Show
	}
	if after == 0 {
		cancel()
	}
	count, final := 0, error(nil)
	for e, err := range walk.Entries(ctx, start, o) {
		if final != nil {
			t.Errorf("canceled after %d: it continues after %v", after, final)
		}
		if e.Dir == nil {
			final = err
		} else if count++; count == after {
			cancel()
		}
	}
	if count > after+soon || !errors.Is(final, context.Canceled) {
		t.Errorf("canceled after %d: %d entries, and finally %v", after, count, final)
	}
}

// TestStartErrors checks that an error about the start ends the walk.
func TestStartErrors(t *testing.T) {
	start := open(t, fixture.Make(t, "a"))
	inAllOrders(t, func(t *testing.T, order walk.Order) {
		for want, result := range map[string]error{"": errSkip, "no entry, wrong rules": errWrong} {
			got := ""
			o := walk.Options{Order: order, Depth: 1}
			o.Enter = func(*walk.Directory, *workspace.Dir) error { return result }
			for e, err := range walk.Entries(t.Context(), start, o) {
				if e.Dir == nil {
					got += fmt.Sprintf("no entry, %v", err)
				}
			}
			if got != want {
				t.Errorf("%v: got %q", result, got)
			}
		}
	})
}

// TestVanished removes directories during the walk. They must be yielded with an error, and the
// walk must continue.
func TestVanished(t *testing.T) {
	inMemory(t)
	for order, want := range map[walk.Order]string{
		walk.PreOrder: "a a/f b b/d b/d/f b/e !z", walk.PathOrder: "a a/f b b/d b/d/f b/e z !z",
	} {
		root := fixture.Make(t, "a/f", "b/c/f", "b/d/f", "z/f")
		entries := walk.Entries(t.Context(), open(t, root), walk.Options{Order: order, Depth: 9})
		got := paths(t, func(yield func(walk.Entry, error) bool) {
			for e, err := range entries {
				switch yield(e, err); e.Path() {
				case "a/f":
					testkit.Must(t, os.RemoveAll(root+"/b/c"))
					testkit.Must(t, os.WriteFile(root+"/b/e", nil, 0o600))
				case "b/d":
					testkit.Must(t, os.RemoveAll(root+"/z"))
				}
			}
		})
		if strings.Join(got, " ") != want {
			t.Errorf("got %q, want %s", got, want)
		}
	}
}

// TestVanishedBetweenReads removes a directory whose names do not fit into one read, before it is
// read again. It must be yielded again, with an error, and the walk must continue.
func TestVanishedBetweenReads(t *testing.T) {
	inMemory(t)
	entries := []string{"s/a", "z"}
	for i := range 3000 {
		entries = append(entries, fmt.Sprintf("s/b%04d/", i))
	}
	for _, order := range []walk.Order{walk.PreOrder, walk.PathOrder} {
		root := fixture.Make(t, entries...)
		o := walk.Options{Order: order, Depth: 2, Limit: 3}
		o.Filter = func(dir *walk.Directory, _ []byte, kind workspace.EntryKind) walk.Decision {
			if dir.Depth == 1 && kind == workspace.Directory {
				return walk.Hide
			}
			return walk.Show
		}
		walked := walk.Entries(t.Context(), open(t, root), o)
		got := paths(t, func(yield func(walk.Entry, error) bool) {
			for e, err := range walked {
				if yield(e, err); e.Path() == "s/a" {
					testkit.Must(t, os.RemoveAll(root+"/s"))
				}
			}
		})
		if strings.Join(got, " ") != "s s/a !s z" {
			t.Errorf("order %d: got %q", order, got)
		}
	}
}
