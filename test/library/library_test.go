package library

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gander"
	"gander/codex"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// shout is a tool of an embedding program.
type shout struct{}

func (shout) Spec() tool.Spec {
	return tool.Spec{ID: "own/shout", Name: "shout", Description: "Shouts.", Input: json.RawMessage(
		`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`)}
}

func (shout) Call(_ context.Context, c tool.Call) (tool.Result, error) {
	return tool.Result{Parts: []tool.Part{
		{Text: strings.ToUpper(string(c.Args))},
		{Data: []byte("pixels"), MIMEType: "image/png"},
	}}, nil
}

// TestExtraTools checks that a tool of the embedding program is selected, named, called and wrapped
// like a built-in tool.
func TestExtraTools(t *testing.T) {
	var passed []string
	ts := testkit.Open(t, gander.Options{
		Roots:      []string{t.TempDir()},
		Sets:       []gander.Set{codex.Tools(codex.Options{})},
		ExtraTools: []tool.Tool{shout{}},
		Middleware: []tool.Middleware{func(s tool.Spec, next tool.Handler) tool.Handler {
			return func(ctx context.Context, c tool.Call) (tool.Result, error) {
				passed = append(passed, s.ID)
				return next(ctx, c)
			}
		}},
	})
	var want []string
	for _, s := range ts.Tools() {
		want = append(want, s.ID)
		_, _ = ts.Call(t.Context(), s.Name, nil)
	}
	diff := cmp.Diff(want, passed)
	if diff != "" || len(want) != 8 || !slices.Contains(want, "own/shout") {
		t.Errorf("(-want +got)\n%s", diff)
	}
	result, err := ts.Call(t.Context(), "shout", []byte(`{"text":"a"}`))
	if err != nil || result.Text() != "{\"TEXT\":\"A\"}\n[image: image/png, 6 bytes]" {
		t.Errorf("%q, %v", result.Text(), err)
	}
}

// TestConcurrentUse uses and closes a toolset in many goroutines concurrently.
func TestConcurrentUse(t *testing.T) {
	root := fixture.Make(t, "a", "d/b")
	ts := testkit.Open(t, gander.Options{Roots: []string{root}})
	files := ts.FS()
	var users sync.WaitGroup
	for i := range 16 {
		users.Go(func() {
			for range 50 {
				_, _ = ts.Call(t.Context(), "codex/list_dir", fmt.Appendf(nil, `{"dir_path":%q}`, root))
				_, _ = ts.Call(t.Context(), "codex/read_file", fmt.Appendf(nil, `{"file_path":%q}`, root+"/a"))
				if f, err := files.Open("d/b"); err == nil {
					_ = f.Close()
				}
				_ = ts.Tools()
			}
			if i == 0 {
				_ = ts.Close()
			}
		})
	}
	users.Wait()
	if _, err := files.Open("d/b"); err == nil {
		t.Error("a closed toolset opens files")
	}
}

// TestUnlimitedData checks that a call without a limit on data returns the largest file that
// read_media_file allows.
func TestUnlimitedData(t *testing.T) {
	const size = 64 << 20
	root := t.TempDir()
	path := filepath.Join(root, "large.png")
	testkit.Must(t, os.WriteFile(path, nil, 0o600))
	testkit.Must(t, os.Truncate(path, size))
	limits := gander.Limits{MaxDataBytes: -1}
	ts := testkit.Open(t, gander.Options{Roots: []string{root}, Limits: limits})
	args, err := json.Marshal(map[string]string{"path": path})
	testkit.Must(t, err)
	result, err := ts.Call(t.Context(), "filesystem/read_media_file", args)
	testkit.Must(t, err)
	if got := len(result.Parts[0].Data); got != size {
		t.Errorf("%d bytes, want %d", got, size)
	}
}

// TestClosedDuringCall closes a toolset before a call starts to read. The call must fail instead of
// finding nothing.
func TestClosedDuringCall(t *testing.T) {
	root := fixture.Make(t, "d/match")
	for id, p := range testkit.PathTools() {
		var ts *gander.Toolset
		ts = testkit.Open(t, gander.Options{Roots: []string{root}, Middleware: []tool.Middleware{
			func(_ tool.Spec, next tool.Handler) tool.Handler {
				return func(ctx context.Context, c tool.Call) (tool.Result, error) {
					_ = ts.Close()
					return next(ctx, c)
				}
			},
		}})
		args, err := json.Marshal(p.Arguments(root))
		testkit.Must(t, err)
		for range 2 {
			if result, err := ts.Call(t.Context(), id, args); !errors.Is(err, tool.ErrClosed) {
				t.Errorf("%s: %q, %v", id, result.Text(), err)
			}
		}
	}
}
