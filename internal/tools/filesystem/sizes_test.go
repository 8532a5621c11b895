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
	"gander/internal/tools/shared"
	"gander/tool"
)

// TestManySizes compares complete and cut listings with the documented order and sizes.
func TestManySizes(t *testing.T) {
	root := write(t, map[string]string{"d/seventeen": "seventeen letters"})
	r := rand.New(rand.NewPCG(5, 6))
	dir := filepath.Join(root, "d")
	want := []sized{{name: []byte("seventeen"), kind: workspace.Regular, size: 17}}
	for i := range 2000 {
		name := fmt.Sprintf("%c%d", []rune("aBc-é京")[r.IntN(6)], r.Int64())
		path := filepath.Join(dir, name)
		e := sized{name: []byte(name), kind: workspace.Regular, size: r.Int64N(3000)}
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
	byName := func(a, b sized) int {
		return cmp.Or(
			bytes.Compare(collator.AppendKey(nil, a.name), collator.AppendKey(nil, b.name)),
			bytes.Compare(a.name, b.name),
		)
	}
	called := open(t, root)["list_directory_with_sizes"]
	orders := map[string]func(a, b sized) int{"name": byName, "size": compareSizes}
	for sortBy, compare := range orders {
		slices.SortFunc(want, compare)
		page, err := shared.NewPage(tool.Budget{})
		if err != nil {
			t.Fatal(err)
		}
		l := sizeList{tool: new(Tool), listing: listing{page: page}}
		for _, e := range want {
			if e.kind == workspace.Directory {
				l.directories++
			} else {
				l.files++
				l.bytes += e.size
			}
			l.add(e)
		}
		whole, err := l.finish()
		if err != nil {
			t.Fatal(err)
		}
		entries, totals, _ := strings.Cut(whole.Text(), "\nTotal: ")
		args := map[string]any{"path": dir, "sortBy": sortBy}
		if got, failure := call(t, called, args, -1); failure != nil || got.Text() != whole.Text() {
			t.Errorf("by %s, the listing is wrong: %v", sortBy, failure)
		}
		for _, limit := range []int{1500, 20_000} {
			got, failure := call(t, called, args, limit)
			begin, end, _ := strings.Cut(got.Text(), "\nTotal: ")
			if failure != nil || len(begin) < limit-300 || !strings.HasPrefix(entries, begin) ||
				!strings.HasPrefix(end, totals) {
				t.Errorf("by %s, the cut listing is not the start: %v\n%s", sortBy, failure, got.Text())
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
