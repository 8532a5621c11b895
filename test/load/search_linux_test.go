package load

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gander"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/search/match"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// A searcher is a tool that searches and finds in a workspace.
type searcher struct{ workspace *workspace.Workspace }

func openSearcher(t *testing.T, root string) *searcher {
	w, err := workspace.Open(workspace.Options{}, root)
	testkit.Must(t, err)
	t.Cleanup(func() { _ = w.Close() })
	return &searcher{w}
}

func (*searcher) Spec() tool.Spec { return tool.Spec{ID: "test/search", Name: "search"} }

func (s *searcher) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	var args struct {
		Path, Name string
		Workers    int
	}
	if err := json.Unmarshal(c.Args, &args); err != nil {
		return tool.Result{}, err
	}
	said := ""
	for r, err := range s.search(ctx, args.Path, args.Name, search.Options{Workers: args.Workers}) {
		if err != nil {
			return tool.Result{}, err
		}
		said += fmt.Sprintf("%s %s ", r.Path, r.Line.Text)
	}
	start, err := s.workspace.Find(args.Path)
	if err != nil {
		return tool.Result{}, err
	}
	o := search.FindOptions{Pattern: args.Name, Kinds: []workspace.EntryKind{workspace.Regular}}
	for e, err := range search.Find(ctx, s.workspace, start, o) {
		if err != nil {
			return tool.Result{}, err
		}
		said += e.Path()
	}
	return tool.Result{Parts: tool.Text(said)}, nil
}

// search searches below a path.
func (s *searcher) search(ctx context.Context, path, pattern string, o search.Options) iter.Seq2[search.Result, error] {
	return func(yield func(search.Result, error) bool) {
		start, err := s.workspace.Find(path)
		m, badPattern := match.Compile(ctx, pattern, match.Options{})
		if err := errors.Join(err, badPattern); err != nil {
			yield(search.Result{}, err)
			return
		}
		search.Search(ctx, s.workspace, start, m, o)(yield)
	}
}

// TestSearches: each of ten thousand searches that are asked for at once finds its own file, and none leaves a file open.
func TestSearches(t *testing.T) {
	var entries []string
	for i := range 100 {
		entries = append(entries, fmt.Sprintf("d%02d/e/only-%02d", i, i))
	}
	root := fixture.Make(t, entries...)
	s := openSearcher(t, root)
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Limits: gander.Limits{Timeout: -1}, ExtraTools: []tool.Tool{s}})
	handles := func() int {
		open, err := os.ReadDir("/proc/self/fd")
		testkit.Must(t, err)
		return len(open)
	}
	before := handles()
	var all sync.WaitGroup
	for i := range inFlight() {
		all.Go(func() {
			n := i % 100
			result, err := toolset.Call(t.Context(), "test/search", fmt.Appendf(nil, `{"path":"d%02d","name":"only-%02d","workers":%d}`, n, n, i%3))
			if want := fmt.Sprintf("e/only-%02d  e/only-%02d d%02d/e/only-%02d e/only-%02d", n, n, n, n, n); err != nil || result.Text() != want {
				t.Errorf("told %q, not %q, %v", result.Text(), want, err)
			}
		})
	}
	all.Wait()
	if left := handles() - before; left != 0 {
		t.Errorf("%d files are left open", left)
	}
}

