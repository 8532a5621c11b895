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
		".": ".", "./": ".", "./.": ".", ".//": ".", "/": "/", "///": "/", "/.": "/", "/./": "/",
		"a": "a", "a//": "a", "./a": "a", "a/.": "a", "a//b": "a/b", ".//a/././b//": "a/b",
		"/a/": "/a", "//a//b/": "/a/b", "/./a": "/a", "~/a": "~/a", "A/b": "A/b",
		"a./b": "a./b", ".a": ".a", "a.": "a.", "...": "...", "a/.../b": "a/.../b",
		"C:/": "C:/", "c://": "c:/", "./C:/": "C:/", "C:": "C:", "C:/a/": "C:/a", "CC:/": "CC:",
		"1:/": "1:", "a/C:/": "a/C:", "a b/": "a b", "漢/": "漢", "a\\b": filepath.ToSlash("a\\b"),
	} {
		if got := normalize(path); got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
}

// TestInvalidArguments checks the order of errors and their codes (FR-LD-ERR-01). The workspace is
// closed, so that any file access fails differently (FR-LD-VAL-07).
func TestInvalidArguments(t *testing.T) {
	w, root := tooltest.ClosedWorkspace(t)
	s := DefaultSettings()
	s.MaxEntries, s.MaxDepth = 10, 3
	c := newCaller(t, w, s, registry.Options{})
	tooltest.CheckErrors(t, "arguments.txt", root, c.fail)
	if err := c.fail(`{"path":"."}`); err == nil || err.Code != executionFailed {
		t.Errorf("the closed workspace is not noticed: %v", err)
	}
}

func TestHostileArguments(t *testing.T) {
	c := over(t, t.TempDir())
	c.CheckHostile(400, `{"path":%s}`, `{"path":".","max_depth":%s}`, `{"path":".","max_entries":%s}`,
		`{"path":".","recursive":%s}`, `{"path":".","more":%s}`)
}

