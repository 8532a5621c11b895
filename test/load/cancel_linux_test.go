package load

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gander"
	"gander/internal/files/workspace"
	"gander/internal/testkit"
	"gander/internal/tools/codex"
	"gander/internal/tools/forge"
	"gander/internal/tools/gemini"
	"gander/internal/tools/native"
	"gander/internal/tools/toolkit"
	"gander/tool"
)

// tooLong is the maximum time until a call returns after its context is done, on a slow machine. A
// call that ignores its context takes longer, or checks the context more than buffered times.
const tooLong = 5 * time.Second

// buffered exceeds the number of names returned by one system call. A filter may check the context
// for each of them.
const buffered = 3000

// entries is the number of files in the large directory.
const entries = 200_000

// TestLarge checks that calls on a very large directory and very large files return when their
// context is done, and need little memory.
func TestLarge(t *testing.T) {
	root := large(t)
	t.Run("tools check their context", func(t *testing.T) { toolsCheckContext(t, root) })
	t.Run("calls end", func(t *testing.T) { callsEnd(t, root) })
	t.Run("memory", func(t *testing.T) { memoryIsBounded(t, root) })
}

// large makes a directory "wide" of many files, and several sparse files. "endless" is one line of
// 100 GB. "prose" is the same but starts with text, and "long" is like "prose" with 256 MB. "line"
// is a line of 512 MB between two lines of one byte, and "less" is the same with 64 MB. If
// possible, the file system is in memory.
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
	testkit.Must(t, os.Mkdir(root+"/wide", 0o755))
	const links = 50_000 // per file; links are faster to make than files
	source := ""
	for i := range entries {
		path := fmt.Sprintf("%s/wide/file-%07d.go", root, i*7919%entries)
		if i%links == 0 {
			source = path
			err = os.WriteFile(path, nil, 0o644)
		} else {
			err = os.Link(source, path)
		}
		testkit.Must(t, err)
	}
	sparse(t, root+"/endless", 100<<30, "")
	sparse(t, root+"/prose", 100<<30, strings.Repeat("x", 64<<10))
	sparse(t, root+"/long", 256<<20, strings.Repeat("x", 64<<10))
	sparse(t, root+"/line", 512<<20, "a\n", "\nb\n")
	sparse(t, root+"/less", 64<<20, "a\n", "\nb\n")
	return root
}

