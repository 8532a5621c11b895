//go:build unix

package toolkit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gander/internal/registry"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/internal/testkit/unprivileged"
	"gander/tool"
)

// TestArguments checks the order and the messages of errors in the arguments. The workspace is closed, so that a tool that
// looked at a file would fail differently.
func TestArguments(t *testing.T) {
	w, _ := tooltest.ClosedWorkspace(t)
	s := DefaultSettings()
	s.DepthCap, s.EntriesCap = 5, 500
	c := newCaller(t, w, s, registry.Options{})
	const outside = "SANDBOX_VIOLATION: path is outside the workspace; use a path inside it"
	for _, tt := range []struct{ args, message string }{
		{``, `INVALID_ARGUMENT: path is required; use "." for the workspace root`},
		{`{"PATH":"."}`, `INVALID_ARGUMENT: path is required; use "." for the workspace root`},
		{`{"path":""}`, `INVALID_ARGUMENT: path must not be empty; use "." for the workspace root`},
		{`{"path":null}`, "INVALID_ARGUMENT: path must be a string, got null"},
		{`{"path":"a\u0000"}`, "INVALID_ARGUMENT: path must not contain a NUL character"},
		{`{"path":".","path":"."}`, `INVALID_ARGUMENT: arguments are not one JSON object: invalid JSON at byte 13: the key "path" is given twice; give it once`},
		{`{"path":"..","entry_kind":1}`, outside},
		{`{"path":"a/../.."}`, outside},
		{`{"path":"..\\x"}`, outside},
		{`{"path":"a\\..\\..\\x"}`, outside},
		{`{"path":"/etc/passwd"}`, outside},
		{`{"path":"/no/such/thing"}`, outside},
		{`{"path":"\\etc"}`, outside},
		{`{"path":".","entry_kind":"ALL"}`, `INVALID_ARGUMENT: entry_kind must be "directory" or "all", got "ALL"`},
		{`{"path":".","entry_kind":{"all": true}}`, `INVALID_ARGUMENT: entry_kind must be "directory" or "all", got {"all": true}`},
		{`{"path":".","max_depth":6}`, "INVALID_ARGUMENT: max_depth must be an integer from 0 to 5, got 6"},
		{`{"path":".","max_depth":-1e400}`, "INVALID_ARGUMENT: max_depth must be an integer from 0 to 5, got -1e400"},
		{`{"path":".","max_depth":0.5}`, "INVALID_ARGUMENT: max_depth must be an integer from 0 to 5, got 0.5"},
		{`{"path":".","max_depth":true}`, "INVALID_ARGUMENT: max_depth must be an integer from 0 to 5, got true"},
		{`{"path":".","max_entries":501}`, "INVALID_ARGUMENT: max_entries must be an integer from 1 to 500, got 501"},
		{`{"path":".","max_entries":0}`, "INVALID_ARGUMENT: max_entries must be an integer from 1 to 500, got 0"},
		{`{"path":".","include_hidden":1}`, "INVALID_ARGUMENT: include_hidden must be true or false, got number"},
		{`{"path":".","exclude":null}`, "INVALID_ARGUMENT: exclude must be an array of strings, got null"},
		{`{"path":".","exclude":["a",null]}`, "INVALID_ARGUMENT: exclude[1] must be a string, got null"},
		{`{"path":".","exclude":["a","[b"]}`, `INVALID_ARGUMENT: exclude: the brackets of the glob "[b" are not balanced`},
		{`{"path":"none","exclude":["{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"]}`, "INVALID_ARGUMENT: exclude: the globs come to too much once their braces are written out; use fewer, or fewer braces"},
	} {
		_, err := c.Call(tt.args, 0)
		if err == nil || err.Message != tt.message || !strings.HasPrefix(err.Message, err.Code+": ") {
			t.Errorf("%s\ngot  %v\nwant %s", tt.args, err, tt.message)
		}
	}
	if _, err := c.Call(`{"path":".","entry_kind":["`+strings.Repeat("\u202e", 5000)+`"]}`, -1); len(err.Message) > 500 || strings.Contains(err.Message, "\u202e") {
		t.Errorf("the message of %d bytes repeats the argument: %s", len(err.Message), err.Message)
	}
	if _, err := c.Call(`{"path":"."}`, 0); err == nil || err.Code != internal {
		t.Errorf("the closed workspace is not noticed: %v", err)
	}
}

