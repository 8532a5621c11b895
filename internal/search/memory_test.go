package search_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gander/internal/files/ignore"
	"gander/internal/files/walk"
	"gander/internal/search"
	"gander/internal/testkit"
)

// TestNewestMemory checks that the ignore files of directories are not kept with their entries.
func TestNewestMemory(t *testing.T) {
	root := t.TempDir()
	rules := filepath.Join(root, ".ignore")
	write(t, rules, "x\n#"+strings.Repeat("x", 1<<20-4))
	for i := range 32 {
		dir := filepath.Join(root, fmt.Sprint(i))
		testkit.Must(t, os.Mkdir(dir, 0o700))
		testkit.Must(t, os.Link(rules, filepath.Join(dir, ".ignore")))
		write(t, filepath.Join(dir, "file"), "")
	}
	tr := open(t, root)
	o := search.FindOptions{Scope: search.Scope{
		Order: walk.NewestFirst, Ignore: ignore.Options{Tools: search.ToolIgnoreFiles()},
	}}
	before := heap()
	for _, err := range search.Find(t.Context(), tr.w, tr.start, o) {
		testkit.Must(t, err)
		if size := heap() - before; size > 8<<20 {
			t.Errorf("%d bytes are held", size)
		}
		break
	}
}

// heap returns the size of the memory in use in bytes.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
