package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gander/internal/files/workspace"
	"gander/internal/testkit/fixture"
	"gander/internal/tools/codex"
	"gander/tool"
)

const (
	// settles is the age of a stable version here. It is longer than the granularity of file
	// systems' clocks.
	settles = 100 * time.Millisecond
	entries = 5000 // of a cached directory
	lines   = 1500 // of a file with a cached index
	page    = 4    // lines read at a time
)

// A subject is a directory or file with numbered states.
type subject struct {
	path   string
	change func(state int64) error
	// shows reports whether output is the page at n in a state.
	shows func(output string, n int, state int64) bool
	// between reports whether output is possible during a change.
	between     func(output string) bool
	began, done atomic.Int64
}

func (s *subject) next() error {
	state := s.began.Add(1)
	err := s.change(state)
	s.done.Store(state)
	return err
}

// check checks that output is the page at n in one of the states from first to last.
func (s *subject) check(t *testing.T, output string, n int, first, last int64) {
	t.Helper()
	if first < last && s.between(output) {
		return
	}
	for state := first; state <= last; state++ {
		if s.shows(output, n, state) {
			return
		}
	}
	t.Errorf("%s, states %d to %d: page at %d:\n%s", s.path, first, last, n, output)
}

// call reads the page at n with the tool for the subject.
func (s *subject) call(ctx context.Context, t *testing.T, w *workspace.Workspace, n int) string {
	var to tool.Tool = codex.NewReadFile(w, codex.ReadFileSettings{Limit: 2000, MaxLevels: 4})
	args := fmt.Sprintf(`{"file_path":%q,"offset":%d,"limit":%d}`, s.path, n, page)
	if strings.HasSuffix(s.path, "directory") {
		to = codex.NewListDir(w, codex.ListDirSettings{Limit: 25, Depth: 1, VerbatimNames: true})
		args = fmt.Sprintf(`{"dir_path":%q,"depth":1,"offset":%d,"limit":%d}`, s.path, 1, page)
	}
	result, err := to.Call(ctx, tool.Call{Args: []byte(args)})
	if err != nil {
		return err.Error()
	}
	return result.Text()
}

// subjects makes a directory with an entry that is renamed, a file that is replaced, and a file
// that is overwritten without a change of size or modification time.
func subjects(t *testing.T) (root string, all []*subject) {
	files := map[string]string{"directory/a0": "", "replaced": content(0), "rewritten": content(0)}
	for i := range entries {
		files[fmt.Sprintf("directory/s%04d", i)] = ""
	}
	root = t.TempDir()
	fixture.Write(t, root, files)
	directory, replaced, rewritten := root+"/directory", root+"/replaced", root+"/rewritten"
	return root, []*subject{{
		path: directory,
		change: func(state int64) error {
			name := func(state int64) string { return fmt.Sprintf("%s/a%d", directory, state) }
			return os.Rename(name(state-1), name(state))
		},
		shows: func(output string, _ int, state int64) bool {
			return strings.Contains(output, fmt.Sprintf("\na%d\n", state))
		},
		between: func(output string) bool { return !strings.Contains(output, "\na") },
	}, {
		path: replaced,
		change: func(state int64) error {
			err := os.WriteFile(replaced+".next", []byte(content(state)), 0o600)
			return errors.Join(err, os.Rename(replaced+".next", replaced))
		},
		shows:   showsPage,
		between: func(string) bool { return false },
	}, {
		path: rewritten,
		change: func(state int64) error {
			info := workspace.Must(os.Stat(rewritten))
			f := workspace.Must(os.OpenFile(rewritten, os.O_WRONLY, 0))
			_, err := f.WriteString(content(state))
			return errors.Join(err, f.Close(), os.Chtimes(rewritten, time.Time{}, info.ModTime()))
		},
		shows:   showsPage,
		between: func(string) bool { return true },
	}}
}

