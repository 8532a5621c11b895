//go:build unix

// Package faults checks what the tools do when the system fails, stalls or is asked for a page: the
// tests of the workspace, which alone can put a hook before its backends, run it.
package faults

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"gander/codex"
	"gander/forge"
	"gander/gemini"
	"gander/internal/admission"
	"gander/internal/files/workspace"
	"gander/internal/native"
	"gander/internal/native/call"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/handles"
	"gander/internal/tools/definition"
	"gander/internal/toolset"
	"gander/tool"
	"gander/toolkit"
)

// An Opener opens a workspace over a root, on a backend that calls hook before each of its methods.
type Opener func(
	backend string, hook func(call, name string) error, root string,
) (*workspace.Workspace, error)

// everyTool returns a toolset of all tools for a workspace.
func everyTool(t testing.TB, w *workspace.Workspace, o toolset.Options) *toolset.Toolset {
	o.Sets = []definition.Set{
		native.Set(call.DefaultSettings()),
		definition.Set(codex.Tools(codex.Options{})),
		definition.Set(gemini.Tools(gemini.Options{})),
		definition.Set(forge.Tools(forge.Options{})),
		definition.Set(toolkit.Tools(toolkit.Options{IncludeDefaultExcludes: new(false)})),
	}
	tools, err := toolset.New(w, o)
	fixture.Must(t, err)
	return tools
}

// mustOpen opens a workspace until the test ends.
func (open Opener) mustOpen(
	t testing.TB, backend string, hook func(call, name string) error, root string,
) *workspace.Workspace {
	w, err := open(backend, hook, root)
	fixture.Must(t, err)
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// A recorder records the calls to a backend. Its hook passes the index of each to meet, if any,
// which may return an error as if the system had, or stall.
type recorder struct {
	mu   sync.Mutex
	made []string
	meet func(n int) error
}

func (r *recorder) pass(call, _ string) error {
	r.mu.Lock()
	n, meet := len(r.made), r.meet
	r.made = append(r.made, call)
	r.mu.Unlock()
	if meet == nil {
		return nil
	}
	return meet(n)
}

// set sets meet and returns the calls since it was last set.
func (r *recorder) set(meet func(n int) error) (made []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	made, r.made, r.meet = r.made, nil, meet
	return made
}

// toolCalls contains calls that together make every kind of backend call.
var toolCalls = []struct{ tool, args string }{
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
	{"gander/search_text", `{"path":"def.py","pattern":"last"}`},
}

// A toolCall makes a call of a tool while backend calls meet something. It returns the
// result, the error, and the backend calls.
type toolCall func(meet func(n int) error) (string, *tool.Error, []string)

// eachTool calls test with the tool of each of toolCalls, on each backend. No handle may stay open.
func eachTool(
	t *testing.T, open Opener, backends []string, o toolset.Options,
	test func(*testing.T, string, toolCall),
) {
	t.Helper()
	entries := []string{
		"a/b/c/f", "a/b/c/g", "a/g", "a/in => b/c", "a/f => b/c/f", "x => a/b", "f",
		".git/info/exclude", ".gitignore", "a/.gitignore", "abs => {root}/a/b", "p|", "void/",
	}
	for i := range 300 {
		entries = append(entries, fmt.Sprintf("wide/%d", i))
	}
	root := fixture.Make(t, entries...)
	indented := []byte("def f():\n\n\n\n\tlast\n")
	fixture.Must(t, os.WriteFile(filepath.Join(root, "def.py"), indented, 0o600))
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the collector would close leaked handles
	for _, on := range backends {
		for _, c := range toolCalls {
			args := strings.ReplaceAll(c.args, "{root}", root)
			t.Run(on+" "+c.tool+c.args, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var r recorder
					w := open.mustOpen(t, on, r.pass, root)
					tools := everyTool(t, w, o)
					call := func(meet func(n int) error) (string, *tool.Error, []string) {
						r.set(meet)
						result, err := tools.Call(t.Context(), c.tool, tool.Call{Args: []byte(args)})
						e, _ := errors.AsType[*tool.Error](err)
						return result.Text(), e, r.set(nil)
					}
					if _, e, _ := call(nil); e != nil {
						t.Fatal(e)
					}
					before := handles.Count(t)
					test(t, c.tool, call)
					synctest.Wait()
					if after := handles.Count(t); after != before {
						t.Errorf("%d handles are left open", after-before)
					}
				})
			})
		}
	}
}

// faults maps errors of the system to the expected kinds of the tool's error.
var faults = map[syscall.Errno]tool.Kind{
	syscall.EACCES:  tool.Denied,
	syscall.ENOENT:  tool.NotFound,
	syscall.ENOTDIR: tool.NotDirectory,
	syscall.EIO:     tool.Failed,
	syscall.ELOOP:   tool.Failed,
	syscall.EMFILE:  tool.Failed,
	syscall.ESTALE:  tool.Failed,
}

