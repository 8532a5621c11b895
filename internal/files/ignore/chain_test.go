package ignore_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"gander/internal/files/ignore"
	"gander/internal/files/workspace"
	"gander/internal/testkit"
)

// write makes files below root. A name that ends in a slash is a directory, content that begins
// with "symlink:" a symlink.
func write(t testing.TB, root string, files map[string]string) {
	t.Helper()
	for name, data := range files {
		full := root + "/" + name
		testkit.Must(t, os.MkdirAll(full[:strings.LastIndexByte(full, '/')], 0o777))
		var err error
		if target, ok := strings.CutPrefix(data, "symlink:"); ok {
			err = os.Symlink(target, full)
			if _, missing := os.Readlink(full); missing != nil {
				t.Skip("no symlinks: ", err)
			}
		} else if !strings.HasSuffix(name, "/") {
			err = os.WriteFile(full, []byte(data), 0o666)
		}
		testkit.Must(t, err)
	}
}

// empty returns empty files, for [write].
func empty(names []string) map[string]string {
	files := map[string]string{}
	for _, name := range names {
		files[name] = ""
	}
	return files
}

func openWorkspace(t testing.TB, roots ...string) *workspace.Workspace {
	t.Helper()
	w, err := workspace.Open(workspace.Options{}, roots...)
	testkit.Must(t, err)
	t.Cleanup(func() { _ = w.Close() })
	return w
}

func openDir(t testing.TB, w *workspace.Workspace, path string) *workspace.Dir {
	t.Helper()
	location, err := w.Find(context.Background(), path)
	testkit.Must(t, err)
	dir, err := location.Dir()
	testkit.Must(t, err)
	t.Cleanup(func() { _ = dir.Close() })
	return dir
}

// verdicts walks down from a directory with its Chain and adds the rule that decides about each
// entry, by path. For every directory it checks that a Chain opened there returns the same
// verdicts.
func verdicts(
	t testing.TB, w *workspace.Workspace, o ignore.Options, dir *workspace.Dir, c *ignore.Chain,
	to map[string]string,
) {
	t.Helper()
	opened, err := ignore.Open(t.Context(), w, dir, o)
	testkit.Must(t, err)
	var subs []string
	err = dir.Names(t.Context(), func(name []byte, kind workspace.EntryKind) bool {
		path := strings.TrimPrefix(dir.Path()+"/"+string(name), "./")
		m := c.Match(name, kind)
		if again := opened.Match(name, kind); again.String() != m.String() || again.Verdict != m.Verdict {
			t.Errorf("%q: %q by a chain opened there, %q by one entered", path, again, m)
		}
		to[path] = m.String()
		if m.Verdict == ignore.Ignore && m.String() == "" {
			to[path] = "git"
		}
		if kind == workspace.Directory {
			subs = append(subs, string(name))
		}
		return true
	})
	testkit.Must(t, err)
	for _, name := range subs {
		sub, err := dir.Open(name)
		testkit.Must(t, err)
		below, err := c.Enter(name, sub)
		testkit.Must(t, err)
		verdicts(t, w, o, sub, below, to)
		testkit.Must(t, sub.Close())
	}
}

// walk returns the rules that decide about all entries of the first root.
func walk(t testing.TB, w *workspace.Workspace, o ignore.Options) map[string]string {
	t.Helper()
	dir := openDir(t, w, ".")
	c, err := ignore.Open(t.Context(), w, dir, o)
	testkit.Must(t, err)
	all := map[string]string{}
	verdicts(t, w, o, dir, c, all)
	return all
}

// TestChainFiles checks which files apply, and their precedence. Each line of the table specifies
// the rule that decides about x, or "git" if x is in git's own directory.
func TestChainFiles(t *testing.T) {
	outside := t.TempDir()
	write(t, outside, map[string]string{"rules": "x\n"})
	table, err := os.ReadFile("testdata/chain.txt")
	testkit.Must(t, err)
	for line := range strings.Lines(string(table)) {
		row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(row) < 5 {
			continue // a comment
		}
		t.Run(row[0], func(t *testing.T) {
			files := map[string]string{}
			for file := range strings.FieldsSeq(strings.ReplaceAll(row[1], "OUTSIDE", outside)) {
				name, data, _ := strings.Cut(file, "=")
				files[name] = data
			}
			checkDecides(t, files, row[2], row[3] == "git", row[4])
		})
	}
}

