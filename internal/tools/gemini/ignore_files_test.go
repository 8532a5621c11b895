//go:build unix

package gemini

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

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

// TestIgnoreFiles checks which files count as ignore files. In each case the file hides x if it counts.
func TestIgnoreFiles(t *testing.T) {
	outside := t.TempDir()
	write(t, outside, map[string]string{"rules": "x\n", "git/info/exclude": "x\n"})
	large := "x\n" + strings.Repeat("#", 1<<20-2)
	for _, tt := range []struct {
		name   string
		files  map[string]string
		links  map[string]string
		fifo   string
		hidden bool
	}{
		{name: "none", files: map[string]string{".git/": ""}},
		{name: ".gitignore", files: map[string]string{".git/": "", ".gitignore": "x\n"}, hidden: true},
		{name: ".gitignore without a repository", files: map[string]string{".gitignore": "x\n"}},
		{name: ".git is a file", files: map[string]string{".git": "gitdir: /nowhere\n", ".gitignore": "x\n"}, hidden: true},
		{name: ".git is a file, which has no info/exclude", files: map[string]string{".git": "gitdir: real\n", "real/info/exclude": "x\n"}},
		{name: ".git is a link", files: map[string]string{"real/info/exclude": "x\n"}, links: map[string]string{".git": "real"}, hidden: true},
		{name: ".git is a link that leads outside", links: map[string]string{".git": outside + "/git"}, files: map[string]string{"y/": ""}},
		{name: ".git is a link that leads outside, a repository still", links: map[string]string{".git": outside + "/git"}, files: map[string]string{".gitignore": "x\n"}, hidden: true},
		{name: ".git is a broken link, a repository still", links: map[string]string{".git": "none"}, files: map[string]string{".gitignore": "x\n"}, hidden: true},
		{name: ".git is a FIFO", fifo: ".git", files: map[string]string{".gitignore": "x\n"}, hidden: true},
		{name: "info/exclude", files: map[string]string{".git/info/exclude": "x\n"}, hidden: true},
		{name: "info/exclude is a link", files: map[string]string{".git/info/": "", "rules": "x\n"}, links: map[string]string{".git/info/exclude": "../../rules"}, hidden: true},
		{name: "info/exclude is a link that leads outside", files: map[string]string{".git/info/": ""}, links: map[string]string{".git/info/exclude": outside + "/rules"}},
		{name: ".gitignore is a link", files: map[string]string{".git/": "", "rules": "x\n"}, links: map[string]string{".gitignore": "rules"}},
		{name: ".gitignore is a directory", files: map[string]string{".git/": "", ".gitignore/x": ""}},
		{name: ".gitignore is a FIFO", files: map[string]string{".git/": ""}, fifo: ".gitignore"},
		{name: ".gitignore of 1 MiB", files: map[string]string{".git/": "", ".gitignore": large}, hidden: true},
		{name: ".gitignore of more", files: map[string]string{".git/": "", ".gitignore": large + "#"}},
		{name: ".geminiignore", files: map[string]string{".geminiignore": "x\n"}, hidden: true},
		{name: ".geminiignore is a link", files: map[string]string{"rules": "x\n"}, links: map[string]string{".geminiignore": "rules"}, hidden: true},
		{name: ".geminiignore is a link that leads outside", files: map[string]string{"y/": ""}, links: map[string]string{".geminiignore": outside + "/rules"}},
		{name: ".geminiignore is a FIFO", files: map[string]string{"y/": ""}, fifo: ".geminiignore"},
		{name: ".geminiignore of more than 1 MiB", files: map[string]string{".geminiignore": large + "#"}},
		{name: ".geminiignore, trimmed as JavaScript does", files: map[string]string{".geminiignore": "\ufeff\u00a0\t x \u3000\r\n"}, hidden: true},
		{name: ".geminiignore, U+0085 is no white space there", files: map[string]string{".geminiignore": "x\u0085\n"}},
		{name: ".geminiignore has the last word", files: map[string]string{".git/info/exclude": "x\n", ".gitignore": "x\n", ".geminiignore": "!x\n"}},
		{name: ".gitignore has it before info/exclude", files: map[string]string{".git/info/exclude": "x\n", ".gitignore": "!x\n"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, tt.files)
			write(t, root, map[string]string{"x": ""})
			link(t, root, tt.links)
			if tt.fifo != "" {
				if err := unix.Mkfifo(root+"/"+tt.fifo, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			entries, ignored := lines(over(t, root).body(arguments{"path": root}))
			hidden := true
			for _, e := range entries {
				hidden = hidden && e != "x"
			}
			if hidden != tt.hidden {
				t.Errorf("x is hidden: %v; %q, %s ignored", hidden, entries, ignored)
			}
		})
	}
}

// TestIgnoreFilesUnreadable checks that an ignore file that may not be read counts as absent.
func TestIgnoreFilesUnreadable(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		root := t.TempDir()
		write(t, root, map[string]string{".git/info/exclude": "x\n", ".gitignore": "x\n", ".geminiignore": "x\n", "x": ""})
		for name, mode := range map[string]os.FileMode{".git/info/exclude": 0, ".gitignore": 0, ".geminiignore": 0} {
			if err := os.Chmod(filepath.Join(root, name), mode); err != nil {
				t.Fatal(err)
			}
		}
		if got, want := over(t, root).body(arguments{"path": root}), ".geminiignore\n.gitignore\nx\n\n(1 ignored)"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// TestRepositoryAbove checks that a .git above the root makes it a repository, and that no ignore file above it is read.
func TestRepositoryAbove(t *testing.T) {
	above := t.TempDir()
	write(t, above, map[string]string{".git/info/exclude": "x\n", ".gitignore": "x\n", "root/sub/.gitignore": "y\n", "root/sub/x": "", "root/sub/y": "", "root/sub/.git": ""})
	root := above + "/root"
	if got, want := over(t, root).body(arguments{"path": root + "/sub"}), ".gitignore\nx\n\n(2 ignored)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestOtherRoots checks that only the first root has ignore files, even if a link leads from one root to the other.
func TestOtherRoots(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	rules := map[string]string{".git/": "", ".gitignore": "x\n", ".geminiignore": "y\n", "x": "", "y": "", "sub/x": ""}
	write(t, first, rules)
	write(t, second, rules)
	link(t, first, map[string]string{"to": second})
	link(t, second, map[string]string{"to": first})
	c := over(t, first, second)
	const all, some = "[DIR] .git\n[DIR] sub\n[DIR] to\n.geminiignore\n.gitignore\nx\ny", "[DIR] sub\n[DIR] to\n.geminiignore\n.gitignore\n\n(3 ignored)"
	for path, want := range map[string]string{
		first: some, second: all, first + "/to": all, second + "/to": some, second + "/sub": "x", second + "/to/sub": "\n\n(1 ignored)",
	} {
		if got := c.body(arguments{"path": path}); got != want {
			t.Errorf("%s\ngot  %q\nwant %q", path, got, want)
		}
	}
}

// TestGitDirectory checks that what lies in .git is ignored, however it is reached.
func TestGitDirectory(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{".git/hooks/a": "", ".git/b": "", ".gitx/c": "", "d/.git/e": ""})
	link(t, root, map[string]string{"link": ".git/hooks"})
	c := over(t, root)
	for path, want := range map[string]string{
		"/.git": "\n\n(2 ignored)", "/.git/hooks": "\n\n(1 ignored)", "/link": "\n\n(1 ignored)", "/.gitx": "c", "/d": "\n\n(1 ignored)", "/d/.git": "\n\n(1 ignored)",
	} {
		if got := c.body(arguments{"path": root + path}); got != want {
			t.Errorf("%s\ngot  %q\nwant %q", path, got, want)
		}
		if got := c.body(arguments{"path": root + path, "file_filtering_options": map[string]bool{"respect_git_ignore": false}}); strings.Contains(got, "ignored") {
			t.Errorf("%s, unfiltered: %q", path, got)
		}
	}
}
