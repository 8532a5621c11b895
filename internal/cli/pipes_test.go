//go:build unix

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gander/internal/testkit/ripgrep"
)

// needPrograms skips the test unless all programs are installed.
func needPrograms(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
}

// runShell runs a command line in a directory, without standard input, and returns its standard
// output and exit code.
func runShell(t *testing.T, dir, line string) (string, int) {
	t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "RIPGREP_CONFIG_PATH=")
	out, err := cmd.Output()
	exit, ok := errors.AsType[*exec.ExitError](err)
	if err != nil && !ok {
		t.Fatal(err)
	}
	if !ok {
		return string(out), 0
	}
	return string(out), exit.ExitCode()
}

// plainTree makes a tree of files with lines of words, in names that a shell and a pipe could
// misread. Its files have no NUL, since rg describes binary files on standard output.
func plainTree(t *testing.T, r *rand.Rand) string {
	root := t.TempDir()
	names := []string{
		"a", "b.go", "a b", "a-b", "é", "c\\d", "\xff", "x:1:y", "'q'", "$v", "-n", ".h", "z.txt", "[x]",
	}
	dirs := []string{".", "d", "d/e", "d e", "-d", "d.x"}
	for _, dir := range dirs {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
		for range r.IntN(6) {
			name := filepath.Join(root, dir, names[r.IntN(len(names))])
			if err := os.WriteFile(name, plainText(r), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	rules := "*.txt\n"
	for name, content := range map[string]string{".gitignore": rules, ".git/HEAD": ""} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func plainText(r *rand.Rand) []byte {
	words := strings.Split("foo bar foobar Foo é x.y ( \xff \xc3 \t ", " ")
	var b bytes.Buffer
	for range []int{0, 1, 3, 20, 300}[r.IntN(5)] {
		for range r.IntN(6) {
			b.WriteString(words[r.IntN(len(words))] + " ")
		}
		if r.IntN(100) == 0 {
			b.WriteString(strings.Repeat("long ", r.IntN(40_000)))
		}
		b.WriteString([]string{"\n", "\n", "\r\n"}[r.IntN(3)])
	}
	if text := b.Bytes(); r.IntN(3) == 0 {
		return bytes.TrimRight(text, "\r\n")
	}
	return b.Bytes()
}

// searchLines returns the same random search as a command line of gander and of rg.
func searchLines(r *rand.Rand) (gander, rg string) {
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	pattern := pick("foo", "bar|é", "^foo", "o+b", "long", "^$", "x.y", "[a-c]+r", "foo $", "nothing")
	paths := pick("", "", "d", "d 'd e'", "b.go", "b.go a", "d/e", "none", "b.go none")
	output := pick("", "", "", "-l", "-c", "-o", "-l -0", "-c -0", "-0", "-H", "-I", "-I -N", "-N")
	if output == "" {
		output = pick("", "-C 1", "-A 2", "-B 3", "-A 1 -B 2", "-C 0")
	}
	mode := pick("", "-i", "-w", "-F")
	if mode == "-w" {
		pattern = "foo" // old versions of rg differ at others
	}
	shared := strings.Join([]string{mode, output, "-e '" + pattern + "'", paths}, " ")
	if strings.Contains(pattern, "$") {
		shared = strings.Replace(shared, "-e", "--crlf -e", 1)
	}
	return "gander search -q " + shared, "rg --no-config --color never --no-heading -n --sort path " +
		"--hidden --no-ignore-dot --no-ignore-global -g '!.git' " + shared
}

// TestSearchAsRipgrep compares random searches of random trees with rg, byte for byte and by the
// exit code. GANDER_CASES is the number of searches.
func TestSearchAsRipgrep(t *testing.T) {
	needPrograms(t, "rg")
	for seed := range ripgrep.Cases(t, "GANDER_CASES", 100) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(seed), 35))
			root := plainTree(t, r)
			ours, theirs := searchLines(r)
			got, code := runShell(t, root, ours+" </dev/null")
			want, wantCode := runShell(t, root, theirs+" </dev/null 2>/dev/null")
			if strings.Contains(ours, "--crlf") { // then rg ends all lines of its output so
				got, want = strings.ReplaceAll(got, "\r\n", "\n"), strings.ReplaceAll(want, "\r\n", "\n")
			}
			if got != want || code != wantCode {
				t.Errorf("%s: exit code %d, rg %d\n%s", ours, code, wantCode, firstDifference(got, want))
			}
		})
	}
}

func firstDifference(got, want string) string {
	ours, theirs := strings.SplitAfter(got, "\n"), strings.SplitAfter(want, "\n")
	for i := 0; i < max(len(ours), len(theirs)); i++ {
		var a, b string
		if i < len(ours) {
			a = ours[i]
		}
		if i < len(theirs) {
			b = theirs[i]
		}
		if a != b {
			return fmt.Sprintf("line %d is %.300q, not %.300q", i+1, a, b)
		}
	}
	return ""
}

// TestPipelines compares random pipelines with those of rg, find and cat. GANDER_CASES is their
// number.
func TestPipelines(t *testing.T) {
	needPrograms(t, "rg", "find", "cat", "head", "grep", "xargs", "sort", "wc")
	for seed := range ripgrep.Cases(t, "GANDER_CASES", 60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(seed), 36))
			root := plainTree(t, r)
			ours, theirs := pipelines(r)
			got, _ := runShell(t, root, ours)
			want, _ := runShell(t, root, theirs)
			if got != want {
				t.Errorf("%s\n%s\n%s", ours, theirs, firstDifference(got, want))
			}
		})
	}
}

// pipelines returns the same random pipeline for gander and for other programs.
func pipelines(r *rand.Rand) (gander, others string) {
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	after := func(first, second string) (string, string) {
		var tail string
		for range 1 + r.IntN(2) {
			tail += " | " + pick("head -n 3", "grep -a o", "sort", "wc -l", "wc -c", "head -c 500",
				"sort -r")
		}
		return first + tail, second + tail
	}
	files := "find . -name .git -prune -o -type f -print0"
	names := "| sort -z | sed -z 's|^\\./||'"
	switch r.IntN(5) {
	case 0:
		ours, theirs := searchLines(r)
		ours, theirs = strings.ReplaceAll(ours, "--crlf", ""), strings.ReplaceAll(theirs, "--crlf", "")
		ours, theirs = strings.ReplaceAll(ours, "$", ""), strings.ReplaceAll(theirs, "$", "")
		return after(ours+" </dev/null 2>/dev/null", theirs+" </dev/null 2>/dev/null")
	case 1:
		return after("gander find --ignored -t f -0 . | sort -z | xargs -0 cat --",
			files+names+" | xargs -0 cat --")
	case 2:
		return after("gander find --ignored -t f -0 . | sort -z | xargs -0 gander read --",
			files+names+" | xargs -0 cat --")
	case 3:
		pattern := pick("foo", "bar", "long", "é")
		ours, theirs := "gander search -l -0 "+pattern+" .", "rg -l -0 --sort path --hidden -g '!.git' "+
			pattern+" </dev/null"
		action := " | xargs -0 -r grep -a -c " + pick("o", "x")
		return after(ours+action, theirs+action)
	default:
		lines := fmt.Sprint(1 + r.IntN(30))
		return after("gander find --ignored -t f -0 . | sort -z | xargs -0 -n 1 gander read --limit "+
			lines+" --",
			files+names+" | xargs -0 -n 1 head -n "+lines+" --")
	}
}
