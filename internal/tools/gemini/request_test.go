package gemini

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/internal/testkit/unprivileged"
	"gander/tool"
)

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
	c := newCaller(t, w, verbatimSettings())
	tooltest.CheckErrors(t, "parameters.txt", root, c.fail)
	_, err := c.Call(arguments{"path": root}.json(t), 0)
	if err == nil || err.Code != "ls_execution_error" {
		t.Errorf("the closed workspace is not noticed: %v", err)
	}
	_, err = c.Call(arguments{"path": strings.Repeat("漢", 5000)}.json(t), 0)
	want := "Path must be absolute: " + strings.Repeat("漢", 1365)
	if err == nil || err.Message != want {
		t.Errorf("a long path: %v", err)
	}
}

func TestHostileParameters(t *testing.T) {
	root := fixture.Make(t, "a", "b/")
	c := newCaller(t, tooltest.Workspace(t, nil, root), DefaultSettings())
	begin := strings.TrimSuffix(arguments{"path": root}.json(t), "}")
	c.CheckHostile(20_000, `{"path":%s}`, begin+`,"ignore":%s}`, begin+`,"ignore":[%s]}`,
		begin+`,"file_filtering_options":%s}`)
}

// TestRootGivenAgain checks that an error names every directory of the workspace once.
func TestRootGivenAgain(t *testing.T) {
	top := fixture.Make(t, "a/", "b/", "toa => a")
	w := tooltest.Workspace(t, nil, top+"/a", top+"/b", top+"/a", top+"/toa", top+"/b/")
	_, err := newCaller(t, w, verbatimSettings()).Call(`{"path":"/"}`, -1)
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
	tooltest.CheckPaths(t, entries, deny, func(w *workspace.Workspace) func(string) *tool.Error {
		return newCaller(t, w, verbatimSettings()).fail
	})
	const failed = " ls_execution_error: Error listing directory: "
	root := t.TempDir()
	w := tooltest.Workspace(t, nil, root)
	args := arguments{"path": root}.json(t)
	tooltest.CheckRefusals(t, New(w, verbatimSettings()), args, map[string]string{
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
		want := "[DIR] into_through [DIR] locked [DIR] opaque [DIR] through [DIR] to_locked z"
		if got := c.body(arguments{"path": root}); strings.ReplaceAll(got, "\n", " ") != want {
			t.Errorf("root\ngot  %q\nwant %q", got, want)
		}
		if got := c.body(arguments{"path": root + "/opaque"}); got != "" {
			t.Errorf("entries that cannot be inspected are shown: %q", got)
		}
		for path, call := range map[string]string{
			"/locked": "scandir", "/through": "scandir", "/to_locked": "scandir", "/locked/d": "stat",
			"/into_locked": "stat", "/opaque/d": "stat",
		} {
			const format = "Error listing directory: EACCES: permission denied, %s '%s'"
			want := fmt.Sprintf(format, call, root+path)
			_, err := c.Call(arguments{"path": root + path}.json(t), -1)
			if err == nil || err.Message != want {
				t.Errorf("%s\ngot  %v\nwant %s", path, err, want)
			}
		}
	})
}

func FuzzParameters(f *testing.F) {
	w := tooltest.Workspace(f, nil, f.TempDir())
	tooltest.FuzzArguments(f, 4500, []tool.Tool{New(w, verbatimSettings())},
		`{"path":"/"}`, `{"path":"/","ignore":["*"],"file_filtering_options":{}}`)
}
