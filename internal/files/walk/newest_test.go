package walk_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gander/internal/admission"
	"gander/internal/files/walk"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/unprivileged"
)

// dated makes a tree with the given number of files and only a few distinct modification times. The
// files' names have the given length. It also returns the paths of all entries, newest first.
func dated(t testing.TB, files, length int) (root string, sorted []string) {
	t.Helper()
	inMemory(t)
	var entries []string
	for i := range files {
		entries = append(entries, fmt.Sprintf("d%d/e%d/%0*d", i%3, i%4, length, i))
	}
	root = fixture.Make(t, entries...)
	modified := map[string]time.Time{}
	testkit.Must(t, filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, path)
		if rel = filepath.ToSlash(rel); rel != "." {
			modified[rel] = time.Unix(int64(1_000_000+len(modified)*7919%100), 0)
			sorted = append(sorted, rel)
		}
		return err
	}))
	for path, time := range modified {
		testkit.Must(t, os.Chtimes(filepath.Join(root, path), time, time))
	}
	slices.SortFunc(sorted, func(a, b string) int {
		return cmp.Or(modified[b].Compare(modified[a]), strings.Compare(a, b))
	})
	return root, sorted
}

func TestNewestFirst(t *testing.T) {
	root, sorted := dated(t, 150, 5)
	start := open(t, root)
	for _, o := range []walk.Options{
		{},
		{Limit: 1},
		{Limit: 100, Skip: 60},
		{Limit: 5000},
		{Skip: 5000},
		{Limit: 5, Skip: 9},
		{Limit: math.MaxInt},
		{Limit: 20, Filter: hideDirectories},
		{Limit: 20, MaxBytes: 1, CacheKey: "test"},
	} {
		o.Order, o.Depth = walk.NewestFirst, 9
		want := slices.Clone(sorted)
		if o.Filter != nil {
			want = slices.DeleteFunc(want, func(p string) bool { return strings.Count(p, "/") < 2 })
		}
		if o.Limit > 0 {
			want = want[:min(o.Limit, len(want))]
		}
		want = want[min(o.Skip, len(want)):]
		var got []string
		var previous time.Time
		for e, err := range walk.Entries(t.Context(), start, o) {
			testkit.Must(t, err)
			info, err := e.Lstat()
			if err != nil || len(got) > 0 && info.ModTime.After(previous) {
				t.Fatalf("%s: %v, %v", e.Path(), info.ModTime, err)
			}
			previous = info.ModTime
			got = append(got, e.Path())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%+v: got %d entries %.200q, want %d %.200q", o, len(got), got, len(want), want)
		}
	}
}

// TestNewestFirstAgain checks that a walk that reads the tree several times yields the same
// entries, except for an entry modified between two reads.
func TestNewestFirstAgain(t *testing.T) {
	const most = 256
	root, sorted := dated(t, 600, 5)
	start := open(t, root)
	o := walk.Options{Depth: 9, Skip: 50, Limit: 600}
	got := paths(t, walk.Newest(t.Context(), start, o, most))
	if want := sorted[o.Skip:o.Limit]; !slices.Equal(got, want) {
		t.Errorf("got %d entries, want %d", len(got), len(want))
	}
	touched, n := sorted[len(sorted)-1], 0
	for e, err := range walk.Newest(t.Context(), start, walk.Options{Depth: 9}, most) {
		if err != nil || e.Path() == touched {
			t.Errorf("%s, %v", e.Path(), err)
		}
		if n++; n == 1 {
			testkit.Must(t, os.Chtimes(filepath.Join(root, touched), time.Now(), time.Now()))
		}
	}
	if n != len(sorted)-1 {
		t.Errorf("%d entries of %d", n, len(sorted))
	}
}

// TestNewestFirstMemory checks that a walk reserves memory for its records, and that without memory
// it reads the tree again, with the same result.
func TestNewestFirstMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("describes many files")
	}
	root, sorted := dated(t, 2500, 200)
	for _, size := range []int64{1, 24 << 20} {
		c := admission.New(0, size)
		_, err := admission.Run(t.Context(), c, 0, func(ctx context.Context) (int, error) {
			var got []string
			o := walk.Options{Order: walk.NewestFirst, Depth: 9}
			for e, err := range walk.Entries(ctx, open(t, root), o) {
				if err != nil {
					return 0, err
				}
				if len(got) == 0 && admission.Reserve(ctx, 8<<20) == nil {
					t.Errorf("%d bytes: the walk has not reserved its memory", size)
				}
				got = append(got, e.Path())
			}
			if !slices.Equal(got, sorted) {
				t.Errorf("%d bytes: got %d entries, want %d in order", size, len(got), len(sorted))
			}
			return 0, nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestNewestFirstErrors walks a tree with an unreadable directory and entries that cannot be
// described.
func TestNewestFirstErrors(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		root := fixture.Make(t, "a", "locked/ 0000", "listed/x", "listed/ 0444", "z/b")
		for path, second := range map[string]int64{"a": 1, "listed": 4, "z": 3, "z/b": 2} {
			at := time.Unix(second, 0)
			testkit.Must(t, os.Chtimes(filepath.Join(root, path), at, at))
		}
		o := walk.Options{Order: walk.NewestFirst, Depth: 9, Limit: 3}
		got := paths(t, walk.Entries(t.Context(), open(t, root), o))
		if want := "!listed/x !locked listed z z/b"; strings.Join(got, " ") != want {
			t.Errorf("got %q, want %s", got, want)
		}
	})
}
