package toolkit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/internal/testkit/unprivileged"
	"gander/internal/tools/definition"
	"gander/internal/tools/page"
	"gander/internal/toolset"
	"gander/tool"
)

// newTool returns the tool over a workspace.
func newTool(t testing.TB, w *workspace.Workspace, o Options) tool.Tool {
	t.Helper()
	d := definition.Set(Tools(o)).Definition()
	if d.Err != nil {
		t.Fatal(d.Err)
	}
	return d.Build(w)[0]
}

func newCaller(t testing.TB, w *workspace.Workspace, o Options) tooltest.Caller {
	t.Helper()
	return tooltest.NewCaller(t, newTool(t, w, o), toolset.Options{})
}

// over returns a caller over a workspace with the published defaults.
func over(t testing.TB, root string) tooltest.Caller {
	t.Helper()
	return newCaller(t, tooltest.Workspace(t, nil, root), Options{})
}

// A listed is a part of a node.
type listed struct {
	Path     string   `json:"path"`
	Error    string   `json:"error"`
	Children []listed `json:"children"`
}

// paths returns the listed paths below the root in pre-order, each with its error.
func paths(c tooltest.Caller, args string) []string {
	c.T.Helper()
	result, failure := c.Call(args, -1)
	if failure != nil {
		c.T.Fatalf("%s: %v", args, failure)
	}
	if result.Unreadable != strings.Contains(result.Text(), `,"error":`) {
		c.T.Errorf("%s: unreadable %t: %s", args, result.Unreadable, result.Text())
	}
	var answer struct{ Root listed }
	fixture.Must(c.T, json.Unmarshal([]byte(result.Text()), &answer))
	all := []string{}
	var gather func(listed)
	gather = func(n listed) {
		for _, child := range n.Children {
			all = append(all, child.Path+child.Error)
			gather(child)
		}
	}
	gather(answer.Root)
	return all
}

// TestInvalidArguments checks the published order and messages. The workspace is closed, so that
// any file access fails differently.
func TestInvalidArguments(t *testing.T) {
	w, root := tooltest.ClosedWorkspace(t)
	c := newCaller(t, w, Options{DepthCap: new(5), EntriesCap: 500})
	tooltest.CheckErrors(t, "arguments.txt", root, c.Fail)
	if err := c.Fail(`{"path":"."}`); err == nil || err.Code != "INTERNAL" {
		t.Errorf("the closed workspace is not noticed: %v", err)
	}
}

// TestLateFailure checks that a directory stays one node if its later names cannot be read.
func TestLateFailure(t *testing.T) {
	w := tooltest.Workspace(t, nil, fixture.Make(t, "d/a"))
	dir := tooltest.Dir(t, w, ".")
	v := &traversal{
		request: request{maxDepth: 2, maxEntries: 3},
		json:    page.NewTree(tool.Budget{}, `{"root":`, `,"children":[`, closeNode),
	}
	v.add(page.Node{Kind: workspace.Directory}, ".", false)
	err := v.addAll(func(yield func(walk.Entry, error) bool) {
		var d walk.Entry
		for e := range walk.Entries(t.Context(), dir, walk.Options{Depth: 2}) {
			if e.Kind == workspace.Directory {
				d = e
			}
			yield(e, nil)
		}
		d.ForError = true
		yield(d, fs.ErrNotExist)
	})
	fixture.Must(t, err)
	result, err := v.write(tool.Budget{})
	const want = `{"root":{"kind":"directory","name":".","path":".","depth":0,"children":[` +
		`{"kind":"directory","name":"d","path":"d","depth":1,"error":"no such file or ` +
		`directory","children":[` +
		`{"kind":"file","name":"a","path":"d/a","depth":2}]}]},"limit_reached":true,` +
		`"scanned_entries":3,"total_dirs":2,"total_files":1,"total_symlinks":0}`
	if err != nil || result.Text() != want || !result.Unreadable {
		t.Errorf("got %s, %t, %v; want %s", result.Text(), result.Unreadable, err, want)
	}
}

// TestNull checks that null selects the default.
func TestNull(t *testing.T) {
	c := over(t, fixture.Make(t, "a/b/c/d/e", ".h/", "f"))
	want, failure := c.Call(`{"path":"."}`, -1)
	if failure != nil {
		t.Fatal(failure)
	}
	for _, key := range []string{"entry_kind", "max_depth", "max_entries", "include_hidden"} {
		got, err := c.Call(fmt.Sprintf(`{"path":".",%q:null}`, key), -1)
		if err != nil || got.Text() != want.Text() {
			t.Errorf("%s: got %s, %v; want %s", key, got.Text(), err, want.Text())
		}
	}
}

// TestErrors checks errors that are not about arguments.
func TestErrors(t *testing.T) {
	entries := []string{"file", "secret/x", "pipe|", "dir/", "link => dir", "broken => none"}
	deny := []string{"**/secret/**"}
	tooltest.CheckPaths(t, entries, deny, func(w *workspace.Workspace, args string) *tool.Error {
		return newCaller(t, w, Options{}).Fail(args)
	})
	tree := newTool(t, tooltest.Workspace(t, nil, t.TempDir()), Options{})
	tooltest.CheckRefusals(t, tree, `{"path":"."}`, map[string]string{
		"late": "timeout INTERNAL: INTERNAL: the call took longer than its time limit; " +
			"ask for less, or raise the limit",
		"denied": "denied SANDBOX_VIOLATION: SANDBOX_VIOLATION: " +
			"the policy does not allow toolkit/tree",
		"cancelled": "cancelled INTERNAL: INTERNAL: the call was cancelled",
	})
}

