//go:build unix

package workspace_test

import (
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
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
	"gander/internal/toolset"
	"gander/tool"
)

// everyTool returns a toolset of all tools for a workspace.
func everyTool(w *workspace.Workspace, o toolset.Options) *toolset.Toolset {
	tools := append(native.New(w, native.DefaultSettings()),
		codex.NewListDir(w, codex.ListDirSettings{Limit: 25, Depth: 2}),
		codex.NewReadFile(w, codex.ReadFileSettings{Limit: 2000, MaxLevels: 4}),
		gemini.New(w, gemini.Settings{RespectGitIgnore: true, RespectGeminiIgnore: true}),
		forge.New(w, forge.Settings{
			MaxEntries: 200, MaxDepth: 4, IncludeFiles: true, IncludeDirs: true, IncludeSymlinks: true,
			AllowAbsolute: true,
		}),
		workspace.Must(toolkit.New(w, toolkit.Settings{
			MaxDepth: 3, MaxEntries: 100, DepthCap: 12, EntriesCap: 1000,
		})),
	)
	o.Build = func(*workspace.Workspace) ([]tool.Tool, error) { return tools, nil }
	return workspace.Must(toolset.New(w, o))
}

// A faulty records the calls to a backend and injects an error into one of them.
type faulty struct {
	mu    sync.Mutex
	calls []string
	at    int // the index of the call that fails, -1 for none
	err   error
}

func (f *faulty) pass(call, _ string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, call)
	if len(f.calls)-1 == f.at {
		return f.err
	}
	return nil
}

// set resets the calls and sets the call to fail.
func (f *faulty) set(at int, errno syscall.Errno) { f.calls, f.at, f.err = f.calls[:0], at, errno }

// faults maps the injected errors to the expected kinds of the tool's error.
var faults = map[syscall.Errno]tool.Kind{
	syscall.EACCES:  tool.Denied,
	syscall.ENOENT:  tool.NotFound,
	syscall.ENOTDIR: tool.NotDirectory,
	syscall.EIO:     tool.Failed,
	syscall.ELOOP:   tool.Failed,
	syscall.EMFILE:  tool.Failed,
	syscall.ESTALE:  tool.Failed,
}

// injectedFaults returns all faults, or one with -short.
func injectedFaults() map[syscall.Errno]tool.Kind {
	if testing.Short() {
		return map[syscall.Errno]tool.Kind{syscall.EIO: faults[syscall.EIO]}
	}
	return faults
}

// faultCalls contains tool calls that together make every kind of backend call.
var faultCalls = []struct{ tool, args string }{
	{"codex/list_dir", `{"dir_path":"{root}","depth":4,"limit":3}`},
	{"codex/list_dir", `{"dir_path":"{root}","depth":4,"limit":30}`},
	{"codex/list_dir", `{"dir_path":"{root}/a/in/../../.."}`},
	{"codex/list_dir", `{"dir_path":"{root}/void"}`},
	{"codex/list_dir", `{"dir_path":"{root}/wide","depth":1,"limit":3,"offset":290}`},
	{"codex/read_file", `{"file_path":"{root}/abs/c/f"}`},
	{"codex/read_file", `{"file_path":"{root}/a/f","mode":"indentation"}`},
	{"gemini/list_directory", `{"path":"{root}/a"}`},
	{
		"forge/list_directory",
		`{"path":".","recursive":true,"include_hidden":true,"include_other":true,"max_entries":20}`,
	},
	{"forge/list_directory", `{"path":"x/c"}`},
	{"toolkit/tree", `{"path":".","entry_kind":"all"}`},
	{"toolkit/tree", `{"path":"a/b","max_entries":3,"entry_kind":"all"}`},
	{"gander/list_dir", `{"path":"a","depth":4,"details":true}`},
	{"gander/list_dir", `{"path":"x"}`},
	{"gander/list_dir", `{"path":"a/f"}`},
	{"gander/read_file", `{"path":"{root}/abs/c/f"}`},
	{"gander/find_files", `{"path":"a","sort":"modified"}`},
	{"gander/search_text", `{"path":"a","pattern":"."}`},
	{"gander/search_text", `{"path":"x/c/f","pattern":"."}`},
}

// backendCalls are the calls that all tools together make.
const backendCalls = "close lstat names names end openDir openFile openPath " +
	"pread readlink version"

// TestFaults injects each fault into each backend call of every tool. The tool call must fail with
// the right kind of error, or its result must report the failure. No handle may stay open.
func TestFaults(t *testing.T) {
	entries := []string{
		"a/b/c/f", "a/b/c/g", "a/g", "a/in => b/c", "a/f => b/c/f", "x => a/b", "f",
		".git/info/exclude", ".gitignore", "a/.gitignore", "abs => {root}/a/b", "p|", "void/",
	}
	for i := range 300 {
		entries = append(entries, fmt.Sprintf("wide/%d", i))
	}
	root := fixture.Make(t, entries...)
	settled := time.Now().Add(2100 * time.Millisecond) // by then, versions are stable
	defer debug.SetGCPercent(debug.SetGCPercent(-1))   // the collector would close leaked handles
	for _, on := range workspace.Backends() {
		t.Run(on, func(t *testing.T) {
			f := &faulty{}
			for errno := range injectedFaults() {
				f.set(0, errno)
				w, err := workspace.OpenHooked(on, f.pass, workspace.Options{}, root)
				if !errors.Is(err, workspace.Bare(errno)) || w != nil {
					t.Errorf("opening the root fails with %v: %v", errno, err)
				}
			}
			f.set(-1, 0)
			open := func(o workspace.Options) *workspace.Workspace {
				w := workspace.Must(workspace.OpenHooked(on, f.pass, o, root))
				t.Cleanup(func() { _ = w.Close() })
				return w
			}
			// Caching would make the backend calls irreproducible.
			r := everyTool(open(workspace.Options{}), toolset.Options{})
			met := map[string]bool{}
			for _, c := range faultCalls {
				failEach(t, r, f, c.tool, strings.ReplaceAll(c.args, "{root}", root), met)
			}
			time.Sleep(time.Until(settled))
			failCached(t, open(workspace.Options{CacheBytes: 1 << 20}), f, met)
			if got := strings.Join(slices.Sorted(maps.Keys(met)), " "); got != backendCalls {
				t.Errorf("the calls made are %s; want %s", got, backendCalls)
			}
		})
	}
}

