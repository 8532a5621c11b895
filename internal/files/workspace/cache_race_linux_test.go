package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gander/codex"
	"gander/internal/files/lines"
	"gander/internal/files/workspace"
	"gander/internal/testkit/fixture"
	"gander/internal/tools/definition"
	"gander/tool"
)

const (
	// settles is the age of a stable version here. It is longer than the granularity of file
	// systems' clocks.
	settles   = 100 * time.Millisecond
	fileLines = 1500 // of a file with a cached index
	page      = 4    // lines read at a time
)

// A subject is a file with numbered states.
type subject struct {
	path        string
	change      func(state int64) error
	atomic      bool // changes are; otherwise a concurrent page may show anything
	began, done atomic.Int64
}

// check reads the page at n, which must be of one of the states of the subject since the start.
func (s *subject) check(t *testing.T, w *workspace.Workspace, n int) {
	t.Helper()
	tools := definition.Set(codex.Tools(codex.Options{VerbatimNames: true})).Definition().Build(w)
	args := fmt.Sprintf(`{"file_path":%q,"offset":%d,"limit":%d}`, s.path, n, page)
	first := s.done.Load()
	result, err := tools[1].Call(t.Context(), tool.Call{Args: []byte(args)})
	last := s.began.Load()
	if first < last && !s.atomic {
		return
	}
	found := regexp.MustCompile(`(?m)^L(\d+): line (\d+) in state a(\d+)`).
		FindAllStringSubmatch(result.Text(), -1)
	good := err == nil && len(found) == page
	for i, m := range found {
		state, _ := strconv.ParseInt(m[3], 10, 64)
		isLine := m[1] == m[2] && m[1] == strconv.Itoa(n+i)
		good = good && isLine && m[3] == found[0][3] && first <= state && state <= last
	}
	if !good {
		t.Errorf("%s, states %d to %d: page at %d: %v\n%s", s.path, first, last, n, err, result.Text())
	}
}

// subjects makes a file that is replaced, and one that is overwritten without a change of size or
// modification time.
func subjects(t *testing.T) (root string, all []*subject) {
	root = t.TempDir()
	fixture.Write(t, root, map[string]string{"replaced": content(0), "rewritten": content(0)})
	replaced, rewritten := root+"/replaced", root+"/rewritten"
	replace := func(state int64) error {
		err := os.WriteFile(replaced+".next", []byte(content(state)), 0o600)
		return errors.Join(err, os.Rename(replaced+".next", replaced))
	}
	rewrite := func(state int64) error {
		info := workspace.Must(os.Stat(rewritten))
		f := workspace.Must(os.OpenFile(rewritten, os.O_WRONLY, 0))
		_, err := f.WriteString(content(state))
		return errors.Join(err, f.Close(), os.Chtimes(rewritten, time.Time{}, info.ModTime()))
	}
	return root, []*subject{
		{path: replaced, change: replace, atomic: true},
		{path: rewritten, change: rewrite},
	}
}

// content returns a file in a state. The offsets of its lines depend on the state, its size does
// not.
func content(state int64) string {
	var b strings.Builder
	for n := range fileLines {
		width := (int(state)*31+n*17)%180 + 200*((n/400+int(state))%2)
		fmt.Fprintf(&b, "line %d in state a%d%*s\n", n+1, state, width, "")
	}
	return b.String() + strings.Repeat("-", 500*fileLines-b.Len())
}

func openCached(t *testing.T, root string) *workspace.Workspace {
	w := workspace.Must(workspace.Open(workspace.Options{CacheBytes: 8 << 20}, root))
	t.Cleanup(func() { _ = w.Close() })
	workspace.SettleAfter(w, settles)
	return w
}

// TestCacheRace changes files, with pauses so that they are cached, while tools
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
					state := s.began.Add(1)
					if err := s.change(state); err != nil {
						t.Error(err)
						return
					}
					s.done.Store(state)
				}
				time.Sleep(time.Duration(r.IntN(int(3 * settles))))
			}
		})
		all.Go(func() {
			for r := rand.New(rand.NewPCG(uint64(i), 8)); !over.Load() && !t.Failed(); {
				s.check(t, w, 1+r.IntN(fileLines-page))
			}
		})
	}
	all.Wait()
	time.Sleep(2 * settles)
	for _, s := range subjects {
		for n := 1; n < fileLines-page; n += 101 { // cached from the second call on
			s.check(t, w, n)
		}
	}
	if got, want := workspace.HasCached(w, "lines"), workspace.Keeps(root); got != want {
		t.Errorf("lines are cached: %v, want %v", got, want)
	}
}

// TestCacheChangeDuringRead checks that a file is read again, without its cached index, if it
// changes after the index was found.
func TestCacheChangeDuringRead(t *testing.T) {
	t.Parallel() // it mostly waits
	root, subjects := subjects(t)
	if !workspace.Keeps(root) {
		t.Skip("nothing is cached of files on this file system")
	}
	w := openCached(t, root)
	time.Sleep(2 * settles)
	f := workspace.Must(workspace.Must(w.Find(context.Background(), "rewritten")).File())
	defer f.Close()
	cached, entry := lines.NewIndex(), f.CacheEntry("lines")
	c := lines.New(f, lines.Options{Keep: 1, Index: cached, Pool: new(sync.Pool)})
	_ = workspace.Must(c.Count(t.Context()))
	entry.Store(cached)
	var got []bool
	read := func(index *lines.Index) (int, error) {
		got = append(got, index == cached)
		return 0, subjects[1].change(int64(len(got)))
	}
	_, err := workspace.Cached(f.CacheEntry("lines"), lines.NewIndex, read)
	if err != nil || len(got) != 2 || !got[0] || got[1] {
		t.Errorf("read with the cached index: %v, %v", got, err)
	}
}
