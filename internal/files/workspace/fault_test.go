//go:build unix

package workspace_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"gander/internal/files/workspace"
	"gander/internal/testkit/fixture"
	"gander/internal/tools/codex"
	"gander/internal/tools/forge"
	"gander/internal/tools/gemini"
	"gander/internal/tools/native"
	"gander/internal/tools/toolkit"
	"gander/tool"
)

// everyTool returns a registry of all tools for a workspace, with those of package search.
func everyTool(t testing.TB, w *workspace.Workspace, o tool.RegistryOptions) *tool.Registry {
	t.Helper()
	tree, err := toolkit.New(w, toolkit.Settings{MaxDepth: 3, MaxEntries: 100, DepthCap: 12, EntriesCap: 1000})
	if err != nil {
		t.Fatal(err)
	}
	r, err := tool.NewRegistry(o, append(native.New(w, native.DefaultSettings()),
		codex.NewListDir(w, codex.ListDirSettings{Limit: 25, Depth: 2}),
		codex.NewReadFile(w, codex.ReadFileSettings{Limit: 2000, MaxLevels: 4}),
		gemini.New(w, gemini.Settings{RespectGitIgnore: true, RespectGeminiIgnore: true}),
		forge.New(w, forge.Settings{MaxEntries: 200, MaxDepth: 4, IncludeFiles: true, IncludeDirs: true, IncludeSymlinks: true, AllowAbsolute: true}),
		tree,
		searchTool{w: w},
		searchTool{w: w, find: true},
	)...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func openHandles(t testing.TB) int {
	t.Helper()
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		t.Skip("this platform does not tell which files are open: ", err)
	}
	return len(entries)
}

// A faulty has a hook that records system calls and makes one of them fail.
type faulty struct {
	calls []string
	at    int // the index of the call that fails, -1 for none
	err   error
}

func (f *faulty) pass(call string) error {
	f.calls = append(f.calls, call)
	if len(f.calls)-1 == f.at {
		return f.err
	}
	return nil
}

// steady returns the system calls that a call usually makes. They differ now and then: a signal to the process, such as those
// of Go's scheduler, turns one read of a directory into two.
func (f *faulty) steady(call func()) []string {
	for before := []string(nil); ; before = slices.Clone(f.calls) {
		if call(); slices.Equal(before, f.calls) {
			return before
		}
	}
}

// followed reports whether the system calls were the usual ones up to the one that failed.
func (f *faulty) followed(usual []string) bool {
	return len(f.calls) > f.at && slices.Equal(f.calls[:f.at+1], usual[:f.at+1])
}

// faults are the errors that each system call fails with in turn, and the kind of error that the call then returns.
var faults = map[syscall.Errno]tool.Kind{
	syscall.EACCES: tool.Denied, syscall.ENOENT: tool.NotFound, syscall.ENOTDIR: tool.NotDirectory,
	syscall.EIO: tool.Failed, syscall.ELOOP: tool.Failed, syscall.EMFILE: tool.Failed, syscall.ESTALE: tool.Failed,
	syscall.EINTR: "", // tried again
}

// injectedFaults returns the errors to make system calls fail with: all faults, or with -short two.
func injectedFaults() map[syscall.Errno]tool.Kind {
	if testing.Short() {
		return map[syscall.Errno]tool.Kind{syscall.EIO: faults[syscall.EIO], syscall.EINTR: faults[syscall.EINTR]}
	}
	return faults
}

// faultCalls are the calls whose system calls fail one by one. Together they make every system call of every backend.
var faultCalls = []struct{ tool, args string }{
	{"codex/list_dir", `{"dir_path":"{root}","depth":4,"limit":3}`},
	{"codex/list_dir", `{"dir_path":"{root}","depth":4,"limit":30}`},
	{"codex/list_dir", `{"dir_path":"{root}/a/in/../../.."}`},
	{"codex/list_dir", `{"dir_path":"{root}/void"}`},
	{"codex/list_dir", `{"dir_path":"{root}/wide","depth":1,"limit":3,"offset":290}`},
	{"codex/read_file", `{"file_path":"{root}/abs/c/f"}`},
	{"codex/read_file", `{"file_path":"{root}/a/f","mode":"indentation"}`},
	{"gemini/list_directory", `{"path":"{root}/a"}`},
	{"forge/list_directory", `{"path":".","recursive":true,"include_hidden":true,"include_other":true,"max_entries":20}`},
	{"forge/list_directory", `{"path":"x/c"}`},
	{"toolkit/tree", `{"path":".","entry_kind":"all"}`},
	{"toolkit/tree", `{"path":"a/b","max_entries":3,"entry_kind":"all"}`},
	{"test/search", `{"path":"a"}`},
	{"test/search", `{"path":"a","newest":true}`},
	{"test/search", `{"path":"x/c/f"}`},
	{"test/find", `{"path":"a"}`},
	{"gander/list_dir", `{"path":"a","depth":4,"details":true}`},
	{"gander/list_dir", `{"path":"x"}`},
	{"gander/list_dir", `{"path":"a/f"}`},
	{"gander/read_file", `{"path":"{root}/abs/c/f"}`},
	{"gander/find_files", `{"path":"a","sort":"modified"}`},
	{"gander/search_text", `{"path":"a","pattern":"x"}`},
}

// systemCalls are the system calls that each backend makes.
var systemCalls = map[string]string{
	"native": "close fstat fstatat fstatfs getdents64 lseek openat pread readlinkat",
	"openat": "close dup fstat fstatat fstatfs lseek openat pread readdir readlinkat",
	"root":   "close fstat lstat open openroot pread readdir readlink",
}

// TestFaults makes every system call of every tool fail in every way, on every backend: the call ends with the right kind
// of error, or its answer tells what is missing, and no handle is left open.
func TestFaults(t *testing.T) {
	entries := []string{"a/b/c/f", "a/b/c/g", "a/g", "a/in => b/c", "a/f => b/c/f", "x => a/b", "f", ".git/info/exclude", ".gitignore", "a/.gitignore", "abs => {root}/a/b", "p|", "void/"}
	for i := range 300 {
		entries = append(entries, fmt.Sprintf("wide/%d", i))
	}
	root := fixture.Make(t, entries...)
	settled := time.Now().Add(2100 * time.Millisecond) // by then, versions are stable
	defer debug.SetGCPercent(debug.SetGCPercent(-1))   // the collector would close what is leaked
	for _, on := range workspace.Backends() {
		t.Run(on, func(t *testing.T) {
			f := &faulty{}
			for errno := range injectedFaults() {
				f.calls, f.err = nil, errno
				w, err := workspace.OpenHooked(on, f.pass, workspace.Options{}, root)
				if link := errno == syscall.ELOOP && errors.Is(err, workspace.ErrNotDirectory); !errors.Is(err, bare(errno)) && !link {
					t.Errorf("opening the root fails with %v: %v", errno, err)
				}
				if w != nil {
					_ = w.Close()
				}
			}
			f.at = -1
			open := func(o workspace.Options) *workspace.Workspace {
				w, err := workspace.OpenHooked(on, f.pass, o, root)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = w.Close() })
				return w
			}
			// Nothing is cached, because then the system calls would differ from one call to the next.
			r := everyTool(t, open(workspace.Options{}), tool.RegistryOptions{})
			met := map[string]bool{}
			injected := 0
			for _, c := range faultCalls {
				injected += failEach(t, r, f, c.tool, strings.ReplaceAll(c.args, "{root}", root), met)
			}
			time.Sleep(time.Until(settled))
			injected += failAgain(t, open(workspace.Options{CacheBytes: 1 << 20}), f, met)
			if got := strings.Join(slices.Sorted(maps.Keys(met)), " "); runtime.GOOS == "linux" && got != systemCalls[on] {
				t.Errorf("the system calls made are %s; want %s", got, systemCalls[on])
			}
			t.Logf("%d faults", injected)
		})
	}
}