// TestNull checks that null asks for the default, as in the original.
func TestNull(t *testing.T) {
	c := over(t, fixture.Make(t, "a/b/c/d/e", ".h/", "f"))
	want, failure := c.Call(`{"path":"."}`, -1)
	if failure != nil {
		t.Fatal(failure)
	}
	for _, key := range []string{"entry_kind", "max_depth", "max_entries", "include_hidden"} {
		if got, err := c.Call(fmt.Sprintf(`{"path":".",%q:null}`, key), -1); err != nil || got.Text() != want.Text() {
			t.Errorf("%s: got %s, %v; want %s", key, got.Text(), err, want.Text())
		}
	}
}

// TestCodes checks the codes of errors that are not about arguments (section 4.3).
func TestCodes(t *testing.T) {
	root := fixture.Make(t, "file", "secret/x", "pipe|", "dir/", "link => dir", "broken => none")
	w := tooltest.Workspace(t, []string{"**/secret/**"}, root)
	for _, tt := range []struct {
		path    string
		options registry.Options
		code    string
	}{
		{"none", registry.Options{}, notFound},
		{"none/x", registry.Options{}, notFound},
		{"file/x", registry.Options{}, notFound},
		{" ", registry.Options{}, notFound},
		{"broken/x", registry.Options{}, notFound},
		{"file", registry.Options{}, notDirectory},
		{"file/", registry.Options{}, notDirectory},
		{"pipe", registry.Options{}, notDirectory},
		{"link", registry.Options{}, notDirectory},
		{"link/", registry.Options{}, notDirectory},
		{"broken", registry.Options{}, notDirectory},
		{"secret", registry.Options{}, sandboxViolation},
		{"secret/x", registry.Options{}, sandboxViolation},
		{strings.Repeat("n", 300), registry.Options{}, internal},
		{strings.Repeat("n/", 3000), registry.Options{}, internal},
		{".", registry.Options{Timeout: 1}, internal},
		{".", registry.Options{Policy: tool.Policy{Deny: []string{"tree"}}}, sandboxViolation},
	} {
		_, err := newCaller(t, w, DefaultSettings(), tt.options).Call(fmt.Sprintf(`{"path":%q}`, tt.path), -1)
		if err == nil || err.Code != tt.code || !strings.HasPrefix(err.Message, tt.code+": ") || len(err.Message) > 200 {
			t.Errorf("%.20q: got %+v, want %s", tt.path, err, tt.code)
		}
	}
}

