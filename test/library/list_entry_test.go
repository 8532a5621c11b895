//go:build unix

package library

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// TestLast: Last reports that no other entry of the directory is listed after this one, except where the limit ends the listing.
func TestLast(t *testing.T) {
	root := fixture.Make(t, "a/x", "a/y", "b/.h", "c/d/e", "z")
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}})
	visible := func(e gander.Entry) bool { return !strings.HasPrefix(e.Name(), ".") }
	for _, tt := range []struct {
		name    string
		options gander.ListOptions
		want    string
	}{
		{"all", gander.ListOptions{Depth: -1}, "a a/x a/y$ b b/.h$ c c/d$ c/d/e$ z$"},
		{"filtered", gander.ListOptions{Depth: -1, Keep: visible}, "a a/x a/y$ b c c/d$ c/d/e$ z$"},
		{"limited", gander.ListOptions{Depth: -1, Limit: 2}, "a a/x"},
		{"limited at the end of a directory", gander.ListOptions{Depth: -1, Limit: 3}, "a a/x a/y$"},
		{"exactly", gander.ListOptions{Limit: 4}, "a b c z$"},
		{"directories first", gander.ListOptions{Order: gander.DirectoriesFirst, Depth: 2}, "a a/x a/y$ b b/.h$ c c/d$ z$"},
		{"by path", gander.ListOptions{Order: gander.PathOrder}, "a b c z"},
	} {
		var got []string
		for e, err := range toolset.List(t.Context(), ".", tt.options) {
			if err != nil {
				t.Fatal(err)
			}
			path := e.Path
			if e.Last {
				path += "$"
			}
			got = append(got, path)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, strings.Join(got, " "), tt.want)
		}
	}
}

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
