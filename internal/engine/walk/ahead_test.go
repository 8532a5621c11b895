//go:build unix

package walk_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"gander/internal/engine/names"
	"gander/internal/engine/text"
	"gander/internal/engine/walk"
	"gander/internal/engine/workspace"
	"gander/internal/testkit/fixture"
)

// bushy returns a tree whose directories have some subdirectories each, down to four levels, and one of which has many entries.
func bushy() []string {
	lines := flat("s3/s2/large", 500)
	for i := range 6 * 6 * 6 {
		path := fmt.Sprintf("s%d/s%d/s%d/", i/36, i/6%6, i%6)
		lines = append(lines, path+"a", path+"t/u/f", path+"v/", path+"z")
	}
	return lines
}

// A left checks that nothing is left over.
type left struct{ handles, goroutines int }

func before(t testing.TB) left {
	runtime.GC() // what earlier tests have left to be closed
	return left{handles(t), runtime.NumGoroutine()}
}

func (l left) check(t testing.TB, when string) {
	t.Helper()
	if n := handles(t) - l.handles; n != 0 {
		t.Fatalf("%s: %d handles are left open", when, n)
	}
	for waited := 0; runtime.NumGoroutine() > l.goroutines; waited++ { // one that has ended may be counted for a moment
		if waited == 1000 {
			t.Fatalf("%s: %d goroutines are left", when, runtime.NumGoroutine()-l.goroutines)
		}
		time.Sleep(time.Millisecond)
	}
}

// TestReadAhead checks that a walk that reads ahead yields what others do, has few directories open at a time, and leaves nothing
// over.
func TestReadAhead(t *testing.T) {
	inMemory(t)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	trees := hostileTrees()
	trees["bushy"] = bushy()
	trees["flat"] = forest(100, 3)
	for name, lines := range trees {
		start := open(t, fixture.Make(t, lines...))
		for _, o := range []walk.Options{
			{Depth: 1000},
			{Depth: 3, CheckSearch: true},
			{Depth: 1000, NameOrder: names.Order{Key: text.LossyKey, Class: kinds}, Skip: 77},
			{Depth: 1000, Filter: hideDirectories},
			{Depth: 1000, Filter: func(_ *walk.Directory, name []byte, _ workspace.EntryKind) walk.Decision {
				if strings.Contains("s1 t b", string(name)) {
					return walk.Omit
				}
				return walk.Show
			}},
			{Depth: 4, CacheKey: name},
		} {
			want := collect(t, walk.Entries(t.Context(), start, o))
			was := before(t)
			var got []yield
			most := 0
			for e, err := range walk.ReadAhead(t.Context(), start, o) {
				if e.Dir == nil {
					t.Fatal(err)
				}
				got = append(got, yield{e.Path(), e.Kind, err != nil})
				if len(got)%25 == 0 {
					most = max(most, handles(t)-was.handles)
				}
				if _, err := e.Lstat(); err != nil {
					t.Errorf("%s: %v", e.Path(), err)
				}
			}
			was.check(t, name)
			if !slices.Equal(got, want) {
				t.Errorf("%s, %+v: %s", name, o, difference(got, want))
			}
			if most > maxHandles {
				t.Errorf("%s: %d directories are open at a time, want at most %d", name, most, maxHandles)
			}
		}
	}
}

// TestReadAheadEnds ends walks that read ahead, in three ways after different numbers of entries, and checks that nothing is left
// over.
func TestReadAheadEnds(t *testing.T) {
	inMemory(t)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	start := open(t, fixture.Make(t, bushy()...))
	was := before(t)
	for stop := 1; stop < 1500; stop += 1 + stop/8 {
		ctx, cancel := context.WithCancel(t.Context())
		cancelled := false
		o := walk.Options{Depth: 9, Filter: func(d *walk.Directory, _ []byte, _ workspace.EntryKind) walk.Decision {
			if cancelled {
				t.Errorf("cancelled after %d entries: %q is read", stop, d.Path)
			}
			return walk.Show
		}}
		count := 0
		for _, err := range walk.ReadAhead(ctx, start, o) {
			if err != nil {
				t.Fatal(err)
			}
			if count++; count == stop {
				break
			}
		}
		was.check(t, fmt.Sprintf("left after %d entries", stop))
		func() {
			defer func() { _ = recover() }()
			count = 0
			for range walk.ReadAhead(ctx, start, o) {
				if count++; count == stop {
					panic("of the caller")
				}
			}
		}()
		was.check(t, fmt.Sprintf("panic after %d entries", stop))
		var last error
		count = 0
		for e, err := range walk.ReadAhead(ctx, start, o) {
			if count++; count == stop {
				cancelled = true
				cancel()
			}
			if last = err; e.Dir == nil && err == nil {
				t.Error("neither an entry nor an error")
			}
		}
		cancel()
		if !errors.Is(last, context.Canceled) || count > stop+500 {
			t.Errorf("cancelled after %d entries: %d entries, and at the end %v", stop, count, last)
		}
		was.check(t, fmt.Sprintf("cancelled after %d entries", stop))
	}
}

// TestReadAheadErrors removes directories as soon as they are listed, and one when it is due. The errors are those of a walk that
// does not read ahead, at the same places.
func TestReadAheadErrors(t *testing.T) {
	inMemory(t)
	type walker func(context.Context, *workspace.Dir, walk.Options) iter.Seq2[walk.Entry, error]
	walked := func(entries walker) (got []string) {
		root := fixture.Make(t, bushy()...)
		o := walk.Options{Depth: 9, Filter: func(d *walk.Directory, name []byte, _ workspace.EntryKind) walk.Decision {
			if string(name) == "s4" || string(name) == "v" || string(name) == "u" && strings.HasPrefix(d.Path, "s3") {
				if err := os.RemoveAll(root + "/" + walk.Entry{Name: name, Dir: d}.Path()); err != nil {
					t.Error(err)
				}
			}
			return walk.Show
		}}
		for e, err := range entries(t.Context(), open(t, root), o) {
			if e.Dir == nil {
				t.Fatalf("the walk ended with %v after %d entries", err, len(got))
			}
			got = append(got, fmt.Sprintf("%s %v", e.Path(), err))
		}
		return got
	}
	got, want := walked(walk.ReadAhead), walked(walk.Entries)
	if !slices.Equal(got, want) {
		t.Errorf("got %d entries, want %d\n%q\n%q", len(got), len(want), got, want)
	}
	if !slices.ContainsFunc(want, func(s string) bool { return strings.HasPrefix(s, "s4 ") && !strings.HasSuffix(s, "<nil>") }) {
		t.Errorf("no error in %q", want[:9])
	}
}
