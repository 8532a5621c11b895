package workspace

import (
	"context"
	"encoding/binary"
	"time"

	"golang.org/x/sys/unix"
)

// noAutomount keeps a look at an entry from mounting what an automounter would mount there.
const noAutomount = unix.AT_NO_AUTOMOUNT

// nativeBackend opens directories that need not be listed with O_PATH, which needs no permission to read them.
func nativeBackend(hook syscallHook) backend {
	return &openatBackend{hook: hook, traverse: unix.O_PATH, list: (*descriptor).getdents}
}

// details calls statx, which alone knows the time of birth.
func (d *descriptor) details(name string) (Details, error) {
	var st unix.Statx_t
	err := d.backend.hook.do("statx", func() error {
		return unix.Statx(d.n, name, unix.AT_SYMLINK_NOFOLLOW|noAutomount, unix.STATX_BASIC_STATS|unix.STATX_BTIME, &st)
	})
	if err != nil {
		return Details{}, err
	}
	timeOf := func(t unix.StatxTimestamp) time.Time { return time.Unix(t.Sec, int64(t.Nsec)) }
	created := st.Ctime
	if st.Mask&unix.STATX_BTIME != 0 {
		created = st.Btime
	}
	return Details{
		Info:        Info{Kind: kindOfMode(uint32(st.Mode)), Size: int64(st.Size), ModTime: timeOf(st.Mtime)},
		Permissions: uint32(st.Mode) & 0o777,
		Accessed:    timeOf(st.Atime),
		Created:     timeOf(created),
	}, nil
}

// isSymlink reports whether an open with O_NOFOLLOW has met a symlink.
func isSymlink(err error) bool { return err == ErrLoop }

// getdents reads raw directory records, which hold names and kinds: it looks at no entry and allocates nothing.
func (d *descriptor) getdents(ctx context.Context, buf []byte, yield func([]byte, EntryKind) bool) (read int, err error) {
	for {
		if err := ctx.Err(); err != nil {
			return read, err
		}
		n := 0
		err := d.backend.hook.do("getdents64", func() (err error) {
			n, err = unix.Getdents(d.n, buf)
			return err
		})
		if err != nil || n == 0 {
			return read, err
		}
		count, more := d.records(buf[:n], yield)
		if read += count; !more {
			return read, nil
		}
	}
}

// records yields the entries of one buffer of struct linux_dirent64 (getdents(2)): inode 8 bytes, offset 8, record
// length 2, type 1, and the name, which ends with a NUL. It returns how many it yielded, and whether yield wants more.
func (d *descriptor) records(buf []byte, yield func([]byte, EntryKind) bool) (read int, more bool) {
	for len(buf) >= 20 {
		size := int(binary.NativeEndian.Uint16(buf[16:]))
		end := max(19, size-8) // the NUL and the padding to a multiple of 8 are the record's last bytes
		for end < size && buf[end] != 0 {
			end++
		}
		kind, name := kindOfMode(uint32(buf[18])<<12), buf[19:end] // DTTOIF(type) of dirent.h
		buf = buf[size:]
		if name[0] == '.' && (len(name) == 1 || len(name) == 2 && name[1] == '.') {
			continue
		}
		if kind == Unknown {
			if info, err := d.lstat(string(name)); err == nil {
				kind = info.Kind
			}
		}
		read++
		if !yield(name, kind) {
			return read, false
		}
	}
	return read, true
}

func (d *descriptor) keepsVersions() bool     { return keepsDirectories(d.backend.fileSystem(d.n)) }
func (f *descriptorFile) keepsVersions() bool { return keepsFiles(f.backend.fileSystem(f.n)) }

// fileSystem returns the number that Linux has for the type of the file system, or 0 if it cannot be told.
func (b *openatBackend) fileSystem(n int) int64 {
	var fs unix.Statfs_t
	if b.hook.do("fstatfs", func() error { return unix.Fstatfs(n, &fs) }) != nil {
		return 0
	}
	return int64(fs.Type)
}

// keepsFiles reports whether a file system is local and sets the times of a file with every change of it. A change made
// elsewhere to a network file system may not show for a minute, and tmpfs, which overlayfs may stand on, does not notice
// writes through a memory mapping.
func keepsFiles(magic int64) bool {
	switch magic {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC:
		return true
	}
	return false
}

// keepsDirectories is keepsFiles for directories, which cannot be mapped. A merged directory of overlayfs keeps its times when
// one of its lower layers changes.
func keepsDirectories(magic int64) bool { return keepsFiles(magic) || magic == unix.TMPFS_MAGIC }
