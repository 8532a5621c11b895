//go:build unix

package library

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"testing"
	"time"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// TestErrors checks the kind of every tool's errors, and that errors.Is matches the sentinels of
// this kind and no others.
func TestErrors(t *testing.T) {
	root := fixture.Make(t, "d/a", "secret/a", "link => ../..")
	sentinels := []error{
		tool.ErrOutside, tool.ErrPolicy, tool.ErrUnknownTool, tool.ErrBusy, tool.ErrClosed, fs.ErrNotExist, fs.ErrPermission,
		context.DeadlineExceeded, context.Canceled,
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	for _, c := range []struct {
		name    string
		options gander.Options
		ctx     context.Context
		path    string
		kind    tool.Kind
		matches []error
	}{
		{name: "missing", path: "none", kind: tool.NotFound, matches: []error{fs.ErrNotExist}},
		{name: "outside", path: filepath.Dir(root), kind: tool.Outside, matches: []error{tool.ErrOutside}},
		{name: "outside by a link", path: "link", kind: tool.Outside, matches: []error{tool.ErrOutside}},
		{name: "denied by pattern", options: gander.Options{Deny: []string{"secret"}}, path: "secret", kind: tool.Denied, matches: []error{fs.ErrPermission}},
		{name: "denied by policy", options: gander.Options{Policy: tool.Policy{Deny: []string{"all"}}}, path: "d", kind: tool.Denied, matches: []error{tool.ErrPolicy, fs.ErrPermission}},
		{name: "nobody to ask", options: gander.Options{Policy: tool.Policy{Prompt: []string{"all"}}}, path: "d", kind: tool.Denied, matches: []error{tool.ErrPolicy, fs.ErrPermission}},
		{name: "cancelled", ctx: cancelled, path: "d", kind: tool.Cancelled, matches: []error{context.Canceled}},
		{name: "the caller's deadline", ctx: late, path: "d", kind: tool.Timeout, matches: []error{context.DeadlineExceeded}},
		{name: "the limit of time", options: gander.Options{Limits: gander.Limits{Timeout: 1}}, path: "d", kind: tool.Timeout, matches: []error{context.DeadlineExceeded}},
	} {
		c.options.Roots, c.options.Tools = []string{root}, []string{"codex", "gemini", "forge", "toolkit"}
		toolset := testkit.Open(t, c.options)
		for _, d := range toolset.Tools() {
			path, key := c.path, testkit.PathArguments()[d.ID]
			if key == "" {
				continue
			}
			if d.ID == "codex/read_file" && path != "none" && path != "link" {
				path = filepath.Join(path, "a")
			}
			if d.ID == "toolkit/tree" && path == "link" {
				path = "link/x" // tree does not list a symlink
			}
			if !filepath.IsAbs(path) {
				path = filepath.Join(root, path)
			}
			args, err := json.Marshal(map[string]string{key: path})
			if err != nil {
				t.Fatal(err)
			}
			ctx := c.ctx
			if ctx == nil {
				ctx = t.Context()
			}
			_, err = toolset.Call(ctx, d.ID, testkit.Complete(t, d.ID, args))
			var e *tool.Error
			if !errors.As(err, &e) || e.Kind != c.kind {
				t.Errorf("%s, %s: %#v is not of kind %s", c.name, d.ID, err, c.kind)
				continue
			}
			if e.Message == "" || e.Message != err.Error() {
				t.Errorf("%s, %s: the message is %q, the error's text %q", c.name, d.ID, e.Message, err)
			}
			for _, sentinel := range sentinels {
				want := false
				for _, m := range c.matches {
					want = want || m == sentinel
				}
				if got := errors.Is(err, sentinel); got != want {
					t.Errorf("%s, %s: %q matches %q: %v", c.name, d.ID, err, sentinel, got)
				}
			}
		}
	}
}
