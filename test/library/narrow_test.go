package library

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/tool"
)

// TestNarrow: a narrowed toolset reaches only what lies in its own roots, under the rules of the toolset that it came from.
func TestNarrow(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(top, "root")
	for _, name := range []string{"root/a/in.txt", "root/a/secret/key.txt", "root/a/deep/x.pem", "root/b/other.txt", "outside/out.txt"} {
		path := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"a/up": "../b", "a/out": "../../outside", "to_a": "a", "away": "../outside", "a/abs": filepath.Join(root, "b")} {
		err := os.Symlink(target, filepath.Join(root, link))
		if _, missing := os.Readlink(filepath.Join(root, link)); missing != nil {
			t.Skip("no symlinks: ", err)
		}
	}
	whole, err := gander.Open(gander.Options{Roots: []string{root}, Tools: []string{"codex"}, Deny: []string{"a/secret/**"}, Policy: tool.Policy{Deny: []string{"codex/list_dir"}}})
	if err != nil {
		t.Fatal(err)
	}
	wide := testkit.Inner(whole)
	defer wide.Close()
	for _, dir := range []string{"a", filepath.Join(root, "a"), "to_a"} {
		ts, err := wide.Narrow(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer ts.Close()
		at := ts.Roots()[0]
		read := func(path string) (string, error) {
			args := `{"file_path":"` + filepath.ToSlash(path) + `"}`
			result, err := ts.Call(t.Context(), "read_file", tool.Call{Args: []byte(args)})
			return result.Text(), err
		}
		if got, err := read(filepath.Join(at, "in.txt")); err != nil || !strings.Contains(got, "root/a/in.txt") {
			t.Errorf("%s: %q, %v", dir, got, err)
		}
		for _, path := range []string{filepath.Join(root, "b/other.txt"), at + "/../b/other.txt", at + "/up/other.txt", at + "/abs/other.txt", at + "/out/out.txt", filepath.Join(top, "outside/out.txt")} {
			if got, err := read(path); !errors.Is(err, tool.ErrOutside) {
				t.Errorf("%s, %s: %q, %v", dir, path, got, err)
			}
		}
		for _, path := range []string{"secret/key.txt", "deep/x.pem"} {
			if got, err := read(filepath.Join(at, path)); err == nil || errors.Is(err, tool.ErrOutside) {
				t.Errorf("%s, %s: %q, %v; the deny patterns must hold", dir, path, got, err)
			}
		}
		if _, err := ts.Call(t.Context(), "list_dir", tool.Call{}); !errors.Is(err, tool.ErrPolicy) {
			t.Errorf("%v; the policy must hold", err)
		}
		if _, err := ts.Lookup("tree"); err == nil {
			t.Error("Lookup finds a tool that was not chosen")
		}
	}
	for _, dir := range []string{"away", "../outside", top, filepath.Join(top, "outside"), filepath.Join(top, "none"), "a/in.txt", "none", "a/secret"} {
		if ts, err := wide.Narrow("a", dir); err == nil {
			ts.Close()
			t.Errorf("Narrow accepts %s as a root", dir)
		}
	}
	if _, err := wide.Narrow(); err == nil {
		t.Error("Narrow accepts no roots")
	}
}
