//go:build linux

package walk_test

import (
	"errors"
	"os/exec"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"gander/internal/files/walk"
	"gander/internal/testkit"
)

// TestDeep walks a tree with paths above the maximum length. The walk must find everything up to
// the maximum, and report the first directory beyond it.
func TestDeep(t *testing.T) {
	// The path of a directory has at most 4,096 bytes.
	const name, levels, named = "level_x", 750, 4096 / len("level_x/")
	inMemory(t)
	root := t.TempDir()
	t.Cleanup(func() { _ = exec.Command("rm", "-rf", root+"/"+name).Run() }) // os.RemoveAll cannot
	at, err := unix.Open(root, unix.O_PATH, 0)
	for range levels {
		if err == nil {
			err = unix.Mkdirat(at, name, 0o755)
		}
		if err == nil {
			var below int
			below, err = unix.Openat(at, name, unix.O_PATH, 0)
			_ = unix.Close(at)
			at = below
		}
	}
	_ = unix.Close(at)
	testkit.Must(t, err)
	inAllOrders(t, func(t *testing.T, order walk.Order) {
		found, refused := 0, 0
		o := walk.Options{Order: order, Depth: levels}
		for e, err := range walk.Entries(t.Context(), open(t, root), o) {
			switch {
			case err == nil:
				found++
			case errors.Is(err, syscall.ENAMETOOLONG) && e.Dir != nil:
				refused++
			default:
				t.Fatal(err)
			}
		}
		if found < named || found > named+2 || refused != 1 {
			t.Errorf("%d entries and %d errors", found, refused)
		}
	})
}
