//go:build unix

package workspace

import (
	"fmt"
	"os"
	"syscall"
	"testing"

	"gander/internal/testkit/fixture"
)

// TestDescribe compares the details of entries with what lstat and stat return.
func TestDescribe(t *testing.T) {
	root := fixture.Make(t, "file", "dir/", "link => file", "broken => none")
	for _, b := range testBackends() {
		w := mustOpen(t, b.backend, Options{}, root)
		d := mustFind(t, w, ".")
		for _, name := range []string{"file", "dir", "link", "broken"} {
			location := Must(w.Find(t.Context(), name))
			got, err := location.Describe(false)
			checkDetails(t, b.name+" lstat "+name, got, err, Must(os.Lstat(root+"/"+name)))
			got, err = d.Describe(name)
			checkDetails(t, b.name+" entry "+name, got, err, Must(os.Lstat(root+"/"+name)))
			got, err = location.Describe(true)
			want, wantErr := os.Stat(root + "/" + name)
			if wantErr != nil {
				if err == nil {
					t.Errorf("%s stat %s: no error", b.name, name)
				}
				continue
			}
			checkDetails(t, b.name+" stat "+name, got, err, want)
		}
	}
}

func checkDetails(t *testing.T, what string, got Details, err error, want os.FileInfo) {
	t.Helper()
	st := want.Sys().(*syscall.Stat_t)
	text := fmt.Sprint(got.Mode, got.Links, got.UID, got.GID, got.Inode, got.Blocks, got.BlockSize,
		got.Size, got.ModTime, got.Device, err)
	expected := fmt.Sprint(st.Mode, st.Nlink, st.Uid, st.Gid, st.Ino, st.Blocks, st.Blksize,
		want.Size(), want.ModTime(), deviceOf(uint64(st.Dev)), error(nil))
	if text != expected {
		t.Errorf("%s: got %s, want %s", what, text, expected)
	}
}
