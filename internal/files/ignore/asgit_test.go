package ignore_test

import (
	"bytes"
	_ "embed"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gander/internal/files/ignore"
)

// A worktree is a git repository for comparisons with git.
type worktree struct{ dir string }

func newWorktree(t testing.TB) *worktree {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	w := &worktree{dir: t.TempDir()}
	if out, err := w.git("init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	return w
}

func (w *worktree) git(args ...string) *exec.Cmd {
	cmd := exec.Command("git", append([]string{"-c", "core.ignorecase=false"}, args...)...)
	cmd.Dir = w.dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(w.dir, ".git", "none"), "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
	}
	return cmd
}

// An ignoreFile is the path of an ignore file, the directory its patterns are relative to, and its
// content.
type ignoreFile struct{ source, base, data string }

// compare compares the rules of git and of a Chain with the same files, for each path, and returns
// git's. Directories end in a slash.
func (w *worktree) compare(t testing.TB, files []ignoreFile, paths []string) []string {
	t.Helper()
	var parsed []*ignore.File
	content := map[string]string{}
	for _, f := range files {
		content[f.source] = f.data
		parsed = append(parsed, ignore.Parse(f.source, f.base, f.data))
	}
	write(t, w.dir, content)
	answers := w.ask(t, paths)
	for i, want := range answers {
		p, isDir := strings.CutSuffix(paths[i], "/")
		got := ignore.MatchPath(p, isDir, parsed...)
		if got.String() != want {
			t.Errorf("%q: %q, git: %q; files %q", paths[i], got, want, files[:min(len(files), 4)])
		}
		_, rule, _ := strings.Cut(want, ":")
		_, rule, _ = strings.Cut(rule, ":")
		if (got.Verdict == ignore.Include) != strings.HasPrefix(rule, "!") {
			t.Errorf("%q: verdict %d by %q", paths[i], got.Verdict, got)
		}
	}
	return answers
}

// ask returns git's verdicts in the form of [ignore.Match.String].
func (w *worktree) ask(t testing.TB, paths []string) []string {
	t.Helper()
	var in, complaint bytes.Buffer
	for _, p := range paths {
		in.WriteString("./" + strings.TrimSuffix(p, "/") + "\x00") // a colon at the start is special
	}
	cmd := w.git("check-ignore", "--no-index", "-v", "-n", "-z", "--stdin")
	cmd.Stdin, cmd.Stderr = &in, &complaint
	out, err := cmd.Output()
	nothingIgnored := cmd.ProcessState.ExitCode() == 1
	if err != nil && !nothingIgnored {
		t.Fatalf("git check-ignore: %v\n%s", err, &complaint)
	}
	field := strings.Split(string(out), "\x00")
	if len(field) != 4*len(paths)+1 {
		t.Fatalf("git check-ignore gave %d fields for %d paths", len(field), len(paths))
	}
	answers := make([]string, len(paths))
	for i := range paths {
		if source, line, pattern := field[4*i], field[4*i+1], field[4*i+2]; source != "" {
			answers[i] = source + ":" + line + ":" + pattern
		}
	}
	return answers
}

// TestRulesAsGit compares the rules of random repositories with git's, and walks some of the
// repositories. The walks also read the files.
func TestRulesAsGit(t *testing.T) {
	repositories := 200
	if testing.Short() {
		repositories = 40
	}
	paths := everyPath()
	kinds := map[string]func(*rand.Rand) string{"ordinary": ordinary, "torture": torture}
	for kind, pattern := range kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			git := newWorktree(t)
			write(t, git.dir, empty(paths))
			r := rand.New(rand.NewPCG(1, 7))
			for i := range repositories {
				files := ignoreFiles(r, pattern)
				want := git.compare(t, files, paths)
				if i%20 > 0 {
					continue
				}
				got := walk(t, openWorkspace(t, git.dir), ignore.Options{Git: true})
				for i, p := range paths {
					if p = strings.TrimSuffix(p, "/"); got[p] != want[i] {
						t.Fatalf("%q: %q, git: %q; files %q", p, got[p], want[i], files)
					}
				}
			}
		})
	}
}

