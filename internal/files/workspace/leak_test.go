//go:build unix

package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"gander/internal/testkit/fixture"
)

// TestCloseWhileUsed checks that uses of a workspace fail once it is closed. A use of the number of
// a closed handle would read outside.
func TestCloseWhileUsed(t *testing.T) {
	root := fixture.Make(t,
		"w/a/b/c/d/f", "w/up => a/b/../b", "out/a/b/c/d/f", "out/f", "out/b/c/d/f", "out/c/d/f",
		"out/d/f", "w/a/b/c/d/fw", "w/a/b/c/fw", "w/fw",
	)
	onEach(t, func(t *testing.T, b backend) {
		for range 100 {
			w := Must(open(native(), b, Options{}, root+"/w"))
			d := Must(find(w, "a/b"))
			var uses []func() (string, error)
			for _, path := range []string{"a/b/c/d/f", "a/b/c/../c/d/f", "up/c/d/f", "a/b/../../a/b/c/d/f"} {
				uses = append(uses, func() (string, error) { return lookFile(w, path) })
			}
			closeWhileUsed(t, root+"/out", "w/a/b/c/d/f", w.Close, uses...)
			d.Release()
			if _, err := d.File("f", Unknown); word(err) != "!closed" {
				t.Errorf("reopened after closing: %v", err)
			}
			if err := w.Close(); err != nil {
				t.Errorf("closing again: %v", err)
			}
		}
	})
}

// TestFileCloseWhileRead is TestCloseWhileUsed for files.
func TestFileCloseWhileRead(t *testing.T) {
	root := fixture.Make(t, "w/f", "out/")
	onEach(t, func(t *testing.T, b backend) {
		w := mustOpen(t, b, Options{}, root+"/w")
		for range 200 {
			l := Must(w.Find(context.Background(), "f"))
			f := Must(l.File())
			read := func() (string, error) {
				buf := make([]byte, 3)
				_, err := f.ReadAt(buf, 0)
				return string(buf), err
			}
			closeWhileUsed(t, root+"/out", "w/f", f.Close, read, read)
			if err := f.Close(); !errors.Is(err, fs.ErrClosed) {
				t.Errorf("closing again: %v", err)
			}
		}
	})
}

// closeWhileUsed repeats each of uses concurrently until it fails with [fs.ErrClosed]. Meanwhile it
// calls close and opens directories outside, which get the numbers of the closed handles.
func closeWhileUsed(
	t *testing.T, outside, want string, close func() error, uses ...func() (string, error),
) {
	t.Helper()
	var used atomic.Int32
	var users sync.WaitGroup
	for _, use := range uses {
		users.Go(func() {
			for {
				got, err := use()
				used.Add(1)
				if errors.Is(err, fs.ErrClosed) {
					return
				}
				if got != want || err != nil {
					t.Errorf("got %q, %v", got, err)
					return
				}
			}
		})
	}
	for int(used.Load()) < 2*len(uses) {
		runtime.Gosched()
	}
	if err := close(); err != nil {
		t.Error(err)
	}
	for range 10 {
		f := Must(os.Open(outside))
		defer f.Close()
	}
	users.Wait()
}
