package cli

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"gander/internal/testkit/fixture"
	"gander/internal/testkit/pty"
)

var update = flag.Bool("update", false, "write testdata/screens anew")

// screens are commands and the trees they are run in; {root} stands for the tree.
func screens() map[string][]string {
	return map[string][]string{
		"tree":          {"tree", "{root}"},
		"tree_cut":      {"tree", "-L", "1", "--limit", "3", "--dirsfirst"},
		"tree_dirs":     {"tree", "-d", "-a"},
		"ls":            {"ls"},
		"ls_long":       {"ls", "-l", "--sort", "kind"},
		"read":          {"read", "src/main.go"},
		"read_hostile":  {"read", "src/hostile.txt"},
		"read_around":   {"read", "src/main.go", "--around", "7", "--levels", "1"},
		"read_binary":   {"read", "src/blob"},
		"links":         {"ls", "--hyperlink=auto", "-1", "src"},
		"as_codex":      {"ls", "--as", "codex", "src"},
		"nothing":       {"tree", "empty"},
		"missing":       {"tree", "absent"},
		"several_lines": {"read", "src/main.go:2-4", "-p"},
	}
}

const program = `package main

/* a comment
   that goes on */

func main() {
	println("text", 42, 'x') // done
	if true {
		return
	}
}
`

// place makes the tree that the screens show. The times are in whole months, so that the screens stay the same.
func place(t *testing.T) string {
	root := fixture.Make(t, "README.md", "src/main.go", "src/blob", "src/hostile.txt", "empty/", ".hidden/file",
		"漢字のファイル.txt", "cafe\u0301.md", "👩‍👩‍👧 family.png", "new\nline\x1b[31m.txt", "bad\xff.txt", "link => src/main.go",
		"outside => /etc/a/path/that/is/rather/long/for/a/narrow/terminal/is/it/not", "secret.pem/inside", "pipe|", "a rather long name of a file.tar.gz")
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(root, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("src/main.go", program)
	write("src/blob", "\x7fELF\x00\x01")
	write("src/hostile.txt", "plain\ta tab\n\x1b[31mred\u202eback\n\xff漢\r\n")
	then := unix.NsecToTimespec(time.Now().Add(-100 * 24 * time.Hour).UnixNano())
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if err := unix.UtimesNanoAt(unix.AT_FDCWD, filepath.Join(root, e.Name()), []unix.Timespec{then, then}, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// TestScreens: what each command shows on a terminal, at three widths, with and without colour, in two locales.
func TestScreens(t *testing.T) {
	root := place(t)
	for name, args := range screens() {
		t.Run(name, func(t *testing.T) {
			var got strings.Builder
			for _, columns := range []int{40, 80, 200} {
				for _, color := range []string{"auto", "never"} {
					for _, locale := range []string{"C.UTF-8", "C"} {
						fmt.Fprintf(&got, "== %d columns, colour %s, %s\n%s", columns, color, locale, screenOf(t, root, args, columns, color, locale))
					}
				}
			}
			golden(t, filepath.Join("testdata", "screens", name+".txt"), got.String())
		})
	}
}

func screenOf(t *testing.T, root string, args []string, columns int, color, locale string) string {
	words := []string{"--color", color}
	for _, arg := range args {
		words = append(words, strings.ReplaceAll(arg, "{root}", root))
	}
	words = append(words[2:3:3], append(words[3:], words[:2]...)...)
	cmd := exec.Command("gander", words...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "LC_ALL="+locale, "TERM=xterm", "NO_COLOR=", "CLICOLOR_FORCE=", "FORCE_COLOR=", "CLICOLOR=", "LS_COLORS=di=01;34:ln=01;36:*.gz=01;31:*.md=00", "PWD="+root)
	host, _ := os.Hostname()
	return strings.NewReplacer("\x1b", "␛", "file://"+host, "file://HOST", root, "ROOT").Replace(pty.Run(t, cmd, columns))
}

// TestPager: a pager gets what a terminal would, where one is asked for and there is a terminal.
func TestPager(t *testing.T) {
	root := place(t)
	for _, tt := range []struct {
		pager string
		args  []string
		want  string
	}{
		{"sed s/^/paged:/", []string{"ls", "-1", "--pager", "src"}, "paged:blob\npaged:hostile.txt\npaged:main.go\n"},
		{"sed s/^/paged:/", []string{"ls", "-1", "src"}, "blob\nhostile.txt\nmain.go\n"},
		{"head -n1", []string{"ls", "-1", "--pager", "src"}, "blob\n"},
		{"true", []string{"read", "--pager", "src/main.go"}, ""},
		{"false", []string{"ls", "--pager", "src"}, ""},
		{"/no/such/pager", []string{"ls", "--pager", "src"}, "gander: cannot start the pager \"/no/such/pager\": fork/exec /no/such/pager: no such file or directory; set PAGER to a program, or leave out --pager\n"},
	} {
		cmd := exec.Command("gander", tt.args...)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "PAGER="+tt.pager, "TERM=dumb", "LC_ALL=C")
		if got := pty.Run(t, cmd, 80); got != tt.want {
			t.Errorf("PAGER=%q gander %q: got %q, want %q", tt.pager, tt.args, got, tt.want)
		}
	}
}

func golden(t *testing.T, file, got string) {
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("if that is meant, run: go test ./internal/cli -run TestScreens -update (-was +is)\n%s", diff)
	}
}
