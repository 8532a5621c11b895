package workspace_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gander/internal/files/workspace"
	"gander/internal/tools/codex"
	"gander/tool"
)

// settles is the age of a stable version here. It is longer than the granularity of file systems'
// clocks.
const settles = 100 * time.Millisecond

// A window tracks the states that are visible while a writer replaces one numbered state by the
// next.
type window struct{ began, done atomic.Int64 }

// change makes the next state.
func (w *window) change(make func(state int64) error) error {
	state := w.began.Add(1)
	err := make(state)
	w.done.Store(state)
	return err
}

// A reader reads through the tools of a workspace.
type reader struct {
	t          *testing.T
	name       string
	ctx        context.Context
	workspace  *workspace.Workspace
	list, read tool.Tool
	answered   atomic.Int64
}

func newReader(t *testing.T, root string, cacheBytes int) *reader {
	w, err := workspace.Open(workspace.Options{CacheBytes: cacheBytes}, root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	if cacheBytes > 0 {
		workspace.SettleAfter(w, settles)
	}
	return &reader{
		t:         t,
		ctx:       t.Context(),
		name:      fmt.Sprintf("%d bytes of cache", cacheBytes),
		workspace: w,
		list:      codex.NewListDir(w, codex.ListDirSettings{Limit: 25, Depth: 1, VerbatimNames: true}),
		read:      codex.NewReadFile(w, codex.ReadFileSettings{Limit: 2000, MaxLevels: 4}),
	}
}

func (r *reader) call(to tool.Tool, args map[string]any) string {
	raw, err := json.Marshal(args)
	if err != nil {
		r.t.Fatal(err)
	}
	result, err := to.Call(r.ctx, tool.Call{Args: raw})
	r.answered.Add(1)
	if err != nil {
		return "error: " + err.Error()
	}
	return result.Text()
}

// TestCacheRace runs writers, which pause so that something can be cached, against readers with and
// without a cache. Every output must be possible during the call. Afterwards both readers must
// return the same.
func TestCacheRace(t *testing.T) {
	t.Parallel() // it also waits
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	crowd, texts := newCrowd(t, root+"/crowd"), []*text{
		newText(t, root+"/replaced", (*text).replace), newText(t, root+"/rewritten", (*text).rewrite), newText(t, root+"/grown", (*text).grow),
	}
	readers := []*reader{newReader(t, root, 0), newReader(t, root, 8<<20)}

	var over atomic.Bool
	time.AfterFunc(1500*time.Millisecond, func() { over.Store(true) })
	var all sync.WaitGroup
	writer := func(seed uint64, change func(r *rand.Rand) error) {
		all.Go(func() {
			r := rand.New(rand.NewPCG(seed, 7))
			for !over.Load() {
				for range 1 + r.IntN(20) {
					if err := change(r); err != nil {
						t.Error(err)
						return
					}
				}
				time.Sleep(time.Duration(r.IntN(int(3 * settles))))
			}
		})
	}
	writer(1, crowd.change)
	for i, f := range texts {
		writer(uint64(2+i), func(r *rand.Rand) error { return f.window.change(func(state int64) error { return f.write(f, state) }) })
	}
	for i, r := range readers {
		for n := range 2 {
			all.Go(func() {
				random := rand.New(rand.NewPCG(uint64(i), uint64(n)))
				for !over.Load() && !t.Failed() {
					if random.IntN(3) == 0 {
						crowd.check(r, random)
					} else {
						texts[random.IntN(len(texts))].check(r, random)
					}
				}
			})
		}
	}
	all.Wait()
	for _, r := range readers {
		t.Logf("%s: %d answers", r.name, r.answered.Load())
	}

	time.Sleep(2 * settles)
	random := rand.New(rand.NewPCG(8, 9))
	for range 100 {
		crowd.compare(readers, random)
		for _, f := range texts {
			f.compare(readers, random)
		}
	}
	directories, files := workspace.Keeps(root)
	w := readers[1].workspace
	if order, lines := workspace.HasCached(w, "codex/list_dir"), workspace.HasCached(w, "lines"); order != directories || lines != files {
		t.Errorf("cached: the order of the directory: %v, want %v; the lines of files: %v, want %v", order, directories, lines, files)
	}
}

// TestChangedMeanwhile checks that a file is read again if it changes after its cached value was
// validated.
func TestChangedMeanwhile(t *testing.T) {
	t.Parallel() // it mostly waits
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, files := workspace.Keeps(root); !files {
		t.Skip("nothing is cached of files on this file system")
	}
	f := newText(t, root+"/rewritten", (*text).rewrite)
	r := newReader(t, root, 1<<20)
	args := map[string]any{"file_path": f.path, "offset": lines - page, "limit": page}
	for state := range int64(3) {
		time.Sleep(2 * settles)
		for range 2 {
			if got, want := r.call(r.read, args), f.page(state, lines-page); got != want {
				t.Errorf("at rest: read\n%s\nnot\n%s", got, want)
			}
		}
		asked := 0
		r.ctx = &asking{t.Context(), func() {
			if asked++; asked == 1+int(state) { // before the first block is read, or a later one
				if err := f.rewrite(state + 1); err != nil {
					t.Error(err)
				}
			}
		}}
		if got, before, after := r.call(r.read, args), f.page(state, lines-page), f.page(state+1, lines-page); asked > int(state) && got != before && got != after {
			t.Errorf("changed meanwhile: read\n%s\nneither\n%s\nnor\n%s", got, before, after)
		} else if asked <= int(state) {
			break
		}
		r.ctx = t.Context()
	}
}

// asking is a context that calls a function when it is asked whether it is done.
type asking struct {
	context.Context
	asked func()
}

func (c *asking) Err() error {
	c.asked()
	return c.Context.Err()
}

// same compares the output of both readers twice, because the second may come from the cache.
func same(readers []*reader, args map[string]any, of func(*reader) tool.Tool) {
	var want string
	for i, r := range append(readers, readers[1]) {
		got := r.call(of(r), args)
		if i == 0 {
			want = got
		} else if got != want {
			r.t.Errorf("%v, at rest: with a cache\n%s\nwithout\n%s", args, got, want)
		}
	}
}

const (
	stay  = 5000 // entries that stay
	come  = 40   // entries that come and go
	first = 100  // entries on a page
)

// A crowd is a directory with many entries that stay and a few that are created and removed.
type crowd struct {
	path  string
	comes []window // by number; an odd state is that the entry is there
}

func newCrowd(t *testing.T, path string) *crowd {
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range stay {
		if err := os.WriteFile(fmt.Sprintf("%s/s%04d", path, i), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return &crowd{path, make([]window, come)}
}

// entry returns the line about a changing entry, or "" if it is removed. It is created as another
// kind each time.
func entry(i int, state int64) string {
	if state%2 == 0 {
		return ""
	}
	return fmt.Sprintf("m%02d%s", i, []string{"", "/", "@"}[state/2%3])
}

func (c *crowd) change(r *rand.Rand) error {
	i := r.IntN(come)
	return c.comes[i].change(func(state int64) error {
		path := fmt.Sprintf("%s/m%02d", c.path, i)
		switch line := entry(i, state); {
		case line == "":
			return os.Remove(path)
		case strings.HasSuffix(line, "/"):
			return os.Mkdir(path, 0o755)
		case strings.HasSuffix(line, "@"):
			return os.Symlink("none", path)
		default:
			return os.WriteFile(path, nil, 0o644)
		}
	})
}

func (c *crowd) args(r *rand.Rand) map[string]any {
	args := map[string]any{"dir_path": c.path, "depth": 1, "limit": first}
	if r.IntN(2) == 0 {
		args["offset"] = 1 + come + r.IntN(stay-2*come-first)
	}
	return args
}

func (c *crowd) compare(readers []*reader, random *rand.Rand) {
	same(readers, c.args(random), func(r *reader) tool.Tool { return r.list })
}

// check lists the first page, which holds the changing entries, or a later page, which they shift.
func (c *crowd) check(r *reader, random *rand.Rand) {
	var before [come]int64
	for i := range c.comes {
		before[i] = c.comes[i].done.Load()
	}
	args := c.args(random)
	lines := strings.Split(r.call(r.list, args), "\n")
	least, most, shown := 0, 0, 1
	for i := range c.comes {
		seen := ""
		if args["offset"] == nil && shown < len(lines) && strings.HasPrefix(lines[shown], fmt.Sprintf("m%02d", i)) {
			seen = lines[shown]
			shown++
		}
		possible, always, ever := false, true, false
		for state := before[i]; state <= c.comes[i].began.Load(); state++ {
			line := entry(i, state)
			possible = possible || line == seen
			always, ever = always && line != "", ever || line != ""
		}
		if args["offset"] == nil && !possible {
			r.t.Errorf("%s: entry %d is shown as %q, which it was not in states from %d on", r.name, i, seen, before[i])
		}
		if always {
			least++
		}
		if ever {
			most++
		}
	}
	next, from := 0, 0
	if offset, ok := args["offset"].(int); ok {
		if _, err := fmt.Sscanf(lines[1], "s%d", &next); err != nil {
			r.t.Errorf("%s: at offset %d: %q", r.name, offset, lines[1])
			return
		}
		if from = offset - 1 - next; from < least || from > most {
			r.t.Errorf("%s: %d entries come before the first of %d, not %d to %d", r.name, from, stay, least, most)
		}
	}
	want := lines[:shown:shown]
	for ; len(want) <= first; next++ {
		want = append(want, fmt.Sprintf("s%04d", next))
	}
	want = append(want, fmt.Sprintf("More than %d entries found", first))
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		r.t.Errorf("%s: listed\n%s\nnot\n%s", r.name, got, strings.Join(want, "\n"))
	}
}

// lines is how many lines a file has at first.
const lines = 1500

// A text is a file whose lines show its state.
type text struct {
	path   string
	write  func(f *text, state int64) error
	window window
}

func newText(t *testing.T, path string, write func(*text, int64) error) *text {
	f := &text{path: path, write: write}
	if err := os.WriteFile(path, []byte(f.content(0)), 0o644); err != nil {
		t.Fatal(err)
	}
	return f
}

// line returns line n in a state. It is the same in all states of a file that only grows.
func (f *text) line(state int64, n int) string {
	if strings.HasSuffix(f.path, "grown") {
		state = 0
	}
	width := (int(state)*31 + n*17) % 180
	if (n/400+int(state))%2 == 0 {
		width += 200 // lines begin somewhere else in every state
	}
	return fmt.Sprintf("line %d in state %d%*s", n, state, width, "")
}

// lines returns how many lines there are in a state.
func (f *text) lines(state int64) int {
	if strings.HasSuffix(f.path, "grown") {
		return lines + 3*int(state)
	}
	return lines
}

// content returns the whole file in a state. Its length is always the same, unless the file grows.
func (f *text) content(state int64) string {
	var b strings.Builder
	for n := range f.lines(state) {
		b.WriteString(f.line(state, n+1) + "\n")
	}
	if !strings.HasSuffix(f.path, "grown") {
		b.WriteString(strings.Repeat("-", 400*lines-b.Len()))
	}
	return b.String()
}

// replace replaces f by another file in one step.
func (f *text) replace(state int64) error {
	next := f.path + ".next"
	return errors.Join(os.WriteFile(next, []byte(f.content(state)), 0o644), os.Rename(next, f.path))
}

// rewrite overwrites f and restores its modification time.
func (f *text) rewrite(state int64) error {
	info, err := os.Stat(f.path)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(f.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(f.content(state))
	return errors.Join(err, file.Close(), os.Chtimes(f.path, time.Time{}, info.ModTime()))
}

// grow appends lines.
func (f *text) grow(state int64) error {
	file, err := os.OpenFile(f.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	for n := f.lines(state - 1); n < f.lines(state) && err == nil; n++ {
		_, err = file.WriteString(f.line(state, n+1) + "\n")
	}
	return errors.Join(err, file.Close())
}

// page is how many lines are read at a time.
const page = 4

// page returns the output for a page of a state, beginning at line n.
func (f *text) page(state int64, n int) string {
	var shown []string
	for i := range page {
		shown = append(shown, fmt.Sprintf("L%d: %s", n+i, f.line(state, n+i)))
	}
	return strings.Join(shown, "\n")
}

func (f *text) args(r *rand.Rand, state int64) map[string]any {
	return map[string]any{"file_path": f.path, "offset": 1 + r.IntN(f.lines(state)-page), "limit": page}
}

func (f *text) compare(readers []*reader, random *rand.Rand) {
	same(readers, f.args(random, f.window.done.Load()), func(r *reader) tool.Tool { return r.read })
}

// check reads a page. It must be of one state, unless the file is being overwritten.
func (f *text) check(r *reader, random *rand.Rand) {
	from := f.window.done.Load()
	args := f.args(random, from)
	got := r.call(r.read, args)
	to := f.window.began.Load()
	if strings.HasSuffix(f.path, "rewritten") && from != to {
		return
	}
	for state := from; state <= to; state++ {
		if got == f.page(state, args["offset"].(int)) {
			return
		}
	}
	r.t.Errorf("%s: %v: read\n%s\nwhich is of no state from %d to %d", r.name, args, got, from, to)
}
