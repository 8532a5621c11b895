//go:build unix

package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"

	"gander/internal/testkit/fixture"
)

// TestLeaks checks that only the handles of open Files and Dirs stay open.
func TestLeaks(t *testing.T) {
	root := fixture.Make(t,
		"w/a/b/c/f", "w/in => a/b", "w/out => ../out", "w/loop => loop", "w/gone => a/none",
		"w/abs => {root}/w/a", "w/p|", "w/a/.ssh/id", "v/f", "out/f",
		"w/a/over => ../../v", "w/a/up => b/../../a/b/c", "w/toolong => a/"+longName(),
	)
	paths := []string{
		"", ".", "..", "a", "a/", "a/b/c/f", "a/b/c/f/", "a/b/c/f/..", "a/none/x", "a/b/none",
		"a/b/../../..", "a/b/../../../v/f", "in/c/f", "in/../b/c", "out", "out/f",
		"loop", "loop/x", "gone", "gone/x", "abs/b/c/f", "p", "p/x", "a/.ssh", "a/.ssh/id", "a/over/f",
		"a/over/..", "a/up/f", "a/up/../../b", "toolong", "a/" + longName(),
		root + "/v/f", root + "/out/f", "\x00",
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the collector would close leaked handles
	onEach(t, func(t *testing.T, b backend) {
		w := mustOpen(t, b, Options{Deny: []string{"**/.ssh/**"}}, root+"/w", root+"/v")
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		round := func() {
			for _, path := range paths {
				for _, look := range []func(*Workspace, string) (string, error){
					lookFile, lookDir, lookStat, lookLstat,
				} {
					_, _ = look(w, path)
				}
			}
			for _, path := range []string{"", "a", "in"} {
				d := Must(find(w, path))
				for _, name := range []string{"a", "b", "p", "in", "loop", "none", ".ssh", "up", longName()} {
					if sub, err := d.Open(name); err == nil {
						_ = sub.Names(cancelled, func([]byte, EntryKind) bool { return true })
						_, _ = sub.Stat("up")
						sub.Release()
						_, _ = sub.Open("none")
						_ = sub.Close()
						_ = sub.Close()
					}
					for _, kind := range []EntryKind{Unknown, Regular} {
						if f, err := d.File(name, kind); err == nil {
							_ = f.Close()
							_ = f.Close()
						}
					}
				}
				_ = d.Close()
			}
		}
		round()
		before := Handles(t)
		for range 20 {
			round()
		}
		CheckHandles(t, before, "afterwards")
	})
}

func longName() string { return fmt.Sprintf("%0300d", 0) }

// TestCloseWhileUsed checks that uses of a workspace fail once it is closed. A use of the number of
// a closed handle would read outside.
func TestCloseWhileUsed(t *testing.T) {
	root := fixture.Make(t,
		"w/a/b/c/d/f", "w/up => a/b/../b", "out/a/b/c/d/f", "out/f", "out/b/c/d/f", "out/c/d/f",
		"out/d/f", "w/a/b/c/d/fw", "w/a/b/c/fw", "w/fw",
	)
	onEach(t, func(t *testing.T, b backend) {
		before := Handles(t)
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
		CheckHandles(t, before, "afterwards")
	})
}

// TestFileCloseWhileRead is TestCloseWhileUsed for files.
func TestFileCloseWhileRead(t *testing.T) {
	root := fixture.Make(t, "w/f", "out/")
	onEach(t, func(t *testing.T, b backend) {
		w := mustOpen(t, b, Options{}, root+"/w")
		before := Handles(t)
		for range 200 {
			l := Must(w.Find("f"))
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
		CheckHandles(t, before, "afterwards")
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
