package library

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/tool"
)

// TestOpen opens files by paths as a tool of the program gets them. It must find exactly what
// gander/read_file finds, and the tool's error must have the same kind.
func TestOpen(t *testing.T) {
	top, missing := fixture.MakePossible(t,
		"w/a", "w/d/b", "w/.ssh/id", "w/key.pem", "w/in => d", "w/out => ../s", "w/up => ..",
		"w/denied => key.pem", "w/loop => loop", "w/pipe|", "w/there => {root}/w/a", "v/a", "s")
	root := filepath.Join(top, "w")
	var ts *gander.Toolset
	own := tooltest.NewFake("own/open", func(ctx context.Context, c tool.Call) (tool.Result, error) {
		file, err := ts.Open(ctx, strings.Trim(string(c.Args), `"`))
		if err != nil {
			return tool.Result{}, err
		}
		defer file.Close()
		data, err := io.ReadAll(file)
		return tool.Result{Parts: tool.Text(string(data))}, err
	})
	ts = testkit.Open(t, gander.Options{
		Roots: []string{root, filepath.Join(top, "v")}, ExtraTools: []tool.Tool{own},
	})
	for _, path := range []string{
		"a", "./a", "d/b", "d/../a", "d//b", "in/b", "there", root + "/a", root + "/./d/b",
		filepath.Join(top, "v", "a"), ".ssh/id", "./key.pem", "denied", "none", "d/none",
		"out", "up/s", "../s", "../w/a", "../none", top + "/s", "/etc/hostname", "/none", "loop",
	} {
		if last := filepath.Base(path); slices.Contains(missing, last) {
			t.Logf("this system has no %s", last)
			continue
		}
		want, wantErr := testkit.Call(t, ts, "gander/read_file", map[string]string{"path": path})
		got, err := ts.Call(t.Context(), "own/open", []byte(`"`+path+`"`))
		failure, _ := errors.AsType[*tool.Error](err)
		switch {
		case (failure == nil) != (wantErr == nil):
			t.Errorf("%s: %v, read_file: %v", path, err, wantErr)
		case failure == nil:
			if !strings.Contains(want.Text(), got.Text()) || got.Text() == "" {
				t.Errorf("%s: %q, read_file: %q", path, got.Text(), want.Text())
			}
		case failure.Kind != wantErr.Kind:
			t.Errorf("%s: %s, %v; read_file: %s, %v", path, failure.Kind, err, wantErr.Kind, wantErr)
		case failure.Kind == tool.Outside && strings.Contains(failure.Message, "exist"):
			t.Errorf("%s: the error reveals whether the path exists: %v", path, err)
		}
	}
}

// TestOpenDirectory checks that a directory can be listed by any of its paths.
func TestOpenDirectory(t *testing.T) {
	root := fixture.Make(t, "d/b", "d/a")
	ts := testkit.Open(t, gander.Options{Roots: []string{root}})
	for _, path := range []string{"d", "./d", "d/", root + "/d"} {
		opened, err := ts.Open(t.Context(), path)
		testkit.Must(t, err)
		dir := opened.(fs.ReadDirFile)
		entries, err := dir.ReadDir(-1)
		if err != nil || len(entries) != 2 || entries[0].Name() != "a" {
			t.Errorf("%s: %v, %v", path, entries, err)
		}
		info, err := dir.Stat()
		if err != nil || info.Name() != "d" || !info.IsDir() {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	testkit.Must(t, ts.Close())
	if _, err := ts.Open(t.Context(), "d/a"); err == nil {
		t.Error("a closed toolset opens files")
	}
}

// TestOpenDirectoryEnds checks that a directory cannot be listed after its context is done.
func TestOpenDirectoryEnds(t *testing.T) {
	ts := testkit.Open(t, gander.Options{Roots: []string{fixture.Make(t, "d/a", "d/b")}})
	ctx, cancel := context.WithCancel(t.Context())
	opened, err := ts.Open(ctx, "d")
	testkit.Must(t, err)
	cancel()
	if entries, err := opened.(fs.ReadDirFile).ReadDir(-1); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", entries, err)
	}
}
