//go:build unix

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

// link makes symlinks, whose names are the keys.
func link(t testing.TB, root string, links map[string]string) {
	t.Helper()
	for name, target := range links {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestIgnoreFiles checks which files are read as ignore files. A row hides x if its file is read.
// Package ignore tests .gitignore in detail.
func TestIgnoreFiles(t *testing.T) {
	outside := t.TempDir()
	fixture.Write(t, outside, map[string]string{"rules": "x\n", "git/info/exclude": "x\n"})
	type files = map[string]string
	git := files{".git/": "", ".gitignore": "x\n"}
	for name, tt := range map[string]struct {
		files, links files
		hidden       bool
	}{
		"none":                            {files: files{".git/": ""}},
		".gitignore":                      {files: git, hidden: true},
		".gitignore without a repository": {files: files{".gitignore": "x\n"}},
		".git is a file":                  {files: files{".git": "", ".gitignore": "x\n"}, hidden: true},
		".git is a file, g/info/exclude":  {files: files{".git": "gitdir: g\n", "g/info/exclude": "x\n"}},
		".git is a link": {
			files: files{"g/info/exclude": "x\n"}, links: files{".git": "g"}, hidden: true,
		},
		".git is outside": {links: files{".git": outside + "/git"}},
		".git is outside, with .gitignore": {
			files: files{".gitignore": "x\n"}, links: files{".git": outside + "/git"}, hidden: true,
		},
		".git is a broken link": {
			files: files{".gitignore": "x\n"}, links: files{".git": "none"}, hidden: true,
		},
		"info/exclude is a link": {
			files: files{".git/info/": "", "rules": "x\n"},
			links: files{".git/info/exclude": "../../rules"}, hidden: true,
		},
		"info/exclude is outside": {
			files: files{".git/info/": ""}, links: files{".git/info/exclude": outside + "/rules"},
		},
		".geminiignore": {files: files{".geminiignore": "x\n"}, hidden: true},
		".geminiignore is a link": {
			files: files{"rules": "x\n"}, links: files{".geminiignore": "rules"}, hidden: true,
		},
		".geminiignore is outside": {links: files{".geminiignore": outside + "/rules"}},
		".geminiignore of more than 1 MiB": {
			files: files{".geminiignore": "x\n" + strings.Repeat("#", 1<<20-1)},
		},
		"lines are trimmed like JavaScript's": {
			files: files{".geminiignore": "\ufeff\u00a0\t x \u3000\r\n"}, hidden: true,
		},
		"U+0085 is not trimmed": {files: files{".geminiignore": "x\u0085\n"}},
		".geminiignore overrides git": {files: files{
			".git/info/exclude": "x\n", ".gitignore": "x\n", ".geminiignore": "!x\n",
		}},
	} {
		root := t.TempDir()
		fixture.Write(t, root, tt.files)
		fixture.Write(t, root, files{"x": ""})
		link(t, root, tt.links)
		entries, ignored := lines(over(t, root).body(arguments{"path": root}))
		if hidden := !slices.Contains(entries, "x"); hidden != tt.hidden {
			t.Errorf("%s: x is hidden: %v; %q, %s ignored", name, hidden, entries, ignored)
		}
	}
}

// TestIgnoreFilesUnreadable checks that unreadable ignore files count as missing.
func TestIgnoreFilesUnreadable(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		root := t.TempDir()
		names := []string{".git/info/exclude", ".gitignore", ".geminiignore"}
		for _, name := range names {
			fixture.Write(t, root, map[string]string{name: "x\n", "x": ""})
			if err := os.Chmod(filepath.Join(root, name), 0); err != nil {
				t.Fatal(err)
			}
		}
		want := ".geminiignore\n.gitignore\nx\n\n(1 ignored)"
		if got := over(t, root).body(arguments{"path": root}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// TestRepositoryAbove checks that .git above the root makes a repository, and that no ignore file
// above the root is read.
func TestRepositoryAbove(t *testing.T) {
	above := t.TempDir()
	fixture.Write(t, above, map[string]string{
		".git/info/exclude": "x\n", ".gitignore": "x\n", "root/sub/.gitignore": "y\n",
		"root/sub/x": "", "root/sub/y": "", "root/sub/.git": "",
	})
	want := ".gitignore\nx\n\n(2 ignored)"
	if got := over(t, above+"/root").body(arguments{"path": above + "/root/sub"}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestOtherRoots checks that only the first root has ignore files, even through symlinks.
func TestOtherRoots(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	rules := map[string]string{
		".git/": "", ".gitignore": "x\n", ".geminiignore": "y\n", "x": "", "y": "", "sub/x": "",
	}
	fixture.Write(t, first, rules)
	fixture.Write(t, second, rules)
	link(t, first, map[string]string{"to": second})
	link(t, second, map[string]string{"to": first})
	c := over(t, first, second)
	const all = "[DIR] .git\n[DIR] sub\n[DIR] to\n.geminiignore\n.gitignore\nx\ny"
	const some = "[DIR] sub\n[DIR] to\n.geminiignore\n.gitignore\n\n(3 ignored)"
	for path, want := range map[string]string{
		first: some, second: all, first + "/to": all, second + "/to": some,
		second + "/sub": "x", second + "/to/sub": "\n\n(1 ignored)",
	} {
		if got := c.body(arguments{"path": path}); got != want {
			t.Errorf("%s\ngot  %q\nwant %q", path, got, want)
		}
	}
}

// TestIgnoreThroughLinks checks that a symlink to a directory has the rules of its target.
func TestIgnoreThroughLinks(t *testing.T) {
	root := t.TempDir()
	fixture.Write(t, root, map[string]string{
		".git/": "", ".gitignore": "/sub/a\n/link/b\n", "sub/a": "", "sub/b": "", "sub/c": "",
		"sub/.gitignore": "c\n",
	})
	link(t, root, map[string]string{"link": "sub"})
	c := over(t, root)
	for _, path := range []string{"/sub", "/link", "/link/../sub/", "/./sub"} {
		got, want := c.body(arguments{"path": root + path}), ".gitignore\nb\n\n(2 ignored)"
		if got != want {
			t.Errorf("%s\ngot  %q\nwant %q", path, got, want)
		}
	}
}

// TestGitDirectory checks that the content of .git is ignored, however it is reached.
func TestGitDirectory(t *testing.T) {
	root := t.TempDir()
	fixture.Write(t, root, map[string]string{
		".git/hooks/a": "", ".git/b": "", ".gitx/c": "", "d/.git/e": "",
	})
	link(t, root, map[string]string{"link": ".git/hooks"})
	c := over(t, root)
	const one = "\n\n(1 ignored)"
	for path, want := range map[string]string{
		"/.git": "\n\n(2 ignored)", "/.git/hooks": one, "/link": one, "/.gitx": "c", "/d": one,
		"/d/.git": one,
	} {
		if got := c.body(arguments{"path": root + path}); got != want {
			t.Errorf("%s\ngot  %q\nwant %q", path, got, want)
		}
		options := map[string]bool{"respect_git_ignore": false}
		got := c.body(arguments{"path": root + path, "file_filtering_options": options})
		if strings.Contains(got, "ignored") {
			t.Errorf("%s, unfiltered: %q", path, got)
		}
	}
}
