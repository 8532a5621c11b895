package gemini

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
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

// TestIgnoreFiles checks which files are read as ignore files. A row hides x if its file is read.
// Package ignore tests the rules, and the vectors show the usual cases.
func TestIgnoreFiles(t *testing.T) {
	outside := makeTree(t, tree{"rules": "x\n", "git/info/exclude": "x\n"})
	for name, tt := range map[string]struct {
		files  tree
		hidden bool
	}{
		".git is a file, with g/info/exclude": {
			tree{".git": "gitdir: g\n", "g/info/exclude": "x\n"}, false,
		},
		".git is a link":  {tree{"g/info/exclude": "x\n", ".git": ">g"}, true},
		".git is outside": {tree{".git": ">" + outside + "/git"}, false},
		".git is outside, with .gitignore": {
			tree{".gitignore": "x\n", ".git": ">" + outside + "/git"}, true,
		},
		".git is a broken link": {tree{".gitignore": "x\n", ".git": ">none"}, true},
		"info/exclude is a link": {
			tree{".git/info/exclude": ">../../rules", "rules": "x\n"}, true,
		},
		"info/exclude is outside":  {tree{".git/info/exclude": ">" + outside + "/rules"}, false},
		".geminiignore is a link":  {tree{"rules": "x\n", ".geminiignore": ">rules"}, true},
		".geminiignore is outside": {tree{".geminiignore": ">" + outside + "/rules"}, false},
		".geminiignore of more than 1 MiB": {
			tree{".geminiignore": "x\n" + strings.Repeat("#", 1<<20-1)}, false,
		},
		"lines are trimmed like JavaScript's": {
			tree{".geminiignore": "\ufeff\u00a0\t x \u3000\r\n"}, true,
		},
		"U+0085 is not trimmed": {tree{".geminiignore": "x\u0085\n"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			root := makeTree(t, tree{"x": ""})
			fixture.Write(t, root, tt.files)
			entries := strings.Split(over(t, root).body(arguments{"path": root}), "\n")
			if hidden := !slices.Contains(entries, "x"); hidden != tt.hidden {
				t.Errorf("x is hidden: %v; %q", hidden, entries)
			}
		})
	}
}

// TestIgnoreFilesUnreadable checks that unreadable ignore files count as missing.
func TestIgnoreFilesUnreadable(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		root := makeTree(t, tree{"x": ""})
		for _, name := range []string{".git/info/exclude", ".gitignore", ".geminiignore"} {
			fixture.Write(t, root, tree{name: "x\n"})
			if err := os.Chmod(filepath.Join(root, name), 0); err != nil {
				t.Fatal(err)
			}
		}
		checkBodies(t, over(t, root), tree{root: ".geminiignore\n.gitignore\nx\n\n(1 ignored)"})
	})
}

// checkBodies compares the bodies of results with the expected ones, by path.
func checkBodies(t *testing.T, c caller, want tree) {
	t.Helper()
	for path, body := range want {
		if got := c.body(arguments{"path": path}); got != body {
			t.Errorf("%s\ngot  %q\nwant %q", path, got, body)
		}
	}
}

// TestRepositoryAbove checks that .git above the root makes a repository, and that no ignore file
// above the root is read.
func TestRepositoryAbove(t *testing.T) {
	above := makeTree(t, tree{
		".git/info/exclude": "x\n", ".gitignore": "x\n", "root/sub/.gitignore": "y\n",
		"root/sub/x": "", "root/sub/y": "", "root/sub/.git": "",
	})
	checkBodies(t, over(t, above+"/root"), tree{above + "/root/sub": ".gitignore\nx\n\n(2 ignored)"})
}

// TestOtherRoots checks that only the first root has ignore files, even through symlinks.
func TestOtherRoots(t *testing.T) {
	rules := tree{
		".git/": "", ".gitignore": "x\n", ".geminiignore": "y\n", "x": "", "y": "", "sub/x": "",
	}
	first, second := makeTree(t, rules), makeTree(t, rules)
	fixture.Write(t, first, tree{"to": ">" + second})
	fixture.Write(t, second, tree{"to": ">" + first})
	const all = "[DIR] .git\n[DIR] sub\n[DIR] to\n.geminiignore\n.gitignore\nx\ny"
	const some = "[DIR] sub\n[DIR] to\n.geminiignore\n.gitignore\n\n(3 ignored)"
	checkBodies(t, over(t, first, second), tree{
		first: some, second: all, first + "/to": all, second + "/to": some,
		second + "/sub": "x", second + "/to/sub": "\n\n(1 ignored)",
	})
}

// TestIgnoreThroughLinks checks that a symlink to a directory has the rules of its target.
func TestIgnoreThroughLinks(t *testing.T) {
	root := makeTree(t, tree{
		".git/": "", ".gitignore": "/sub/a\n/link/b\n", "sub/a": "", "sub/b": "", "sub/c": "",
		"sub/.gitignore": "c\n", "link": ">sub",
	})
	const body = ".gitignore\nb\n\n(2 ignored)"
	checkBodies(t, over(t, root), tree{root + "/link": body, root + "/link/../sub/": body})
}

// TestGitDirectory checks that the content of .git is ignored, however it is reached.
func TestGitDirectory(t *testing.T) {
	root := makeTree(t, tree{
		".git/hooks/a": "", ".git/b": "", ".gitx/c": "", "d/.git/e": "",
	})
	const one = "\n\n(1 ignored)"
	c := over(t, root)
	checkBodies(t, c, tree{
		root + "/.git": "\n\n(2 ignored)", root + "/.git/hooks": one, root + "/.gitx": "c",
		root + "/d": one, root + "/d/.git": one,
	})
	fixture.Write(t, root, tree{"link": ">.git/hooks"})
	checkBodies(t, c, tree{root + "/link": one})
}