// failEach repeats a tool call with each fault in each of its backend calls.
func failEach(
	t *testing.T, r *toolset.Toolset, f *faulty, name, args string, met map[string]bool,
) {
	call := func(at int, errno syscall.Errno) (string, *tool.Error) {
		f.set(at, errno)
		result, err := r.Call(t.Context(), name, tool.Call{Args: []byte(args)})
		var e *tool.Error
		errors.As(err, &e)
		return result.Text(), e
	}
	want, e := call(-1, 0)
	if e != nil {
		t.Fatalf("%s %s: %v", name, args, e)
	}
	before := workspace.Handles(t)
	for at, made := range slices.Clone(f.calls) {
		met[made] = true
		for errno := range injectedFaults() {
			got, e := call(at, errno)
			if at >= len(f.calls) {
				continue // concurrent searches made fewer calls
			}
			made := f.calls[at] // may differ from the first run if searches are concurrent
			if complaint := judge(name, made, errno, got, want, e); complaint != "" {
				t.Errorf("%s %s: call %d, %s, fails with %v: %s", name, args, at, made, errno, complaint)
			}
		}
	}
	workspace.CheckHandles(t, before, name+" "+args)
}

// failCached injects faults into reads of a directory with cached names.
func failCached(t *testing.T, w *workspace.Workspace, f *faulty, met map[string]bool) {
	f.set(-1, 0)
	d := workspace.Must(workspace.Must(w.Find("wide")).Dir())
	defer d.Close()
	read := func(at int, errno syscall.Errno) (n int, err error) {
		f.set(at, errno)
		kept, err := d.CacheEntry("names", 0)
		if err == nil {
			err = d.Names(t.Context(), func([]byte, workspace.EntryKind) bool { n++; return true })
			kept.Store(n, 1)
		}
		return n, err
	}
	for range 2 {
		if n, err := read(-1, 0); n != 300 || err != nil {
			t.Fatalf("%d names, %v", n, err)
		}
	}
	for at, made := range slices.Clone(f.calls) {
		met[made] = true
		for errno := range injectedFaults() {
			optional := made == "version"
			if n, err := read(at, errno); (err == nil) != optional || err == nil && n != 300 {
				t.Errorf("call %d, %s, fails with %v: %d names, %v", at, made, errno, n, err)
			}
		}
	}
}

// judge describes what is wrong with a tool's result after a fault, or returns "".
func judge(name, made string, errno syscall.Errno, got, want string, e *tool.Error) string {
	link := errno == syscall.ENOTDIR || errno == syscall.ELOOP // which suggest a symlink
	ours := strings.HasPrefix(name, "gander/")
	switch {
	case e != nil && made == "close":
		return "it need not fail with " + e.Error()
	case e != nil && (name == "toolkit/tree" || ours) && e.Kind == tool.NotFound && link:
		return "" // as published
	case e != nil && e.Kind != faults[errno]:
		return fmt.Sprintf("the kind is %s: %v", e.Kind, e)
	case e != nil:
		return ""
	case made == "close":
		if got != want {
			return "the answer is another: " + got
		}
	case ours: // an ignore file counts as absent if it cannot be opened
		if got == want && faults[errno] == tool.Failed && !link {
			return "the answer is the same"
		}
	case name == "gemini/list_directory":
		return judgeGemini(made, errno, got, want)
	case name == "forge/list_directory" && errno == syscall.EACCES && made == "lstat":
		return "" // no entry of a directory without search permission can be inspected
	case got != want && !strings.Contains(got, reported[name]):
		return "the answer does not report it: " + got
	case got == want && !link && !slices.Contains(optional[name], made):
		return "the answer is the same"
	}
	return ""
}

// reported contains the text that reports a failure in a result.
var reported = map[string]string{
	"codex/list_dir":       "\nCould not read ",
	"codex/read_file":      "never",
	"forge/list_directory": `"error_code":"`,
	"toolkit/tree":         `"error":"`,
}

// optional contains the backend calls that may fail without an effect on the result: versions for
// the cache, and inspections of a directory with separately inspected entries.
var optional = map[string][]string{
	"codex/list_dir":       {"version"},
	"codex/read_file":      {"version"},
	"forge/list_directory": {"lstat"},
}

// judgeGemini is judge for gemini/list_directory. A symlink that cannot be followed is omitted or
// not shown as a directory. An ignore file that cannot be opened counts as absent.
func judgeGemini(made string, errno syscall.Errno, got, want string) string {
	if faults[errno] != tool.Failed || errno == syscall.ELOOP {
		return ""
	}
	left := strings.ReplaceAll(want, "[DIR] ", "") + "\n"
	for line := range strings.Lines(strings.ReplaceAll(got, "[DIR] ", "") + "\n") {
		if !strings.Contains(left, line) {
			return fmt.Sprintf("%s lets %q show: %s", made, line, got)
		}
		left = strings.Replace(left, line, "", 1)
	}
	return ""
}
