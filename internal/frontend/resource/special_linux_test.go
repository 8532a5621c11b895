package resource

import (
	"path/filepath"
	"syscall"
	"testing"

	"gander"
	"gander/tool"
)

// TestSpecial checks that special files are not resources and are not opened.
func TestSpecial(t *testing.T) {
	root := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(root, "fifo"), 0o644); err != nil {
		t.Fatal(err)
	}
	f := open(t, gander.Options{Roots: []string{root}})
	if _, err := f.Read(t.Context(), URI(root)+"/fifo"); kindOf(err) != tool.Failed {
		t.Errorf("read: %v", err)
	}
	if page, err := f.List(t.Context(), URI(root), ""); err != nil || len(page.Entries) != 0 {
		t.Errorf("list: %+v, %v", page, err)
	}
}
