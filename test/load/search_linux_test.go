package load

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// A searcher is a tool that searches and finds in the workspace of a toolset.
type searcher struct{ toolset *gander.Toolset }

func (*searcher) Spec() tool.Spec { return tool.Spec{ID: "test/search", Name: "search"} }

func (s *searcher) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	var args struct {
		Path, Name string
		Workers    int
	}
	if err := json.Unmarshal(c.Args, &args); err != nil {
		return tool.Result{}, err
	}
	said := ""
	for r, err := range s.toolset.Search(ctx, args.Path, args.Name, gander.SearchOptions{Workers: args.Workers}) {
		if err != nil {
			return tool.Result{}, err
		}
		said += fmt.Sprintf("%s %s ", r.Path, r.Line.Text)
	}
	for e, err := range s.toolset.Find(ctx, args.Path, gander.FindOptions{Pattern: args.Name, OnlyFiles: true}) {
		if err != nil {
			return tool.Result{}, err
		}
		said += e.Path
	}
	return tool.Result{Parts: tool.Text(said)}, nil
}

// TestSearches: each of ten thousand searches that are asked for at once finds its own file, and none leaves a file open.
func TestSearches(t *testing.T) {
	var entries []string
	for i := range 100 {
		entries = append(entries, fmt.Sprintf("d%02d/e/only-%02d", i, i))
	}
	s := new(searcher)
	s.toolset = testkit.Open(t, gander.Options{Roots: []string{fixture.Make(t, entries...)}, Limits: gander.Limits{Timeout: -1}, More: []tool.Tool{s}})
	handles := func() int {
		open, err := os.ReadDir("/proc/self/fd")
		testkit.Must(t, err)
		return len(open)
	}
	before := handles()
	var all sync.WaitGroup
	for i := range inFlight {
		all.Go(func() {
			n := i % 100
			result, err := s.toolset.Call(t.Context(), "test/search", tool.Call{Args: fmt.Appendf(nil, `{"path":"d%02d","name":"only-%02d","workers":%d}`, n, n, i%3)})
			if want := fmt.Sprintf("e/only-%02d  e/only-%02d d%02d/e/only-%02d e/only-%02d", n, n, n, n, n); err != nil || result.Text() != want {
				t.Errorf("told %q, not %q, %v", result.Text(), want, err)
			}
		})
	}
	all.Wait()
	if left := handles() - before; left != 0 {
		t.Errorf("%d files are left open", left)
	}
}