// line returns line n of a file in a state. Its offset depends on the state.
func line(state int64, n int) string {
	width := (int(state)*31+n*17)%180 + 200*((n/400+int(state))%2)
	return fmt.Sprintf("line %d in state %d%*s", n, state, width, "")
}

// content returns a file in a state. Its size is always the same.
func content(state int64) string {
	var b strings.Builder
	for n := range lines {
		b.WriteString(line(state, n+1) + "\n")
	}
	return b.String() + strings.Repeat("-", 500*lines-b.Len())
}

// showsPage reports whether output is the page at line n of a file in a state.
func showsPage(output string, n int, state int64) bool {
	var want []string
	for i := range page {
		want = append(want, fmt.Sprintf("L%d: %s", n+i, line(state, n+i)))
	}
	return output == strings.Join(want, "\n")
}

func openCached(t *testing.T, root string) *workspace.Workspace {
	w := workspace.Must(workspace.Open(workspace.Options{CacheBytes: 8 << 20}, root))
	t.Cleanup(func() { _ = w.Close() })
	workspace.SettleAfter(w, settles)
	return w
}

// TestCacheRace changes directories and files, with pauses so that they are cached, while tools
// read them. Every output must be possible during the call.
func TestCacheRace(t *testing.T) {
	t.Parallel() // it mostly waits
	root, subjects := subjects(t)
	w := openCached(t, root)
	var over atomic.Bool
	time.AfterFunc(1500*time.Millisecond, func() { over.Store(true) })
	var all sync.WaitGroup
	for i, s := range subjects {
		all.Go(func() {
			for r := rand.New(rand.NewPCG(uint64(i), 7)); !over.Load(); {
				for range 1 + r.IntN(20) {
					if err := s.next(); err != nil {
						t.Error(err)
						return
					}
				}
				time.Sleep(time.Duration(r.IntN(int(3 * settles))))
			}
		})
		all.Go(func() {
			for r := rand.New(rand.NewPCG(uint64(i), 8)); !over.Load() && !t.Failed(); {
				n, first := 1+r.IntN(lines-page), s.done.Load()
				output := s.call(t.Context(), t, w, n)
				s.check(t, output, n, first, s.began.Load())
			}
		})
	}
	all.Wait()
	time.Sleep(2 * settles)
	for _, s := range subjects {
		for n := 1; n < lines-page; n += 101 { // cached from the second call on
			state := s.done.Load()
			s.check(t, s.call(t.Context(), t, w, n), n, state, state)
		}
	}
	directories, files := workspace.Keeps(root)
	for what, want := range map[string]bool{"codex/list_dir": directories, "lines": files} {
		if got := workspace.HasCached(w, what); got != want {
			t.Errorf("%s is cached: %v, want %v", what, got, want)
		}
	}
}

// TestCacheChangeDuringRead checks that a file is read again if it changes after its cached value
// was validated.
func TestCacheChangeDuringRead(t *testing.T) {
	t.Parallel() // it mostly waits
	root, subjects := subjects(t)
	if _, files := workspace.Keeps(root); !files {
		t.Skip("nothing is cached of files on this file system")
	}
	w, s, n := openCached(t, root), subjects[2], lines-page
	for state := range int64(3) {
		time.Sleep(2 * settles)
		for range 2 {
			s.check(t, s.call(t.Context(), t, w, n), n, state, state)
		}
		calls := 0
		ctx := &calling{t.Context(), func() {
			if calls++; calls == 1+int(state) { // before the first block is read, or a later one
				if err := s.next(); err != nil {
					t.Error(err)
				}
			}
		}}
		output := s.call(ctx, t, w, n)
		if calls <= int(state) {
			break // the file is read in fewer blocks
		}
		if !showsPage(output, n, state) && !showsPage(output, n, state+1) {
			t.Errorf("changed after state %d: read\n%s", state, output)
		}
	}
}

// calling is a context that calls a function in Err.
type calling struct {
	context.Context
	call func()
}

func (c *calling) Err() error {
	c.call()
	return c.Context.Err()
}
