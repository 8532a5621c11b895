package walk_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
)

// TestEnter uses Enter as ignore files do. Enter adds the rules in a file of the directory to the
// rules of the parent, and the filter applies them.
func TestEnter(t *testing.T) {
	inMemory(t)
	root := fixture.Make(t, "a/x", "a/y", "a/z", "a/c/x", "a/c/y", "a/c/z", "b/x/f", "b/y", "b/z/x",
		"b/z/y", "y")
	for path, rules := range map[string]string{"rules": "x", "a/rules": "y"} {
		testkit.Must(t, os.WriteFile(filepath.Join(root, path), []byte(rules), 0o600))
	}
	start := open(t, root)
	const want = "a a/c a/c/z a/rules a/z b b/y b/z b/z/y rules y"
	inAllOrders(t, func(t *testing.T, order walk.Order) {
		entered := map[string]int{}
		o := walk.Options{
			Order: order,
			Depth: 9,
			Enter: func(dir *walk.Directory, open *workspace.Dir) error {
				entered[dir.Path]++
				rules, _ := dir.Data.(string)
				if f, err := open.File("rules", workspace.Unknown); err == nil {
					defer f.Close()
					b := make([]byte, 1)
					if _, err := f.ReadAt(b, 0); err != nil {
						return err
					}
					rules += string(b)
				}
				dir.Data = rules
				return nil
			},
			Filter: func(dir *walk.Directory, name []byte, _ workspace.EntryKind) walk.Decision {
				if strings.Contains(dir.Data.(string), string(name)) {
					return walk.Omit
				}
				return walk.Show
			},
		}
		got := paths(t, walk.Entries(t.Context(), start, o))
		if slices.Sort(got); strings.Join(got, " ") != want {
			t.Errorf("got %q, want %s", got, want)
		}
		if want := "map[:1 a:1 a/c:1 b:1 b/z:1]"; fmt.Sprint(entered) != want {
			t.Errorf("entered %v, want %s", entered, want)
		}
	})
}

// TestEnterErrors checks that a directory is treated as empty if Enter returns fs.SkipDir, and is
// yielded with any other error.
func TestEnterErrors(t *testing.T) {
	inMemory(t)
	start := open(t, fixture.Make(t, "a/b/f", "bad/f", "skipped/f", "z"))
	wrong := errors.New("wrong rules")
	enter := func(dir *walk.Directory, _ *workspace.Dir) error {
		switch dir.Path {
		case "bad":
			return wrong
		case "skipped":
			return fmt.Errorf("not wanted: %w", fs.SkipDir)
		default:
			return nil
		}
	}
	want := map[walk.Order]string{
		walk.PreOrder:    "a a/b a/b/f !bad skipped z",
		walk.PathOrder:   "a a/b a/b/f bad !bad skipped z",
		walk.NewestFirst: "!bad a a/b a/b/f skipped z", // sorted
	}
	inAllOrders(t, func(t *testing.T, order walk.Order) {
		seq := walk.Entries(t.Context(), start, walk.Options{Order: order, Depth: 9, Enter: enter})
		for _, err := range seq {
			if err != nil && !errors.Is(err, wrong) {
				t.Error(err)
			}
		}
		got := paths(t, seq)
		if order == walk.NewestFirst {
			slices.Sort(got)
		}
		if strings.Join(got, " ") != want[order] {
			t.Errorf("got %q, want %s", got, want[order])
		}
	})
}

// TestEnterStart checks that Enter is called for the start.
func TestEnterStart(t *testing.T) {
	start := open(t, fixture.Make(t, "a"))
	wrong := errors.New("wrong rules")
	inAllOrders(t, func(t *testing.T, order walk.Order) {
		for _, result := range []error{wrong, fs.SkipDir} {
			var got []error
			enter := func(*walk.Directory, *workspace.Dir) error { return result }
			o := walk.Options{Order: order, Depth: 1, Enter: enter}
			for e, err := range walk.Entries(t.Context(), start, o) {
				if e.Dir != nil {
					t.Errorf("%v: got %s", result, e.Path())
				}
				got = append(got, err)
			}
			if result == wrong && (len(got) != 1 || got[0] != wrong) || result != wrong && len(got) > 0 {
				t.Errorf("%v: got errors %v", result, got)
			}
		}
	})
}

func TestFile(t *testing.T) {
	inMemory(t)
	entries := []string{"a", "b/c", "b/d/e"}
	if runtime.GOOS != "windows" {
		entries = append(entries, "f => a", "g|")
	}
	start := open(t, fixture.Make(t, entries...))
	inAllOrders(t, func(t *testing.T, order walk.Order) {
		opened := 0
		for e, err := range walk.Entries(t.Context(), start, walk.Options{Order: order, Depth: 9}) {
			testkit.Must(t, err)
			f, err := e.File()
			if e.Kind != workspace.Regular {
				if err == nil {
					t.Errorf("%s is opened", e.Path())
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", e.Path(), err)
			}
			b := make([]byte, 9)
			n, _ := f.ReadAt(b, 0)
			_ = f.Close()
			if opened++; string(b[:n]) != e.Path() {
				t.Errorf("%s has the content %q", e.Path(), b[:n])
			}
		}
		if opened != 3 {
			t.Errorf("%d files opened, want 3", opened)
		}
	})
}
