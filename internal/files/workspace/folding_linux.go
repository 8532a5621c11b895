package workspace

import (
	"slices"

	"golang.org/x/sys/unix"
)

// The types of file systems that find an entry only by its listed name, except in directories with
// a flag. Others may fold names, as those do that another system may serve or may have written:
// FAT, NTFS, SMB, NFS, 9p, FUSE with virtiofs, and unknown ones. XFS folds ASCII if it was made
// with "mkfs.xfs -n version=ci", and does not show that in any flag of a directory.
var (
	neverFolding = []int64{
		unix.BTRFS_SUPER_MAGIC, unix.SQUASHFS_MAGIC, unix.EROFS_SUPER_MAGIC_V1,
		unix.RAMFS_MAGIC, unix.PROC_SUPER_MAGIC, unix.SYSFS_MAGIC, unix.CGROUP2_SUPER_MAGIC,
	}
	foldingByDirectory = []int64{
		unix.EXT4_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC,
	}
)

// mayFold asks the file system. It returns true if the answer is unknown.
func (d *descriptor) mayFold() bool {
	var fs unix.Statfs_t
	if unix.Fstatfs(d.n, &fs) != nil {
		return true
	}
	if slices.Contains(foldingByDirectory, int64(fs.Type)) {
		return d.hasCaseFold()
	}
	return !slices.Contains(neverFolding, int64(fs.Type))
}

// caseFold is FS_CASEFOLD_FL of linux/fs.h.
const caseFold = 0x40000000

// hasCaseFold reports whether the directory has the flag for folding, or cannot be asked for it.
func (d *descriptor) hasCaseFold() bool {
	n, err := d.openat(".", unix.O_RDONLY|unix.O_DIRECTORY)
	if err != nil {
		return true
	}
	defer unix.Close(n)
	flags, err := retry(func() (uint32, error) {
		return unix.IoctlGetUint32(n, unix.FS_IOC_GETFLAGS)
	})
	if err == unix.ENOTTY { // an older kernel, whose directories do not fold
		return false
	}
	return err != nil || flags&caseFold != 0
}