// TestErrors checks errors that are not about arguments (reading 6).
func TestErrors(t *testing.T) {
	root := fixture.Make(t, "file", "secret/x", "a/link => ../secret", "pipe|")
	w := tooltest.Workspace(t, []string{"**/secret/**"}, root)
	open := newCaller(t, w, DefaultSettings(), registry.Options{})
	tooltest.CheckErrors(t, "paths.txt", root, open.fail)
	relative := DefaultSettings()
	relative.AllowAbsolute = false
	deny := registry.Options{Policy: tool.Policy{Deny: []string{"forge"}}}
	prompt := registry.Options{Policy: tool.Policy{Prompt: []string{"all"}}}
	for _, tt := range []struct {
		path          string
		settings      Settings
		options       registry.Options
		code, message string
	}{
		{
			".", DefaultSettings(), deny, policyDenied,
			"the policy does not allow forge/list_directory",
		},
		{
			"", DefaultSettings(), deny, policyDenied,
			"the policy does not allow forge/list_directory",
		},
		{
			".", DefaultSettings(), prompt, policyDenied,
			"the policy wants forge/list_directory approved, and nobody is there to ask",
		},
		{
			".", DefaultSettings(),
			registry.Options{Timeout: 1},
			timeout,
			"the call took longer than its time limit; ask for less, or raise the limit",
		},
		{
			root, relative,
			registry.Options{},
			sandboxViolation,
			"path must be relative to the workspace root",
		},
		{
			strings.Repeat("n", 300), DefaultSettings(),
			registry.Options{},
			executionFailed,
			"failed to read directory: file name too long",
		},
		{
			strings.Repeat("n/", 3000), DefaultSettings(),
			registry.Options{},
			executionFailed,
			"failed to read directory: file name too long",
		},
	} {
		c := newCaller(t, w, tt.settings, tt.options)
		err := c.fail(fmt.Sprintf(`{"path":%q}`, tt.path))
		if err == nil || err.Code != tt.code || err.Message != tt.message {
			t.Errorf("%.20s: got %s, want %s: %s", tt.path, tooltest.Describe(err), tt.code, tt.message)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := open.Registry.Call(ctx, open.ID, tool.Call{Args: []byte(`{"path":"."}`)})
	e, _ := errors.AsType[*tool.Error](err)
	if e == nil || e.Code != cancelled || e.Message != "the call was cancelled" {
		t.Errorf("cancelled: %v", err)
	}
}

// TestExact checks that a host must not cut the result (FR-LD-OUT-04).
func TestExact(t *testing.T) {
	c := over(t, fixture.Make(t, "a", "b"))
	for args, truncated := range map[string]bool{
		`{"path":"."}`: false, `{"path":".","max_entries":1}`: true,
	} {
		result, err := c.Call(args, -1)
		if err != nil || !result.Exact || result.Truncated != truncated {
			t.Errorf("%s: exact %v, truncated %v, %v", args, result.Exact, result.Truncated, err)
		}
	}
}

// TestDefaults checks that the configured default of each key of CFG-LD-04 applies only to absent
// arguments.
func TestDefaults(t *testing.T) {
	root := fixture.Make(t, "file", "dir/", "link => file", "pipe|", ".hidden")
	w := tooltest.Workspace(t, nil, root)
	s := DefaultSettings()
	for _, tt := range []struct {
		key, entry string
		setting    *bool
	}{
		{"include_files", "file file", &s.IncludeFiles},
		{"include_dirs", "dir dir", &s.IncludeDirs},
		{"include_symlinks", "link symlink", &s.IncludeSymlinks},
		{"include_other", "pipe other", &s.IncludeOther},
		{"include_hidden", ".hidden file", &s.IncludeHidden},
	} {
		for _, configured := range []bool{false, true} {
			s = DefaultSettings()
			*tt.setting = configured
			c := newCaller(t, w, s, registry.Options{})
			for args, want := range map[string]bool{
				`{"path":"."}`: configured,
				fmt.Sprintf(`{"path":".",%q:true}`, tt.key):     true,
				fmt.Sprintf(`{"path":".","%s":false}`, tt.key):  false,
				fmt.Sprintf(`{"path":".","%sX":false}`, tt.key): configured,
			} {
				if got := slices.Contains(c.list(args).paths(), tt.entry); got != want {
					t.Errorf("%s, configured %v: %s is listed: %v", args, configured, tt.entry, got)
				}
			}
		}
	}
}

// TestUnreadable checks FR-LD-LST-04 and 08 with readings 3 and 4 (T-LD-10, T-LD-12).
func TestUnreadable(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		c := over(t, fixture.Make(t,
			"a/x", "locked/x", "locked/ 0000", "opaque/.h", "opaque/s/y", "opaque/ 0444", "z"))
		const all = `{"path":".","recursive":true`
		for _, tt := range []struct {
			args string
			want string
		}{
			{`{"path":"."}`, "a dir, locked dir, opaque dir, z file"},
			{all + `}`, "a dir, a/x file, locked unknown, opaque dir, opaque/s unknown, z file"},
			{all + `,"include_hidden":true}`, "a dir, a/x file, locked unknown, opaque dir, " +
				"opaque/.h unknown, opaque/s unknown, z file"},
			{all + `,"include_dirs":false}`, "a/x file, locked unknown, opaque/s unknown, z file"},
			{all + `,"include_files":false,"include_dirs":false}`, "locked unknown, opaque/s unknown"},
			{all + `,"max_entries":3}`, "a dir, a/x file, locked unknown"},
			{`{"path":"opaque","recursive":true}`, "s unknown"},
		} {
			l := c.list(tt.args)
			if got := strings.Join(l.paths(), ", "); got != tt.want {
				t.Errorf("%s\ngot  %q\nwant %q", tt.args, got, tt.want)
			}
			for _, e := range l.Entries {
				failed := strings.HasPrefix(e.Type, "unknown")
				if failed != (e.Code != nil) ||
					failed && (*e.Code == "read_dir_failed") != (e.Modified != nil) {
					t.Errorf("%s: %+v", tt.args, e)
				}
			}
		}
		for _, path := range []string{"locked", "locked/x", "opaque/s"} {
			got := tooltest.Describe(c.fail(fmt.Sprintf(`{"path":%q}`, path)))
			if got != "denied ExecutionFailed: failed to read directory: permission denied" {
				t.Errorf("%s: %s", path, got)
			}
		}
	})
}

// TestDenied checks that denied entries are listed but not entered.
func TestDenied(t *testing.T) {
	root := fixture.Make(t, "a/.ssh/key", "a/x.pem", "b")
	w := tooltest.Workspace(t, []string{"**/.ssh/**", "**/*.pem"}, root)
	c := newCaller(t, w, DefaultSettings(), registry.Options{})
	want := []string{"a dir", "a/.ssh unknown", "a/x.pem file", "b file"}
	got := c.list(`{"path":".","recursive":true,"include_hidden":true}`).paths()
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTimes checks that times are rounded down, or null if an int64 is too small (reading 10).
func TestTimes(t *testing.T) {
	root := t.TempDir()
	c := over(t, root)
	for nanoseconds, want := range map[int64]int64{
		0: 0, 999_999: 0, -1: -1, -1_000_000: -1, -1_500_000: -2,
		1_700_000_000_123_999_999: 1_700_000_000_123,
	} {
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
	for seconds, want := range map[int64]bool{
		0: true, 9e15: true, -9e15: true, 1e16: false, -1e16: false, 1 << 62: false,
	} {
		if got := fits(workspace.Info{ModTime: time.Unix(seconds, 0)}); got != want {
			t.Errorf("%d s: got %v", seconds, got)
		}
	}
}

// TestFailureOf checks reading 5.
func TestFailureOf(t *testing.T) {
	for err, want := range map[error]failure{
		syscall.EACCES: permissionDenied, syscall.EPERM: permissionDenied,
		fs.ErrPermission: permissionDenied, syscall.EIO: ioError,
		syscall.ENOENT: metadataUnavailable, syscall.EOVERFLOW: metadataUnavailable,
	} {
		if got := failureOf(fmt.Errorf("lstat: %w", err)); got != want {
			t.Errorf("%v: got %v", err, got)
		}
	}
}
