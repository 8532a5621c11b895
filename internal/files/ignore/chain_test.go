package ignore_test

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gander/internal/files/ignore"
	"gander/internal/files/workspace"
)

// write makes files below root. A name that ends in a slash is a directory, content that begins
// with "=> " a symlink.
func write(t testing.TB, root string, files map[string]string) {
	t.Helper()
	for name, data := range files {
		full := root + "/" + name
		if err := os.MkdirAll(full[:strings.LastIndexByte(full, '/')], 0o777); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, ok := strings.CutPrefix(data, "=> "); ok {
			err = os.Symlink(target, full)
			if _, missing := os.Readlink(full); missing != nil {
				t.Skip("no symlinks: ", err)
			}
		} else if !strings.HasSuffix(name, "/") {
			err = os.WriteFile(full, []byte(data), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func openWorkspace(t testing.TB, roots ...string) *workspace.Workspace {
	t.Helper()
	w, err := workspace.Open(workspace.Options{}, roots...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

func openDir(t testing.TB, w *workspace.Workspace, path string) *workspace.Dir {
	t.Helper()
	place, err := w.Find(path)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := place.Dir()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = dir.Close() })
	return dir
}

// verdicts walks a directory down with its Chain and adds the rule that decides about each entry,
// by path. For every directory it checks that one opened there judges alike.
func verdicts(t testing.TB, w *workspace.Workspace, o ignore.Options, dir *workspace.Dir, c *ignore.Chain, to map[string]string) {
	t.Helper()
	opened, err := ignore.Open(t.Context(), w, dir, o)
	if err != nil {
		t.Fatal(err)
	}
	var subs []string
	err = dir.Names(t.Context(), func(name []byte, kind workspace.EntryKind) bool {
		path := strings.TrimPrefix(dir.Path()+"/"+string(name), "./")
		m := c.Match(name, kind)
		if again := opened.Match(name, kind); again != m {
			t.Errorf("%q: %q by a chain opened there, %q by one entered", path, again, m)
		}
		to[path] = m.String()
		if m.Verdict == ignore.Ignore && m.Source == "" {
			to[path] = "git"
		}
		if kind == workspace.Directory {
			subs = append(subs, string(name))
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range subs {
		sub, err := dir.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		below, err := c.Enter(name, sub)
		if err != nil {
			t.Fatal(err)
		}
		verdicts(t, w, o, sub, below, to)
		if err := sub.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// walk returns the rules that decide about all entries of the first root.
func walk(t testing.TB, w *workspace.Workspace, o ignore.Options) map[string]string {
	t.Helper()
	dir := openDir(t, w, ".")
	c, err := ignore.Open(t.Context(), w, dir, o)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	verdicts(t, w, o, dir, c, all)
	return all
}

// TestChainAsGit walks random repositories that also have a global excludes file, and asks git
// about every entry.
func TestChainAsGit(t *testing.T) {
	t.Parallel()
	repositories := 40
	if testing.Short() {
		repositories = 4
	}
	paths := everyPath()
	r := rand.New(rand.NewPCG(*seed, 7))
	git := newWorktree(t)
	for _, p := range paths {
		git.write(t, p, "")
	}
	for range repositories {
		files := append([]ignoreFile{{globalFile, "", rules(r, ordinary)}}, ignoreFiles(r, ordinary)...)
		for _, f := range files {
			git.write(t, f.source, f.data)
		}
		got := walk(t, openWorkspace(t, git.dir), ignore.Options{Git: true, Global: ignore.Parse(globalFile, "", []byte(files[0].data))})
		for i, want := range git.ask(t, paths) {
			if p := strings.TrimSuffix(paths[i], "/"); got[p] != want {
				t.Fatalf("%q: %q, git: %q; files %q", p, got[p], want, files)
			}
		}
	}
}

// TestChainFiles checks which files count, and which have precedence. Every row says which rule
// decides about x, "git" meaning that x lies in git's own directory.
func TestChainFiles(t *testing.T) {
	outside := t.TempDir()
	write(t, outside, map[string]string{"rules": "x\n"})
	const large = 1 << 20
	tools := []ignore.ToolFile{{Name: ".ignore", EveryDirectory: true}, {Name: ".rootignore"}}
	for _, tt := range []struct {
		name  string
		files map[string]string
		x     string // its path
		git   bool
		want  string
	}{
		{"no git", map[string]string{".gitignore": "x", ".git/info/exclude": "x"}, "x", false, ""},
		{"no repository", map[string]string{".gitignore": "x"}, "x", true, ""},
		{"a global excludes file outside a repository", map[string]string{"a/": ""}, "x.global", true, ""},
		{"global", map[string]string{".git/": ""}, "x.global", true, "excludes:1:*.global"},
		{"git's directory", map[string]string{".git/": ""}, "a/.git/b/x", true, "git"},
		{"git's directory outside a repository", map[string]string{"a/": ""}, ".gitx/x", true, ""},
		{"exclude, then global", map[string]string{".git/info/exclude": "!*.global"}, "x.global", true, ".git/info/exclude:1:!*.global"},
		{".gitignore, then exclude", map[string]string{".git/info/exclude": "x", ".gitignore": "!x"}, "x", true, ".gitignore:1:!x"},
		{"the inner .gitignore first", map[string]string{".git/": "", ".gitignore": "x", "a/.gitignore": "\n!x"}, "a/x", true, "a/.gitignore:2:!x"},
		{"a tool before git, wherever it lies", map[string]string{".git/": "", ".ignore": "!x", "a/.gitignore": "x"}, "a/x", true, ".ignore:1:!x"},
		{"the inner file of a tool", map[string]string{".ignore": "!x", "a/.ignore": "x"}, "a/x", false, "a/.ignore:1:x"},
		{"the later tool before the earlier", map[string]string{".rootignore": "!x", "a/.ignore": "x"}, "a/x", false, ".rootignore:1:!x"},
		{"a file of the root alone", map[string]string{"a/.rootignore": "x"}, "a/x", false, ""},
		{"nothing below an ignored directory is taken back", map[string]string{".ignore": "/a/", "a/.ignore": "!x"}, "a/x", false, ".ignore:1:/a/"},
		{".gitignore is a symlink", map[string]string{".git/": "", "rules": "x", ".gitignore": "=> rules"}, "x", true, ""},
		{"an inner .gitignore is a symlink", map[string]string{".git/": "", "rules": "x", "a/.gitignore": "=> ../rules"}, "a/x", true, ""},
		{"the file of a tool is a symlink", map[string]string{"rules": "x", ".ignore": "=> rules"}, "x", false, ".ignore:1:x"},
		{"the inner file of a tool is a symlink", map[string]string{"rules": "x", "a/.ignore": "=> ../rules"}, "a/x", false, "a/.ignore:1:x"},
		{"a symlink that leads outside", map[string]string{"a/.ignore": "=> " + outside + "/rules"}, "a/x", false, ""},
		{"a symlink that leads to itself", map[string]string{"a/.ignore": "=> .ignore"}, "a/x", false, ""},
		{"a directory", map[string]string{"a/.ignore/": ""}, "a/x", false, ""},
		{"1 MiB", map[string]string{"a/.ignore": "x\n" + strings.Repeat("#", large-2)}, "a/x", false, "a/.ignore:1:x"},
		{"more than 1 MiB", map[string]string{"a/.ignore": "x\n" + strings.Repeat("#", large-1)}, "a/x", false, ""},
		{"4 MiB in all", map[string]string{
			".ignore": strings.Repeat("#", large), "a/.ignore": strings.Repeat("#", large), "a/b/.ignore": strings.Repeat("#", large),
			"a/b/c/.ignore": "y\n" + strings.Repeat("#", large-2), "a/b/c/d/.ignore": "x",
		}, "a/b/c/d/x", false, ""},
		{"4 MiB elsewhere", map[string]string{
			"a/a/.ignore": strings.Repeat("#", large), "a/b/.ignore": strings.Repeat("#", large), "a/c/.ignore": strings.Repeat("#", large),
			"a/d/.ignore": strings.Repeat("#", large), "a/e/.ignore": "x",
		}, "a/e/x", false, "a/e/.ignore:1:x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, tt.files)
			write(t, root, map[string]string{tt.x: ""})
			o := ignore.Options{Git: tt.git, Tools: tools, Global: ignore.Parse("excludes", "", []byte("*.global"))}
			if got := walk(t, openWorkspace(t, root), o)[tt.x]; got != tt.want {
				t.Errorf("%q decides, want %q", got, tt.want)
			}
		})
	}
}

// TestChainOtherRoot checks that every root has ignore files of its own, and is in a repository or
// not for itself.
func TestChainOtherRoot(t *testing.T) {
	top := t.TempDir()
	write(t, top, map[string]string{
		"first/.ignore": "x", "first/a/.gitignore": "z", "repository/.git/": "", "repository/second/a/.ignore": "y", "repository/second/a/.gitignore": "z",
	})
	w := openWorkspace(t, top+"/first", top+"/repository/second")
	for dir, want := range map[string]string{"/first/a": ".ignore:1:x  ", "/repository/second/a": " a/.ignore:1:y a/.gitignore:1:z"} {
		o := ignore.Options{Git: true, Tools: []ignore.ToolFile{{Name: ".ignore", EveryDirectory: true}}}
		c, err := ignore.Open(t.Context(), w, openDir(t, w, top+dir), o)
		if err != nil {
			t.Fatal(err)
		}
		var rules []string
		for _, name := range []string{"x", "y", "z"} {
			rules = append(rules, c.Match([]byte(name), workspace.Regular).String())
		}
		if got := strings.Join(rules, " "); got != want {
			t.Errorf("%s: got %q, want %q", dir, got, want)
		}
	}
}

// TestChainDenied checks that an ignore file that a deny pattern matches is not read.
func TestChainDenied(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a/.ignore": "x", "a/x": ""})
	w, err := workspace.Open(workspace.Options{Deny: []string{"**/.ignore"}}, root)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if got := walk(t, w, ignore.Options{Tools: []ignore.ToolFile{{Name: ".ignore", EveryDirectory: true}}})["a/x"]; got != "" {
		t.Errorf("%q decides", got)
	}
}

// TestChainCannotRead checks that a file that may exist and cannot be read makes Open and Enter
// fail.
func TestChainCannotRead(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a/": ""})
	w := openWorkspace(t, root)
	dir := openDir(t, w, "a")
	o := ignore.Options{Tools: []ignore.ToolFile{{Name: ".ignore", EveryDirectory: true}}}
	c, err := ignore.Open(t.Context(), w, openDir(t, w, "."), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := ignore.Open(t.Context(), w, dir, o); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Open: %v", err)
	}
	if _, err := c.Enter("a", nil); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Enter: %v", err)
	}
}

func TestNilChain(t *testing.T) {
	var c *ignore.Chain
	if c, err := c.Enter("a", nil); c != nil || err != nil {
		t.Errorf("Enter returns %v, %v", c, err)
	}
	if m := c.Match([]byte("a"), workspace.Regular); m != (ignore.Match{}) {
		t.Errorf("Match returns %v", m)
	}
}

func BenchmarkChainEnter(b *testing.B) {
	root := b.TempDir()
	write(b, root, map[string]string{".git/": "", ".gitignore": usualRules, "src/app/": ""})
	w := openWorkspace(b, root)
	c, err := ignore.Open(b.Context(), w, openDir(b, w, "src"), ignore.Options{Git: true})
	if err != nil {
		b.Fatal(err)
	}
	sub := openDir(b, w, filepath.Join("src", "app"))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Enter("app", sub); err != nil {
			b.Fatal(err)
		}
	}
}
