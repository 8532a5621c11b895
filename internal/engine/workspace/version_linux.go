package workspace

import (
	"time"

	"golang.org/x/sys/unix"
)

func (d *fd) version() (version, bool) { return versionOf(d.gate, d.n) }
func (d *fd) keepsVersions() bool      { return keepsDirectories(fileSystem(d.gate, d.n)) }

func (h handle) version() (v version, ok bool) {
	h.control(func(n int) { v, ok = versionOf(h.gate, n) })
	return v, ok
}

func (h handle) keepsVersions() (keeps bool) {
	h.control(func(n int) { keeps = keepsFiles(fileSystem(h.gate, n)) })
	return keeps
}

func (h handle) control(look func(n int)) {
	if c, err := h.f.SyscallConn(); err == nil {
		c.Control(func(n uintptr) { look(int(n)) })
	}
}

func versionOf(g gate, n int) (version, bool) {
	var st unix.Stat_t
	if g.try("fstat", func() error { return unix.Fstat(n, &st) }) != nil {
		return version{}, false
	}
	return version{
		file:     fileID{uint64(st.Dev), st.Ino},
		size:     st.Size,
		modified: time.Unix(st.Mtim.Unix()),
		changed:  time.Unix(st.Ctim.Unix()),
	}, true
}

// fileSystem is the number by which Linux knows the kind of file system, 0 where it does not tell.
func fileSystem(g gate, n int) int64 {
	var fs unix.Statfs_t
	if g.try("fstatfs", func() error { return unix.Fstatfs(n, &fs) }) != nil {
		return 0
	}
	return int64(fs.Type)
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