// failEach repeats a call, each time with another system call or error.
func failEach(t *testing.T, r *tool.Registry, f *faulty, name, args string, met map[string]bool) (injected int) {
	call := func(at int, errno syscall.Errno) (string, *tool.Error) {
		f.calls, f.at, f.err = f.calls[:0], at, errno
		result, err := r.Call(t.Context(), name, tool.Call{Args: []byte(args)})
		var e *tool.Error
		errors.As(err, &e)
		return result.Text(), e
	}
	want, e := call(-1, 0)
	if e != nil {
		t.Fatalf("%s %s: %v", name, args, e)
	}
	usual := f.steady(func() { call(-1, 0) })
	before := openHandles(t)
	for at, made := range usual {
		met[made] = true
		for errno := range injectedFaults() {
			injected++
			got, e := call(at, errno)
			for !f.followed(usual) {
				got, e = call(at, errno)
			}
			if complaint := judge(name, made, errno, got, want, e); complaint != "" {
				t.Errorf("%s %s: call %d, %s, fails with %v: %s", name, args, at, made, errno, complaint)
			}
		}
	}
	if left := openHandles(t) - before; left != 0 {
		t.Errorf("%s %s: %d handles are left open", name, args, left)
	}
	return injected
}

// bare returns what the workspace returns for an error of the system, nil if it repeats the system call.
func bare(errno syscall.Errno) error {
	switch errno {
	case syscall.EINTR:
		return nil
	case syscall.ENOTDIR:
		return workspace.ErrNotDirectory
	case syscall.ELOOP:
		return workspace.ErrLoop
	default:
		return errno
	}
}

