package library

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gander"
	"gander/internal/admission"
	"gander/internal/testkit"
	"gander/tool"
)

// TestNarrow checks that a narrowed toolset can access only its own roots, and inherits the rules
// of the original toolset.
func TestNarrow(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	testkit.Must(t, err)
	root := filepath.Join(top, "root")
	for _, name := range []string{
		"root/a/in.txt", "root/a/secret/key.txt", "root/a/deep/x.pem", "root/b/other.txt",
		"outside/out.txt",
	} {
		path := filepath.Join(top, filepath.FromSlash(name))
		testkit.Must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		testkit.Must(t, os.WriteFile(path, []byte(name), 0o644))
	}
	for link, target := range map[string]string{
		"a/up": "../b", "a/out": "../../outside", "to_a": "a", "away": "../outside",
		"a/abs": filepath.Join(root, "b"),
	} {
		err := os.Symlink(target, filepath.Join(root, link))
		if _, missing := os.Readlink(filepath.Join(root, link)); missing != nil {
			t.Skip("no symlinks: ", err)
		}
	}
	wide := testkit.Inner(testkit.Open(t, gander.Options{
		Roots: []string{root}, Tools: []string{"codex"}, Deny: []string{"a/secret/**"},
		Policy: tool.Policy{Deny: []string{"codex/list_dir"}},
	}))
	for _, dir := range []string{"a", "to_a"} {
		ts, err := wide.Narrow(filepath.Join(root, dir))
		testkit.Must(t, err)
		defer ts.Close()
		at := ts.Roots()[0]
		read := func(path string) (string, error) {
			args := `{"file_path":"` + filepath.ToSlash(path) + `"}`
			result, err := ts.Call(t.Context(), "read_file", tool.Call{Args: []byte(args)})
			return result.Text(), err
		}
		got, err := read(filepath.Join(at, "in.txt"))
		if err != nil || !strings.Contains(got, "root/a/in.txt") {
			t.Errorf("%s: %q, %v", dir, got, err)
		}
		for _, path := range []string{
			filepath.Join(root, "b/other.txt"), filepath.Join(top, "outside/out.txt"),
			at + "/../b/other.txt", at + "/up/other.txt", at + "/abs/other.txt", at + "/out/out.txt",
		} {
			if got, err := read(path); !errors.Is(err, tool.ErrOutside) {
				t.Errorf("%s, %s: %q, %v", dir, path, got, err)
			}
		}
		for _, path := range []string{"secret/key.txt", "deep/x.pem"} {
			got, err := read(filepath.Join(at, path))
			if err == nil || errors.Is(err, tool.ErrOutside) {
				t.Errorf("%s, %s: %q, %v; the deny patterns must apply", dir, path, got, err)
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
		ts, err := wide.Narrow(filepath.Join(root, "a"), filepath.Join(root, dir))
		if err == nil {
			ts.Close()
			t.Errorf("Narrow accepts %s as a root", dir)
		}
	}
}

// TestNarrowSharesLimits checks that narrowed toolsets share one memory budget.
func TestNarrowSharesLimits(t *testing.T) {
	held, release := make(chan error), make(chan struct{})
	image := imageTool{func(ctx context.Context) {
		held <- admission.Reserve(ctx, admission.DefaultBytes*3/8)
		<-release
	}}
	wide := testkit.Inner(testkit.Open(t, gander.Options{
		Roots: []string{t.TempDir()}, ExtraTools: []tool.Tool{image},
	}))
	var calls sync.WaitGroup
	for range 3 {
		ts, err := wide.Narrow(wide.Roots()[0])
		testkit.Must(t, err)
		defer ts.Close()
		calls.Go(func() { _, _ = ts.Call(t.Context(), "own/image", tool.Call{}) })
	}
	testkit.Must(t, <-held)
	testkit.Must(t, <-held)
	select {
	case <-held:
		t.Error("three calls hold three eighths of the budget each")
		close(release)
	case <-time.After(50 * time.Millisecond):
		close(release)
		testkit.Must(t, <-held)
	}
	calls.Wait()
}

// An imageTool is a tool that calls hold and returns an image.
type imageTool struct{ hold func(context.Context) }

func (imageTool) Spec() tool.Spec { return tool.Spec{ID: "own/image", Name: "image"} }

func (i imageTool) Call(ctx context.Context, _ tool.Call) (tool.Result, error) {
	i.hold(ctx)
	return tool.Result{}, nil
}
