package load

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gander"
	"gander/internal/files/workspace"
	"gander/internal/tools/codex"
	"gander/internal/tools/forge"
	"gander/internal/tools/gemini"
	ganders "gander/internal/tools/native"
	"gander/internal/tools/toolkit"
	"gander/tool"
)

// tooLong is the most time that a call may take to end after its context is done, on a slow machine. A call that ignored its
// context would take longer, or would check the context far more often than buffered.
const tooLong = 5 * time.Second

// buffered is more than the number of names that one system call returns. A filter may check the context for each of them.
const buffered = 3000

// entries is the number of files in the large directory.
const entries = 200_000

// TestLarge: calls on a very large directory and very large files end when their context is done, and need little memory.
func TestLarge(t *testing.T) {
	root := large(t)
	t.Run("tools heed their context", func(t *testing.T) { toolsHeedContext(t, root) })
	t.Run("calls end", func(t *testing.T) { callsEnd(t, root) })
	t.Run("searches end", func(t *testing.T) { searchesEnd(t, root) })
	t.Run("memory", func(t *testing.T) { memoryIsBounded(t, root) })
}

// large makes a directory "wide" of many files, and sparse files: "endless" is one line of 100 GB, "prose" is the same but
// begins as text, and "long" is that with 256 MB; "line" is a line of 512 MB between two lines of one byte, and "less" is the
// same with 64 MB. It uses a file system in memory if there is one.
func large(t *testing.T) (root string) {
	t.Helper()
	if testing.Short() {
		t.Skip("makes a directory of 200,000 files")
	}
	root, err := os.MkdirTemp("/dev/shm", "gander-test-")
	if err != nil {
		root = t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	if err := os.Mkdir(root+"/wide", 0o755); err != nil {
		t.Fatal(err)
	}
	const links = 50_000 // links to one file are quicker to make than files; every file system allows so many
	source := ""
	for i := range entries {
		path := fmt.Sprintf("%s/wide/file-%07d.go", root, i*7919%entries)
		if i%links == 0 {
			source = path
			err = os.WriteFile(path, nil, 0o644)
		} else {
			err = os.Link(source, path)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	sparse(t, root+"/endless", 100<<30, "")
	sparse(t, root+"/prose", 100<<30, strings.Repeat("x", 64<<10))
	sparse(t, root+"/long", 256<<20, strings.Repeat("x", 64<<10))
	sparse(t, root+"/line", 512<<20, "a\n", "\nb\n")
	sparse(t, root+"/less", 64<<20, "a\n", "\nb\n")
	return root
}

// sparse makes a file of zeros between two texts.
func sparse(t *testing.T, path string, zeros int64, around ...string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(around[0]), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, int64(len(around[0]))+zeros); err != nil {
		t.Fatal(err)
	}
	if len(around) < 2 {
		return
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(around[1]); err != nil {
		t.Fatal(err)
	}
}

// A countdown is a context that is cancelled once Err has been called a number of times.
type countdown struct {
	context.Context
	end         context.CancelFunc
	left, later atomic.Int64
	over        time.Time
}

func newCountdown(t *testing.T, asks int64) *countdown {
	p := &countdown{}
	p.Context, p.end = context.WithCancel(t.Context())
	t.Cleanup(p.end)
	p.left.Store(asks)
	return p
}

func (p *countdown) Err() error {
	switch left := p.left.Add(-1); {
	case left == -1:
		p.over = time.Now()
		p.end()
	case left < -1:
		p.later.Add(1)
	}
	return p.Context.Err()
}

// toolsHeedContext: a tool ends soon after its context is done, wherever it is at that time.
func toolsHeedContext(t *testing.T, root string) {
	w, err := workspace.Open(workspace.Options{}, root)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	listDir := codex.NewListDir(w, codex.ListDirSettings{Limit: 25, Depth: 2})
	readFile := codex.NewReadFile(w, codex.ReadFileSettings{Limit: 2000, MaxLevels: 4})
	list := gemini.New(w, gemini.Settings{RespectGitIgnore: true, RespectGeminiIgnore: true})
	entriesWith := forge.New(w, forge.Settings{MaxEntries: 1_000_000, MaxDepth: 4, IncludeFiles: true, IncludeDirs: true, AllowAbsolute: true})
	tree, err := toolkit.New(w, toolkit.Settings{MaxDepth: 3, MaxEntries: 1000, DepthCap: 12, EntriesCap: 1000})
	if err != nil {
		t.Fatal(err)
	}
	own := map[string]tool.Tool{}
	for _, each := range ganders.New(w, ganders.DefaultSettings()) {
		own[each.Spec().Name] = each
	}
	for _, tt := range []struct {
		name string
		tool tool.Tool
		args string  // with %s for the root
		asks []int64 // how often Err is called before the context is cancelled
	}{
		{"list_dir, first page", listDir, `{"dir_path":"%s/wide"}`, []int64{0, 1, 40}},
		{"list_dir, middle", listDir, `{"dir_path":"%s/wide","offset":100000}`, []int64{0, 1, 40, 120}},
		{"list_dir, all", listDir, `{"dir_path":"%s","limit":1000000}`, []int64{1, 40, 800}},
		{"list_dir, beyond", listDir, `{"dir_path":"%s","offset":9000000}`, []int64{0, 120}},
		{"gemini", list, `{"path":"%s/wide"}`, []int64{0, 1, 40}},
		{"gemini, ignoring", list, `{"path":"%s/wide","ignore":["*.go"]}`, []int64{0, 1, 40}},
		{"forge, 200", entriesWith, `{"path":"%s/wide","max_entries":200}`, []int64{0, 1, 40}},
		{"forge, all", entriesWith, `{"path":"%s","recursive":true}`, []int64{1, 40, 200}},
		{"tree", tree, `{"path":"wide","entry_kind":"all"}`, []int64{0, 1, 40}},
		{"tree, excluding", tree, `{"path":".","entry_kind":"all","exclude":["**/*.go"]}`, []int64{0, 1, 40, 200}},
		{"lines, beyond", readFile, `{"file_path":"%s/endless","offset":2}`, []int64{0, 1, 500}},
		{"lines, second of an endless line", readFile, `{"file_path":"%s/endless"}`, []int64{0, 1, 500}},
		{"block, around an endless line", readFile, `{"file_path":"%s/endless","mode":"indentation"}`, []int64{0, 1, 500}},
		{"block, beyond", readFile, `{"file_path":"%s/endless","mode":"indentation","indentation":{"anchor_line":3}}`, []int64{0, 1, 500}},
		{"lines, behind a long line", readFile, `{"file_path":"%s/line","offset":3}`, []int64{0, 1, 500}},
		{"block, above a long line", readFile, `{"file_path":"%s/line","mode":"indentation","indentation":{"anchor_line":3}}`, []int64{0, 1, 500}},
		{"block, in the line above", readFile, `{"file_path":"%s/less","mode":"indentation","indentation":{"anchor_line":3}}`, []int64{300}},
		{"block, below a long line", readFile, `{"file_path":"%s/line","mode":"indentation"}`, []int64{0, 1, 500}},
		{"gander, a page", own["list_dir"], `{"path":"%s/wide"}`, []int64{0, 1, 40}},
		{"gander, middle", own["list_dir"], `{"path":"%s/wide","offset":100000}`, []int64{0, 1, 40}},
		{"gander, a tree", own["list_dir"], `{"path":"%s","depth":9}`, []int64{1, 40}},
		{"gander, lines beyond", own["read_file"], `{"path":"%s/prose","offset":2}`, []int64{0, 1, 500}},
		{"gander, lines from the end", own["read_file"], `{"path":"%s/prose","offset":-2}`, []int64{0, 1, 500}},
		{"gander, lines by default", own["read_file"], `{"path":"%s/prose"}`, []int64{0, 1, 60}},
		{"gander, far in a line", own["read_file"], `{"path":"%s/prose:1:90000000000"}`, []int64{0, 1, 500}},
		{"gander, block", own["read_file"], `{"path":"%s/prose","block":1}`, []int64{0, 1, 500}},
		{"gander, block beyond", own["read_file"], `{"path":"%s/prose","block":3}`, []int64{0, 1, 500}},
		{"gander, find", own["find_files"], `{"path":"%s","pattern":"*.none"}`, []int64{0, 1, 40}},
		{"gander, newest", own["find_files"], `{"path":"%s","sort":"modified"}`, []int64{0, 1, 40}},
		{"gander, search", own["search_text"], `{"path":"%s/wide","pattern":"y"}`, []int64{0, 1}}, // A search asks a context of its own.
		{"gander, search a file", own["search_text"], `{"path":"%s/prose","pattern":"y"}`, []int64{0, 1}},
	} {
		args := strings.ReplaceAll(tt.args, "%s", root)
		for _, asks := range tt.asks {
			p := newCountdown(t, asks)
			result, err := tt.tool.Call(p, tool.Call{Args: []byte(args)})
			took := time.Since(p.over)
			switch {
			case p.left.Load() >= 0:
				t.Errorf("%s: asked less than %d times: %.100q, %v", tt.name, asks, result.Text(), err)
			case !errors.Is(err, context.Canceled):
				t.Errorf("%s, over after %d: %.100q, %v", tt.name, asks, result.Text(), err)
			case took > tooLong:
				t.Errorf("%s, over after %d: ends %v later", tt.name, asks, took)
			case p.later.Load() > buffered:
				t.Errorf("%s, over after %d: goes on, and asks %d times more", tt.name, asks, p.later.Load())
			default:
				t.Logf("%s, over after %d: ends %v later, asks %d times more", tt.name, asks, took, p.later.Load())
			}
		}
	}
}

// callsEnd: every call ends when it is cancelled, and at its timeout.
func callsEnd(t *testing.T, root string) {
	calls := []struct{ tool, args string }{
		{"gander/list_dir", `{"path":"wide"}`},
		{"gander/list_dir", `{"path":"wide","offset":100000}`},
		{"gander/list_dir", `{"depth":3}`},
		{"gander/find_files", `{"pattern":"*.none"}`},
		{"gander/read_file", `{"path":"prose","offset":20000}`},
		{"gander/read_file", `{"path":"prose","offset":-20000}`},
		{"gander/read_file", `{"path":"prose:1:90000000000"}`},
		{"gander/read_file", `{"path":"prose","block":1}`},
		{"gander/search_text", `{"pattern":"x","path":"endless"}`},
		{"codex/list_dir", `{"dir_path":"` + root + `/wide"}`},
		{"codex/list_dir", `{"dir_path":"` + root + `/wide","offset":100000}`},
		{"gemini/list_directory", `{"path":"` + root + `/wide"}`},
		{"forge/list_directory", `{"path":"wide"}`},
		{"toolkit/tree", `{"path":"wide","entry_kind":"all"}`},
		{"filesystem/read_text_file", `{"path":"endless","tail":1000000000}`},
		{"filesystem/list_directory", `{"path":"wide"}`},
		{"filesystem/list_directory_with_sizes", `{"path":"wide"}`},
		{"filesystem/directory_tree", `{"path":"wide"}`},
		{"filesystem/search_files", `{"path":".","pattern":"**/none"}`},
		{"codex/grep_files", `{"pattern":"x","path":"wide"}`},
		{"codex/grep_files", `{"pattern":"x","path":"endless"}`},
		{"codex/read_file", `{"file_path":"` + root + `/endless","offset":20000}`},
		{"codex/read_file", `{"file_path":"` + root + `/endless","mode":"indentation"}`},
		{"codex/read_file", `{"file_path":"` + root + `/line","offset":3}`},
		{"codex/read_file", `{"file_path":"` + root + `/line","mode":"indentation","indentation":{"anchor_line":3}}`},
	}
	for _, timeout := range []time.Duration{-1, 2 * time.Millisecond} {
		ts, err := gander.Open(gander.Options{Roots: []string{root}, Tools: []string{"gander", "codex", "gemini", "forge", "toolkit", "filesystem"}, Limits: gander.Limits{Timeout: timeout}})
		if err != nil {
			t.Fatal(err)
		}
		defer ts.Close()
		for _, c := range calls {
			ctx, cancel := context.WithCancel(t.Context())
			end, want := time.Now().Add(timeout), tool.Timeout
			if timeout < 0 {
				end, want = time.Now().Add(2*time.Millisecond), tool.Cancelled
				time.AfterFunc(time.Until(end), cancel)
			}
			result, err := ts.Call(ctx, c.tool, []byte(c.args))
			took := time.Since(end)
			cancel()
			var e *tool.Error
			if !errors.As(err, &e) || e.Kind != want || took > tooLong {
				t.Errorf("%s %s: %.100q, %v, %v after its end", c.tool, c.args, result.Text(), err, took)
			}
			t.Logf("%s %s: %s %v after its end", c.tool, c.args[max(0, len(c.args)-60):], want, took)
		}
	}
}