// TestCancelled checks that a call ends with its context, even while it matches globs.
func TestCancelled(t *testing.T) {
	c := over(t, fixture.Make(t, "a/"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := c.Registry.Call(ctx, "toolkit/tree", tool.Call{Args: []byte(`{"path":".","exclude":["*"]}`)})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	x, err := compile(t.Context(), []string{"none"})
	if err != nil || !x.match(ctx, "a") {
		t.Errorf("globs go on after the end: %v", err)
	}
}

// TestPaths checks that paths of the answer are relative to the workspace root, however the call writes its path.
func TestPaths(t *testing.T) {
	real := fixture.Make(t, "a/b/c/", "link => a")
	linked := filepath.Join(t.TempDir(), "root")
	if err := os.Symlink(real, linked); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{real, linked} {
		c := over(t, root)
		for path, want := range map[string][]string{
			"a": {"a/b", "a/b/c"}, "a/": {"a/b", "a/b/c"}, "./a//b/..": {"a/b", "a/b/c"}, `a\b`: {"a/b/c"}, "none/../a/b": {"a/b/c"},
			root: {"a", "a/b", "a/b/c"}, root + "/a/b/": {"a/b/c"}, "../" + filepath.Base(root) + "/a/b": {"a/b/c"}, real + "/a/b": {"a/b/c"},
			"link/b": {"link/b/c"}, "a/b/c": {},
		} {
			if got := c.paths(fmt.Sprintf(`{"path":%q}`, path)); !slices.Equal(got, want) {
				t.Errorf("%s: got %q, want %q", path, got, want)
			}
		}
	}
}

// TestConfigured checks the excludes of the settings and the default ones.
func TestConfigured(t *testing.T) {
	w := tooltest.Workspace(t, []string{"**/locked/**"}, fixture.Make(t, "a/", "dist/", "x/y/", "locked/z/"))
	s := DefaultSettings()
	s.Exclude = []string{"x/y"}
	for _, tt := range []struct {
		defaults bool
		want     []string
	}{
		{true, []string{"a", "lockedpermission denied", "x"}},
		{false, []string{"a", "dist", "lockedpermission denied", "x"}},
	} {
		s.DefaultExcludes = tt.defaults
		if got := newCaller(t, w, s, registry.Options{}).paths(`{"path":"."}`); !slices.Equal(got, tt.want) {
			t.Errorf("defaults %v: got %q, want %q", tt.defaults, got, tt.want)
		}
	}
	s.Exclude = []string{"["}
	if _, err := New(w, s); err == nil || !strings.Contains(err.Error(), "brackets") {
		t.Errorf("a setting that is not a valid glob: %v", err)
	}
}

// TestUnreadable checks that an unreadable directory is a node with an error, unless it is the one asked for, which must be
// readable only if entries of it are asked for.
func TestUnreadable(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		c := over(t, fixture.Make(t, "a/b/x", "a/b/ 0000", "opaque/d/e/", "opaque/f", "opaque/ 0444"))
		for args, want := range map[string][]string{
			`{"path":"."}`:                                       {"a", "a/bpermission denied", "opaque", "opaque/dpermission denied"},
			`{"path":".","max_depth":2}`:                         {"a", "a/b", "opaque", "opaque/d"},
			`{"path":".","max_entries":3}`:                       {"a", "a/b"},
			`{"path":".","entry_kind":"all"}`:                    {"a", "a/bpermission denied", "opaque", "opaque/dpermission denied", "opaque/f"},
			`{"path":".","entry_kind":"all","exclude":["**/b"]}`: {"a", "opaque", "opaque/dpermission denied", "opaque/f"},
		} {
			if got := c.paths(args); !slices.Equal(got, want) {
				t.Errorf("%s: got %q, want %q", args, got, want)
			}
		}
		for args, want := range map[string]string{
			`{"path":"a/b","max_depth":0}`:                   `{"root":{"kind":"directory","name":"b","path":"a/b","depth":0,"truncated":true},"limit_reached":false,`,
			`{"path":"a/b","max_entries":1}`:                 `{"root":{"kind":"directory","name":"b","path":"a/b","depth":0},"limit_reached":true,`,
			`{"path":"a/b","max_depth":0,"max_entries":1}`:   `{"root":{"kind":"directory","name":"b","path":"a/b","depth":0},"limit_reached":true,`,
			`{"path":"a/b/.","max_depth":0,"exclude":["*"]}`: `{"root":{"kind":"directory","name":"b","path":"a/b","depth":0,"truncated":true},"limit_reached":false,`,
		} {
			if result, err := c.Call(args, -1); err != nil || !strings.HasPrefix(result.Text(), want) {
				t.Errorf("%s: %v, %s", args, err, result.Text())
			}
		}
		for _, path := range []string{"a/b", "a/b/x", "opaque/d"} {
			if _, err := c.Call(fmt.Sprintf(`{"path":%q}`, path), -1); err == nil || err.Message != "INTERNAL: cannot read the directory: permission denied" {
				t.Errorf("%s: %v", path, err)
			}
		}
	})
}

// FuzzArguments checks that any arguments lead to a tree or to an error with a code and a short message.
func FuzzArguments(f *testing.F) {
	for _, args := range []string{``, `{}`, `[]`, `{"path":"."}`, `{"path":"a\\..","max_depth":1e400}`, `{"path":".","exclude":["{a,[","!"]}`} {
		f.Add(args)
	}
	w := tooltest.Workspace(f, nil, f.TempDir())
	f.Fuzz(func(t *testing.T, args string) {
		result, err := newCaller(t, w, DefaultSettings(), registry.Options{}).Call(args, -1)
		if err == nil && !strings.HasPrefix(result.Text(), `{"root":{"kind":"directory"`) {
			t.Errorf("%q: %s", args, result.Text())
		}
		if err != nil && (!strings.HasPrefix(err.Message, err.Code+": ") || len(err.Message) > 600) {
			t.Errorf("%q: %s: %s", args, err.Code, err.Message)
		}
	})
}
