package library

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"

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
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	all := []string{"all"}
	for _, c := range []struct {
		path    string
		policy  tool.Policy
		ctx     context.Context // t.Context() if nil
		kind    tool.Kind
		matches []error
	}{
		{"none/x", tool.Policy{}, nil, tool.NotFound, []error{fs.ErrNotExist}},
		{filepath.Dir(root), tool.Policy{}, nil, tool.Outside, []error{tool.ErrOutside}},
		{"link/x", tool.Policy{}, nil, tool.Outside, []error{tool.ErrOutside}},
		{"secret/a", tool.Policy{}, nil, tool.Denied, []error{fs.ErrPermission}},
		{
			"d/a",
			tool.Policy{Deny: all},
			nil, tool.Denied,
			[]error{tool.ErrPolicy, fs.ErrPermission},
		},
		{
			"d/a",
			tool.Policy{Prompt: all},
			nil, tool.Denied,
			[]error{tool.ErrPolicy, fs.ErrPermission},
		},
		{"d/a", tool.Policy{}, canceled, tool.Cancelled, []error{context.Canceled}},
		{"d/a", tool.Policy{}, late, tool.Timeout, []error{context.DeadlineExceeded}},
	} {
		t.Run(c.path, func(t *testing.T) {
			skipMissing(t, c.path, missing)
			path := c.path
			if !filepath.IsAbs(path) {
				path = filepath.Join(root, path)
			}
			ts := testkit.Open(t, gander.Options{
				Roots: []string{root}, Tools: []string{"codex", "gemini", "forge", "toolkit"},
				Deny: []string{"secret"}, Policy: c.policy,
			})
			for _, d := range ts.Tools() {
				args, err := json.Marshal(testkit.PathTools()[d.ID].Arguments(path))
				testkit.Must(t, err)
				_, err = ts.Call(cmp.Or(c.ctx, t.Context()), d.ID, args)
				var e *tool.Error
				if !errors.As(err, &e) || e.Kind != c.kind || e.Message == "" || e.Message != err.Error() {
					t.Errorf("%s: %#v is not of kind %s", d.ID, err, c.kind)
					continue
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
