//go:build unix

package look

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"gander"
	"gander/internal/testkit/fixture"
)

func open(t *testing.T, root string) *gander.Toolset {
	t.Helper()
	files, err := gander.Open(gander.Options{Roots: []string{root}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = files.Close() })
	return files
}

// paths are what is listed, directories with a slash at the end; an error is a ! behind its entry.
func paths(t *testing.T, root, rel string, o Options) []string {
	t.Helper()
	entries, err := List(t.Context(), open(t, root), root, rel, o)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for e, err := range entries {
		path := e.Path
		if e.IsDir() {
			path += "/"
		}
		if err != nil {
			path += "!"
		}
		got = append(got, path)
	}
	return got
}

func TestList(t *testing.T) {
	root := fixture.Make(t, "a/b/c.txt", "a/b/d.md", "a/.h", "B.txt", "z => a", ".git/x", "k.pem/f")
	for _, tt := range []struct {
		name, rel string
		options   Options
		want      string
	}{
		{"the zero value", ".", Options{}, "B.txt a/ k.pem/ z"},
		{"deep", ".", Options{Depth: -1}, "B.txt a/ a/b/ a/b/c.txt a/b/d.md k.pem/! z"},
		{"hidden", "a", Options{Hidden: true}, ".h b/"},
		{"directories", ".", Options{Depth: -1, Directories: true}, "a/ a/b/ k.pem/!"},
		{"grouped", ".", Options{Grouped: true}, "a/ k.pem/ B.txt z"},
		{"limit", ".", Options{Limit: 2, Depth: 2}, "B.txt a/ a/b/!"},
		{"limit that is met", "a/b", Options{Limit: 2}, "c.txt d.md"},
		{"by name", ".", Options{Depth: -1, Exclude: []string{"*.txt|k*", "z"}}, "a/ a/b/ a/b/d.md"},
		{"by path", ".", Options{Depth: -1, Exclude: []string{"a/**/*.md", "/b", "k*"}}, "B.txt a/ a/b/ a/b/c.txt z"},
		{"git's own", ".", Options{Hidden: true, Ignore: true}, "B.txt a/ k.pem/ z"},
	} {
		if got := strings.Join(paths(t, root, tt.rel, tt.options), " "); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
	for _, glob := range []string{"[", "a|", "{a"} {
		if _, err := List(t.Context(), open(t, root), root, ".", Options{Exclude: []string{glob}}); err == nil || !strings.Contains(err.Error(), "is no pattern") {
			t.Errorf("%q: got %v", glob, err)
		}
	}
	limited, _ := List(t.Context(), open(t, root), root, ".", Options{Limit: 1})
	for e, err := range limited {
		if errors.Is(err, ErrLimit) != (e.Path == "a") {
			t.Errorf("%s: got %v", e.Path, err)
		}
	}
}

// TestAsGit: what is left with Ignore is what git lists as not ignored, in random trees with random ignore files.
func TestAsGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("git is not installed")
	}
	r := rand.New(rand.NewPCG(3, 4))
	rules := []string{"*.txt", "a", "/b", "ab/", "!a", "**/0", "a/**", "#x", "!*.txt", "*", "!*/", "d?", "[a-c]*"}
	for range 25 {
		var entries []string
		names := []string{"a", "b", "ab", "0", "x.txt", "d1"}
		for range 25 {
			path := names[r.IntN(len(names))]
			for range r.IntN(3) {
				path = "n" + names[r.IntN(len(names))] + "/" + path
			}
			if !slices.Contains(entries, path) {
				entries = append(entries, path)
			}
		}
		root := fixture.Make(t, entries...)
		for _, file := range []string{".gitignore", "nab/.gitignore", "na/.gitignore", ".git/info/exclude"} {
			if file == ".git/info/exclude" {
				git(t, root, "init", "-q")
			}
			if dir := filepath.Dir(filepath.Join(root, file)); exists(dir) {
				lines := rules[r.IntN(len(rules))] + "\n" + rules[r.IntN(len(rules))] + "\n"
				if err := os.WriteFile(filepath.Join(root, file), []byte(lines), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		all := strings.Split(strings.TrimSuffix(git(t, root, "ls-files", "-z", "--others", "--exclude-standard"), "\x00"), "\x00")
		for _, dir := range []string{"", "na/", "nab/", "nab/na/"} {
			if !exists(filepath.Join(root, dir)) {
				continue
			}
			var got, want []string
			for _, path := range paths(t, root, dir, Options{Depth: -1, Hidden: true, Ignore: true}) {
				if !strings.HasSuffix(path, "/") && utf8.ValidString(path) {
					got = append(got, path)
				}
			}
			for _, path := range all {
				if path, below := strings.CutPrefix(path, dir); below && path != "" {
					want = append(want, path)
				}
			}
			slices.Sort(got)
			slices.Sort(want)
			if diff := cmp.Diff(strings.Join(want, " "), strings.Join(got, " ")); diff != "" {
				t.Errorf("%q of %v (-git +ours)\n%s", dir, entries, diff)
			}
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "HOME="+dir)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, stderr.String())
	}
	return string(out)
}
