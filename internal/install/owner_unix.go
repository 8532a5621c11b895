//go:build unix

package install

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a new file the owner and the group of the one that it replaces.
func keepOwner(f *os.File, replaced fs.FileInfo) error {
	stat := replaced.Sys().(*syscall.Stat_t)
	return f.Chown(int(stat.Uid), int(stat.Gid))
}
