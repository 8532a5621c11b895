//go:build unix

package library

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// own is a tool that an embedding program adds.
type own struct{}

func (own) Spec() tool.Spec {
	return tool.Spec{ID: "own/shout", Name: "shout", Description: "Shouts.", Input: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`)}
}

func (own) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	tool.Count(ctx, 0, int64(len(c.Args)))
	return tool.Result{Parts: tool.Text(strings.ToUpper(string(c.Args)))}, nil
}

// TestRecords: the record of a call says in which root it read, how much, whether the answer is cut, and how the call ended.
func TestRecords(t *testing.T) {
	first := fixture.Make(t, ".git/info/exclude", ".gitignore", "a", "b", "d/c", "d/e/f")
	second := fixture.Make(t, "x/y", "x/z")
	var records []tool.Record
	toolset := testkit.Open(t, gander.Options{
		Roots:   []string{first, second},
		More:    []tool.Tool{own{}},
		Observe: func(_ context.Context, r tool.Record) { records = append(records, r) },
		Clock:   func() time.Time { return time.Unix(7, 0) },
	})
	for _, c := range []struct {
		id, args       string
		root           string
		entries, bytes int
		truncated      bool
		outcome        string
	}{
		{"codex/list_dir", `{"dir_path":"` + first + `"}`, first, 8, 0, false, "ok"},
		{"codex/list_dir", `{"dir_path":"` + first + `","limit":1,"depth":1}`, first, 5, 0, true, "ok"},
		{"codex/list_dir", `{"dir_path":"` + second + `/x"}`, second, 2, 0, false, "ok"},
		{"codex/read_file", `{"file_path":"` + first + `/d/c"}`, first, 0, len("d/c"), false, "ok"},
		{"gemini/list_directory", `{"path":"` + first + `"}`, first, 5, len(".git/info/exclude.gitignore"), false, "ok"},
		{"forge/list_directory", `{"path":"d","recursive":true}`, first, 3, 0, false, "ok"},
		{"forge/list_directory", `{"path":"d","recursive":true,"max_entries":1}`, first, 2, 0, true, "ok"},
		{"toolkit/tree", `{"path":".","entry_kind":"all"}`, first, 8, 0, false, "ok"},
		{"toolkit/tree", `{"path":"none"}`, "", 0, 0, false, "not_found"},
		{"own/shout", `{}`, "", 0, 2, false, "ok"},
	} {
		_, _ = toolset.Call(t.Context(), c.id, tool.Call{Args: []byte(c.args)})
		r := records[len(records)-1]
		got := fmt.Sprint(r.Tool.ID, " in ", r.Root, " read ", r.Entries, r.Bytes, r.Result.Truncated, r.Outcome(), r.Start.Unix(), r.Duration)
		want := fmt.Sprint(c.id, " in ", c.root, " read ", c.entries, c.bytes, c.truncated, c.outcome, 7, time.Duration(0))
		if got != want {
			t.Errorf("%s %s\ngot  %s\nwant %s", c.id, c.args, got, want)
		}
	}
}

// TestWrap: middleware wraps the built-in tools and those that the embedding program adds.
func TestWrap(t *testing.T) {
	var passed []string
	toolset := testkit.Open(t, gander.Options{
		Roots: []string{t.TempDir()},
		Tools: []string{"codex", "gemini", "forge", "toolkit"},
		More:  []tool.Tool{own{}},
		Wrap: []tool.Middleware{func(s tool.Spec, next tool.Handler) tool.Handler {
			return func(ctx context.Context, c tool.Call) (tool.Result, error) {
				passed = append(passed, s.ID)
				return next(ctx, c)
			}
		}},
	})
	var want []string
	for _, d := range toolset.Definitions() {
		want = append(want, d.ID)
		_, _ = toolset.Call(t.Context(), d.Name, tool.Call{})
	}
	if diff := cmp.Diff(want, passed); diff != "" || len(want) < 6 {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestLogger: each call logs one line, at the level of its outcome.
func TestLogger(t *testing.T) {
	root := fixture.Make(t, "a")
	var out bytes.Buffer
	toolset := testkit.Open(t, gander.Options{
		Roots:  []string{root},
		Logger: slog.New(slog.NewJSONHandler(&out, nil)),
		Clock:  func() time.Time { return time.Unix(7, 0) },
	})
	for _, args := range []string{`{"path":"."}`, `{"path":"/"}`} {
		_, _ = toolset.Call(t.Context(), "tree", tool.Call{Args: []byte(args)})
	}
	var got []map[string]any
	for line := range strings.Lines(out.String()) {
		var entry map[string]any
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatal(err)
		}
		delete(entry, slog.TimeKey)
		got = append(got, entry)
	}
	want := []map[string]any{
		{"level": "INFO", "msg": "tool call", "tool": "toolkit/tree", "outcome": "ok", "duration": 0.0, "root": root, "entries": 1.0, "bytes": 0.0, "truncated": false},
		{"level": "WARN", "msg": "tool call", "tool": "toolkit/tree", "outcome": "outside", "duration": 0.0, "root": "", "entries": 0.0, "bytes": 0.0, "truncated": false, "error": "SANDBOX_VIOLATION: path is outside the workspace; use a path inside it"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestConcurrentUse: a toolset may be used and closed from many goroutines at once.
func TestConcurrentUse(t *testing.T) {
	root := fixture.Make(t, "a", "d/b")
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Observe: func(context.Context, tool.Record) {}})
	files, err := toolset.FS(".")
	if err != nil {
		t.Fatal(err)
	}
	var users sync.WaitGroup
	for i := range 16 {
		users.Go(func() {
			for range 50 {
				_, _ = toolset.Call(t.Context(), "list_dir", tool.Call{Args: fmt.Appendf(nil, `{"dir_path":%q}`, root)})
				_, _ = toolset.Call(t.Context(), "read_file", tool.Call{Args: fmt.Appendf(nil, `{"file_path":%q}`, filepath.Join(root, "a"))})
				for range toolset.List(t.Context(), ".", gander.ListOptions{Depth: -1}) {
				}
				if f, err := files.Open("d/b"); err == nil {
					_ = f.Close()
				}
			}
			if i == 0 {
				_ = toolset.Close()
			}
		})
	}
	users.Wait()
	if _, err := toolset.Call(t.Context(), "tree", tool.Call{Args: []byte(`{"path":"."}`)}); err == nil {
		t.Error("a closed toolset answers")
	}
}