// sparse makes a file of zeros between two strings.
func sparse(t *testing.T, path string, zeros int64, around ...string) {
	t.Helper()
	testkit.Must(t, os.WriteFile(path, []byte(around[0]), 0o644))
	testkit.Must(t, os.Truncate(path, int64(len(around[0]))+zeros))
	if len(around) < 2 {
		return
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	testkit.Must(t, err)
	defer f.Close()
	if _, err := f.WriteString(around[1]); err != nil {
		t.Fatal(err)
	}
}

// A countdown is a context that is canceled after a number of calls to Err.
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

// toolsCheckContext cancels a call to each tool at several points. It must return soon.
func toolsCheckContext(t *testing.T, root string) {
	w, err := workspace.Open(workspace.Options{}, root)
	testkit.Must(t, err)
	defer w.Close()
	tree, err := toolkit.New(w, toolkit.DefaultSettings())
	testkit.Must(t, err)
	every := forge.DefaultSettings()
	every.MaxEntries = 1_000_000
	tools := append(native.New(w, native.DefaultSettings()), tree,
		codex.NewListDir(w, codex.DefaultListDirSettings()),
		codex.NewReadFile(w, codex.DefaultReadFileSettings()),
		gemini.New(w, gemini.DefaultSettings()), forge.New(w, every))
	for _, tt := range []struct {
		tool, args string  // with %s for the root
		asks       []int64 // numbers of calls to Err before the context is canceled
	}{
		{"codex/list_dir", `{"dir_path":"%s/wide"}`, []int64{0, 1, 40}},
		{"codex/list_dir", `{"dir_path":"%s/wide","offset":100000}`, []int64{0, 1, 40, 120}},
		{"codex/list_dir", `{"dir_path":"%s","limit":1000000}`, []int64{1, 40, 800}},
		{"codex/list_dir", `{"dir_path":"%s","offset":9000000}`, []int64{0, 120}},
		{"gemini/list_directory", `{"path":"%s/wide"}`, []int64{0, 1, 40}},
		{"gemini/list_directory", `{"path":"%s/wide","ignore":["*.go"]}`, []int64{0, 1, 40}},
		{"forge/list_directory", `{"path":"%s/wide","max_entries":200}`, []int64{0, 1, 40}},
		{"forge/list_directory", `{"path":"%s","recursive":true}`, []int64{1, 40, 200}},
		{"toolkit/tree", `{"path":"wide","entry_kind":"all"}`, []int64{0, 1, 40}},
		{
			"toolkit/tree", `{"path":".","entry_kind":"all","exclude":["**/*.go"]}`,
			[]int64{0, 1, 40, 200},
		},
		{"codex/read_file", `{"file_path":"%s/endless","offset":2}`, []int64{0, 1, 500}},
		{"codex/read_file", `{"file_path":"%s/endless"}`, []int64{0, 1, 500}},
		{"codex/read_file", `{"file_path":"%s/line","offset":3}`, []int64{0, 1, 500}},
		{"codex/read_file", `{"file_path":"%s/endless","mode":"indentation"}`, []int64{0, 1, 500}},
		{"codex/read_file", `{"file_path":"%s/line","mode":"indentation"}`, []int64{0, 1, 500}},
		{"codex/read_file", anchored("endless"), []int64{0, 1, 500}},
		{"codex/read_file", anchored("line"), []int64{0, 1, 500}},
		{"codex/read_file", anchored("less"), []int64{300}},
		{"gander/list_dir", `{"path":"%s/wide"}`, []int64{0, 1, 40}},
		{"gander/list_dir", `{"path":"%s/wide","offset":100000}`, []int64{0, 1, 40}},
		{"gander/list_dir", `{"path":"%s","depth":9}`, []int64{1, 40}},
		{"gander/read_file", `{"path":"%s/prose","offset":2}`, []int64{0, 1, 500}},
		{"gander/read_file", `{"path":"%s/prose","offset":-2}`, []int64{0, 1, 500}},
		{"gander/read_file", `{"path":"%s/prose"}`, []int64{0, 1, 60}},
		{"gander/read_file", `{"path":"%s/prose:1:90000000000"}`, []int64{0, 1, 500}},
		{"gander/read_file", `{"path":"%s/prose","block":1}`, []int64{0, 1, 500}},
		{"gander/read_file", `{"path":"%s/prose","block":3}`, []int64{0, 1, 500}},
		{"gander/find_files", `{"path":"%s","pattern":"*.none"}`, []int64{0, 1, 40}},
		{"gander/find_files", `{"path":"%s","sort":"modified"}`, []int64{0, 1, 40}},
		// A search checks a derived context.
		{"gander/search_text", `{"path":"%s/wide","pattern":"y"}`, []int64{0, 1}},
		{"gander/search_text", `{"path":"%s/prose","pattern":"y"}`, []int64{0, 1}},
	} {
		i := slices.IndexFunc(tools, func(each tool.Tool) bool { return each.Spec().ID == tt.tool })
		args := strings.ReplaceAll(tt.args, "%s", root)
		for _, asks := range tt.asks {
			p := newCountdown(t, asks)
			result, err := tools[i].Call(p, tool.Call{Args: []byte(args)})
			took, later := time.Since(p.over), p.later.Load()
			if p.left.Load() >= 0 || !errors.Is(err, context.Canceled) || took > tooLong ||
				later > buffered {
				t.Errorf("%s %s, done after %d: ends %v later, asks %d times more: %.100q, %v",
					tt.tool, tt.args, asks, took, later, result.Text(), err)
			}
		}
	}
}

// anchored returns the arguments to read the block around the third line of a file.
func anchored(name string) string {
	return `{"file_path":"%s/` + name + `","mode":"indentation","indentation":{"anchor_line":3}}`
}

// callsEnd checks that every call returns when it is canceled, and when its timeout expires.
func callsEnd(t *testing.T, root string) {
	line := strings.Repeat("abcabcbacb aab cba ", 1<<16)
	testkit.Must(t, os.WriteFile(root+"/slow", []byte(strings.Repeat(line+"\n", 40)), 0o600))
	calls := []struct{ tool, args string }{ // with %s for the root
		{"gander/list_dir", `{"path":"wide"}`},
		{"gander/list_dir", `{"path":"wide","offset":100000}`},
		{"gander/list_dir", `{"depth":3}`},
		{"gander/find_files", `{"pattern":"*.none"}`},
		{"gander/read_file", `{"path":"prose","offset":20000}`},
		{"gander/read_file", `{"path":"prose","offset":-20000}`},
		{"gander/read_file", `{"path":"prose:1:90000000000"}`},
		{"gander/read_file", `{"path":"prose","block":1}`},
		{"gander/search_text", `{"pattern":"x","path":"endless"}`},
		{"gander/search_text", `{"pattern":"x","path":"endless","output":"counts"}`},
		{"gander/search_text", `{"pattern":"(a*)*x","path":"slow"}`},
		{"gander/search_text", `{"pattern":".{1000}x","path":"slow"}`},
		{"gander/search_text", `{"pattern":"(a|b|c)*d.{50}e","path":"slow"}`},
		{"gander/search_text", `{"pattern":"\\w.{40}\\d.{40}[A-Z]Q","path":"slow"}`},
		{"codex/list_dir", `{"dir_path":"%s/wide"}`},
		{"codex/list_dir", `{"dir_path":"%s/wide","offset":100000}`},
		{"gemini/list_directory", `{"path":"%s/wide"}`},
		{"forge/list_directory", `{"path":"wide"}`},
		{"toolkit/tree", `{"path":"wide","entry_kind":"all"}`},
		{"filesystem/read_text_file", `{"path":"endless","tail":1000000000}`},
		{"filesystem/list_directory", `{"path":"wide"}`},
		{"filesystem/list_directory_with_sizes", `{"path":"wide"}`},
		{"filesystem/directory_tree", `{"path":"wide"}`},
		{"filesystem/search_files", `{"path":".","pattern":"**/none"}`},
		{"codex/grep_files", `{"pattern":"x","path":"wide"}`},
		{"codex/grep_files", `{"pattern":"x","path":"endless"}`},
		{"codex/read_file", `{"file_path":"%s/endless","offset":20000}`},
		{"codex/read_file", `{"file_path":"%s/endless","mode":"indentation"}`},
		{"codex/read_file", `{"file_path":"%s/line","offset":3}`},
		{"codex/read_file", anchored("line")},
	}
	const soon = 2 * time.Millisecond
	for _, timeout := range []time.Duration{-1, soon} {
		toolset := testkit.Open(t, gander.Options{
			Roots: []string{root}, Tools: []string{"all"}, Limits: gander.Limits{Timeout: timeout},
		})
		for _, c := range calls {
			ctx, cancel := context.WithCancel(t.Context())
			end, want := time.Now().Add(soon), tool.Timeout
			if timeout < 0 {
				want = tool.Cancelled
				time.AfterFunc(soon, cancel)
			}
			result, err := toolset.Call(ctx, c.tool, []byte(strings.ReplaceAll(c.args, "%s", root)))
			took := time.Since(end)
			cancel()
			var e *tool.Error
			if !errors.As(err, &e) || e.Kind != want || took > tooLong {
				t.Errorf("%s %s: %.100q, %v, %v after its end", c.tool, c.args, result.Text(), err, took)
			}
		}
	}
}
