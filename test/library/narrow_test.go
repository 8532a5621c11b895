package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"testing"
	"time"

	"gander"
	"gander/internal/admission"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/tool"
)

// TestNarrow checks that a narrowed toolset inherits the rules of the original toolset, and cannot
// get other roots. TestBoundaryEscapes checks that it is confined to its own.
func TestNarrow(t *testing.T) {
	root := fixture.Make(t, "root/a/in.txt", "root/a/secret/key.txt", "root/a/deep/x.pem",
		"root/to_a => a", "root/away => ../outside", "outside/out.txt") + "/root/"
	wide := testkit.Inner(testkit.Open(t, gander.Options{
		Roots: []string{root}, Tools: []string{"codex"}, Deny: []string{"a/secret/**"},
		Policy: tool.Policy{Deny: []string{"codex/list_dir"}},
	}))
	for _, dir := range []string{"a", "to_a"} {
		ts, err := wide.Narrow([]string{root + dir}, nil)
		testkit.Must(t, err)
		defer ts.Close()
		for path, want := range map[string]error{
			"/in.txt": nil, "/secret/key.txt": fs.ErrPermission, "/deep/x.pem": fs.ErrPermission,
			"/../../outside/out.txt": tool.ErrOutside,
		} {
			args := fmt.Appendf(nil, `{"file_path":%q}`, ts.Roots()[0]+path)
			_, err := ts.Call(t.Context(), "read_file", tool.Call{Args: args})
			if !errors.Is(err, want) || errors.Is(err, tool.ErrOutside) != (want == tool.ErrOutside) {
				t.Errorf("%s, %s: %v", dir, path, err)
			}
		}
		if _, err := ts.Call(t.Context(), "list_dir", tool.Call{}); !errors.Is(err, tool.ErrPolicy) {
			t.Errorf("%v; the policy must apply", err)
		}
		if _, err := ts.Lookup("tree"); err == nil {
			t.Error("Lookup finds a tool that is not selected")
		}
	}
	for _, dir := range []string{
		"away", "../outside", "..", "../none", "a/in.txt", "none", "a/secret",
	} {
		if ts, err := wide.Narrow([]string{root + "a", root + dir}, nil); err == nil {
			ts.Close()
			t.Errorf("Narrow accepts %s as a root", dir)
		}
	}
}

// TestNarrowSharesLimits checks that narrowed toolsets share one memory budget.
func TestNarrowSharesLimits(t *testing.T) {
	taken, release := make(chan error), make(chan struct{})
	hold := func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		taken <- admission.Reserve(ctx, admission.DefaultBytes*3/8)
		<-release
		return tool.Result{}, nil
	}
	wide := testkit.Inner(testkit.Open(t, gander.Options{
		Roots: []string{t.TempDir()}, ExtraTools: []tool.Tool{tooltest.NewFake("own/held", hold)},
	}))
	var calls sync.WaitGroup
	for range 3 {
		ts, err := wide.Narrow(wide.Roots()[:1], nil)
		testkit.Must(t, err)
		defer ts.Close()
		calls.Go(func() { _, _ = ts.Call(t.Context(), "own/held", tool.Call{}) })
	}
	testkit.Must(t, <-taken)
	testkit.Must(t, <-taken)
	select {
	case <-taken:
		t.Error("three calls hold three eighths of the budget each")
		close(release)
	case <-time.After(50 * time.Millisecond):
		close(release)
		testkit.Must(t, <-taken)
	}
	calls.Wait()
}
