//go:build unix

package gemini

import (
	"bytes"
	"fmt"
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

func (r repository) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "core.ignorecase=false"}, args...)...)
	cmd.Dir = r.root
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=/nowhere", "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("git %q: %v\n%s", args, err, &stderr)
	}
	return string(out)
}

// rules returns the content of a random ignore file.
func rules(r *rand.Rand) string {
	patterns := []string{
		"a", "b", "ab", "c.log", "A", ".h", "a b", "é", "[x]", "foo", "foo/bar", "a/b", "**/b", "a/**",
		"**/foo/**", "foo/*/a", "*", "*.log", "[ab]", "[!a]", "a*", "?", "*b", `\[x]`, "*/*",
	}
	var text strings.Builder
	for range 1 + r.IntN(5) {
		line := patterns[r.IntN(len(patterns))]
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

// newRepository makes a repository of up to three levels with files, links and ignore files.
func newRepository(t testing.TB, r *rand.Rand) repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git, the program compared with: ", err)
	}
	repo := repository{t, t.TempDir(), []string{"."}}
	repo.git("init", "-q")
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
			files[filepath.Join(dir, ".gitignore")] = rules(r)
		}
	}
	fill("", 0)
	if r.IntN(2) == 0 {
		files[".git/info/exclude"] = rules(r)
	}
	if r.IntN(2) == 0 {
		files[".geminiignore"] = "  " + rules(r)
	}
	write(t, repo.root, files)
	for _, dir := range repo.dirs {
		if r.IntN(4) == 0 { // git treats a link to a directory as a file
			target := repo.root + "/" + repo.dirs[r.IntN(len(repo.dirs))]
			link(t, repo.root, map[string]string{dir + "/link": target})
		}
	}
	return repo
}

// visible returns the files that git does not ignore, with the patterns of .geminiignore as
// patterns of the command line, which have precedence.
func (r repository) visible(git, gemini bool) map[string]bool {
	args := []string{"ls-files", "--others", "-z"}
	if git {
		args = append(args, "--exclude-standard")
	}
	data, err := os.ReadFile(filepath.Join(r.root, ".geminiignore"))
	if err == nil && gemini {
		for line := range strings.SplitSeq(string(data), "\n") {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				args = append(args, "-x", line)
			}
		}
	}
	visible := map[string]bool{}
	for path := range strings.SplitSeq(r.git(args...), "\x00") {
		visible[path] = true
	}
	return visible
}

// TestIgnoreAsGit compares the files of random repositories with git's. Package ignore compares
// directories.
func TestIgnoreAsGit(t *testing.T) {
	hidden, shown := 0, 0
	for seed := range uint64(12) {
		repo := newRepository(t, rand.New(rand.NewPCG(seed, 1)))
		c := over(t, repo.root)
		for _, options := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
			visible := repo.visible(options[0], options[1])
			for _, dir := range repo.dirs {
				entries, err := os.ReadDir(filepath.Join(repo.root, dir))
				if err != nil {
					t.Fatal(err)
				}
				names, ignored := lines(c.body(arguments{
					"path": filepath.Join(repo.root, dir),
					"file_filtering_options": map[string]bool{
						"respect_git_ignore": options[0], "respect_gemini_ignore": options[1],
					},
				}))
				want := fmt.Sprint(len(entries) - len(names))
				if ignored != want && (ignored != "" || want != "0") {
					t.Errorf("seed %d, %s, %v: %s ignored, want %s", seed, dir, options, ignored, want)
				}
				for _, e := range entries {
					path, line := filepath.Join(dir, e.Name()), e.Name()
					if e.IsDir() {
						continue
					}
					if e.Type() == os.ModeSymlink {
						line = "[DIR] " + line
					}
					if got := slices.Contains(names, line); got != visible[path] {
						t.Fatalf("seed %d, %v: %s is listed: %v", seed, options, path, got)
					} else if got {
						shown++
					} else {
						hidden++
					}
				}
			}
		}
	}
	if hidden < 200 || shown < 200 {
		t.Errorf("%d entries are hidden and %d shown: too few", hidden, shown)
	}
}
