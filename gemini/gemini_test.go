package gemini

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"gander/internal/files/names"
	"gander/internal/files/workspace"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/internal/testkit/unprivileged"
	"gander/internal/tools/definition"
	"gander/internal/toolset"
	"gander/tool"
)

// verbatim has the published defaults with verbatim names.
var verbatim = Options{VerbatimNames: true}

// A caller calls the tool.
type caller struct{ tooltest.Caller }

// newTool returns the tool over a workspace.
func newTool(w *workspace.Workspace, o Options) tool.Tool {
	return definition.Set(Tools(o)).Definition().Build(w)[0]
}

func newCaller(t testing.TB, w *workspace.Workspace, o Options) caller {
	t.Helper()
	return caller{tooltest.NewCaller(t, newTool(w, o), toolset.Options{})}
}

// over returns a caller over a workspace with the given roots.
func over(t testing.TB, roots ...string) caller {
	t.Helper()
	return newCaller(t, tooltest.Workspace(t, nil, roots...), verbatim)
}

func pathArgument(t testing.TB, path string) string {
	t.Helper()
	b, err := json.Marshal(map[string]string{"path": path})
	fixture.Must(t, err)
	return string(b)
}

// body returns the result of a successful call without its first line.
func (c caller) body(path string) string {
	c.T.Helper()
	result, err := c.Call(pathArgument(c.T, path), -1)
	if err != nil {
		c.T.Fatalf("%s: %v", path, err)
	}
	head, body, _ := strings.Cut(result.Text(), "\n")
	if head != "Directory listing for "+path+":" && head != "Directory "+path+" is empty." {
		c.T.Fatalf("%s: the first line is %q", path, head)
	}
	return body
}

// fail makes a call and checks the displayed text of its error.
func (c caller) fail(args string) *tool.Error {
	c.T.Helper()
	display := map[string]string{
		"path_is_not_a_directory": "Error: Path is not a directory.",
		"ls_execution_error":      executionFailed,
	}
	err := c.Fail(args)
	if err != nil && err.Display != display[err.Code] {
		c.T.Errorf("%s: the displayed text is %q", args, err.Display)
	}
	return err
}

// TestInvalidParameters checks the published order and messages. The workspace is closed, so that
// any file access fails differently.
func TestInvalidParameters(t *testing.T) {
	w, root := tooltest.ClosedWorkspace(t)
	c := newCaller(t, w, verbatim)
	tooltest.CheckErrors(t, "parameters.txt", root, c.fail)
	if err := c.Fail(pathArgument(t, root)); err == nil || err.Code != "ls_execution_error" {
		t.Errorf("the closed workspace is not noticed: %v", err)
	}
	err := c.Fail(pathArgument(t, strings.Repeat("漢", 5000)))
	want := "Path must be absolute: " + strings.Repeat("漢", 1365)
	if err == nil || err.Message != want {
		t.Errorf("a long path: %v", err)
	}
}

// TestRootGivenAgain checks that an error names every directory of the workspace once.
func TestRootGivenAgain(t *testing.T) {
	top := fixture.Make(t, "a/", "b/", "toa => a")
	w := tooltest.Workspace(t, nil, top+"/a", top+"/b", top+"/a", top+"/toa", top+"/b/")
	err := newCaller(t, w, verbatim).Fail(`{"path":"/"}`)
	want := "Path must be within one of the workspace directories: " +
		filepath.FromSlash(top+"/a, "+top+"/b")
	if err == nil || err.Message != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestErrors(t *testing.T) {
	entries := []string{
		"file", "pipe|", "loop => loop", "broken => none", "tofile => file", "out => /etc",
		"gone => /no/such", "secret/x", "tosecret => secret",
	}
	deny := []string{"**/secret"}
	tooltest.CheckPaths(t, entries, deny, func(w *workspace.Workspace, args string) *tool.Error {
		return newCaller(t, w, verbatim).fail(args)
	})
	const failed = " ls_execution_error: Error listing directory: "
	root := t.TempDir()
	w := tooltest.Workspace(t, nil, root)
	tooltest.CheckRefusals(t, newTool(w, verbatim), pathArgument(t, root), map[string]string{
		"denied": "denied" + failed + "the policy does not allow gemini/list_directory",
		"late": "timeout" + failed +
			"the call took longer than its time limit; ask for less, or raise the limit",
	})
}

// TestUnreadable checks unreadable directories, and entries in them or symlinks into them.
func TestUnreadable(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		root := fixture.Make(t, "locked/d/f", "locked/ 0000", "opaque/f", "opaque/d/", "opaque/ 0444",
			"through/d/f", "through/ 0111", "to_locked => locked", "into_locked => locked/d",
			"into_through => through/d", "z")
		c := over(t, root)
		checkBodies(t, c, tree{
			root: "[DIR] into_through [DIR] locked [DIR] opaque [DIR] through [DIR] to_locked z",
			// Entries that cannot be inspected are not shown.
			root + "/opaque": "",
		})
		for path, call := range map[string]string{
			"/locked": "scandir", "/through": "scandir", "/to_locked": "scandir", "/locked/d": "stat",
			"/into_locked": "stat", "/opaque/d": "stat",
		} {
			const format = "Error listing directory: EACCES: permission denied, %s '%s'"
			want := fmt.Sprintf(format, call, root+path)
			if err := c.Fail(pathArgument(t, root+path)); err == nil || err.Message != want {
				t.Errorf("%s\ngot  %v\nwant %s", path, err, want)
			}
		}
	})
}

