//go:build unix

package forge

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"gander/internal/files/workspace"
	"gander/internal/registry"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/internal/testkit/unprivileged"
	"gander/tool"
)

// TestNormalize checks FR-LD-VAL-10 and reading 8.
func TestNormalize(t *testing.T) {
	for path, want := range map[string]string{
		".": ".", "./": ".", "./.": ".", ".//": ".", "././": ".",
		"/": "/", "//": "/", "///": "/", "/.": "/", "/./": "/",
		"a": "a", "a/": "a", "a//": "a", "./a": "a", "a/.": "a", "a/./": "a", "a//b": "a/b", "a/./b": "a/b", ".//a/././b//": "a/b",
		"/a": "/a", "/a/": "/a", "//a//b/": "/a/b", "/./a": "/a",
		"a./b": "a./b", ".a": ".a", "a.": "a.", "...": "...", "a/.../b": "a/.../b", "~": "~", "~/a": "~/a", "A/b": "A/b",
		"C:/": "C:/", "c://": "c:/", "./C:/": "C:/", "C:": "C:", "C:/a/": "C:/a", "CC:/": "CC:", "1:/": "1:", "a/C:/": "a/C:",
		"a b/": "a b", "漢/": "漢", "a\\b": filepath.ToSlash("a\\b"),
	} {
		if got := normalize(path); got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
}

// TestArguments checks which arguments are refused, and with what message (FR-LD-ERR-01). The workspace is closed, so that a
// tool that looked at a file would fail differently (FR-LD-VAL-07).
func TestArguments(t *testing.T) {
	w, _ := tooltest.ClosedWorkspace(t)
	s := DefaultSettings()
	s.MaxEntries, s.MaxDepth = 10, 3
	c := newCaller(t, w, s, registry.Options{})
	const outside = "path is outside the sandbox; use a path inside the workspace"
	const dots = `path must not contain ".."; name the directory from the workspace root`
	for _, tt := range []struct{ args, code, message string }{
		{``, badArgs, "path is required"},
		{`{"Path":"."}`, badArgs, "path is required"},
		{`[]`, badArgs, "arguments are not one JSON object: invalid JSON at byte 1: array where a JSON object must stand; give one like {\"key\": \"value\"}"},
		{`{"path":".","path":"."}`, badArgs, `arguments are not one JSON object: invalid JSON at byte 13: the key "path" is given twice; give it once`},
		{`{"path":["."]}`, badArgs, "path must be a string, got array"},
		{`{"path":" \t\u3000"}`, badArgs, `path must not be empty; use "." for the workspace root`},
		{`{"path":"a\u0000"}`, badArgs, "path must not contain a NUL character"},
		{`{"path":"/etc","include_other":0}`, badArgs, "include_other must be true or false, got number"},
		{`{"path":".","max_depth":1e-1}`, badArgs, "max_depth must be an integer, got 1e-1"},
		{`{"path":".","max_depth":[[1]]}`, badArgs, "max_depth must be an integer, got [[1]]"},
		{`{"path":".","max_entries":-0.0}`, badArgs, "max_entries must be at least 1, got -0.0"},
		{`{"path":".","max_entries":-1e400}`, badArgs, "max_entries must be at least 1, got -1e400"},
		{`{"path":".","max_entries":1e400}`, badArgs, "max_entries must be at most 10, got 9223372036854775807"},
		{`{"path":".","max_entries":11.0}`, badArgs, "max_entries must be at most 10, got 11"},
		{`{"path":".","recursive":true,"max_depth":4}`, badArgs, "max_depth must be at most 3, got 4"},
		{`{"path":".","max_depth":2}`, badArgs, "max_depth must be absent or 1 unless recursive is true, got 2"},
		{`{"path":"..","include_files":false,"include_dirs":false,"include_symlinks":false}`, badArgs, "at least one of include_files, include_dirs and include_symlinks must be true"},
		{`{"path":"..","max_entries":0}`, badArgs, "max_entries must be at least 1, got 0"},
		{`{"path":".."}`, sandboxViolation, dots},
		{`{"path":"a/../b"}`, sandboxViolation, dots},
		{`{"path":" ../ "}`, sandboxViolation, dots},
		{`{"path":"/etc/.."}`, sandboxViolation, dots},
		{`{"path":"/etc"}`, sandboxViolation, outside},
		{`{"path":"/no/such/thing"}`, sandboxViolation, outside},
		{`{"path":"/"}`, sandboxViolation, outside},
	} {
		_, err := c.Call(tt.args, 0)
		if err == nil || err.Code != tt.code || err.Message != tt.message {
			t.Errorf("%s\ngot  %v\nwant %s: %s", tt.args, err, tt.code, tt.message)
		}
	}
	if _, err := c.Call(`{"path":".","max_depth":"`+strings.Repeat("\u202e", 5000)+`"}`, -1); len(err.Message) > 400 || strings.Contains(err.Message, "\u202e") {
		t.Errorf("the message of %d bytes repeats the argument: %s", len(err.Message), err.Message)
	}
	if _, err := c.Call(`{"path":"."}`, 0); err == nil || err.Code != executionFailed {
		t.Errorf("the closed workspace is not noticed: %v", err)
	}
}

// TestCodes checks the codes of errors that are not about arguments (reading 6).
func TestCodes(t *testing.T) {
	root := fixture.Make(t, "file", "secret/x", "a/link => ../secret", "pipe|")
	w := tooltest.Workspace(t, []string{"**/secret/**"}, root)
	relative := DefaultSettings()
	relative.AllowAbsolute = false
	cancelledContext := func(t testing.TB, c caller, args string) *tool.Error {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := c.Registry.Call(ctx, "forge/list_directory", tool.Call{Args: []byte(args)})
		var e *tool.Error
		errors.As(err, &e)
		return e
	}
	called := func(_ testing.TB, c caller, args string) *tool.Error {
		_, err := c.Call(args, -1)
		return err
	}
	for _, tt := range []struct {
		name, path    string
		settings      Settings
		options       registry.Options
		call          func(testing.TB, caller, string) *tool.Error
		code, message string
	}{
		{"policy", ".", DefaultSettings(), registry.Options{Policy: tool.Policy{Deny: []string{"forge"}}}, called, policyDenied, "the policy does not allow forge/list_directory"},
		{"nobody approves", ".", DefaultSettings(), registry.Options{Policy: tool.Policy{Prompt: []string{"all"}}}, called, policyDenied, "the policy wants forge/list_directory approved, and nobody is there to ask"},
		{"policy before bad arguments", "", DefaultSettings(), registry.Options{Policy: tool.Policy{Deny: []string{"forge"}}}, called, policyDenied, "the policy does not allow forge/list_directory"},
		{"timeout", ".", DefaultSettings(), registry.Options{Timeout: 1}, called, timeout, "the call took longer than its time limit; ask for less, or raise the limit"},
		{"cancelled", ".", DefaultSettings(), registry.Options{}, cancelledContext, cancelled, "the call was cancelled"},
		{"denied", "secret", DefaultSettings(), registry.Options{}, called, sandboxViolation, "path is denied by pattern **/secret/**"},
		{"denied below", "secret/x", DefaultSettings(), registry.Options{}, called, sandboxViolation, "path is denied by pattern **/secret/**"},
		{"denied through a link", "a/link", DefaultSettings(), registry.Options{}, called, sandboxViolation, "path is denied by pattern **/secret/**"},
		{"absolute", root, relative, registry.Options{}, called, sandboxViolation, "path must be relative to the workspace root"},
		{"file", "file", DefaultSettings(), registry.Options{}, called, executionFailed, "path is not a directory"},
		{"file with a slash", "file/", DefaultSettings(), registry.Options{}, called, executionFailed, "path is not a directory"},
		{"below a file", "file/x", DefaultSettings(), registry.Options{}, called, executionFailed, "path is not a directory"},
		{"pipe", "pipe", DefaultSettings(), registry.Options{}, called, executionFailed, "path is not a directory"},
		{"missing", "none", DefaultSettings(), registry.Options{}, called, executionFailed, "failed to read directory: no such file or directory"},
		{"long name", strings.Repeat("n", 300), DefaultSettings(), registry.Options{}, called, executionFailed, "failed to read directory: file name too long"},
		{"long path", strings.Repeat("n/", 3000), DefaultSettings(), registry.Options{}, called, executionFailed, "failed to read directory: file name too long"},
	} {
		err := tt.call(t, newCaller(t, w, tt.settings, tt.options), fmt.Sprintf(`{"path":%q}`, tt.path))
		if err == nil || err.Code != tt.code || err.Message != tt.message {
			t.Errorf("%s: got %+v, want %s: %s", tt.name, err, tt.code, tt.message)
		}
	}
}

// TestSpec checks FR-LD-DEF-01 to 04.
func TestSpec(t *testing.T) {
	s := New(nil, DefaultSettings()).Spec()
	if s.Name != "list_directory" || s.Description != "List directory entries" || s.SideEffects || s.RequiresApproval || s.Risk != "Low" {
		t.Errorf("got %+v", s)
	}
}

// TestExact checks that no host may cut the answer (FR-LD-OUT-04).
func TestExact(t *testing.T) {
	c := over(t, fixture.Make(t, "a", "b"))
	for args, truncated := range map[string]bool{`{"path":"."}`: false, `{"path":".","max_entries":1}`: true} {
		result, err := c.Registry.Call(t.Context(), "forge/list_directory", tool.Call{Args: []byte(args)})
		if err != nil || !result.Exact || result.Truncated != truncated {
			t.Errorf("%s: exact %v, truncated %v, %v", args, result.Exact, result.Truncated, err)
		}
	}
}

// TestDefaults checks for every key of CFG-LD-04 that the configured default holds exactly where a call leaves the argument
// out.
func TestDefaults(t *testing.T) {
	root := fixture.Make(t, "file", "dir/", "link => file", "pipe|", ".hidden")
	w := tooltest.Workspace(t, nil, root)
	types := map[string]string{"include_files": "file file", "include_dirs": "dir dir", "include_symlinks": "link symlink", "include_other": "pipe other", "include_hidden": ".hidden file"}
	for key, entry := range types {
		for _, configured := range []bool{false, true} {
			s := DefaultSettings()
			*map[string]*bool{
				"include_files": &s.IncludeFiles, "include_dirs": &s.IncludeDirs, "include_symlinks": &s.IncludeSymlinks,
				"include_other": &s.IncludeOther, "include_hidden": &s.IncludeHidden,
			}[key] = configured
			c := newCaller(t, w, s, registry.Options{})
			for args, want := range map[string]bool{
				`{"path":"."}`:                               configured,
				fmt.Sprintf(`{"path":".",%q:true}`, key):     true,
				fmt.Sprintf(`{"path":".","%s":false}`, key):  false,
				fmt.Sprintf(`{"path":".","%sX":false}`, key): configured,
				`{"path":".","max_depth":1.0}`:               configured,
				`{"path":".","max_entries":2e1}`:             configured,
			} {
				if got := slices.Contains(c.list(args).paths(), entry); got != want {
					t.Errorf("%s, configured %v: %s is listed: %v", args, configured, entry, got)
				}
			}
		}
	}
}

// TestUnreadable checks FR-LD-LST-04 and 08 with readings 3 and 4 (T-LD-10, T-LD-12).
func TestUnreadable(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		c := over(t, fixture.Make(t, "a/x", "locked/x", "locked/ 0000", "opaque/.h", "opaque/s/y", "opaque/ 0444", "z"))
		for _, tt := range []struct {
			args string
			want []string
		}{
			{`{"path":"."}`, []string{"a dir", "locked dir", "opaque dir", "z file"}},
			{`{"path":".","recursive":true}`, []string{"a dir", "a/x file", "locked unknown", "opaque dir", "opaque/s unknown", "z file"}},
			{`{"path":".","recursive":true,"include_hidden":true}`, []string{"a dir", "a/x file", "locked unknown", "opaque dir", "opaque/.h unknown", "opaque/s unknown", "z file"}},
			{`{"path":".","recursive":true,"include_dirs":false}`, []string{"a/x file", "locked unknown", "opaque/s unknown", "z file"}},
			{`{"path":".","recursive":true,"include_files":false,"include_dirs":false}`, []string{"locked unknown", "opaque/s unknown"}},
			{`{"path":".","recursive":true,"max_entries":3}`, []string{"a dir", "a/x file", "locked unknown"}},
			{`{"path":"opaque","recursive":true}`, []string{"s unknown"}},
		} {
			l := c.list(tt.args)
			if got := l.paths(); !slices.Equal(got, tt.want) {
				t.Errorf("%s\ngot  %q\nwant %q", tt.args, got, tt.want)
			}
			for _, e := range l.Entries {
				failed := strings.HasPrefix(e.Type, "unknown")
				if failed != (e.Code != nil) || failed && (*e.Code == "read_dir_failed") != (e.Modified != nil) {
					t.Errorf("%s: %+v", tt.args, e)
				}
			}
		}
		for _, path := range []string{"locked", "locked/x", "opaque/s"} {
			if _, err := c.Call(fmt.Sprintf(`{"path":%q}`, path), -1); err == nil || err.Code != executionFailed || err.Message != "failed to read directory: permission denied" {
				t.Errorf("%s: %v", path, err)
			}
		}
	})
}