// TestLinkedRoot checks that paths in the result are relative to a root that is a symlink.
func TestLinkedRoot(t *testing.T) {
	top := fixture.Make(t, "real/a/b/c/", "root => real")
	c := over(t, top+"/root")
	for _, dir := range []string{"real", "root"} {
		args := fmt.Sprintf(`{"path":"%s/%s/a/b"}`, filepath.ToSlash(top), dir)
		if got := paths(c, args); !slices.Equal(got, []string{"a/b/c"}) {
			t.Errorf("%s: got %q", dir, got)
		}
	}
}

// TestConfigured checks the excludes of the options and the default ones.
func TestConfigured(t *testing.T) {
	root := fixture.Make(t, "a/", "dist/", "x/y/", "locked/z/")
	w := tooltest.Workspace(t, []string{"**/locked/**"}, root)
	o := Options{Exclude: []string{"x/y"}}
	for _, tt := range []struct {
		defaults bool
		want     []string
	}{
		{true, []string{"a", "lockedpermission denied", "x"}},
		{false, []string{"a", "dist", "lockedpermission denied", "x"}},
	} {
		o.IncludeDefaultExcludes = &tt.defaults
		got := paths(newCaller(t, w, o), `{"path":"."}`)
		if !slices.Equal(got, tt.want) {
			t.Errorf("defaults %v: got %q, want %q", tt.defaults, got, tt.want)
		}
	}
	err := definition.Set(Tools(Options{Exclude: []string{"["}})).Definition().Err
	if err == nil || !strings.Contains(err.Error(), "brackets") {
		t.Errorf("an option that is not a valid glob: %v", err)
	}
}

// TestUnreadable checks that an unreadable directory is a node with an error. The requested
// directory must be readable only if its entries are requested.
func TestUnreadable(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		c := over(t, fixture.Make(t, "a/b/x", "a/b/ 0000", "opaque/d/e/", "opaque/f", "opaque/ 0444"))
		for args, want := range map[string]string{
			``:                    "a a/b! opaque opaque/d!",
			`,"max_depth":2`:      "a a/b opaque opaque/d",
			`,"max_entries":3`:    "a a/b",
			`,"entry_kind":"all"`: "a a/b! opaque opaque/d! opaque/f",
			`,"exclude":["**/b"]`: "a opaque opaque/d!",
		} {
			got := strings.Join(paths(c, `{"path":"."`+args+`}`), " ")
			if got = strings.ReplaceAll(got, "permission denied", "!"); got != want {
				t.Errorf("%s: got %q, want %q", args, got, want)
			}
		}
		const node = `{"root":{"kind":"directory","name":"b","path":"a/b","depth":0`
		const deeper = node + `,"truncated":true},"limit_reached":false,`
		const full = node + `},"limit_reached":true,`
		for args, want := range map[string]string{
			`{"path":"a/b","max_depth":0}`:                   deeper,
			`{"path":"a/b/.","max_depth":0,"exclude":["*"]}`: deeper,
			`{"path":"a/b","max_entries":1}`:                 full,
			`{"path":"a/b","max_depth":0,"max_entries":1}`:   full,
		} {
			if result, err := c.Call(args, -1); err != nil || !strings.HasPrefix(result.Text(), want) {
				t.Errorf("%s: %v, %s", args, err, result.Text())
			}
		}
		for _, path := range []string{"a/b", "a/b/x", "opaque/d"} {
			got := tooltest.Describe(c.Fail(fmt.Sprintf(`{"path":%q}`, path)))
			if got != "denied INTERNAL: INTERNAL: cannot read the directory: permission denied" {
				t.Errorf("%s: %s", path, got)
			}
		}
	})
}

// TestInvalidGlobs checks invalid globs. Quoted brackets and braces count, as in the original.
func TestInvalidGlobs(t *testing.T) {
	const brackets, braces = "[ ] []a] [!]] [[] \\[ ][ src/[a-", "{ {a,b}} }{ \\{ [{]"
	want := map[string]string{
		"":      "a glob must not be empty",
		"a\x00": "a glob must not contain a NUL character",

		"{\u202e\n": `the braces of the glob "{\u202e\n" are not balanced`,

		"[" + strings.Repeat("x", 4096): "a glob must not be longer than 4096 bytes",
		"[" + strings.Repeat("x", 4000): `the brackets of the glob "[` + strings.Repeat("x", 59) +
			`..." are not balanced`,
	}
	for _, glob := range strings.Fields(brackets) {
		want[glob] = `the brackets of the glob "` + glob + `" are not balanced`
	}
	for _, glob := range strings.Fields(braces) {
		want[glob] = `the braces of the glob "` + glob + `" are not balanced`
	}
	nested := strings.Repeat("{a,", 1000) + "b" + strings.Repeat("}", 1000)
	for glob, message := range map[string]string{
		nested: "", strings.Repeat("{a,b}", 10): "", strings.Repeat("*a", 2047): "",
		strings.Repeat("{a,b}", 30): errTooMuch.Error(), strings.Repeat("{,}", 500): errTooMuch.Error(),
	} {
		want[glob] = message
	}
	for glob, message := range want {
		_, err := compile(t.Context(), []string{"ok", glob})
		if fmt.Sprint(err) != cmp.Or(message, "<nil>") {
			t.Errorf("%.80q\ngot  %v\nwant %s", glob, err, message)
		}
	}
}
