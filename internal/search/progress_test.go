package search_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gander/internal/search"
	"gander/internal/testkit/fixture"
)

// TestProgress checks that progress is reported for skipped entries, at the same
// points with any number of workers, and that it can end the search there.
func TestProgress(t *testing.T) {
	if slowSystem() {
		t.Skip("makes 5,000 files")
	}
	entries := []string{"a/f", "z/f"}
	for i := range 5000 {
		entries = append(entries, fmt.Sprintf("d%d/%d", i/1000, i))
	}
	tr := open(t, fixture.Make(t, entries...))
	var want []string
	for _, workers := range []int{-1, 1, 8} {
		for _, ends := range []bool{false, true} {
			var calls []string
			totals := new(search.Totals)
			o := search.Options{Workers: workers, Totals: totals}.Eager()
			o.Scope.Globs = []string{"f"}
			o.Progress = func(size int64, file bool) bool {
				calls = append(calls, fmt.Sprint(size, file, totals.Listed))
				return file || !ends
			}
			for range tr.results("f", o) {
			}
			if want == nil {
				want = calls
			}
			if ends && len(calls) != 2 || !ends && (len(calls) != 3 || !slices.Equal(calls, want)) {
				t.Errorf("%d workers, ends: %v: %q, not %q", workers, ends, calls, want)
			}
		}
	}
}

// TestProgressWithoutFiles checks that progress is reported in a large directory, and among denied
// files, none of which is searched.
func TestProgressWithoutFiles(t *testing.T) {
	if slowSystem() {
		t.Skip("makes 8,400 files")
	}
	var files, denied []string
	for i := range 4200 {
		files = append(files, fmt.Sprintf("%d.txt", i))
	}
	for i := range 4200 {
		denied = append(denied, fmt.Sprintf("%d/%d.pem", i/100, i))
	}
	for _, entries := range [][]string{files, denied} {
		tr := open(t, fixture.Make(t, entries...))
		for _, workers := range []int{-1, 2} {
			called := 0
			o := search.Options{Workers: workers, Progress: func(int64, bool) bool {
				called++
				return true
			}}.Eager()
			o.Scope.Globs = []string{"*.pem"}
			for range tr.results("x", o) {
			}
			if called != 1 {
				t.Errorf("%d calls for %d entries such as %s", called, len(entries), entries[0])
			}
		}
	}
}

// TestProgressSizes checks that the sizes that Progress is called with add up to the size of a file
// in each encoding, except a byte order mark of UTF-8.
func TestProgressSizes(t *testing.T) {
	root := fixture.Make(t)
	text := strings.Repeat(strings.Repeat("é\u4e0a", 20)+"\n", 60_000)
	for _, encode := range encodings() {
		content, mark := encode(text), int64(0)
		if strings.HasPrefix(content, "\xef") {
			mark = 3
		}
		write(t, root+"/f", content)
		for _, workers := range []int{-1, 2} {
			read, files := int64(0), 0
			o := search.Options{Workers: workers, Progress: func(size int64, file bool) bool {
				read += size
				if file {
					files++
				}
				return true
			}}.Eager()
			for range open(t, root).results("x", o) {
			}
			if missing := int64(len(content)) - read; missing != mark || files != 1 {
				t.Errorf("%.4q: read %d bytes of %d, %d files", content, read, len(content), files)
			}
		}
	}
}
