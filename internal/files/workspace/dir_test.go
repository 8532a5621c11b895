//go:build unix

package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"gander/internal/testkit/fixture"
	"gander/internal/testkit/handles"
)

// TestUnusualNames checks that names with every byte are listed unchanged and can be opened.
func TestUnusualNames(t *testing.T) {
	root := fixture.Make(t)
	names := []string{strings.Repeat("\xff", 255), "...", "..a", "\xed\xa0\x80", "e\u0301", "\u00e9"}
	for c := 1; c < 256; c++ {
		if c != '/' {
			names = append(names, "x"+string([]byte{byte(c)}))
		}
	}
	for _, name := range names {
		err := os.WriteFile(root+"/"+name, []byte(name), 0o644)
		if errors.Is(err, syscall.EILSEQ) || errors.Is(err, syscall.EINVAL) {
			t.Skipf("this file system does not take the name %q: %v", name, err)
		}
	}
	slices.Sort(names)
	onEach(t, func(t *testing.T, b backend) {
		w := mustOpen(t, b, Options{}, root)
		d := mustFind(t, w, "")
		if got, err := namesOf(d); err != nil || !slices.Equal(got, names) {
			t.Errorf("got %q, %v; want %q", got, err, names)
		}
		for _, name := range names {
			if content, err := lookFile(w, name); err != nil || content != name {
				t.Errorf("%q: got %q, %v", name, content, err)
			}
			content, err := contentOf(Must(d.File(name, Unknown)))
			if err != nil || content != name {
				t.Errorf("%q in the directory: got %q, %v", name, content, err)
			}
		}
	})
}

// TestInvalidEntryNames checks that a name must be a single component, except "." for Lstat.
func TestInvalidEntryNames(t *testing.T) {
	root := fixture.Make(t, "d/x", "f")
	onEach(t, func(t *testing.T, b backend) {
		d := mustFind(t, mustOpen(t, b, Options{}, root), "d")
		for _, name := range []string{"", ".", "..", "../f", "/", "x/", "./x", "../d/x"} {
			sub, err := d.Open(name)
			if !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("Open of %q: %v, %v", name, sub, err)
			}
			if _, err := d.File(name, Unknown); !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("File of %q: %v", name, err)
			}
			if info, err := d.Lstat(name); name == "." && (err != nil || info.Kind != Directory) ||
				name != "." && !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("Lstat of %q: %+v, %v", name, info, err)
			}
		}
		d.w.semantics = windowsSemantics
		if f, err := d.File(`..\f`, Unknown); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("on Windows, a path is a name: %v, %v", f, err)
		}
	})
}

// TestLongestPath checks that a directory opens no entry whose path Find would refuse.
func TestLongestPath(t *testing.T) {
	root := fixture.Make(t, "sub/")
	onEach(t, func(t *testing.T, b backend) {
		w := mustOpen(t, b, Options{}, root)
		w.recheck = math.MaxInt64 // the path of d is not real
		d := mustFind(t, w, "")
		for length, want := range map[int]error{4096: nil, 4097: syscall.ENAMETOOLONG} {
			d.rel = strings.Repeat("x", length-len("/sub"))
			sub, err := d.Open("sub")
			if err != want {
				t.Errorf("a path of %d bytes: %v, want %v", length, err, want)
			}
			if err == nil {
				_ = sub.Close()
			}
		}
		d.rel = "."
	})
}