// TestChainLarge checks the maximum size of all files for a directory, 512 KiB with 32 bytes more
// for each line, and the memory of their rules.
func TestChainLarge(t *testing.T) {
	const limit = 512 << 10
	full := "x\n" + strings.Repeat("#", limit-34)
	checkDecides(t, map[string]string{"a/.ignore": full}, "a/x", false, "a/.ignore:1:x")
	checkDecides(t, map[string]string{"a/.ignore": full + "#"}, "a/x", false, "")
	checkDecides(t, map[string]string{".ignore": full[1:], "a/.ignore": "xy"}, "a/xy", false, "")
	lines := func(n int) string { return "x" + strings.Repeat("\n?z", n) }
	checkDecides(t, map[string]string{"a/.ignore": lines(14_000)}, "a/x", false, "a/.ignore:1:x")
	checkDecides(t, map[string]string{"a/.ignore": lines(15_000)}, "a/x", false, "")

	root := t.TempDir()
	classes := strings.Repeat("*"+strings.Repeat("[bdfhjlnprtvxz]", 200)+"*\n", 170)
	write(t, root, map[string]string{
		".ignore": "?x" + strings.Repeat("y", 4096) + "\n", "a/.ignore": classes, "b/.ignore": full,
		"a/b/.ignore": "x\n", "c/d/.ignore": full + "#",
	})
	w := openWorkspace(t, root)
	before := heap()
	c, err := ignore.Open(t.Context(), w, openDir(t, w, "."), ignore.Options{Tools: everyIgnore()})
	testkit.Must(t, err)
	a, err := c.Enter("a", nil)
	testkit.Must(t, err)
	if m := a.Match([]byte(strings.Repeat("b", 200)), workspace.Regular); m.Verdict != ignore.Ignore {
		t.Error("no rule matches")
	}
	if size := heap() - before; size > 12<<20 {
		t.Errorf("the rules of 512 KiB take %d bytes", size)
	}
	runtime.KeepAlive(a)
	for dir, want := range map[string]string{
		".": ".ignore:1", "a": ".ignore:1", "b": ".ignore:1 b/.ignore", "a/b": ".ignore:1",
		"c/d": ".ignore:1 c/d/.ignore",
	} {
		c, err := ignore.Open(t.Context(), w, openDir(t, w, dir), ignore.Options{Tools: everyIgnore()})
		testkit.Must(t, err)
		if got := strings.Join(c.Unused(), " "); got != want {
			t.Errorf("%s: %q is unused, want %q", dir, got, want)
		}
	}
}

// heap returns the size of the memory in use in bytes.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// checkDecides checks which rule decides about x in a tree of files.
func checkDecides(t *testing.T, files map[string]string, x string, git bool, want string) {
	t.Helper()
	root := t.TempDir()
	write(t, root, files)
	write(t, root, map[string]string{x: ""})
	o := ignore.Options{
		Git: git, Tools: append(everyIgnore(), ignore.ToolFile{Name: ".rootignore"}),
	}
	if got := walk(t, openWorkspace(t, root), o)[x]; got != want {
		t.Errorf("%q decides, want %q", got, want)
	}
}

// TestChainOtherRoot checks that every root has its own ignore files and repository.
func TestChainOtherRoot(t *testing.T) {
	top := t.TempDir()
	write(t, top, map[string]string{
		"first/.ignore": "x", "first/a/.gitignore": "z",
		"repo/.git/": "", "repo/second/a/.ignore": "y", "repo/second/a/.gitignore": "z",
	})
	w := openWorkspace(t, top+"/first", top+"/repo/second")
	for dir, want := range map[string]string{
		"/first/a": ".ignore:1:x  ", "/repo/second/a": " a/.ignore:1:y a/.gitignore:1:z",
	} {
		o := ignore.Options{Git: true, Tools: everyIgnore()}
		c, err := ignore.Open(t.Context(), w, openDir(t, w, top+dir), o)
		testkit.Must(t, err)
		var rules []string
		for _, name := range []string{"x", "y", "z"} {
			rules = append(rules, c.Match([]byte(name), workspace.Regular).String())
		}
		if got := strings.Join(rules, " "); got != want {
			t.Errorf("%s: got %q, want %q", dir, got, want)
		}
	}
}

func everyIgnore() []ignore.ToolFile {
	return []ignore.ToolFile{{Name: ".ignore", EveryDirectory: true}}
}

// TestChainDenied checks that an ignore file that a deny pattern matches is not read.
func TestChainDenied(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a/.ignore": "x", "a/x": ""})
	w, err := workspace.Open(workspace.Options{Deny: []string{"**/.ignore"}}, root)
	testkit.Must(t, err)
	defer w.Close()
	if got := walk(t, w, ignore.Options{Tools: everyIgnore()})["a/x"]; got != "" {
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
	o := ignore.Options{Tools: everyIgnore()}
	c, err := ignore.Open(t.Context(), w, openDir(t, w, "."), o)
	testkit.Must(t, err)
	testkit.Must(t, w.Close())
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

// TestChainsAreIndependent matches with a Chain and those of subdirectories at the same time.
func TestChainsAreIndependent(t *testing.T) {
	long := strings.Repeat("?*", 100)
	rules := ignore.Parse(".gitignore", "", long+"a\n")
	above := ignore.InMemory(t.Context(), "", rules)
	chains := []*ignore.Chain{above}
	for range 3 {
		above.MatchName(long+"a", false) // so that it has memory to share
		sub, err := above.Enter("sub", nil)
		testkit.Must(t, err)
		chains = append(chains, sub)
	}
	var all sync.WaitGroup
	for i, c := range chains {
		all.Go(func() {
			for range 500 {
				text := strings.Repeat("b", 200+i)
				if c.MatchName(text+"a", false).Verdict != ignore.Ignore ||
					c.MatchName(text, false).Verdict != ignore.None {
					t.Errorf("chain %d: the wrong verdict", i)
					return
				}
			}
		})
	}
	all.Wait()
}
