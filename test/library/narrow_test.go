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

// TestNarrow checks that a narrowed toolset reaches only its own roots, under the rules of the
// toolset that it is derived from.
func TestNarrow(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	testkit.Must(t, err)
	root := filepath.Join(top, "root")
	for _, name := range []string{
		"root/a/in.txt", "root/a/secret/key.txt", "root/a/deep/x.pem", "root/b/other.txt",
		"outside/out.txt",
	} {
		path := filepath.Join(top, filepath.FromSlash(name))
		testkit.Must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		testkit.Must(t, os.WriteFile(path, []byte(name), 0o644))
	}
	for link, target := range map[string]string{
		"a/up": "../b", "a/out": "../../outside", "to_a": "a", "away": "../outside",
		"a/abs": filepath.Join(root, "b"),
	} {
		err := os.Symlink(target, filepath.Join(root, link))
		if _, missing := os.Readlink(filepath.Join(root, link)); missing != nil {
			t.Skip("no symlinks: ", err)
		}
	}
	wide := testkit.Inner(testkit.Open(t, gander.Options{
		Roots: []string{root}, Tools: []string{"codex"}, Deny: []string{"a/secret/**"},
		Policy: tool.Policy{Deny: []string{"codex/list_dir"}},
	}))
	for _, dir := range []string{"a", "to_a"} {
		ts, err := wide.Narrow(filepath.Join(root, dir))
		testkit.Must(t, err)
		defer ts.Close()
		at := ts.Roots()[0]
		read := func(path string) (string, error) {
			args := `{"file_path":"` + filepath.ToSlash(path) + `"}`
			result, err := ts.Call(t.Context(), "read_file", tool.Call{Args: []byte(args)})
			return result.Text(), err
		}
		got, err := read(filepath.Join(at, "in.txt"))
		if err != nil || !strings.Contains(got, "root/a/in.txt") {
			t.Errorf("%s: %q, %v", dir, got, err)
		}
		for _, path := range []string{
			filepath.Join(root, "b/other.txt"), filepath.Join(top, "outside/out.txt"),
			at + "/../b/other.txt", at + "/up/other.txt", at + "/abs/other.txt", at + "/out/out.txt",
		} {
			if got, err := read(path); !errors.Is(err, tool.ErrOutside) {
				t.Errorf("%s, %s: %q, %v", dir, path, got, err)
			}
		}
		for _, path := range []string{"secret/key.txt", "deep/x.pem"} {
			got, err := read(filepath.Join(at, path))
			if err == nil || errors.Is(err, tool.ErrOutside) {
				t.Errorf("%s, %s: %q, %v; the deny patterns must apply", dir, path, got, err)
			}
		}
		if _, err := ts.Call(t.Context(), "list_dir", tool.Call{}); !errors.Is(err, tool.ErrPolicy) {
			t.Errorf("%v; the policy must apply", err)
		}
		if _, err := ts.Lookup("tree"); err == nil {
			t.Error("Lookup finds a tool that is not selected")
		}
	}
	for _, dir := range []string{
		"away", "../outside", "..", "../none", "a/in.txt", "none", "a/secret",
	} {
		ts, err := wide.Narrow(filepath.Join(root, "a"), filepath.Join(root, dir))
		if err == nil {
			ts.Close()
			t.Errorf("Narrow accepts %s as a root", dir)
		}
	}
}
