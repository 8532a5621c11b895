//go:build unix

package codex

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/internal/testkit/unprivileged"
	"gander/tool"
)

// TestNames checks that an entry takes one line whatever its name is, unless names are verbatim.
func TestNames(t *testing.T) {
	root := fixture.Make(t, "a\nb/", "a\nb/c\r", "d\te", "f\u202eg", "h\u2028i", "j\x1b[0m", "k\"\\漢\u00a0", "l\u0085")
	w := open(t, root)
	args := fmt.Sprintf(`{"dir_path":%q}`, root)
	escaped := "Absolute path: " + root + `
a\nb/
  c\r
d\te
f\u202eg
h\u2028i
j\u001b[0m
k"\漢` + "\u00a0" + `
l\u0085`
	if got := answer(t, NewListDir(w, ListDirSettings{Limit: 25, Depth: 2}), args); got != escaped {
		t.Errorf("escaped\ngot\n%s\nwant\n%s", got, escaped)
	}
	verbatim := "Absolute path: " + root + "\na\nb/\n  c\r\nd\te\nf\u202eg\nh\u2028i\nj\x1b[0m\nk\"\\漢\u00a0\nl\u0085"
	if got := answer(t, listDir(w), args); got != verbatim {
		t.Errorf("verbatim\ngot\n%q\nwant\n%q", got, verbatim)
	}
}

// TestHeader checks that the first line repeats the path exactly as the call gave it.
func TestHeader(t *testing.T) {
	root := fixture.Make(t, "a\nb/x", "link => a\nb")
	list := NewListDir(open(t, root), ListDirSettings{Limit: 25, Depth: 2})
	for _, path := range []string{root + "/a\nb", root + "//./a\nb/", root + "/link", root + "/link/../a\nb", "/.." + root + "/a\nb"} {
		got := answer(t, list, pathArgument(t, "dir_path", path))
		if want := "Absolute path: " + strings.ReplaceAll(path, "\n", `\n`) + "\nx"; got != want {
			t.Errorf("%q\ngot  %q\nwant %q", path, got, want)
		}
	}
}

// TestListDirErrors checks the texts of errors, and that every path outside the workspace has the same one.
func TestListDirErrors(t *testing.T) {
	root := fixture.Make(t, "file", "pipe|", "secret/x", "loop => loop", "out => /etc", "gone => /no/such/place", "up => ../..", "deny => secret", "d/")
	w := tooltest.Workspace(t, []string{"**/secret"}, root)
	const outside = "path is outside the workspace; use an absolute path inside it"
	for path, want := range map[string]string{
		root + "/none":                         "no such file or directory",
		root + "/none/..":                      "no such file or directory",
		root + "/file":                         "not a directory",
		root + "/file/x":                       "not a directory",
		root + "/pipe":                         "not a directory",
		root + "/loop":                         "too many levels of symbolic links",
		root + "/secret":                       "denied by pattern **/secret",
		root + "/deny":                         "denied by pattern **/secret",
		root + "/" + strings.Repeat("n", 300):  "file name too long",
		root + strings.Repeat("/n", 3000):      "file name too long",
		root + "/a\u0000":                      "invalid argument: a path cannot contain a NUL character",
		"/":                                    outside,
		"/etc":                                 outside,
		"/no/such/place":                       outside,
		root + "x":                             outside,
		root + "/..":                           outside,
		root + "/d/../../none":                 outside,
		root + "/out":                          outside,
		root + "/out/none":                     outside,
		root + "/gone":                         outside,
		root + "/up":                           outside,
		root + "/up/" + strings.Repeat("n", 9): outside,
	} {
		_, err := call(t, listDir(w), pathArgument(t, "dir_path", path), -1)
		if err == nil || err.Message != "failed to read directory: "+want || (want == outside) != (err.Kind == tool.Outside) {
			t.Errorf("list_dir %q: got %+v, want %s", path, err, want)
		}
	}
}

// TestListDirUnreadable checks that the page has a line for each unreadable directory whose entries would begin on it.
func TestListDirUnreadable(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		root := fixture.Make(t, "a/x", "a/ 0000", "b\n/c/", "b\n/c/ 0000", "b\n/d/ 0000", "e/f", "e/ 0444")
		list := NewListDir(open(t, root), ListDirSettings{Limit: 25, Depth: 3})
		for _, tt := range []struct{ args, want string }{
			{`"depth":1`, "a/|b\\n/|e/"},
			{`"depth":2`, "a/|b\\n/|  c/|  d/|e/|  f|Could not read a/: permission denied"},
			{`"depth":3`, "a/|b\\n/|  c/|  d/|e/|  f|Could not read a/: permission denied|Could not read b\\n/c/: permission denied|Could not read b\\n/d/: permission denied"},
			{`"limit":1`, "a/|More than 1 entries found"},
			{`"limit":2`, "a/|b\\n/|Could not read a/: permission denied|More than 2 entries found"},
			{`"limit":2,"offset":2`, "b\\n/|  c/|Could not read a/: permission denied|More than 2 entries found"},
			{`"limit":2,"offset":3`, "  c/|  d/|Could not read b\\n/c/: permission denied|More than 2 entries found"},
			{`"offset":7`, "error: offset exceeds directory entry count"},
		} {
			want := strings.ReplaceAll("Absolute path: "+root+"|"+tt.want, "|", "\n")
			if strings.HasPrefix(tt.want, "error") {
				want = tt.want
			}
			if got := answer(t, list, fmt.Sprintf(`{"dir_path":%q,%s}`, root, tt.args)); got != want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", tt.args, got, want)
			}
		}
		for _, path := range []string{"/a", "/a/x", "/e/f"} {
			if got := answer(t, list, fmt.Sprintf(`{"dir_path":%q}`, root+path)); got != "error: failed to read directory: permission denied" {
				t.Errorf("%s: %s", path, got)
			}
			if got := answer(t, readFile(open(t, root)), fmt.Sprintf(`{"file_path":%q}`, root+path+"/x")); got != "error: failed to read file: permission denied" {
				t.Errorf("%s/x: %s", path, got)
			}
		}
	})
}

// TestCancelled checks that both tools end when their context does.
func TestCancelled(t *testing.T) {
	root := fixture.Make(t, "a/b/c", "f")
	w := open(t, root)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for args, to := range map[string]tool.Tool{
		fmt.Sprintf(`{"dir_path":%q}`, root):                            listDir(w),
		fmt.Sprintf(`{"file_path":%q}`, root+"/f"):                      readFile(w),
		fmt.Sprintf(`{"file_path":%q,"mode":"indentation"}`, root+"/f"): readFile(w),
	} {
		if _, err := to.Call(ctx, tool.Call{Args: []byte(args)}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", args, err)
		}
	}
}