// searchesEnd: a search ends soon after it is cancelled: in a huge file, in a huge directory, and with patterns that take long for each
// byte.
func searchesEnd(t *testing.T, root string) {
	line := strings.Repeat("abcabcbacb aab cba ", 1<<16)
	testkit.Must(t, os.WriteFile(root+"/slow", []byte(strings.Repeat(line+"\n", 40)), 0o600))
	s := openSearcher(t, root)
	for _, c := range []struct {
		path, pattern string
		options       search.Options
	}{
		{"endless", "x", search.Options{}},
		{"endless", "x", search.Options{Output: search.Counts}},
		{"wide", "x", search.Options{}},
		{"wide", "x", search.Options{Workers: 2}},
		{"wide", "x", search.Options{Scope: search.Scope{Order: walk.NewestFirst}}},
		{"slow", `(a*)*x`, search.Options{}},
		{"slow", `.{1000}x`, search.Options{}},
		{"slow", `(a|b|c)*d.{50}e`, search.Options{}},
		{"slow", `\w.{40}\d.{40}[A-Z]Q`, search.Options{}},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		end := time.Now().Add(5 * time.Millisecond)
		time.AfterFunc(time.Until(end), cancel)
		var last error
		for _, err := range s.search(ctx, c.path, c.pattern, c.options) {
			last = err
		}
		took := time.Since(end)
		cancel()
		if took > tooLong || took > 0 && !errors.Is(last, context.Canceled) {
			t.Errorf("%s in %s: %v, %v after its end", c.pattern, c.path, last, took)
		}
		t.Logf("%s in %s: %v after its end", c.pattern, c.path, took)
	}
}

// TestLongLine: a line of any length needs little memory. GANDER_LINE sets its length in GB.
func TestLongLine(t *testing.T) {
	size := int64(64 << 20)
	if testing.Short() {
		size = 32 << 20
	}
	if text := os.Getenv("GANDER_LINE"); text != "" {
		n, err := strconv.Atoi(text)
		testkit.Must(t, err)
		size = int64(n) << 30
	}
	root := fixture.Make(t)
	f, err := os.Create(root + "/line")
	testkit.Must(t, err)
	block := []byte(strings.Repeat("no line feed here ", 1<<16))
	for written := int64(0); written < size; written += int64(len(block)) {
		_, err := f.Write(block)
		testkit.Must(t, err)
	}
	_, err = f.WriteString("the end")
	testkit.Must(t, errors.Join(err, f.Close()))
	s := openSearcher(t, root)
	var before, after runtime.MemStats
	for _, pattern := range []string{"the end", `(?i)the\s+end$`, `\w+ the`, "nothing"} {
		for workers := range 3 {
			runtime.ReadMemStats(&before)
			found := 0
			for r, err := range s.search(t.Context(), "", pattern, search.Options{Workers: workers, Before: 1, After: 1}) {
				testkit.Must(t, err)
				if r.Line.Number > 0 {
					found++
				}
			}
			runtime.ReadMemStats(&after)
			if (found == 1) != (pattern != "nothing") {
				t.Errorf("%q: %d lines", pattern, found)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
				t.Errorf("%q needs %d MiB in all", pattern, used>>20)
			}
		}
	}
}

// TestSearchMemory: the program stays below 64 MB, whatever it searches for: with patterns whose automata explode, in many lines and in
// long ones, with matches everywhere, and newest first.
func TestSearchMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program")
	}
	root := fixture.Make(t, "many/")
	var lines strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&lines, "%d abcabdbcacdcb 1Z Q %d\n", i, i*7919)
	}
	testkit.Must(t, os.WriteFile(root+"/lines", []byte(lines.String()), 0o600))
	testkit.Must(t, os.WriteFile(root+"/long", []byte(strings.ReplaceAll(lines.String(), "\n", " ")), 0o600))
	for i := range 2_000 {
		testkit.Must(t, os.WriteFile(fmt.Sprintf("%s/many/a-file-with-a-name-%05d", root, i), []byte("abc\n"), 0o600))
	}
	p := startAll(t, root)
	for _, pattern := range []string{`(a*)*b`, `.{1000}`, `(a|b|c)*d.{50}e`, `\w.{40}\d.{40}[A-Z]Q`, `\w{300}`, `(?i)abc`, `[ab]{0,1000}c`, "nothing"} {
		p.call(t, "codex/grep_files", fmt.Sprintf(`{"pattern":%q,"limit":100000}`, pattern))
		p.call(t, "gander/search_text", fmt.Sprintf(`{"pattern":%q,"limit":100000,"context":100}`, pattern))
	}
	if kib := p.peak(t); kib > 64_000_000>>10 {
		t.Errorf("the peak is %d KiB", kib)
	} else {
		t.Logf("the peak is %d KiB", kib)
	}
}
