//go:build unix

package library

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
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
	if diff != "" || len(want) != 5 || !slices.Contains(want, "own/shout") {
		t.Errorf("(-want +got)\n%s", diff)
	}
	result, err := ts.Call(t.Context(), "shout", []byte(`{"text":"a"}`))
	if err != nil || result.Text() != "{\"TEXT\":\"A\"}\n[image: image/png, 6 bytes]" {
		t.Errorf("%q, %v", result.Text(), err)
	}
}

// TestExtraToolOverMCP checks that the parts of a result are converted to content blocks.
func TestExtraToolOverMCP(t *testing.T) {
	session := connect(t, testkit.Open(t, gander.Options{
		Roots: []string{t.TempDir()}, Tools: []string{"own"}, ExtraTools: []tool.Tool{shout{}},
	}))
	var names []string
	for listed, err := range session.Tools(t.Context(), nil) {
		testkit.Must(t, err)
		names = append(names, listed.Name)
	}
	if !slices.Equal(names, []string{"shout"}) {
		t.Errorf("tools %q", names)
	}
	called, err := session.CallTool(t.Context(), &mcp.CallToolParams{
		Name: "shout", Arguments: map[string]any{"text": "x"},
	})
	testkit.Must(t, err)
	if len(called.Content) != 2 {
		t.Fatalf("content %v", called.Content)
	}
	image, ok := called.Content[1].(*mcp.ImageContent)
	if !ok || string(image.Data) != "pixels" || image.MIMEType != "image/png" {
		t.Errorf("content %v", called.Content)
	}
}

// TestLogger checks that each call logs one record at the level for its outcome.
func TestLogger(t *testing.T) {
	root := fixture.Make(t, "a")
	var out bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&out, nil))
	ts := testkit.Open(t, gander.Options{Roots: []string{root}, Logger: logger})
	for _, args := range []string{`{"path":"."}`, `{"path":"/"}`} {
		_, _ = ts.Call(t.Context(), "tree", []byte(args))
	}
	var got []map[string]any
	for line := range strings.Lines(out.String()) {
		var entry map[string]any
		testkit.Must(t, json.Unmarshal([]byte(line), &entry))
		delete(entry, slog.TimeKey)
		delete(entry, "duration")
		got = append(got, entry)
	}
	want := []map[string]any{{
		"level": "INFO", "msg": "tool call", "tool": "toolkit/tree", "outcome": "ok",
		"truncated": false,
	}, {
		"level": "WARN", "msg": "tool call", "tool": "toolkit/tree", "outcome": "outside",
		"truncated": false,
		"error":     "SANDBOX_VIOLATION: path is outside the workspace; use a path inside it",
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
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
