package shell

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gander/internal/files/workspace"
)

var update = flag.Bool("update", false, "record the results of bash")

// A bashCase is a script with what bash 5.2 prints, and its status.
type bashCase struct {
	line   int
	script string
	out    string
	status int
}

// readCases reads cases: "$ SCRIPT" with further lines after "> ", the output after two spaces, and
// "? STATUS", with " no newline" if the output does not end with one.
func readCases(t testing.TB, name string) []bashCase {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var cases []bashCase
	for i, line := range strings.Split(string(data), "\n") {
		last := len(cases) - 1
		switch {
		case strings.HasPrefix(line, "$ "):
			cases = append(cases, bashCase{line: i + 1, script: line[2:]})
		case strings.HasPrefix(line, "> "):
			cases[last].script += "\n" + line[2:]
		case strings.HasPrefix(line, "  "):
			cases[last].out += line[2:] + "\n"
		case strings.HasPrefix(line, "? "):
			status, note, _ := strings.Cut(line[2:], " ")
			cases[last].status, _ = strconv.Atoi(status)
			if note != "" {
				cases[last].out = strings.TrimSuffix(cases[last].out, "\n")
			}
		}
	}
	return cases
}

// tree makes the directory in which the cases run.
func tree(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.txt": "one\ntwo\nthree\n", "b.txt": "", "sub/c.txt": "x\n", "sub/d.go": "package d\n",
		"sub/deep/e.txt": "", ".hidden": "h\n", "with space.txt": "s\n", "-n": "dash\n",
		"lib.sh": "greet() { echo \"hello $1\"; }\nvalue=7\n", "é.txt": "é\n", "[x].txt": "",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("sub", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func newTestShell(t testing.TB, dir string) *Shell {
	t.Helper()
	w, err := workspace.Open(workspace.Options{}, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return New(w, dir)
}

// TestBash compares scripts with what bash printed.
func TestBash(t *testing.T) {
	dir := tree(t)
	names, err := filepath.Glob("testdata/*.cases")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if *update {
			record(t, name, dir)
		}
		s := newTestShell(t, dir)
		for _, c := range readCases(t, name) {
			var out, errOut bytes.Buffer
			r := s.Run(t.Context(), Script{Text: c.script, Out: &out, Err: &errOut})
			if out.String() != c.out || r.Status != c.status {
				t.Errorf("%s:%d: %s\ngot %q, status %d, want %q, status %d\nerrors: %s %v %v", name,
					c.line, c.script, out.String(), r.Status, c.out, c.status, errOut.String(),
					r.Refused, r.Stopped)
			}
		}
	}
}

// record replaces the results in a file with those of bash.
func record(t *testing.T, name, dir string) {
	t.Helper()
	var text strings.Builder
	for _, c := range readCases(t, name) {
		cmd := exec.CommandContext(context.Background(), "bash", "-c", c.script)
		cmd.Dir = dir
		cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + dir, "LANG=C.UTF-8", "PWD=" + dir}
		out, _ := cmd.Output()
		fmt.Fprintf(&text, "$ %s\n", strings.ReplaceAll(c.script, "\n", "\n> "))
		note := ""
		if len(out) > 0 && !bytes.HasSuffix(out, []byte("\n")) {
			note = " no newline"
		}
		for _, line := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
			if len(out) > 0 {
				fmt.Fprintf(&text, "  %s\n", line)
			}
		}
		fmt.Fprintf(&text, "? %d%s\n\n", cmd.ProcessState.ExitCode(), note)
	}
	if err := os.WriteFile(name, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
