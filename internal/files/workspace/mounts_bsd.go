//go:build darwin || freebsd

package workspace

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// mountedDevices returns the mounted device for each mount point. It inspects no file system. It
// reports false if the table of mounts is not available.
func mountedDevices() (map[string]string, bool) {
	n, err := unix.Getfsstat(nil, unix.MNT_NOWAIT)
	if err != nil {
		return nil, false
	}
	table := make([]unix.Statfs_t, n+8)
	if n, err = unix.Getfsstat(table, unix.MNT_NOWAIT); err != nil || n == len(table) {
		return nil, false
	}
	devices := map[string]string{}
	for _, fs := range table[:n] {
		devices[unix.ByteSliceToString(fs.Mntonname[:])] = fmt.Sprint(fs.Fsid)
	}
	return devices, true
}
