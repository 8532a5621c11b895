package search_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"gander/internal/files/ignore"
	"gander/internal/files/walk"
	"gander/internal/search"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/handles"
)

// slowSystem reports whether files are slow, as under Wine, and little is to be tested.
func slowSystem() bool { return testing.Short() && runtime.GOOS == "windows" }

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
func largeTree(t *testing.T) string {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 7))
	var entries []string
	for i := range 120 {
		entries = append(entries, fmt.Sprintf("d%02d/f%d", i/7, i))
	}
	root := fixture.Make(t, append(entries, "a.pem", "d03/b.pem", ".git/", "d02/x.log")...)
	write(t, root+"/.gitignore", "*.log\n")
	large := []string{"d01/large", "d05/late-nul", "d09/mark", "d09/wide", "d11/early-nul", "large"}
	for i, at := range large {
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
		case "d11/early-nul":
			text[0] = 0
		}
		write(t, root+"/"+at, string(text))
	}
	for i := range 120 {
		if r.IntN(3) == 0 {
			text := string(largeText(r, r.IntN(3000))) + "ab\n"
			write(t, fmt.Sprintf("%s/d%02d/f%d", root, i/7, i), text)
		}
	}
	return root
}

// TestWorkers checks that results, errors and totals do not depend on the number of workers, in any
// order of the walk.
func TestWorkers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	tr := open(t, largeTree(t))
	counts := []int{1, 2, 8}
	paths := []string{"", "large", "d05/late-nul", "d09/mark", "d09/wide"}
	if testing.Short() {
		counts = counts[2:]
	}
	if slowSystem() {
		paths = paths[1:]
	}
	// described returns the first results of a search, with the totals at each of them.
	described := func(tr tree, o search.Options, limit int) (got []string) {
		o.Totals = new(search.Totals)
		o.Scope.Ignore = ignore.Options{Git: true}
		for r, err := range tr.search(t.Context(), "ab", o) {
			l := r.Line
			got = append(got, fmt.Sprintf("%s %d %v %v: %d:%d+%d %v %.30q %v; %+v", r.Path, r.Count,
				r.Binary, err, l.Number, l.Offset, l.Length, l.Context, l.Text, len(l.Text), *o.Totals))
			if len(got) == limit {
				break
			}
		}
		return append(got, fmt.Sprintf("%+v", *o.Totals))
	}
	for _, at := range paths {
		for _, o := range []search.Options{
			{},
			{Before: 2, After: 4},
			{Before: 90},
			{After: 1},
			{Output: search.Names},
			{Output: search.Counts},
			{Scope: search.Scope{Order: walk.PathOrder}},
			{Scope: search.Scope{Order: walk.NewestFirst}, Output: search.Names},
		} {
			for _, most := range []int{-1, 1 + r.IntN(300)} {
				o.Workers = -1
				want := described(tr.at(at), o, most)
				for _, o.Workers = range counts {
					got := described(tr.at(at), o.Eager(), most)
					if d := difference(got, want); d != "" {
						t.Fatalf("%q with %d workers, %+v: %s", at, o.Workers, o, d)
					}
				}
			}
		}
	}
}