// Check makes each backend call of every tool fail with each error, only EIO with -short. The
// tool call must fail with the right kind of error, or its result must report the failure.
func Check(t *testing.T, open Opener, backends []string) {
	eachTool(t, open, backends, toolset.Options{}, func(t *testing.T, name string, call toolCall) {
		want, _, made := call(nil)
		for at := range made {
			for errno := range faults {
				if testing.Short() && errno != syscall.EIO {
					continue
				}
				got, e, made := call(func(n int) error {
					if n == at {
						return errno
					}
					return nil
				})
				if at >= len(made) {
					continue // concurrent searches made fewer calls
				}
				if complaint := judge(name, made[at], errno, got, want, e); complaint != "" {
					t.Errorf("call %d, %s, fails with %v: %s", at, made[at], errno, complaint)
				}
			}
		}
	})
}

// judge returns a description of a wrong result after a fault, or "" for a right one.
func judge(name, made string, errno syscall.Errno, got, want string, e *tool.Error) string {
	link := errno == syscall.ENOTDIR || errno == syscall.ELOOP // which suggest a symlink
	switch {
	case made == "close":
		if e != nil || got != want {
			return fmt.Sprintf("it has an effect: %v, %s", e, got)
		}
	case e != nil:
		if e.Kind != faults[errno] && (e.Kind != tool.NotFound || !link) {
			return fmt.Sprintf("the kind is %s: %v", e.Kind, e)
		}
	case link && got == want:
	case name == "gemini/list_directory": // omits what it cannot follow, as published
	case name == "forge/list_directory" && made == "lstat": // one for an entry it need not describe
	case strings.HasPrefix(name, "gander/"): // an ignore file that cannot be opened counts as absent
		if got == want && faults[errno] == tool.Failed {
			return "the answer is the same"
		}
	case !strings.Contains(got, reported[name]):
		return "the answer does not report it: " + got
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

// CheckStalls stalls each backend call of every tool. The tool's call must time out, and the same
// call must succeed at the same time.
func CheckStalls(t *testing.T, open Opener, backends []string) {
	const (
		timeout = time.Second
		soon    = 100 * time.Millisecond // the maximum delay of a timeout
	)
	o := toolset.Options{Timeout: timeout, Control: admission.New(4, 0)}
	eachTool(t, open, backends, o, func(t *testing.T, _ string, call toolCall) {
		most := math.MaxInt
		for range 5 { // a signal in between can make a read of a directory two
			_, _, made := call(nil)
			most = min(most, len(made))
		}
		for at := range most {
			open := make(chan struct{})
			start := time.Now()
			_, e, _ := call(func(n int) error {
				if n == at {
					<-open
				}
				return nil
			})
			took := time.Since(start)
			if e == nil || e.Kind != tool.Timeout || took < timeout || took >= timeout+soon {
				t.Errorf("call %d stalls: after %v %v", at, took, e)
			}
			start = time.Now()
			if _, e, _ := call(nil); e != nil || time.Since(start) > 0 {
				t.Errorf("while call %d stalls, another: after %v %v", at, time.Since(start), e)
			}
			close(open)
			synctest.Wait()
		}
	})
}

// CheckPage counts the backend calls for a page of a tree of 1,000 directories. A directory is
// opened only for entries on the page, and an entry is inspected only to describe it.
func CheckPage(t *testing.T, open Opener, backend string) {
	var entries []string
	for i := range 1000 {
		entries = append(entries, fmt.Sprintf("d%03d/f", i), fmt.Sprintf("d%03d/s/g", i))
	}
	root := fixture.Make(t, entries...)
	var rec recorder
	r := everyTool(t, open.mustOpen(t, backend, rec.pass, root), toolset.Options{})
	for _, tt := range []struct {
		tool, args     string
		opened, looked int // maximum numbers of directories and entries
	}{
		// The root has 1000 entries, and each directory in it has two. A tool may read one more
		// entry than it shows.
		{"codex/list_dir", `{"dir_path":"{root}","limit":25,"depth":2}`, 1 + 9, 0},
		{"codex/list_dir", `{"dir_path":"{root}","limit":3,"depth":2}`, 1 + 1, 0},
		{"codex/list_dir", `{"dir_path":"{root}","limit":25,"depth":1}`, 1, 0},
		{"toolkit/tree", `{"path":".","max_entries":25,"max_depth":1}`, 1, 1},
		{"toolkit/tree", `{"path":".","max_entries":24,"max_depth":2}`, 1 + 12, 1},
		{
			"forge/list_directory", `{"path":".","recursive":true,"max_entries":25,"max_depth":2}`, 1 + 9,
			25 + 10,
		},
	} {
		rec.set(nil)
		args := []byte(strings.ReplaceAll(tt.args, "{root}", root))
		if _, err := r.Call(t.Context(), tt.tool, tool.Call{Args: args}); err != nil {
			t.Fatal(err)
		}
		made := map[string]int{}
		for _, call := range rec.set(nil) {
			made[call]++
		}
		opened, looked := made["openDir"], made["lstat"]
		if opened > tt.opened || looked > tt.looked || opened == 0 {
			t.Errorf("%s %s: %d directories opened, %d entries inspected; want at most %d and %d: %v",
				tt.tool, tt.args, opened, looked, tt.opened, tt.looked, made)
		}
	}
}