// TestLinkedWorktree compares the rules of a linked worktree with git's: .git/info/exclude is that
// of the repository, which is beside it in the root.
func TestLinkedWorktree(t *testing.T) {
	main := newWorktree(t)
	dir := main.dir
	main.dir = filepath.Join(dir, "main")
	write(t, dir, map[string]string{"main/f": ""})
	for _, args := range []string{
		"init -q", "add f", "-c user.name=a -c user.email=a@b commit -q -m x",
		"worktree add -q ../linked -b linked",
	} {
		if out, err := main.git(strings.Fields(args)...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	write(t, dir, map[string]string{
		"main/.git/info/exclude": "x\n*.o\n", "linked/.gitignore": "!b.o\n", "linked/x": "",
		"linked/a.o": "", "linked/b.o": "", "linked/d/x": "", "linked/y": "",
	})
	linked := &worktree{dir: filepath.Join(dir, "linked")}
	paths := []string{"x", "a.o", "b.o", "d/x", "y", "d", "f"}
	want := linked.ask(t, paths)
	got := walk(t, openWorkspace(t, dir), ignore.Options{Git: true, Nested: true})
	for i, p := range paths {
		rule := want[i] // its file is as gander names it, below the root
		if _, line, ok := strings.Cut(rule, "info/exclude:"); ok {
			rule = "linked/.git/info/exclude:" + line
		} else if rule != "" {
			rule = "linked/" + rule
		}
		if got["linked/"+p] != rule {
			t.Errorf("%s: %q, git: %q", p, got["linked/"+p], want[i])
		}
	}
}

// TestManualAsGit compares the table of the manual with git. Each row has its own directory.
func TestManualAsGit(t *testing.T) {
	t.Parallel()
	w := newWorktree(t)
	var files []ignoreFile
	var paths []string
	for i, row := range manual(t) {
		if len(row.rules) > 4096 {
			continue // git has no such limit
		}
		dir := "d" + strconv.Itoa(i)
		files = append(files, ignoreFile{dir + "/.gitignore", dir, row.rules})
		paths = append(paths, dir+"/"+row.path)
		if strings.HasSuffix(row.path, "/") {
			write(t, w.dir, empty(paths[len(paths)-1:]))
		}
	}
	w.compare(t, files, paths)
}

// TestBytesAsGit matches every byte that a name can contain with every class, and with each way to
// write the byte itself, the bytes next to it and some others. Each pattern has its own directory;
// the paths need not exist.
func TestBytesAsGit(t *testing.T) {
	t.Parallel()
	w := newWorktree(t)
	var files []ignoreFile
	var paths []string
	add := func(pattern string, names ...int) {
		dir := "d" + strconv.Itoa(len(files))
		files = append(files, ignoreFile{dir + "/.gitignore", dir, pattern + "\n"})
		for _, c := range names {
			if c > 0 && c < 256 && c != '/' && c != '.' {
				paths = append(paths, dir+"/"+string([]byte{byte(c)}))
			}
		}
	}
	var all []int
	for c := range 256 {
		all = append(all, c)
	}
	for class := range strings.FieldsSeq(classNames) {
		add("[[:"+class+":]]", all...)
		add("[^[:"+class+":]]", all...)
	}
	for c := 1; c < 256; c++ {
		b := string([]byte{byte(c)})
		for _, pattern := range []string{
			b, `\` + b, "[" + b + "]", "[!" + b + "]", "[" + b + "-m]", "[M-" + b + "x]", `/*[\` + b + "]",
			b + " ",
		} {
			add(pattern, c-1, c, c+1, '-', 'L', 'M', 'm', 'n', 'x', '\\', 255-c)
		}
	}
	w.compare(t, files, paths)
}

// TestClassesAsGit matches random names with random patterns that contain classes. Each pattern has
// its own directory; the paths need not exist.
func TestClassesAsGit(t *testing.T) {
	t.Parallel()
	w := newWorktree(t)
	r := rand.New(rand.NewPCG(3, 5))
	var files []ignoreFile
	var paths []string
	for i := range 2000 {
		dir := "d" + strconv.Itoa(i)
		pattern := pick(r, "", "", "a", "*", "!") + class(r) + pick(r, "", "", "x", "*", class(r))
		files = append(files, ignoreFile{dir + "/.gitignore", dir, pattern + "\n"})
		for range 20 {
			name := member(r)
			for range r.IntN(3) {
				name += pick(r, member(r), "x", "]", "a")
			}
			if name != "." && name != ".." && !strings.Contains(name, "/") {
				paths = append(paths, dir+"/"+name)
			}
		}
	}
	w.compare(t, files, paths)
}

//go:embed testdata/torture.txt
var tortureParts string

// FuzzAsGit compares two ignore files with git, one in the root and one in a/. The paths are those
// of an ordinary tree and one more name.
func FuzzAsGit(f *testing.F) {
	f.Add([]byte("*.o\r\n!a/**/b\n[[:alpha:]-z]/\n\\#x \\ \n/a/*[!]\n"), []byte("!*"), "b.o")
	f.Add([]byte("\uFEFFfoo\n**/\x00\n[a-\n\\"), []byte("foo/**"), "\xff")
	f.Add([]byte("a/\n!a/b\n"), []byte("[\\]]\n/**/in\n"), "]")
	f.Add([]byte("/*/\n!/foo"), []byte("b/**/\n!b/a"), "{a,b}")
	w := newWorktree(f)
	paths := everyPath()
	write(f, w.dir, empty(paths))
	f.Fuzz(func(t *testing.T, root, below []byte, name string) {
		switch {
		case len(root)+len(below) > 2000 || len(name) > 200 || strings.ContainsAny(name, "/\x00"):
			t.Skip("too long, or not a name")
		case name == "" || name == "." || name == ".." || strings.EqualFold(name, ".git"):
			t.Skip("a name of git's own")
		}
		files := []ignoreFile{{".gitignore", "", string(root)}, {"a/.gitignore", "a", string(below)}}
		w.compare(t, files, append(paths, "a/"+name))
	})
}