// TestSparseFile checks that a search does not read the hole of a sparse file to find the end of a
// block: it leaves the file at the first NUL. Reading the hole would take hours.
func TestSparseFile(t *testing.T) {
	root := fixture.Make(t)
	write(t, root+"/f", "ab\n")
	if err := os.Truncate(root+"/f", 1<<42); err != nil {
		t.Skip("this file system has no sparse files of 4 TiB: ", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, workers := range []int{-1, 2} {
		o := search.Options{Workers: workers}.Eager()
		for _, err := range open(t, root).search(ctx, "cd", o) {
			if err != nil {
				t.Fatalf("%d workers: %v", workers, err)
			}
		}
	}
}

func panicInWorker() { panic("panic") }

// TestEnds checks, for each way to end a search, that no goroutine and no handle outlives it, and
// that a panic of a worker, with its stack, or of the caller reaches the caller.
func TestEnds(t *testing.T) {
	tr := open(t, largeTree(t))
	goroutines, before, workerPanics := runtime.NumGoroutine(), handles.Count(t), 0
	run := func(at string, o search.Options, how string, after int) (panicked any) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		defer func() { panicked = recover() }()
		taken := 0
		if how == "cancelled" {
			cancel()
		}
		for _, err := range tr.at(at).search(ctx, "ab", o) {
			if how == "cancelled" && err == nil {
				t.Error("yielded a result")
			}
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			if taken++; taken != after {
				continue
			}
			switch how {
			case "break":
				return nil
			case "cancel":
				cancel()
			case "panic":
				panic(how)
			}
		}
		return nil
	}
	for _, how := range []string{"break", "cancel", "cancelled", "panic", "worker"} {
		for _, workers := range []int{-1, 1, 8} {
			for _, after := range []int{1, 20, 500, 1 << 30} {
				for _, at := range []string{"", "large"} {
					o := search.Options{Workers: workers}.Eager()
					if how == "worker" && workers > 0 {
						o = o.OnTask(panicInWorker)
					}
					panicked := run(at, o, how, after)
					for i := 0; i < 500 && runtime.NumGoroutine() > goroutines; i++ {
						time.Sleep(time.Millisecond)
					}
					label := fmt.Sprintf("%q, %d workers, %s after %d", at, workers, how, after)
					if n := runtime.NumGoroutine(); n > goroutines {
						t.Errorf("%s: %d goroutines, %d before", label, n, goroutines)
					}
					if n := handles.Count(t); n != before {
						t.Errorf("%s: %d handles, %d before", label, n, before)
					}
					stack := fmt.Sprint(panicked)
					if how == "worker" && strings.Contains(stack, "panicInWorker") {
						workerPanics++
					} else if want := how == "panic" && after < 500; want != (panicked == "panic") {
						t.Errorf("%s: panicked with %v", label, panicked)
					}
				}
			}
		}
	}
	if workerPanics == 0 { // nobody needs the results of a slow worker
		t.Error("no panic of a worker has reached the caller")
	}
}

// TestWorkersJoin checks that workers join a search that takes long.
func TestWorkersJoin(t *testing.T) {
	if runtime.GOMAXPROCS(0) == 1 {
		t.Skip("there is one processor")
	}
	tr := open(t, largeTree(t)).at("d01")
	before := runtime.NumGoroutine()
	for range tr.results("ab|---", search.Options{}) {
		time.Sleep(time.Millisecond)
		if runtime.NumGoroutine() > before {
			return
		}
	}
	t.Errorf("there are only %d goroutines", before)
}

// TestTruncated truncates a file of 1 TB while it is searched. The search must then end soon.
func TestTruncated(t *testing.T) {
	root := fixture.Make(t)
	tr := open(t, root).at("f")
	write(t, root+"/f", strings.Repeat("ab"+strings.Repeat("-", 1000)+"\n", 5000))
	for _, workers := range []int{-1, 2} {
		if err := os.Truncate(root+"/f", 1<<40); err != nil {
			t.Skip("this file system has no sparse files: ", err)
		}
		begun, lines := time.Now(), 0
		for r := range tr.results("ab", search.Options{Workers: workers}.Eager()) {
			if r.Line.Number > 0 {
				lines++
			}
			if lines == 1 {
				if err := os.Truncate(root+"/f", 3<<20); err != nil {
					t.Fatal(err)
				}
			}
		}
		if passed := time.Since(begun); lines < 2000 || passed > time.Minute {
			t.Errorf("%d workers: %d lines in %v", workers, lines, passed)
		}
	}
}

// TestOpenDirectories checks that a search with workers holds few directories open.
func TestOpenDirectories(t *testing.T) {
	var entries []string
	for i := range 600 {
		entries = append(entries, fmt.Sprintf("d%03d/f", i))
	}
	tr := open(t, fixture.Make(t, entries...))
	before, most := handles.Count(t), 0
	if before < 0 {
		t.Skip("this system does not list open files")
	}
	for range tr.results("f", search.Options{Workers: 8, Output: search.Names}.Eager()) {
		most = max(most, handles.Count(t)-before)
	}
	if most > 120 {
		t.Errorf("%d handles are open", most)
	}
}
