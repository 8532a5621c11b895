package library

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// TestErrors checks that errors.Is matches an error of each tool about a path with one sentinel and
// no other.
func TestErrors(t *testing.T) {
	root, missing := fixture.MakePossible(t, "d/a", "secret/a", "link => ../..")
	sentinels := []error{
		tool.ErrOutside, tool.ErrPolicy, tool.ErrUnknownTool, tool.ErrBusy, tool.ErrClosed,
		fs.ErrNotExist, fs.ErrPermission, context.DeadlineExceeded, context.Canceled,
	}
	ts := testkit.Open(t, gander.Options{
		Roots: []string{root}, Tools: []string{"codex", "gemini", "forge", "toolkit"},
		Deny: []string{"secret"},
	})
	for path, want := range map[string]error{
		"none/x": fs.ErrNotExist, filepath.Dir(root): tool.ErrOutside, "link/x": tool.ErrOutside,
		"secret/a": fs.ErrPermission,
	} {
		t.Run(path, func(t *testing.T) {
			skipMissing(t, path, missing)
			if !filepath.IsAbs(path) {
				path = filepath.Join(root, path)
			}
			for _, d := range ts.Tools() {
				_, e := testkit.Call(t, ts, d.ID, testkit.PathTools()[d.ID].Arguments(path))
				if e == nil || e.Message == "" {
					t.Errorf("%s: %#v", d.ID, e)
					continue
				}
				for _, sentinel := range sentinels {
					if got := errors.Is(e, sentinel); got != (sentinel == want) {
						t.Errorf("%s: %q matches %q: %v", d.ID, e, sentinel, got)
					}
				}
			}
		})
	}
}