// TestDenied checks that what a deny pattern matches is listed but not entered.
func TestDenied(t *testing.T) {
	root := fixture.Make(t, "a/.ssh/key", "a/x.pem", "b")
	c := newCaller(t, tooltest.Workspace(t, []string{"**/.ssh/**", "**/*.pem"}, root), DefaultSettings(), registry.Options{})
	want := []string{"a dir", "a/.ssh unknown", "a/x.pem file", "b file"}
	if got := c.list(`{"path":".","recursive":true,"include_hidden":true}`).paths(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTimes checks that times are rounded down, negative before 1970, and null if an int64 cannot hold them (reading 10).
func TestTimes(t *testing.T) {
	root := t.TempDir()
	c := over(t, root)
	for nanoseconds, want := range map[int64]int64{0: 0, 999_999: 0, -1: -1, -1_000_000: -1, -1_500_000: -2, 1_700_000_000_123_999_999: 1_700_000_000_123} {
		name := filepath.Join(root, "f")
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, time.Time{}, time.Unix(0, nanoseconds)); err != nil {
			t.Fatal(err)
		}
		if got := c.list(`{"path":"."}`).Entries[0].Modified; got == nil || *got != want {
			t.Errorf("%d ns: got %v, want %d", nanoseconds, got, want)
		}
	}
	for seconds, want := range map[int64]bool{0: true, 9e15: true, -9e15: true, 1e16: false, -1e16: false, 1 << 62: false} {
		if got := fits(workspace.Info{ModTime: time.Unix(seconds, 0)}); got != want {
			t.Errorf("%d s: got %v", seconds, got)
		}
	}
}

// TestFailureOf checks reading 5.
func TestFailureOf(t *testing.T) {
	for err, want := range map[error]failure{
		syscall.EACCES: permissionDenied, syscall.EPERM: permissionDenied, fs.ErrPermission: permissionDenied,
		syscall.EIO: ioError, syscall.ENOENT: metadataUnavailable, syscall.ESTALE: metadataUnavailable, syscall.EOVERFLOW: metadataUnavailable,
	} {
		if got := failureOf(fmt.Errorf("lstat: %w", err)); got != want {
			t.Errorf("%v: got %v", err, got)
		}
	}
}
