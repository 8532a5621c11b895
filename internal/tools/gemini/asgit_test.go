//go:build unix

package gemini

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A repository is a random worktree with ignore files.
type repository struct {
	t    testing.TB
	root string
	dirs []string // relative, "." first
}

func (r repository) git(args []string, stdin string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "core.ignorecase=false"}, args...)...)
	cmd.Dir = r.root
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/nowhere", "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull}
	cmd.Stdin = strings.NewReader(stdin)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil && (args[0] != "check-ignore" || cmd.ProcessState.ExitCode() != 1) { // 1: nothing is ignored
		r.t.Fatalf("git %q: %v\n%s", args, err, &complaint)
	}
	return string(out)
}

// patterns returns the content of a random ignore file.
func patterns(r *rand.Rand) string {
	names := []string{"a", "b", "ab", "c.log", "A", ".h", "a b", "é", "[x]", "foo", "foo/bar", "a/b", "**/b", "a/**", "**/foo/**", "foo/*/a", "*", "*.log", "[ab]", "[!a]", "a*", "?", "*b", `\[x]`, "*/*"}
	var text strings.Builder
	for range 1 + r.IntN(5) {
		line := names[r.IntN(len(names))]
		if r.IntN(4) == 0 {
			line = "/" + line
		}
		if r.IntN(4) == 0 {
			line += "/"
		}
		if r.IntN(3) == 0 {
			line = "!" + line
		}
		text.WriteString(line + []string{"\n", "\n", "\r\n", "  \n", "\n# c\n\n"}[r.IntN(5)])
	}
	return text.String()
}

// newRepository makes a repository of up to three levels with files and links, .gitignore in any directory, and the other
// ignore files at the root. All names are such that both git and the answer can express them.
func newRepository(t testing.TB, r *rand.Rand) repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git, the program compared with: ", err)
	}
	repo := repository{t, t.TempDir(), []string{"."}}
	repo.git([]string{"init", "-q"}, "")
	names := []string{"a", "b", "ab", "c.log", "A", ".h", "a b", "é", "[x]", "foo", "bar"}
	files := map[string]string{}
	var fill func(dir string, depth int)
	fill = func(dir string, depth int) {
		for _, i := range r.Perm(len(names))[:1+r.IntN(6)] {
			path := filepath.Join(dir, names[i])
			if depth < 3 && r.IntN(2) == 0 {
				repo.dirs = append(repo.dirs, path)
				files[path+"/"] = ""
				fill(path, depth+1)
			} else {
				files[path] = ""
			}
		}
		if r.IntN(2) == 0 {
			files[filepath.Join(dir, ".gitignore")] = patterns(r)
		}
	}
	fill("", 0)
	if r.IntN(2) == 0 {
		files[".git/info/exclude"] = patterns(r)
	}
	if r.IntN(2) == 0 {
		files[".geminiignore"] = "  " + patterns(r)
	}
	write(t, repo.root, files)
	for _, dir := range repo.dirs {
		if r.IntN(4) == 0 { // git treats a link to a directory as a file
			if err := os.Symlink(repo.root+"/"+repo.dirs[r.IntN(len(repo.dirs))], filepath.Join(repo.root, dir, "link")); err != nil {
				t.Fatal(err)
			}
		}
	}
	return repo
}

// entries returns the entries of a directory by their paths.
func (r repository) entries(dir string) map[string]fs.DirEntry {
	all, err := os.ReadDir(filepath.Join(r.root, dir))
	if err != nil {
		r.t.Fatal(err)
	}
	entries := map[string]fs.DirEntry{}
	for _, e := range all {
		entries[filepath.Join(dir, e.Name())] = e
	}
	return entries
}

// ignored asks git which of the paths its rules ignore.
func (r repository) ignored(paths []string) map[string]bool {
	var in strings.Builder
	for _, path := range paths {
		in.WriteString("./" + path + "\x00")
	}
	ignored := map[string]bool{}
	for path := range strings.SplitSeq(r.git([]string{"check-ignore", "--no-index", "-z", "--stdin"}, in.String()), "\x00") {
		ignored[strings.TrimPrefix(path, "./")] = true
	}
	return ignored
}

// visible asks git for the files that are not ignored if the patterns of .geminiignore have precedence.
func (r repository) visible(git bool) map[string]bool {
	args := []string{"ls-files", "--others", "-z"}
	if git {
		args = append(args, "--exclude-standard")
	}
	data, err := os.ReadFile(filepath.Join(r.root, ".geminiignore"))
	if err == nil {
		for line := range strings.SplitSeq(string(data), "\n") {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				args = append(args, "-x", line)
			}
		}
	}
	visible := map[string]bool{}
	for path := range strings.SplitSeq(r.git(args, ""), "\x00") {
		visible[path] = true
	}
	return visible
}

// listed asks the tool for the entries of a directory.
func (r repository) listed(c caller, path string, git, gemini bool) (entries []string, ignored string) {
	r.t.Helper()
	return lines(c.body(arguments{
		"path":                   path,
		"file_filtering_options": map[string]bool{"respect_git_ignore": git, "respect_gemini_ignore": gemini},
	}))
}

// TestIgnoreAsGit compares the listings of all directories of random repositories with git's answers.
func TestIgnoreAsGit(t *testing.T) {
	hidden, shown := 0, 0
	for seed := range uint64(12) {
		repo := newRepository(t, rand.New(rand.NewPCG(seed, 1)))
		c := over(t, repo.root)
		files := map[bool]map[string]bool{false: repo.visible(false), true: repo.visible(true)}
		for _, dir := range repo.dirs {
			entries := repo.entries(dir)
			byGit := repo.ignored(slices.Collect(maps.Keys(entries)))
			for _, options := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
				git, gemini := options[0], options[1]
				names, ignored := repo.listed(c, filepath.Join(repo.root, dir), git, gemini)
				if want := fmt.Sprint(len(entries) - len(names)); ignored != want && (ignored != "" || want != "0") {
					t.Errorf("seed %d, %s, %v: %s ignored, want %s", seed, dir, options, ignored, want)
				}
				for path, e := range entries {
					line := e.Name()
					if e.IsDir() || e.Type() == fs.ModeSymlink {
						line = "[DIR] " + line
					}
					got := slices.Contains(names, line)
					want := true
					switch {
					case e.Name() == ".git" && git:
						want = false
					case !git && !gemini:
					case !gemini:
						want = !byGit[path]
					case e.IsDir():
						want = got // git answers for the files in them only
					default:
						want = files[git][path]
					}
					if got != want {
						t.Errorf("seed %d, %v: %s is listed: %v", seed, options, path, got)
					}
					if got {
						shown++
					} else {
						hidden++
					}
				}
			}
		}
		if t.Failed() {
			return
		}
	}
	if hidden < 200 || shown < 200 {
		t.Errorf("%d entries are hidden and %d shown: too few to tell", hidden, shown)
	}
}

// TestIgnoreThroughLinks checks that a directory that is listed through a link has the rules of the link's target.
func TestIgnoreThroughLinks(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{".git/": "", ".gitignore": "/sub/a\n/link/b\n", "sub/a": "", "sub/b": "", "sub/c": "", "sub/.gitignore": "c\n"})
	if err := os.Symlink("sub", root+"/link"); err != nil {
		t.Fatal(err)
	}
	c := over(t, root)
	for _, path := range []string{"/sub", "/link", "/link/../sub/", "/./sub"} {
		if got, want := c.body(arguments{"path": root + path}), ".gitignore\nb\n\n(2 ignored)"; got != want {
			t.Errorf("%s\ngot  %q\nwant %q", path, got, want)
		}
	}
}
