//go:build unix

package workspace

import (
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

// describe adds the properties that fi has besides those of every system. Only some systems
// represent further times in the same way.
func (d *Details) describe(fi fs.FileInfo) {
	st := fi.Sys().(*syscall.Stat_t)
	d.Mode = uint32(st.Mode)
	d.Links = uint64(st.Nlink)
	d.UID = st.Uid
	d.GID = st.Gid
	d.Inode = uint64(st.Ino)
	d.Device = deviceOf(uint64(st.Dev))
	d.Special = deviceOf(uint64(st.Rdev))
	d.Blocks = int64(st.Blocks)
	d.BlockSize = int64(st.Blksize)
	d.describeTimes(st)
}

func deviceOf(n uint64) Device { return Device{unix.Major(n), unix.Minor(n)} }
