package gemini

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/internal/testkit/unprivileged"
)

// A tree has the contents of files by path, as [fixture.Write] makes them.
type tree = map[string]string

// makeTree makes a tree in a new directory, whose path it returns without symlinks.
func makeTree(t testing.TB, files tree) (root string) {
	t.Helper()
	root = fixture.Make(t)
	fixture.Write(t, root, files)
	return root
}

// checkBodies compares the bodies of results with the expected ones, by path.
func checkBodies(t *testing.T, c caller, want tree) {
	t.Helper()
	for path, body := range want {
		got := strings.Join(strings.Fields(c.body(path)), " ")
		if got != body {
			t.Errorf("%s\ngot  %q\nwant %q", path, got, body)
		}
	}
}

// TestIgnoreFiles checks which ignore files apply. Package ignore tests their rules.
func TestIgnoreFiles(t *testing.T) {
	outside := makeTree(t, tree{"rules": "x\n", "git/info/exclude": "x\n"})
	for row, results := range tooltest.Rows(t, "ignore.txt") {
		files := tree{}
		for file := range strings.FieldsSeq(row) {
			name, content, _ := strings.Cut(strings.ReplaceAll(file, "OUTSIDE", outside), "=")
			files[name], _ = strconv.Unquote(`"` + content + `"`)
		}
		root, want := makeTree(t, files), tree{}
		for line := range strings.SplitSeq(results, "\n") {
			dir, body, _ := strings.Cut(line, ":")
			want[strings.TrimSuffix(root+"/"+dir, "/")] = strings.TrimSpace(body)
		}
		checkBodies(t, over(t, root), want)
	}
}

// TestIgnoreFilesUnreadable checks that unreadable ignore files count as missing.
func TestIgnoreFilesUnreadable(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		root := makeTree(t, tree{"x": ""})
		for _, name := range []string{".git/info/exclude", ".gitignore", ".geminiignore"} {
			fixture.Write(t, root, tree{name: "x\n"})
			fixture.Must(t, os.Chmod(filepath.Join(root, name), 0))
		}
		checkBodies(t, over(t, root), tree{root: ".geminiignore .gitignore x (1 ignored)"})
	})
}

// TestIgnoreFilesOfRoots checks that .git above the root makes a repository, and that ignore files
// above the root and of other roots are not read, even through symlinks.
func TestIgnoreFilesOfRoots(t *testing.T) {
	above := makeTree(t, tree{
		".git/info/exclude": "x\n", ".gitignore": "x\n", "root/sub/.gitignore": "y\n",
		"root/sub/x": "", "root/sub/y": "", "root/sub/.git": "",
	})
	checkBodies(t, over(t, above+"/root"), tree{above + "/root/sub": ".gitignore x (2 ignored)"})
	files := tree{".git/": "", ".gitignore": "x\n", ".geminiignore": "y\n", "x": "", "y": ""}
	first, second := makeTree(t, files), makeTree(t, files)
	fixture.Write(t, first, tree{"to": ">" + second})
	fixture.Write(t, second, tree{"to": ">" + first})
	const all = "[DIR] .git [DIR] to .geminiignore .gitignore x y"
	const some = "[DIR] to .geminiignore .gitignore (3 ignored)"
	checkBodies(t, over(t, first, second), tree{
		first: some, second: all, first + "/to": all, second + "/to": some,
	})
}
