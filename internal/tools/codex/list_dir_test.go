package codex

import (
	"fmt"
	"strings"
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/internal/testkit/unprivileged"
	"gander/tool"
)

// TestNames checks that an entry takes one line unless names are verbatim.
func TestNames(t *testing.T) {
	root := fixture.Make(t, "a\nb/", "a\nb/c\r", "d\te", "f\u202eg", "h\u2028i", "j\x1b[0m",
		"k\"\\漢\u00a0", "l\u0085")
	w := open(t, root)
	for want, list := range map[string]*ListDir{
		`a\nb/|  c\r|d\te|f\u202eg|h\u2028i|j\u001b[0m|k"\漢` + "\u00a0" + `|l\u0085`: NewListDir(
			w, DefaultListDirSettings()),
		"a\nb/|  c\r|d\te|f\u202eg|h\u2028i|j\x1b[0m|k\"\\漢\u00a0|l\u0085": listDir(w),
	} {
		want = "Absolute path: " + root + "\n" + strings.ReplaceAll(want, "|", "\n")
		if got := output(t, list, pathArgument(t, "dir_path", root)); got != want {
			t.Errorf("got\n%q\nwant\n%q", got, want)
		}
	}
	path := root + "//./a\nb/"
	got := output(t, NewListDir(w, DefaultListDirSettings()), pathArgument(t, "dir_path", path))
	if want := "Absolute path: " + root + `//./a\nb/` + "\n" + `c\r`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPathErrors checks that errors do not reveal whether a path outside the workspace exists.
func TestPathErrors(t *testing.T) {
	entries := []string{
		"file", "pipe|", "secret/x", "loop => loop", "out => /etc", "gone => /no/such/place",
		"up => ../..", "deny => secret", "d/file", "s=", "key.pem", "key => key.pem",
	}
	deny := []string{"**/secret", "**/*.pem"}
	tooltest.CheckPaths(t, entries, deny, func(w *workspace.Workspace) func(string) *tool.Error {
		return byName(t, listDir(w), readFile(w))
	})
}

// TestUnreadable checks that a page has a line for each unreadable directory whose entries would
// begin on it.
func TestUnreadable(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		root := fixture.Make(t,
			"a/x", "a/ 0000", "b\n/c/", "b\n/c/ 0000", "b\n/d/ 0000", "e/f", "e/ 0444")
		list := NewListDir(open(t, root), ListDirSettings{Limit: 25, Depth: 3})
		const more = "|More than 2 entries found"
		for args, want := range map[string]string{
			`"depth":1`: "a/|b\\n/|e/",
			`"depth":2`: "a/|b\\n/|  c/|  d/|e/|  f|!a/",
			`"depth":3`: "a/|b\\n/|  c/|  d/|e/|  f|!a/|!b\\n/c/|!b\\n/d/",
			`"limit":1`: "a/|More than 1 entries found",
			`"limit":2`: "a/|b\\n/|!a/" + more,

			`"limit":2,"offset":2`: "b\\n/|  c/|!a/" + more,
			`"limit":2,"offset":3`: "  c/|  d/|!b\\n/c/" + more,
		} {
			for _, dir := range []string{"a/", "b\\n/c/", "b\\n/d/"} {
				line := "|Could not read " + dir + ": permission denied"
				want = strings.ReplaceAll(want, "|!"+dir, line)
			}
			want = strings.ReplaceAll("Absolute path: "+root+"|"+want, "|", "\n")
			if got := output(t, list, fmt.Sprintf(`{"dir_path":%q,%s}`, root, args)); got != want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", args, got, want)
			}
		}
		args := fmt.Sprintf(`{"dir_path":%q,"offset":7}`, root)
		if got := output(t, list, args); got != "error: offset exceeds directory entry count" {
			t.Error(got)
		}
		for _, path := range []string{"/a", "/a/x", "/e/f"} {
			got := output(t, list, pathArgument(t, "dir_path", root+path))
			if got != "error: failed to read directory: permission denied" {
				t.Errorf("%s: %s", path, got)
			}
			got = output(t, readFile(open(t, root)), pathArgument(t, "file_path", root+path+"/x"))
			if got != "error: failed to read file: permission denied" {
				t.Errorf("%s/x: %s", path, got)
			}
		}
	})
}
