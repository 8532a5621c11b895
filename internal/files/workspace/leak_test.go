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

// TestLeaks checks that no handle stays open except those that the caller has got, whether calls
// succeed or fail.
func TestLeaks(t *testing.T) {
	root := fixture.Make(t,
		"w/a/b/c/f", "w/in => a/b", "w/out => ../out", "w/loop => loop", "w/gone => a/none", "w/abs => {root}/w/a", "w/p|", "w/a/.ssh/id", "v/f", "out/f",
		"w/a/over => ../../v", "w/a/up => b/../../a/b/c", "w/toolong => a/"+longName(),
	)
	paths := []string{
		"", ".", "..", "a", "a/", "a/b/c/f", "a/b/c/f/", "a/b/c/f/..", "a/none/x", "a/b/none", "a/b/../../..", "a/b/../../../v/f", "in/c/f", "in/../b/c", "out", "out/f",
		"loop", "loop/x", "gone", "gone/x", "abs/b/c/f", "p", "p/x", "a/.ssh", "a/.ssh/id", "a/over/f", "a/over/..", "a/up/f", "a/up/../../b", "toolong", "a/" + longName(),
		root + "/v/f", root + "/out/f", "\x00",
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the collector would close what is leaked
	onEach(t, func(t *testing.T, b backend) {
		w := mustOpen(t, b, Options{Deny: []string{"**/.ssh/**"}}, root+"/w", root+"/v")
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		round := func() {
			for _, path := range paths {
				for _, look := range []func(*Workspace, string) (string, error){lookFile, lookDir, lookStat, lookLstat} {
					_, _ = look(w, path)
				}
			}
			for _, path := range []string{"", "a", "in"} {
				d, err := find(w, path)
				if err != nil {
					t.Fatal(err)
				}
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
		before := handles(t)
		for range 20 {
			round()
		}
		if left := handles(t) - before; left != 0 {
			t.Errorf("%d handles are left open", left)
		}
	})
}

func longName() string { return fmt.Sprintf("%0300d", 0) }

// TestCloseWhileUsed closes workspaces while they are used, and opens directories outside that get
// the numbers of the closed handles. A call that went on with such a number would read outside.
func TestCloseWhileUsed(t *testing.T) {
	root := fixture.Make(t, "w/a/b/c/d/f", "w/up => a/b/../b", "out/a/b/c/d/f", "out/f", "out/b/c/d/f", "out/c/d/f", "out/d/f", "w/a/b/c/d/fw", "w/a/b/c/fw", "w/fw")
	onEach(t, func(t *testing.T, b backend) {
		before := handles(t)
		for range 100 {
			w, err := open(native, b, Options{}, root+"/w")
			if err != nil {
				t.Fatal(err)
			}
			d, err := find(w, "a/b")
			if err != nil {
				t.Fatal(err)
			}
			var looks atomic.Int32
			var users sync.WaitGroup
			for _, path := range []string{"a/b/c/d/f", "a/b/c/../c/d/f", "up/c/d/f", "a/b/../../a/b/c/d/f"} {
				users.Go(func() {
					for {
						got, err := lookFile(w, path)
						looks.Add(1)
						if word(err) == "!closed" {
							return
						}
						if got != "w/a/b/c/d/f" {
							t.Errorf("%s: got %q, %v", path, got, err)
							return
						}
					}
				})
			}
			for looks.Load() < 8 {
				runtime.Gosched()
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
			var outside []*os.File
			for range 10 {
				f, err := os.Open(root + "/out")
				if err != nil {
					t.Fatal(err)
				}
				outside = append(outside, f)
			}
			d.Release()
			if _, err := d.File("f", Unknown); word(err) != "!closed" {
				t.Errorf("reopened after closing: %v", err)
			}
			users.Wait()
			_ = d.Close()
			if err := w.Close(); err != nil {
				t.Errorf("closing again: %v", err)
			}
			for _, f := range outside {
				_ = f.Close()
			}
		}
		if left := handles(t) - before; left != 0 {
			t.Errorf("%d handles are left open", left)
		}
	})
}

// TestFileCloseWhileRead closes files while they are read, and opens files outside that get the
// numbers of the closed handles. A read that went on with such a number would read outside.
func TestFileCloseWhileRead(t *testing.T) {
	root := fixture.Make(t, "w/f", "out/")
	onEach(t, func(t *testing.T, b backend) {
		before := handles(t)
		w, err := open(native, b, Options{}, root+"/w")
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			p, err := w.Find("f")
			if err != nil {
				t.Fatal(err)
			}
			f, err := p.File()
			if err != nil {
				t.Fatal(err)
			}
			var reads atomic.Int32
			var readers sync.WaitGroup
			for range 2 {
				readers.Go(func() {
					buf := make([]byte, 3)
					for {
						_, err := f.ReadAt(buf, 0)
						reads.Add(1)
						if errors.Is(err, fs.ErrClosed) {
							return
						}
						if err != nil || string(buf) != "w/f" {
							t.Errorf("read %q, %v", buf, err)
							return
						}
					}
				})
			}
			for reads.Load() < 4 {
				runtime.Gosched()
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			var outside []*os.File
			for range 4 {
				f, err := os.Open(root + "/out")
				if err != nil {
					t.Fatal(err)
				}
				outside = append(outside, f)
			}
			readers.Wait()
			if err := f.Close(); !errors.Is(err, fs.ErrClosed) {
				t.Errorf("closing again: %v", err)
			}
			for _, f := range outside {
				_ = f.Close()
			}
		}
		_ = w.Close()
		if left := handles(t) - before; left != 0 {
			t.Errorf("%d handles are left open", left)
		}
	})
}