// failAgain does the same for what tools do with large directories only: reading the names again, and caching them.
func failAgain(t *testing.T, w *workspace.Workspace, f *faulty, met map[string]bool) (injected int) {
	place, err := w.Find("wide")
	if err != nil {
		t.Fatal(err)
	}
	f.at = -1
	d, err := place.Dir()
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	read := func(at int, errno syscall.Errno) (n int, err error) {
		f.calls, f.at, f.err = f.calls[:0], at, errno
		kept, err := d.CacheEntry("names", 0)
		if err == nil {
			err = d.Names(t.Context(), func([]byte, workspace.EntryKind) bool { n++; return true })
			kept.Store(n, 1)
		}
		return n, err
	}
	if n, err := read(-1, 0); n != 300 || err != nil {
		t.Fatalf("%d names, %v", n, err)
	}
	if n, err := read(-1, 0); n != 300 || err != nil {
		t.Fatalf("%d names once more, %v", n, err)
	}
	usual := f.steady(func() { _, _ = read(-1, 0) })
	for at, made := range usual {
		met[made] = true
		for errno := range injectedFaults() {
			injected++
			optional := made == "fstat" || made == "fstatfs" || made == "close"
			n, err := read(at, errno)
			for !f.followed(usual) {
				n, err = read(at, errno)
			}
			if (err == nil) != (optional || errno == syscall.EINTR) || err == nil && n != 300 {
				t.Errorf("call %d, %s, fails with %v: %d names, %v", at, made, errno, n, err)
			}
		}
	}
	return injected
}

// judge returns what is wrong with the outcome of a call in which a system call has failed, or "".
func judge(name, made string, errno syscall.Errno, got, want string, e *tool.Error) string {
	link := errno == syscall.ENOTDIR || errno == syscall.ELOOP // what a symlink in the way fails with; it is then read
	ours := strings.HasPrefix(name, "gander/")
	switch {
	case e != nil && (errno == syscall.EINTR || made == "close"):
		return "it need not fail with " + e.Error()
	case e != nil && (name == "toolkit/tree" || ours) && e.Kind == tool.NotFound && link: // as published
		return ""
	case e != nil && made == "openat" && e.Kind == tool.NotDirectory && errno == syscall.ELOOP: // O_NOFOLLOW has met a symlink
		return ""
	case e != nil && e.Kind != faults[errno]:
		return fmt.Sprintf("the kind is %s: %v", e.Kind, e)
	case e != nil:
		return ""
	case errno == syscall.EINTR || made == "close":
		if got != want {
			return "the answer is another: " + got
		}
		return ""
	case ours: // an ignore file counts as absent if it cannot be had
		if got == want && faults[errno] == tool.Failed && !link {
			return "the answer is the same"
		}
	case name == "gemini/list_directory":
		return judgeGemini(made, errno, got, want)
	case name == "test/search" || name == "test/find":
		return judgeSearch(errno, got, want)
	case name == "forge/list_directory" && errno == syscall.EACCES && strings.Contains(made, "stat"):
		return "" // a directory that may not be searched has no entry that can be inspected, which one fault does not make so
	case got != want && !strings.Contains(got, told[name]):
		return "the answer does not tell: " + got
	case got == want && !link && !slices.Contains(unneeded[name], made):
		return "the answer is the same"
	}
	return ""
}

// told is how an answer says that it could not read something.
var told = map[string]string{
	"codex/list_dir": "\nCould not read ", "codex/read_file": "never", "forge/list_directory": `"error_code":"`, "toolkit/tree": `"error":"`,
}

// unneeded are the system calls that an answer can do without: those for the cache, and looks at a directory whose entries
// are examined themselves.
var unneeded = map[string][]string{
	"codex/list_dir":       {"fstatfs", "fstat", "openroot"},
	"codex/read_file":      {"fstatfs", "openroot"},
	"forge/list_directory": {"fstatat", "lstat", "openroot"},
	"toolkit/tree":         {"openroot"},
}

// judgeGemini is judge for gemini/list_directory. A symlink that cannot be followed is left out or is not shown as a directory.
// An ignore file that cannot be opened counts as absent, but one that cannot be read does not.
func judgeGemini(made string, errno syscall.Errno, got, want string) string {
	if faults[errno] != tool.Failed || errno == syscall.ELOOP {
		return ""
	}
	left := strings.Split(want, "\n")
	for line := range strings.SplitSeq(got, "\n") {
		at := slices.IndexFunc(left, func(l string) bool { return strings.TrimPrefix(l, "[DIR] ") == strings.TrimPrefix(line, "[DIR] ") })
		if at < 0 {
			return fmt.Sprintf("%s lets %q show: %s", made, line, got)
		}
		left = slices.Delete(left, at, at+1)
	}
	return ""
}

// judgeSearch: an ignore file counts as absent if it cannot be had, and an entry that is no longer what was listed is left out.
// Anything else is told.
func judgeSearch(errno syscall.Errno, got, want string) string {
	if faults[errno] != tool.Failed || errno == syscall.ELOOP || strings.Contains(got, "cannot read ") {
		return ""
	}
	return fmt.Sprintf("the answer does not tell: %s, not %s", got, want)
}
