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
	"gander/internal/files/workspace"
	"gander/tool"
)

// TestManySizes compares listings with the documented order and sizes.
func TestManySizes(t *testing.T) {
	root := write(t, map[string]string{"d/seventeen": "seventeen letters"})
	r := rand.New(rand.NewPCG(5, 6))
	dir := filepath.Join(root, "d")
	want := []sized{{name: []byte("seventeen"), kind: workspace.Regular, size: 17}}
	for i := range 2000 {
		name := fmt.Sprintf("%c%d", []rune("aBc-é京")[r.IntN(6)], r.Int64())
		path, e := filepath.Join(dir, name), sized{name: []byte(name), kind: workspace.Regular, size: r.Int64N(3000)}
		var err error
		switch {
		case i%900 == 17:
			e.kind, err = workspace.Directory, os.Mkdir(path, 0o700)
		case i%900 == 18:
			e.kind, e.size = workspace.Symlink, 17
			err = os.Symlink("seventeen", path)
		default:
			if err = os.WriteFile(path, nil, 0o600); err == nil {
				err = os.Truncate(path, e.size)
			}
		}
		info, statErr := os.Stat(path)
		if err = cmp.Or(err, statErr); err != nil {
			t.Skip("this file system has no such entries: ", err)
		}
		if e.kind == workspace.Directory {
			e.size = info.Size() // differs between file systems
		}
		want = append(want, e)
	}
	collator := text.NewCollator()
	for sortBy, compare := range map[string]func(a, b sized) int{
		"name": func(a, b sized) int { return cmp.Or(collator.Compare(a.name, b.name), bytes.Compare(a.name, b.name)) },
		"size": compareSizes,
	} {
		slices.SortFunc(want, compare)
		l := sizeList{tool: new(Tool)}
		for _, e := range want {
			if e.kind == workspace.Directory {
				l.directories++
			} else {
				l.files++
				l.bytes += e.size
			}
			l.add(e)
		}
		whole, err := l.finish(tool.Budget{})
		if err != nil {
			t.Fatal(err)
		}
		called := open(t, root)["list_directory_with_sizes"]
		args := map[string]any{"path": dir, "sortBy": sortBy}
		got, failure := call(t, called, args, -1)
		if failure != nil || got.Text() != whole.Text() {
			t.Errorf("by %s, the listing is wrong from byte %d of %d on: %v", sortBy, differ(got.Text(), whole.Text()), len(whole.Text()), failure)
		}
		const limit = 20_000
		got, failure = call(t, called, args, limit)
		end := strings.Index(got.Text(), "\nTotal: ")
		if failure != nil || end < limit-1000 || !strings.HasPrefix(whole.Text(), got.Text()[:end]) || !strings.Contains(got.Text(), whole.Text()[strings.Index(whole.Text(), "\nTotal: "):]) {
			t.Errorf("by %s, the cut listing is not the beginning of the whole: %v", sortBy, failure)
		}
	}
}

// differ returns the index of the first byte in which two texts differ.
func differ(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// TestCutSizes: a listing with sizes under a limit is the beginning of the whole one, however many entries are dropped.
func TestCutSizes(t *testing.T) {
	files := map[string]string{}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 600 {
		files[fmt.Sprintf("%c%d-%sx", "aBcÄé"[r.IntN(2)], r.IntN(5), strings.Repeat("n", r.IntN(20)))+fmt.Sprint(i)] = strings.Repeat("x", r.IntN(9))
	}
	files["Ärger"], files["éa"], files["ae"] = "", "x", "xx"
	root := write(t, files)
	called := open(t, root)["list_directory_with_sizes"]
	for _, sortBy := range []string{"name", "size"} {
		args := map[string]any{"path": root, "sortBy": sortBy}
		whole, failure := call(t, called, args, -1)
		if failure != nil {
			t.Fatal(failure)
		}
		cut, failure := call(t, called, args, 1500)
		if failure != nil {
			t.Fatal(failure)
		}
		begin, _, _ := strings.Cut(cut.Text(), "\nTotal: 603 files")
		if n := strings.Count(begin, "\n"); !strings.HasPrefix(whole.Text(), begin) || n < 15 {
			t.Errorf("by %s, %d entries under the limit are not the first:\n%s", sortBy, n, begin)
		}
	}
}

func TestFormatSize(t *testing.T) {
	for size, want := range map[int64]string{
		0: "0 B", 1023: "1023 B", 1024: "1.00 KB", 1152: "1.13 KB", 1<<20 - 1: "1024.00 KB", 1 << 20: "1.00 MB", 5<<30 + 1: "5.00 GB", 1 << 40: "1.00 TB", 1 << 60: "1048576.00 TB", -1: "0 B",
	} {
		if got := formatSize(size); got != want {
			t.Errorf("%d is %s, want %s", size, got, want)
		}
	}
}