// TestNames lists a directory that fills several buffers: repeatedly, in part, and with a context
// that gets canceled.
func TestNames(t *testing.T) {
	var entries []string
	for i := range 1500 {
		entries = append(entries, fmt.Sprintf("%0200d", i))
	}
	slices.Sort(entries)
	root := fixture.Make(t, entries...)
	onEach(t, func(t *testing.T, b backend) {
		d := mustFind(t, mustOpen(t, b, Options{}, root), "")
		for range 2 {
			if got, err := namesOf(d); err != nil || !slices.Equal(got, entries) {
				t.Errorf("got %d names, %v; want %d", len(got), err, len(entries))
			}
			for _, stop := range []int{1, 1400} {
				n := 0
				err := d.Names(t.Context(), func([]byte, EntryKind) bool {
					n++
					return n < stop
				})
				if err != nil || n != stop {
					t.Errorf("stopped after %d: %d names, %v", stop, n, err)
				}
			}
			ctx, cancel := context.WithCancel(t.Context())
			n := 0
			err := d.Names(ctx, func([]byte, EntryKind) bool {
				n++
				cancel()
				return true
			})
			if !errors.Is(err, context.Canceled) || n == 0 || n == len(entries) {
				t.Errorf("cancelled at the first name: %d names, %v", n, err)
			}
			err = d.Names(ctx, func([]byte, EntryKind) bool { n = -1; return true })
			if !errors.Is(err, context.Canceled) || n < 0 {
				t.Errorf("cancelled before: %v", err)
			}
			d.Release()
		}
		nested := 0
		err := d.Names(t.Context(), func(name []byte, _ EntryKind) bool {
			before := string(name)
			other := Must(find(d.w, ""))
			defer other.Close()
			if _, err := namesOf(other); err != nil || string(name) != before {
				t.Errorf("%q became %q while another directory was read, %v", before, name, err)
			}
			nested++
			return nested < 3
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// TestRelease checks that a released directory is opened again by its path, without following
// symlinks.
func TestRelease(t *testing.T) {
	tests := []struct{ name, change, want string }{ // want is the result of reading f in a/b
		{"unchanged", ":", "w/a/b/f"},
		{"gone", "rm -r w/a/b", "!missing"},
		{"parent gone", "mv w/a w/z", "!missing"},
		{"another directory", "mv w/a/b w/z; mv w/c w/a/b", "w/c/f"},
		{"a link to one inside", "mv w/a/b w/z; ln -s ../z w/a/b", "!notdir"},
		{"a link outside", "mv w/a/b w/z; ln -s ../../out w/a/b", "!notdir"},
		{"the parent a link outside", "mv w/a w/z; ln -s ../out w/a", "!notdir"},
		{"a file", "rm -r w/a/b; : >w/a/b", "!notdir"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, b backend) {
				root := fixture.Make(
					t, "w/a/b/f", "w/a/b/sub/", "w/c/f", "w/c/sub/", "out/f", "out/b/f", "out/b/sub/",
				)
				d := mustFind(t, mustOpen(t, b, Options{}, root+"/w"), "a/b")
				before := handles.Count(t)
				d.Release()
				d.Release()
				if closed := before - handles.Count(t); before >= 0 && (closed < 1 || closed > 2) {
					t.Errorf("Release closes %d handles", closed)
				}
				run(t, root, tt.change)
				content := ""
				for what, use := range map[string]func() error{
					"Names": func() error { return ignoring(namesOf(d)) },
					"Lstat": func() error { return ignoring(d.Lstat(".")) },
					"Open":  func() error { return closed(d.Open("sub")) },
					"File": func() error {
						f, err := d.File("f", Unknown)
						if err == nil {
							content, err = contentOf(f)
						}
						return err
					},
				} {
					d.Release()
					if err := use(); word(err) != tt.want && (err != nil || tt.want[0] == '!') {
						t.Errorf("%s: got %v, want %s", what, err, tt.want)
					}
				}
				if content != tt.want && tt.want[0] != '!' {
					t.Errorf("got %q, want %q", content, tt.want)
				}
			})
		})
	}
}

// TestClosedDir checks that a closed directory does not open itself again, unlike a released one.
func TestClosedDir(t *testing.T) {
	root := fixture.Make(t, "a/f")
	onEach(t, func(t *testing.T, b backend) {
		d := Must(find(mustOpen(t, b, Options{}, root), "a"))
		d.Release()
		if err := closed(d.File("f", Regular)); err != nil {
			t.Errorf("after Release: %v", err)
		}
		for range 2 {
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		}
		_, lstatErr := d.Lstat("f")
		_, namesErr := namesOf(d)
		for i, err := range []error{closed(d.File("f", Regular)), closed(d.Share()), lstatErr, namesErr} {
			if !errors.Is(err, fs.ErrClosed) {
				t.Errorf("use %d after Close: %v", i, err)
			}
		}
	})
}

// TestClose checks that a closed workspace finds nothing, and that open files and directories stay
// open.
func TestClose(t *testing.T) {
	root := fixture.Make(t, "a/b/f", "a/l => b/f")
	onEach(t, func(t *testing.T, b backend) {
		w := Must(open(native(), b, Options{}, root, root+"/a"))
		d := Must(find(w, "a"))
		p := Must(w.Find(context.Background(), "a/b/f"))
		f := Must(p.File())
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		w.recheck = math.MaxInt64 // disables the check of the open directory
		checkLooks(t, w, root, `
			"" = !closed, a/b/f = !closed, {root}/a/b/f = !closed, none = !closed, .. = !closed,
			/etc = !outside
		`)
		marked, err := w.HasAncestorEntry(context.Background(), 0, "a")
		if marked || !errors.Is(err, fs.ErrClosed) {
			t.Error("HasAncestorEntry looks into a closed root")
		}
		if names, err := namesOf(d); err != nil || !slices.Equal(names, []string{"b/", "l@"}) {
			t.Errorf("the open directory lists %q, %v", names, err)
		}
		if err := closed(d.Open("b")); err != nil {
			t.Errorf("opening in the open directory: %v", err)
		}
		if _, err := d.Stat(t.Context(), "l"); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("following a link from the open directory: %v", err)
		}
		w.recheck = 0
		if names, err := namesOf(d); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("the open directory, when it is checked, lists %q, %v", names, err)
		}
		d.Release()
		if _, err := d.Open("b"); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("taking the open directory up again: %v", err)
		}
		if content, err := contentOf(f); err != nil || content != "a/b/f" {
			t.Errorf("the open file holds %q, %v", content, err)
		}
	})
}

// TestExact checks that only a name which can be that of no other entry is exact: a file system that
// may fold names may also open another entry for a short name of Windows.
func TestExact(t *testing.T) {
	root := fixture.Make(t, "f")
	onEach(t, func(t *testing.T, b backend) {
		d := mustFind(t, mustOpen(t, b, Options{DefaultDeny: true}, root), "")
		folds := d.handle.mayFold()
		for name, want := range map[string]bool{
			"f": true, "missing": true, ".": false, "..": false, "": false, "a/b": false, "SECRET~1": !folds,
		} {
			if got := d.Exact(name); got != want {
				t.Errorf("%q: got %t, want %t", name, got, want)
			}
		}
	})
}
