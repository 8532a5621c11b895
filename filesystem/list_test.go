package filesystem

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gander/internal/files/text"
	"gander/internal/testkit/fixture"
)

// A sizedEntry is an entry with its line in the result.
type sizedEntry struct {
	name string
	size int64
	line string
}

// makeSizes makes entries in a directory, which has one of 17 bytes. It returns all with their
// total size. Three are directories.
func makeSizes(t *testing.T, dir string) (all []sizedEntry, total int64) {
	r := rand.New(rand.NewPCG(5, 6))
	all = []sizedEntry{{"seventeen", 17, fmt.Sprintf("[FILE] %-30s %10s", "seventeen", "17 B")}}
	total = 17
	for i := range 1300 {
		e := sizedEntry{size: r.Int64N(3000)}
		e.name = fmt.Sprintf("%c%d", []rune("aBc-é京")[r.IntN(6)], r.Int64())
		path := filepath.Join(dir, e.name)
		var err error
		switch i % 600 {
		case 17:
			err = os.Mkdir(path, 0o700)
			e.line = fmt.Sprintf("[DIR] %-30s ", e.name)
		case 18:
			err = os.Symlink("seventeen", path)
		default:
			err = os.WriteFile(path, make([]byte, e.size), 0o600)
		}
		info, statErr := os.Stat(path)
		if err = cmp.Or(err, statErr); err != nil {
			t.Skip("this file system has no such entries: ", err)
		}
		e.size = info.Size() // of a directory, it differs between file systems
		if e.line == "" {
			total += e.size
			e.line = fmt.Sprintf("[FILE] %-30s %10s", e.name, formatSize(e.size))
		}
		all = append(all, e)
	}
	return all, total
}

// TestManySizes compares complete and cut results with the documented order, lines and totals.
func TestManySizes(t *testing.T) {
	root := write(t, map[string]string{"d/seventeen": "seventeen letters"})
	dir := filepath.Join(root, "d")
	want, total := makeSizes(t, dir)
	totals := fmt.Sprintf("\n\nTotal: %d files, 3 directories\nCombined size: %s",
		len(want)-3, formatSize(total))
	collator := text.NewCollator()
	key := func(e sizedEntry) []byte { return collator.AppendKey(nil, []byte(e.name)) }
	called := open(t, root)["list_directory_with_sizes"]
	for sortBy, compare := range map[string]func(a, b sizedEntry) int{
		"name": func(a, b sizedEntry) int { return bytes.Compare(key(a), key(b)) },
		"size": func(a, b sizedEntry) int { return cmp.Compare(b.size, a.size) },
	} {
		slices.SortFunc(want, func(a, b sizedEntry) int {
			return cmp.Or(compare(a, b), strings.Compare(a.name, b.name))
		})
		var lines []string
		for _, e := range want {
			lines = append(lines, e.line)
		}
		entries := strings.Join(lines, "\n")
		for _, limit := range []int{-1, 1500, 20_000} {
			got, failure := call(t, called, map[string]any{"path": dir, "sortBy": sortBy}, limit)
			begin, end, _ := strings.Cut(got.Text(), "\n\nTotal: ")
			complete := limit < 0 && begin == entries
			cut := len(begin) > limit-300 && strings.HasPrefix(entries, begin+"\n") && limit > 0
			if failure != nil || !complete && !cut || !strings.HasPrefix("\n\nTotal: "+end, totals) {
				t.Errorf("by %s within %d: %v\n%s", sortBy, limit, failure, got.Text())
			}
		}
	}
}

func TestFormatSize(t *testing.T) {
	for size, want := range map[int64]string{
		0: "0 B", 1023: "1023 B", 1024: "1.00 KB", 1152: "1.13 KB", 1<<20 - 1: "1024.00 KB",
		1 << 20: "1.00 MB", 5<<30 + 1: "5.00 GB", 1 << 40: "1.00 TB", 1 << 60: "1048576.00 TB", -1: "0 B",
	} {
		if got := formatSize(size); got != want {
			t.Errorf("%d is %s, want %s", size, got, want)
		}
	}
}

// TestRootOnOneLine checks that a control character in the name of a root does not end its line.
func TestRootOnOneLine(t *testing.T) {
	root := fixture.Make(t, "a\nb/") + "/a\nb"
	result, failure := call(t, open(t, root)["list_allowed_directories"], map[string]any{}, -1)
	if failure != nil {
		t.Fatal(failure)
	}
	_, shown, _ := strings.Cut(result.Text(), "\n")
	if strings.Contains(shown, "\n") || !strings.HasSuffix(shown, `/a\nb`) {
		t.Errorf("got %q", result.Text())
	}
}
