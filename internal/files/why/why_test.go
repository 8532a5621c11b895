package why_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"gander/internal/files/why"
	"gander/internal/files/workspace"
	"gander/internal/testkit/fixture"
)

func TestExplain(t *testing.T) {
	entries := []string{
		"a/file", "a/keep.log", "a/x.log", "build/deep/out", ".git/config", "secret/key", "secret.pem",
		"nested/.git/HEAD", "nested/x.log", "..data",
	}
	want := map[string]why.Explanation{}
	if runtime.GOOS != "windows" {
		entries = append(entries, "out => /etc/passwd", "up => ../other", "inner => a/x.log",
			"dangling => nowhere", "link => a", "loop => loop", "pipe|", "hidden => secret/key")
		want = map[string]why.Explanation{
			"pipe":          {why.Shown, ""},
			"inner":         {why.Shown, ""},
			"dangling":      {why.Shown, ""},
			"loop":          {why.Shown, ""},
			"link/keep.log": {why.Shown, ""},
			"link/x.log":    {why.Ignored, ".gitignore:1:*.log"},
			"hidden":        {why.Denied, "secret/**"},
			"out":           {why.Outside, ""},
			"up/x":          {why.Outside, ""},
		}
	}
	root := fixture.Make(t, entries...)
	for name, text := range map[string]string{
		".gitignore": "*.log\n/build/\n", "a/.gitignore": "# kept\n!keep.log\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w, err := workspace.Open(workspace.Options{Deny: []string{"secret/**", "*.pem"}}, root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	maps.Copy(want, map[string]why.Explanation{
		"a/file":             {why.Shown, ""},
		"a":                  {why.Shown, ""},
		".":                  {why.Shown, ""},
		root:                 {why.Shown, ""},
		root + "/a/file":     {why.Shown, ""},
		"a/keep.log":         {why.Shown, ""},
		"..data":             {why.Shown, ""},
		"nested/x.log":       {why.Shown, ""},
		"a/x.log":            {why.Ignored, ".gitignore:1:*.log"},
		"build":              {why.Ignored, ".gitignore:2:/build/"},
		"build/deep/out":     {why.Ignored, ".gitignore:2:/build/"},
		".git":               {why.Git, ""},
		".git/config":        {why.Git, ""},
		"nested/.git/HEAD":   {why.Git, ""},
		"secret/key":         {why.Denied, "secret/**"},
		"secret/nothing":     {why.Denied, "secret/**"},
		"secret.pem":         {why.Denied, "*.pem"},
		"missing":            {why.Missing, ""},
		"a/file/below":       {why.Missing, ""},
		"..":                 {why.Outside, ""},
		"/etc/passwd":        {why.Outside, ""},
		"/no/such/place":     {why.Outside, ""},
		root + "/../nowhere": {why.Outside, ""},
	})
	for path, want := range want {
		if got, err := why.Explain(t.Context(), w, path); err != nil || got != want {
			t.Errorf("%s: got %v, %v; want %v", path, got, err, want)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := why.Explain(ended, w, "a/file"); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
	if _, err := why.Explain(t.Context(), w, "a\x00b"); err == nil {
		t.Error("a NUL is accepted")
	}
}
