//go:build unix

package library

import (
	"errors"
	"io/fs"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

func TestTarget(t *testing.T) {
	root := fixture.Make(t, "in => a/b", "out => /etc/passwd", "sub/\xff => ../\xfe", "file")
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}})
	targets := map[string]string{"in": "a/b", "out": "/etc/passwd", "sub/\xff": "../\xfe"}
	for e, err := range toolset.List(t.Context(), ".", gander.ListOptions{Depth: 2}) {
		if err != nil {
			t.Fatal(err)
		}
		target, err := e.Target()
		if want, ok := targets[e.Path]; target != want || ok != (err == nil) {
			t.Errorf("%q: got %q, %v, want %q", e.Path, target, err, want)
		}
		var failure *tool.Error
		if err != nil && !errors.As(err, &failure) {
			t.Errorf("%q: got %v", e.Path, err)
		}
	}
	if _, err := (gander.Entry{Path: "x"}).Target(); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("the target of nothing: %v", err)
	}
}
