package why_test

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"

	"gander/internal/files/why"
	"gander/internal/files/workspace"
	"gander/internal/testkit/fixture"
)

// TestExplain has paths, their causes and the rules. Those after the empty line need symlinks and
// FIFOs.
func TestExplain(t *testing.T) {
	table, err := os.ReadFile("testdata/explanations")
	if err != nil {
		t.Fatal(err)
	}
	lines, unix, _ := strings.Cut(strings.ReplaceAll(string(table), "\r", ""), "\n\n")
	entries := []string{
		"a/file", "a/keep.log", "a/x.log", "build/deep/out", ".git/config", "secret/key", "secret.pem",
		"nested/.git/HEAD", "nested/x.log", "..data",
	}
	if runtime.GOOS != "windows" {
		lines += "\n" + unix
		entries = append(entries, "out => /etc/passwd", "up => ../other", "inner => a/x.log",
			"dangling => nowhere", "link => a", "loop => loop", "pipe|", "hidden => secret/key",
			"far => nested/.git")
	}
	root := fixture.Make(t, entries...)
	fixture.Write(t, root, map[string]string{
		".gitignore": "*.log\n/build/\n", "a/.gitignore": "# kept\n!keep.log\n",
	})
	w, err := workspace.Open(workspace.Options{Deny: []string{"secret/**", "*.pem"}}, root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	for line := range strings.Lines(lines) {
		name, want, _ := strings.Cut(strings.TrimSpace(line), " ")
		got, err := why.Explain(t.Context(), w, strings.ReplaceAll(name, "{root}", root))
		if text := strings.TrimSpace(string(got.Cause) + " " + got.Rule); err != nil ||
			text != strings.TrimSpace(want) {
			t.Errorf("%s: got %s, %v; want %s", name, text, err, want)
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

// TestExplainNarrowed explains a path in a narrowed root that was given as a relative path.
func TestExplainNarrowed(t *testing.T) {
	root := fixture.Make(t, "a/.git/config", "a/b/x.log")
	fixture.Write(t, root, map[string]string{"a/.gitignore": "*.log\n"})
	wide, err := workspace.Open(workspace.Options{}, root)
	if err != nil {
		t.Fatal(err)
	}
	defer wide.Close()
	w, err := wide.Narrow("a")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	got, err := why.Explain(t.Context(), w, "b/x.log")
	want := why.Explanation{Cause: why.Ignored, Rule: ".gitignore:1:*.log"}
	if err != nil || got != want {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
}
