//go:build unix

package search_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/testkit/fixture"
)

// TestRewritten searches a file of several blocks while the lines before each block change. Every
// line must have a number.
func TestRewritten(t *testing.T) {
	const block, changing = 1 << 20, 300
	root := fixture.Make(t)
	write(t, root+"/f", strings.Repeat("ab"+strings.Repeat("-", block-3)+"\n", 5))
	f, err := os.OpenFile(root+"/f", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	stop := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			text := []byte(strings.Repeat([]string{"a\n", "--"}[i%2], changing/2))
			for at := block - changing - 1; at < 5*block; at += block {
				if _, err := f.WriteAt(text, int64(at)); err != nil {
					t.Error(err)
				}
			}
		}
	})
	defer writer.Wait()
	defer close(stop)
	w, start := open(t, root, workspace.Options{})
	for i := range 100 {
		files := 0
		o := search.Options{Before: 40, After: 40, Workers: i%3 - 1}.Eager()
		for r, err := range search.Search(t.Context(), w, start.Join("f"), mustCompile(t, "ab"), o) {
			if err != nil {
				t.Fatal(err)
			}
			if r.Line.Number <= 0 {
				files++
			}
		}
		if files > 1 {
			t.Fatalf("%d lines without a number", files-1)
		}
	}
}

// TestTruncated truncates a file of 1 TB while it is searched, which must then end soon.
func TestTruncated(t *testing.T) {
	root := fixture.Make(t)
	write(t, root+"/f", strings.Repeat("ab"+strings.Repeat("-", 1000)+"\n", 5000))
	if err := os.Truncate(root+"/f", 1<<40); err != nil {
		t.Skip("this file system has no sparse files: ", err)
	}
	w, start := open(t, root, workspace.Options{})
	for _, workers := range []int{-1, 2} {
		begun, lines := time.Now(), 0
		o := search.Options{Workers: workers}.Eager()
		for r, err := range search.Search(t.Context(), w, start.Join("f"), mustCompile(t, "ab"), o) {
			if err != nil {
				t.Fatal(err)
			}
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
		if err := os.Truncate(root+"/f", 1<<40); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOpenDirectories checks that a search with workers holds few directories open.
func TestOpenDirectories(t *testing.T) {
	var entries []string
	for i := range 600 {
		entries = append(entries, fmt.Sprintf("d%03d/f", i))
	}
	w, start := open(t, fixture.Make(t, entries...), workspace.Options{})
	before, most := openHandles(t), 0
	o := search.Options{Workers: 8, Output: search.Names}.Eager()
	for range search.Search(t.Context(), w, start, mustCompile(t, "f"), o) {
		most = max(most, openHandles(t)-before)
	}
	if most > 120 {
		t.Errorf("%d handles are open", most)
	}
}
