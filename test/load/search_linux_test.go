package load

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// A searcher is a tool that searches and finds in the workspace of a toolset.
type searcher struct{ toolset *gander.Toolset }

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
	for r, err := range s.toolset.Search(ctx, args.Path, args.Name, gander.SearchOptions{Workers: args.Workers}) {
		if err != nil {
			return tool.Result{}, err
		}
		said += fmt.Sprintf("%s %s ", r.Path, r.Line.Text)
	}
	for e, err := range s.toolset.Find(ctx, args.Path, gander.FindOptions{Pattern: args.Name, OnlyFiles: true}) {
		if err != nil {
			return tool.Result{}, err
		}
		said += e.Path
	}
	return tool.Result{Parts: tool.Text(said)}, nil
}

// TestSearches: each of ten thousand searches that are asked for at once finds its own file, and none leaves a file open.
func TestSearches(t *testing.T) {
	var entries []string
	for i := range 100 {
		entries = append(entries, fmt.Sprintf("d%02d/e/only-%02d", i, i))
	}
	s := new(searcher)
	s.toolset = testkit.Open(t, gander.Options{Roots: []string{fixture.Make(t, entries...)}, Tools: []string{"codex", "gemini", "forge", "toolkit", "test"}, Limits: gander.Limits{Timeout: -1}, More: []tool.Tool{s}})
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
			result, err := s.toolset.Call(t.Context(), "test/search", tool.Call{Args: fmt.Appendf(nil, `{"path":"d%02d","name":"only-%02d","workers":%d}`, n, n, i%3)})
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
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}})
	for _, c := range []struct {
		path, pattern string
		options       gander.SearchOptions
	}{
		{"endless", "x", gander.SearchOptions{}},
		{"endless", "x", gander.SearchOptions{Output: gander.MatchCounts}},
		{"wide", "x", gander.SearchOptions{}},
		{"wide", "x", gander.SearchOptions{Workers: 2}},
		{"wide", "x", gander.SearchOptions{Files: gander.Files{Order: gander.NewestFirst}}},
		{"slow", `(a*)*x`, gander.SearchOptions{}},
		{"slow", `.{1000}x`, gander.SearchOptions{}},
		{"slow", `(a|b|c)*d.{50}e`, gander.SearchOptions{}},
		{"slow", `\w.{40}\d.{40}[A-Z]Q`, gander.SearchOptions{}},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		end := time.Now().Add(5 * time.Millisecond)
		time.AfterFunc(time.Until(end), cancel)
		var last error
		for _, err := range toolset.Search(ctx, c.path, c.pattern, c.options) {
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
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}})
	var before, after runtime.MemStats
	for _, pattern := range []string{"the end", `(?i)the\s+end$`, `\w+ the`, "nothing"} {
		for workers := range 3 {
			runtime.ReadMemStats(&before)
			found := 0
			for r, err := range toolset.Search(t.Context(), "", pattern, gander.SearchOptions{Workers: workers, Before: 1, After: 1}) {
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
