//go:build unix

package search_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gander/internal/files/ignore"
	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/testkit/fixture"
)

// largeText returns text of several blocks: lines of all lengths, some with "ab".
func largeText(r *rand.Rand, size int) []byte {
	var b bytes.Buffer
	for b.Len() < size {
		n := r.IntN(200)
		if r.IntN(5000) == 0 {
			n = r.IntN(600_000)
		}
		b.WriteString(strings.Repeat("-", n))
		if r.IntN(3000) == 0 || b.Len()%(1<<20) < 300 && r.IntN(2) == 0 {
			b.WriteString("ab")
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// largeTree makes a tree of small files, large files in all encodings, and files that are not
// searched.
func largeTree(t *testing.T, r *rand.Rand) string {
	t.Helper()
	var entries []string
	for i := range 120 {
		entries = append(entries, fmt.Sprintf("d%02d/f%d", i/7, i))
	}
	root := fixture.Make(t, append(entries, "a.pem", "d03/b.pem", ".git/", "d02/x.log")...)
	write(t, root+"/.gitignore", "*.log\n")
	for i, at := range []string{"d01/large", "d05/late-nul", "d09/mark", "d09/wide", "d11/nul", "large"} {
		text := largeText(r, (i+2)<<20)
		switch at {
		case "d05/late-nul":
			text[len(text)/2] = 0
		case "d09/mark":
			text = append([]byte("\xef\xbb\xbf"), text...)
		case "d09/wide":
			wide := []byte("\xff\xfe")
			for _, c := range text[:3<<20] {
				wide = append(wide, c, 0)
			}
			text = wide
		case "d11/nul":
			text[0] = 0
		}
		write(t, root+"/"+at, string(text))
	}
	for i := range 120 {
		if r.IntN(3) == 0 {
			write(t, fmt.Sprintf("%s/d%02d/f%d", root, i/7, i), string(largeText(r, r.IntN(3000)))+"ab\n")
		}
	}
	return root
}

// transcript describes the first results of a search, with the totals at each of them.
func transcript(t *testing.T, root, at string, o search.Options, results int) []string {
	t.Helper()
	w, start := open(t, root, workspace.Options{Deny: []string{"**/*.pem"}})
	if at != "" {
		start = start.Join(at)
	}
	var got []string
	o.Totals = new(search.Totals)
	o.Scope.Ignore = ignore.Options{Git: true}
	for r, err := range search.Search(t.Context(), w, start, mustCompile(t, "ab"), o) {
		l := r.Line
		got = append(got, fmt.Sprintf("%s %d %v %v: %d:%d:%d+%d %v %.30q %v; %+v", r.Path, r.Count,
			r.Binary, err, l.Number, l.Offset, l.Start, l.Length, l.Context, l.Text, len(l.Text),
			*o.Totals))
		if len(got) == results {
			break
		}
	}
	return append(got, fmt.Sprintf("%+v", *o.Totals))
}

// TestWorkers checks that results, errors and totals do not depend on the number of workers.
func TestWorkers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	root := largeTree(t, r)
	counts := []int{1, 2, 8}
	if testing.Short() {
		counts = counts[2:]
	}
	for _, at := range []string{"", "large", "d05/late-nul", "d09/mark", "d09/wide"} {
		for _, o := range []search.Options{
			{}, {Before: 2, After: 4}, {Before: 90}, {After: 1}, {Output: search.Names}, {Output: search.Counts},
		} {
			for _, results := range []int{-1, 1 + r.IntN(300)} {
				o.Workers = -1
				want := transcript(t, root, at, o, results)
				for _, o.Workers = range counts {
					got := transcript(t, root, at, o.Eager(), results)
					if d := difference(got, want); d != "" {
						t.Fatalf("%q with %d workers, %+v: %s", at, o.Workers, o, d)
					}
				}
			}
		}
	}
}

// TestProgress checks that progress is reported for entries that are not searched, at the same points
// with any number of workers, and that it can end the search there.
func TestProgress(t *testing.T) {
	entries := []string{"a/f", "z/f"}
	for i := range 10_000 {
		entries = append(entries, fmt.Sprintf("d%d/%d", i/1000, i))
	}
	w, start := open(t, fixture.Make(t, entries...), workspace.Options{})
	var want []string
	for _, workers := range []int{-1, 1, 8} {
		for _, ends := range []bool{false, true} {
			var calls []string
			totals := new(search.Totals)
			o := search.Options{Workers: workers, Totals: totals}.Eager()
			o.Scope.Globs = []string{"f"}
			o.Progress = func(size int64, file bool) bool {
				calls = append(calls, fmt.Sprint(size, file, totals.Visited))
				return file || !ends
			}
			for _, err := range search.Search(t.Context(), w, start, mustCompile(t, "f"), o) {
				if err != nil {
					t.Fatal(err)
				}
			}
			if want == nil {
				want = calls
			}
			if ends && len(calls) != 2 || !ends && (len(calls) < 4 || !slices.Equal(calls, want)) {
				t.Errorf("%d workers, ends: %v: %q, not %q", workers, ends, calls, want)
			}
		}
	}
}

// TestBlocks checks the lines of a file of several blocks, with context, with and without workers.
func TestBlocks(t *testing.T) {
	root := fixture.Make(t)
	text := largeText(rand.New(rand.NewPCG(1, 8)), 5<<20)
	write(t, root+"/f", string(text))
	w, start := open(t, root, workspace.Options{})
	for _, workers := range []int{-1, 2} {
		for _, around := range [][2]int{{0, 0}, {3, 2}, {40, 0}, {0, 40}} {
			o := search.Options{Before: around[0], After: around[1], Workers: workers}.Eager()
			checkLines(t, w, start.Join("f"), text, o)
		}
	}
}

// TestSparseFile checks that the end of a block is not looked for in the hole of a sparse file, which
// a search leaves at its first NUL. Reading the hole would take hours.
func TestSparseFile(t *testing.T) {
	root := fixture.Make(t)
	write(t, root+"/f", "ab\n")
	if err := os.Truncate(root+"/f", 1<<42); err != nil {
		t.Skip("this file system has no sparse files of 4 TiB: ", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, workers := range []int{-1, 2} {
		w, start := open(t, root, workspace.Options{})
		o := search.Options{Workers: workers}.Eager()
		for _, err := range search.Search(ctx, w, start, mustCompile(t, "cd"), o) {
			if err != nil {
				t.Fatalf("%d workers: %v", workers, err)
			}
		}
	}
}

// remaining returns the number of goroutines when those that have ended are gone.
func remaining(before int) int {
	for i := 0; i < 500 && runtime.NumGoroutine() > before; i++ {
		time.Sleep(time.Millisecond)
	}
	return runtime.NumGoroutine()
}

// TestWorkersEnd checks that no goroutine and no handle outlives a search, however it ends.
func TestWorkersEnd(t *testing.T) {
	root := largeTree(t, rand.New(rand.NewPCG(1, 9)))
	w, start := open(t, root, workspace.Options{})
	before, opened := runtime.NumGoroutine(), openHandles(t)
	run := func(workers, take, cancelAt int) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		taken := 0
		o := search.Options{Workers: workers}.Eager()
		for _, err := range search.Search(ctx, w, start, mustCompile(t, "ab"), o) {
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			if taken++; taken == take {
				break
			}
			if taken == cancelAt {
				cancel()
			}
		}
	}
	for _, workers := range []int{-1, 1, 8} {
		for _, take := range []int{1, 20, 500, 1 << 30} {
			for _, cancelAt := range []int{0, take / 2} {
				run(workers, take, cancelAt)
				if n := remaining(before); n > before {
					t.Errorf("%d goroutines after %d results, %d before", n, take, before)
				}
				if n := openHandles(t); n != opened {
					t.Errorf("%d handles after %d results, %d before", n, take, opened)
				}
			}
		}
	}
}

// TestWorkerPanics checks that a panic of a worker is a panic of the consumer and ends all workers.
func TestWorkerPanics(t *testing.T) {
	root := largeTree(t, rand.New(rand.NewPCG(1, 9)))
	w, start := open(t, root, workspace.Options{})
	before := runtime.NumGoroutine()
	panicked := func() (value any) {
		defer func() { value = recover() }()
		o := search.Options{Workers: 4}.Started(func() { panic("a test") })
		for range search.Search(t.Context(), w, start, mustCompile(t, "ab"), o) {
		}
		return nil
	}()
	if n := remaining(before); panicked != "a test" || n > before {
		t.Errorf("panicked with %v, %d goroutines, %d before", panicked, n, before)
	}
}

// TestConsumerPanics checks that no goroutine and no handle outlives a search whose consumer panics.
func TestConsumerPanics(t *testing.T) {
	root := largeTree(t, rand.New(rand.NewPCG(1, 9)))
	w, start := open(t, root, workspace.Options{})
	before, opened := runtime.NumGoroutine(), openHandles(t)
	for _, workers := range []int{-1, 8} {
		for _, at := range []string{"", "large"} {
			func() {
				defer func() { _ = recover() }()
				o := search.Options{Workers: workers}.Eager()
				for r := range search.Search(t.Context(), w, start.Join(at), mustCompile(t, "ab"), o) {
					if r.Line.Number > 2 {
						panic("a test")
					}
				}
			}()
			if n := remaining(before); n > before || openHandles(t) != opened {
				t.Errorf("%d goroutines, %d before; %d handles, %d before", n, before,
					openHandles(t), opened)
			}
		}
	}
}

// TestWorkersJoin checks that workers join a search that takes long, and only that.
func TestWorkersJoin(t *testing.T) {
	if runtime.GOMAXPROCS(0) == 1 {
		t.Skip("there is one processor")
	}
	root := largeTree(t, rand.New(rand.NewPCG(1, 9)))
	if err := os.Remove(root + "/large"); err != nil {
		t.Fatal(err)
	}
	w, start := open(t, root, workspace.Options{})
	before, first, most := runtime.NumGoroutine(), -1, 0
	begun, early := time.Now(), false
	m := mustCompile(t, "ab|---")
	for range search.Search(t.Context(), w, start, m, search.Options{}) {
		n := runtime.NumGoroutine()
		if first < 0 {
			first, early = n, time.Since(begun) < 3*time.Millisecond
			time.Sleep(5 * time.Millisecond)
		}
		most = max(most, n)
	}
	if early && first != before || most == before {
		t.Errorf("%d goroutines before, %d at the first result, at most %d", before, first, most)
	}
}