// TestEntries checks the visible entries and their kinds.
func TestEntries(t *testing.T) {
	other := t.TempDir()
	root := fixture.Make(t, "dir/", "file", "pipe|", "todir => dir", "tofile => {root}/file",
		"tochain => todir", "broken => none", "loop => loop", "toother => "+other, "out => /etc",
		"outfile => /etc/passwd", "gone => /no/such/place", "secret/x", "tosecret => secret",
		"throughsecret => secret/x", "\xff")
	w := tooltest.Workspace(t, []string{"**/secret"}, root, other)
	checkBodies(t, newCaller(t, w, verbatim), tree{
		root: "[DIR] dir [DIR] secret [DIR] tochain [DIR] todir [DIR] toother [DIR] tosecret " +
			"file gone out outfile pipe throughsecret tofile",
	})
}

// TestNames checks that an entry takes one line unless names are verbatim, and the path in an error
// in any case.
func TestNames(t *testing.T) {
	root := fixture.Make(t, "a\nb/", "c\r", "d\u202ee", "f\x1b[0m", "g\u2028", "漢\"\\")
	for want, o := range map[string]Options{
		`[DIR] a\nb|c\r|d\u202ee|f\u001b[0m|g\u2028|漢"\`: {},
		"[DIR] a\nb|c\r|d\u202ee|f\x1b[0m|g\u2028|漢\"\\": verbatim,
	} {
		c := newCaller(t, tooltest.Workspace(t, nil, root), o)
		if got := c.body(root); got != strings.ReplaceAll(want, "|", "\n") {
			t.Errorf("got  %q\nwant %q", got, want)
		}
		err := c.Fail(pathArgument(t, root+"/x\ny"))
		if err == nil || !strings.HasSuffix(err.Message, "stat '"+root+`/x\ny'`) {
			t.Errorf("verbatim %v: %v", o.VerbatimNames, err)
		}
	}
}

func TestEveryLimit(t *testing.T) {
	var some, many []string
	for i := range 1200 {
		mark := []string{"", "/", "\u202e"}[i%3]
		if i < 40 {
			some = append(some, fmt.Sprintf("%s%d%s", strings.Repeat("é", i%7), i, mark))
		}
		many = append(many, fmt.Sprintf("%d-%s", (i*7919)%1200, []string{"a", "é"}[i%2]))
	}
	for _, entries := range [][]string{some, {"a"}, {}, {"dir/", "x\u202e"}} {
		root := fixture.Make(t, entries...)
		c := newCaller(t, tooltest.Workspace(t, nil, root), Options{})
		c.CheckLimits(pathArgument(t, root), 1, func(shown int) string {
			const hint = "%d of %d entries shown; leave some out with ignore, or list a subdirectory"
			return fmt.Sprintf(hint, shown, len(entries))
		})
	}
	root := fixture.Make(t, many...)
	c := over(t, root)
	whole, _ := c.Call(pathArgument(t, root), -1)
	for limit := 500; limit < len(whole.Text()); limit += 997 {
		got, _ := c.Call(pathArgument(t, root), limit)
		kept, _, cut := strings.Cut(got.Text(), "\n[gander: ")
		if !cut || len(kept) < limit-200 || !strings.HasPrefix(whole.Text(), kept+"\n") {
			t.Errorf("within %d: %q", limit, got.Text())
		}
	}
}

// TestLateFailure checks the error if the later names of a directory cannot be read.
func TestLateFailure(t *testing.T) {
	memory := names.NewMemory(t.Context())
	defer memory.Release()
	var failure error
	read := func(add func(name []byte, kind workspace.EntryKind) bool) error {
		for i := range 3000 {
			add(fmt.Appendf(nil, "%04d", i), workspace.Regular)
		}
		return failure
	}
	entries, err := memory.Sort(names.Query{Order: names.Collation(nil), Limit: 1}, read)
	fixture.Must(t, err)
	failure = fs.ErrPermission
	l := &listing{
		tool:    &listDirectory{options: verbatim.withDefaults()},
		request: request{path: "/d"}, visible: 3000,
	}
	_, err = l.write(&entries, tool.Budget{})
	e, ok := errors.AsType[*tool.Error](err)
	if !ok || e.Kind != tool.Denied || !strings.HasSuffix(e.Message, "scandir '/d'") {
		t.Errorf("got %v", err)
	}
}
