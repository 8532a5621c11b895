package library

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
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
	root, missing := fixture.MakePossible(t, "d/a", "secret/a", "link => ../..")
	sentinels := []error{
		tool.ErrOutside, tool.ErrPolicy, tool.ErrUnknownTool, tool.ErrBusy, tool.ErrClosed,
		fs.ErrNotExist, fs.ErrPermission, context.DeadlineExceeded, context.Canceled,
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	var deny, policy, prompt, timeout gander.Options
	deny.Deny = []string{"secret"}
	policy.Policy.Deny = []string{"all"}
	prompt.Policy.Prompt = []string{"all"}
	timeout.Limits.Timeout = 1
	type errs []error
	for _, c := range []struct {
		name    string
		options gander.Options
		ctx     context.Context // t.Context() if nil
		path    string
		kind    tool.Kind
		matches errs
	}{
		{"missing", gander.Options{}, nil, "none", tool.NotFound, errs{fs.ErrNotExist}},
		{"outside", gander.Options{}, nil, filepath.Dir(root), tool.Outside, errs{tool.ErrOutside}},
		{"outside by a link", gander.Options{}, nil, "link", tool.Outside, errs{tool.ErrOutside}},
		{"deny pattern", deny, nil, "secret", tool.Denied, errs{fs.ErrPermission}},
		{"policy", policy, nil, "d", tool.Denied, errs{tool.ErrPolicy, fs.ErrPermission}},
		{"no approver", prompt, nil, "d", tool.Denied, errs{tool.ErrPolicy, fs.ErrPermission}},
		{"canceled", gander.Options{}, cancelled, "d", tool.Cancelled, errs{context.Canceled}},
		{"deadline", gander.Options{}, late, "d", tool.Timeout, errs{context.DeadlineExceeded}},
		{"timeout", timeout, nil, "d", tool.Timeout, errs{context.DeadlineExceeded}},
	} {
		t.Run(c.name, func(t *testing.T) {
			skipMissing(t, c.path, missing)
			c.options.Roots = []string{root}
			c.options.Tools = []string{"codex", "gemini", "forge", "toolkit"}
			toolset := testkit.Open(t, c.options)
			for _, d := range toolset.Tools() {
				p := testkit.PathTools()[d.ID]
				path := c.path
				if p.Reads && path != "none" && path != "link" {
					path = filepath.Join(path, "a")
				}
				if d.ID == "toolkit/tree" && path == "link" {
					path = "link/x" // tree does not list a symlink
				}
				if !filepath.IsAbs(path) {
					path = filepath.Join(root, path)
				}
				args, err := json.Marshal(p.Arguments(path))
				testkit.Must(t, err)
				ctx := cmp.Or(c.ctx, t.Context())
				_, err = toolset.Call(ctx, d.ID, args)
				if c.name == "timeout" && runtime.GOOS == "windows" {
					// The clock advances so rarely that a call can return before its timeout.
					for start := time.Now(); err == nil && time.Since(start) < time.Second; {
						_, err = toolset.Call(ctx, d.ID, args)
					}
				}
				var e *tool.Error
				if !errors.As(err, &e) || e.Kind != c.kind {
					t.Errorf("%s: %#v is not of kind %s", d.ID, err, c.kind)
					continue
				}
				if e.Message == "" || e.Message != err.Error() {
					t.Errorf("%s: the message is %q, the error's text %q", d.ID, e.Message, err)
				}
				for _, sentinel := range sentinels {
					want := slices.Contains(c.matches, sentinel)
					if got := errors.Is(err, sentinel); got != want {
						t.Errorf("%s: %q matches %q: %v", d.ID, err, sentinel, got)
					}
				}
			}
		})
	}
}
