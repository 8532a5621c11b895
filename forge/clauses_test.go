package forge

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/internal/testkit/unprivileged"
	"gander/tool"
)

// TestInvalidArguments checks the order of errors and their codes. The workspace is
// closed, so that any file access fails differently.
func TestInvalidArguments(t *testing.T) {
	w, root := tooltest.ClosedWorkspace(t)
	c := newCaller(t, w, Options{MaxEntries: 10, MaxDepth: 3})
	tooltest.CheckErrors(t, "arguments.txt", root, c.Fail)
	if err := c.Fail(`{"path":"."}`); err == nil || err.Code != "ExecutionFailed" {
		t.Errorf("the closed workspace is not noticed: %v", err)
	}
}

// TestNormalize checks reading 8.
func TestNormalize(t *testing.T) {
	for path, want := range map[string]string{
		"./": ".", ".//": ".", "///": "/", "/.": "/", "./a": "a", "a/.": "a", ".//a/././b//": "a/b",
		"/a/": "/a", "~/a": "~/a", "a.": "a.", "a/.../b": "a/.../b", "C:/": "C:/", "c://": "c:/",
		"./C:/": "C:/", "C:": "C:", "C:/a/": "C:/a", "CC:/": "CC:", "1:/": "1:", "a/C:/": "a/C:",
	} {
		if got := normalize(path); got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
}

// TestLateFailure checks that a directory stays one entry if its later names cannot be read
// (reading 4), also if it is the last that max_entries allows.
func TestLateFailure(t *testing.T) {
	w := tooltest.Workspace(t, nil, fixture.Make(t, "d/a"))
	dir := tooltest.Dir(t, w, ".")
	r := request{dirs: true, files: true, maxEntries: 2}
	entries, more, err := r.read(func(yield func(walk.Entry, error) bool) {
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
	if err != nil || more || len(entries) != 2 {
		t.Fatalf("got %+v, %t, %v", entries, more, err)
	}
	if d := entries[0]; d.path != "d" || d.code != "read_dir_failed" || entries[1].path != "d/a" {
		t.Errorf("got %+v", entries)
	}
}

// TestErrorCodes checks the codes of errors that are not about the files (reading 6).
func TestErrorCodes(t *testing.T) {
	root := t.TempDir()
	o := Options{AllowAbsolute: new(false)}
	relative := newTool(tooltest.Workspace(t, nil, root), o)
	const denied = "denied PolicyDenied: the policy "
	const cancelled = "cancelled Cancelled: the call was cancelled"
	for _, path := range []string{".", ""} { // the policy precedes the arguments
		tooltest.CheckRefusals(t, relative, fmt.Sprintf(`{"path":%q}`, path), map[string]string{
			"denied":   denied + "does not allow forge/list_directory",
			"prompted": denied + "requires approval of forge/list_directory, and there is nobody to ask",
		})
	}
	tooltest.CheckRefusals(t, relative, `{"path":"."}`, map[string]string{
		"late": "timeout Timeout: the call took longer than its time limit; " +
			"ask for less, or raise the limit",
		"cancelled": cancelled,
	})
	tooltest.CheckRefusals(t, relative, fmt.Sprintf(`{"path":%q}`, root), map[string]string{
		"": "outside SandboxViolation: path must be relative to the workspace root",
	})
}

// TestErrors checks the errors of the files (reading 6).
func TestErrors(t *testing.T) {
	entries := []string{"file", "secret/x", "a/link => ../secret", "pipe|"}
	deny := []string{"**/secret/**"}
	tooltest.CheckPaths(t, entries, deny, func(w *workspace.Workspace, args string) *tool.Error {
		return newCaller(t, w, Options{}).Fail(args)
	})
}

// TestDefaults checks that the configured default of each key applies only to absent arguments.
func TestDefaults(t *testing.T) {
	for _, tt := range []struct {
		key, fixture, entry string
		options             func(bool) Options
	}{
		{
			"include_files", "file", "file file",
			func(b bool) Options { return Options{IncludeFilesDefault: &b} },
		},
		{
			"include_dirs", "dir/", "dir dir",
			func(b bool) Options { return Options{IncludeDirsDefault: &b} },
		},
		{
			"include_symlinks", "link => file", "link symlink",
			func(b bool) Options { return Options{IncludeSymlinksDefault: &b} },
		},
		{
			"include_other", "pipe|", "pipe other",
			func(b bool) Options { return Options{IncludeOtherDefault: b} },
		},
		{
			"include_hidden", ".hidden", ".hidden file",
			func(b bool) Options { return Options{IncludeHiddenDefault: b} },
		},
	} {
		t.Run(tt.key, func(t *testing.T) {
			w := tooltest.Workspace(t, nil, fixture.Make(t, tt.fixture))
			for _, configured := range []bool{false, true} {
				c := newCaller(t, w, tt.options(configured))
				for args, want := range map[string]bool{
					`{"path":"."}`: configured,
					fmt.Sprintf(`{"path":".",%q:true}`, tt.key):     true,
					fmt.Sprintf(`{"path":".","%s":false}`, tt.key):  false,
					fmt.Sprintf(`{"path":".","%sX":false}`, tt.key): configured,
				} {
					if _, got := list(c, args); slices.Contains(got, tt.entry) != want {
						t.Errorf("%s, configured %v: %q", args, configured, got)
					}
				}
			}
		})
	}
}

// TestUnreadable checks readings 3 and 4.
func TestUnreadable(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		c := over(t, fixture.Make(t,
			"a/x", "locked/x", "locked/ 0000", "opaque/.h", "opaque/s/y", "opaque/ 0444", "z"))
		const all = `{"path":".","recursive":true`
		for args, want := range map[string]string{
			`{"path":"."}`: "a dir, locked dir, opaque dir, z file",
			all + `}`:      "a dir, a/x file, locked unknown, opaque dir, opaque/s unknown, z file",
			all + `,"include_hidden":true}`: "a dir, a/x file, locked unknown, opaque dir, " +
				"opaque/.h unknown, opaque/s unknown, z file",
			all + `,"include_dirs":false}`: "a/x file, locked unknown, opaque/s unknown, z file",

			all + `,"include_files":false,"include_dirs":false}`: "locked unknown, opaque/s unknown",

			all + `,"max_entries":3}`:            "a dir, a/x file, locked unknown",
			`{"path":"opaque","recursive":true}`: "s unknown",
		} {
			entries, paths := list(c, args)
			if got := strings.Join(paths, ", "); got != want {
				t.Errorf("%s\ngot  %q\nwant %q", args, got, want)
			}
			for _, e := range entries {
				failed := e.Type == "unknown"
				if failed != (e.Code != nil) || failed != (e.Error != nil) ||
					failed && (*e.Code == "read_dir_failed") != (e.Modified != nil) {
					t.Errorf("%s: %+v", args, e)
				}
			}
		}
		for _, path := range []string{"locked", "locked/x", "opaque/s"} {
			got := tooltest.Describe(c.Fail(fmt.Sprintf(`{"path":%q}`, path)))
			if got != "denied ExecutionFailed: failed to read directory: permission denied" {
				t.Errorf("%s: %s", path, got)
			}
		}
	})
}

// TestRemoved checks that a directory that is removed before it is read is an unreadable one
// (FR-LD-LST-08), and that other removed entries have no metadata.
func TestRemoved(t *testing.T) {
	root := fixture.Make(t, "gone/")
	dir := tooltest.Dir(t, tooltest.Workspace(t, nil, root), root)
	for e := range walk.Entries(t.Context(), dir, walk.Options{Depth: 1}) {
		if err := os.Remove(filepath.Join(root, "gone")); err != nil {
			t.Skip("an open directory cannot be changed: ", err)
		}
		for unreadable, want := range map[error]string{
			nil: "metadata_unavailable", fs.ErrNotExist: "read_dir_failed",
		} {
			got := describe(e, unreadable)
			if got.code != want || got.failure == "" || got.kind != workspace.Unknown || got.isDated {
				t.Errorf("%v: got %+v, want %s", unreadable, got, want)
			}
		}
	}
}

// TestNoMaximum checks that the largest max_entries limits nothing.
func TestNoMaximum(t *testing.T) {
	w := tooltest.Workspace(t, nil, fixture.Make(t, "a", "b", "c"))
	_, got := list(newCaller(t, w, Options{MaxEntries: math.MaxInt}), `{"path":"."}`)
	if want := []string{"a file", "b file", "c file"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestDenied checks that denied entries are listed but not entered.
func TestDenied(t *testing.T) {
	root := fixture.Make(t, "a/.ssh/key", "a/x.pem", "b")
	w := tooltest.Workspace(t, []string{"**/.ssh/**", "**/*.pem"}, root)
	_, got := list(newCaller(t, w, Options{}),
		`{"path":".","recursive":true,"include_hidden":true}`)
	want := []string{"a dir", "a/.ssh unknown", "a/x.pem file", "b file"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTimes checks that times are rounded down, or null if an int64 is too small (reading 10).
func TestTimes(t *testing.T) {
	root := fixture.Make(t, "f")
	c := over(t, root)
	for nanoseconds, want := range map[int64]int64{
		0: 0, 999_999: 0, -1: -1, -1_000_000: -1, -1_500_000: -2,
		1_700_000_000_123_999_999: 1_700_000_000_123,
	} {
		if runtime.GOOS == "windows" && nanoseconds == -1 {
			continue // its times count 100 ns
		}
		err := os.Chtimes(filepath.Join(root, "f"), time.Time{}, time.Unix(0, nanoseconds))
		fixture.Must(t, err)
		entries, _ := list(c, `{"path":"."}`)
		if got := entries[0].Modified; got == nil || *got != want {
			t.Errorf("%d ns: got %v, want %d", nanoseconds, got, want)
		}
	}
	for seconds, want := range map[int64]bool{
		0: true, 9e15: true, -9e15: true, 1e16: false, -1e16: false, 1 << 62: false,
	} {
		if got, ok := milliseconds(time.Unix(seconds, 0)); ok != want {
			t.Errorf("%d s: got %v, %v", seconds, got, ok)
		}
	}
}

// TestFailureOf checks reading 5.
func TestFailureOf(t *testing.T) {
	for err, want := range map[error]string{
		syscall.EACCES: "permission_denied", syscall.EPERM: "permission_denied",
		fs.ErrPermission: "permission_denied", syscall.EIO: "io_error",
		syscall.ENOENT: "metadata_unavailable", syscall.EINVAL: "metadata_unavailable",
	} {
		if got, _ := failureOf(fmt.Errorf("lstat: %w", err)); got != want {
			t.Errorf("%v: got %v", err, got)
		}
	}
}
