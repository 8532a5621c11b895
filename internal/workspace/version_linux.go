package workspace

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// openFile is an open file that can tell its version.
type openFile struct{ f *os.File }

func (d *fd) version() (version, bool) { return versionOf(d.n, keepsDirectories) }
func (f openFile) version() (version, bool) {
	v, ok := version{}, false
	c, err := f.f.SyscallConn()
	if err != nil {
		return v, false
	}
	err = c.Control(func(n uintptr) { v, ok = versionOf(int(n), keepsFiles) })
	return v, ok && err == nil
}

func versionOf(n int, keeps func(magic int64) bool) (version, bool) {
	var fs unix.Statfs_t
	var st unix.Stat_t
	if unix.Fstatfs(n, &fs) != nil || !keeps(int64(fs.Type)) || unix.Fstat(n, &st) != nil {
		return version{}, false
	}
	return version{
		file:     fileID{uint64(st.Dev), st.Ino},
		size:     st.Size,
		modified: time.Unix(st.Mtim.Unix()),
		changed:  time.Unix(st.Ctim.Unix()),
	}, true
}

// keepsFiles reports whether a file system is local and sets the times of a file with every change of it. A change made
// elsewhere to a network file system may not show for a minute, and tmpfs, which overlayfs may stand on, does not notice
// what is written through a mapping into memory.
func keepsFiles(magic int64) bool {
	switch magic {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC:
		return true
	}
	return false
}

// keepsDirectories is keepsFiles for directories, which cannot be mapped.
func keepsDirectories(magic int64) bool {
	return keepsFiles(magic) || magic == unix.TMPFS_MAGIC || magic == unix.OVERLAYFS_SUPER_MAGIC
}
