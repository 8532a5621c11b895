package workspace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// noFollow describes an entry itself, and does not mount an automount point.
const noFollow = unix.AT_SYMLINK_NOFOLLOW | unix.AT_NO_AUTOMOUNT

// openNative is a backend that opens each descriptor with openat and O_NOFOLLOW, relative to its
// parent's. A single component that is not a symlink cannot escape its directory, so this confines
// as openat2 with RESOLVE_BENEATH does, also if that is missing or filtered.
func openNative(path string) (dirHandle, error) {
	d := &descriptor{unix.AT_FDCWD, new(atomic.Bool)}
	return d.openDirectory(path, unix.O_PATH)
}

// retry repeats a system call while a signal interrupts it. The error carries no path.
func retry[T any](call func() (T, error)) (T, error) {
	for {
		result, err := call()
		if err == nil {
			return result, nil
		}
		if err != unix.EINTR {
			return result, bare(err)
		}
	}
}

func (d *descriptor) openat(name string, flags int) (int, error) {
	flags |= unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC
	n, err := retry(func() (int, error) { return unix.Openat(d.n, name, flags, 0) })
	return n, d.refusal(name, err)
}

// refusal returns the error of opening or following an entry. It is [ErrRefused] if the process is
// confined and the mode of the entry does not explain the error.
func (d *descriptor) refusal(name string, err error) error {
	const flags = unix.AT_EACCESS | unix.AT_SYMLINK_NOFOLLOW
	if err == unix.EACCES && d.confined.Load() &&
		unix.Faccessat(d.n, name, unix.R_OK, flags) == nil {
		return ErrRefused
	}
	return err
}

func (d *descriptor) openDirectory(name string, flags int) (dirHandle, error) {
	n, err := d.openat(name, flags|unix.O_DIRECTORY)
	if err == ErrLoop { // the name is a symlink
		err = ErrNotDirectory
	}
	if err != nil {
		return nil, err
	}
	return &descriptor{n, d.confined}, nil
}

func fstat(n int) (unix.Stat_t, error) {
	return retry(func() (st unix.Stat_t, err error) {
		err = unix.Fstat(n, &st)
		return st, err
	})
}

type descriptor struct {
	n        int
	confined *atomic.Bool // whether the kernel confines the process; of all in a root
}

// openPath uses O_PATH, which needs no permission to read the directory.
func (d *descriptor) openPath(name string) (dirHandle, error) {
	return d.openDirectory(name, unix.O_PATH)
}

func (d *descriptor) openDir(name string) (dirHandle, error) {
	return d.openDirectory(name, unix.O_RDONLY)
}

// openFile also examines the opened file, because the entry may have been replaced.
// O_NONBLOCK keeps the open of a FIFO from waiting for a writer.
func (d *descriptor) openFile(name string, kind EntryKind) (fileHandle, error) {
	if kind != Regular {
		info, err := d.lstat(name)
		if err == nil {
			err = checkKind(info.Kind, Regular)
		}
		if err != nil {
			return nil, err
		}
	}
	n, err := d.openat(name, unix.O_RDONLY|unix.O_NOCTTY)
	if err == ErrLoop { // the name is a symlink
		return nil, ErrNotRegular
	}
	if err != nil {
		return nil, err
	}
	st, err := fstat(n)
	if err == nil {
		err = checkKind(kindOfMode(st.Mode), Regular)
	}
	if err != nil {
		return nil, errors.Join(err, unix.Close(n))
	}
	return &descriptorFile{n, st.Size, d.confined}, nil
}

func (d *descriptor) lstat(name string) (Info, error) {
	return infoOfStat(retry(func() (st unix.Stat_t, err error) {
		err = unix.Fstatat(d.n, name, &st, noFollow)
		return st, err
	}))
}

// details calls statx, the only call that returns the time of birth.
func (d *descriptor) details(name string) (Details, error) {
	st, err := retry(func() (st unix.Statx_t, err error) {
		err = unix.Statx(d.n, name, noFollow, unix.STATX_BASIC_STATS|unix.STATX_BTIME, &st)
		return st, err
	})
	if err != nil {
		return Details{}, err
	}
	timeOf := func(t unix.StatxTimestamp) time.Time { return time.Unix(t.Sec, int64(t.Nsec)) }
	created := st.Ctime
	if st.Mask&unix.STATX_BTIME != 0 {
		created = st.Btime
	}
	mode := uint32(st.Mode)
	return Details{
		Info:      Info{kindOfMode(mode), int64(st.Size), timeOf(st.Mtime)},
		Mode:      mode,
		Links:     uint64(st.Nlink),
		UID:       st.Uid,
		GID:       st.Gid,
		Inode:     st.Ino,
		Device:    Device{st.Dev_major, st.Dev_minor},
		Special:   Device{st.Rdev_major, st.Rdev_minor},
		Blocks:    int64(st.Blocks),
		BlockSize: int64(st.Blksize),
		Accessed:  timeOf(st.Atime),
		Changed:   timeOf(st.Ctime),
		Created:   timeOf(created),
	}, nil
}

func (d *descriptor) readlink(name string) (string, error) {
	buf := make([]byte, maxPath)
	n, err := retry(func() (int, error) { return unix.Readlinkat(d.n, name, buf) })
	err = d.refusal(name, err)
	if err == nil && n == len(buf) { // it may be longer
		err = unix.ENAMETOOLONG
	}
	if err != nil {
		return "", err
	}
	return string(buf[:n]), nil
}

// confine needs /proc to return a path of the handle, and a container may lack it.
func (d *descriptor) confine(opened string) string {
	d.confined.Store(true)
	link := fmt.Sprint("/proc/self/fd/", d.n)
	if id, err := d.identity(); err != nil || id != identityOf(link) {
		return opened
	}
	return link
}

func identityOf(path string) any {
	var st unix.Stat_t
	if unix.Stat(path, &st) != nil {
		return nil
	}
	return fileID{st.Dev, st.Ino}
}

func (d *descriptor) identity() (any, error) {
	st, err := fstat(d.n)
	return fileID{st.Dev, st.Ino}, err
}

// names reads raw directory records, which hold names and kinds: it examines an entry only if
// its kind is missing, and allocates nothing.
func (d *descriptor) names(
	buf []byte, arrived func() error, yield func([]byte, EntryKind) bool,
) error {
	if _, err := unix.Seek(d.n, 0, io.SeekStart); err != nil {
		return err
	}
	for {
		n, err := retry(func() (int, error) { return unix.Getdents(d.n, buf) })
		if err == nil {
			err = arrived()
		}
		if err != nil || n == 0 || !d.records(buf[:n], yield) {
			return err
		}
	}
}

// records yields the entries of a buffer of struct linux_dirent64 (getdents(2)): inode 8 bytes,
// offset 8, record length 2, type 1, and the name, which ends with a NUL. It reports whether yield
// wants more.
func (d *descriptor) records(buf []byte, yield func([]byte, EntryKind) bool) bool {
	for len(buf) >= 20 {
		record := buf[:binary.NativeEndian.Uint16(buf[16:])]
		buf = buf[len(record):]
		name := record[19:]
		end := max(0, len(name)-8) // the NUL and padding to a multiple of 8 are the last bytes
		for end < len(name) && name[end] != 0 {
			end++
		}
		name = name[:end]
		if string(name) == "." || string(name) == ".." {
			continue
		}
		kind := kindOfMode(uint32(record[18]) << 12) // DTTOIF(type) of dirent.h
		if kind == Unknown {
			if info, err := d.lstat(string(name)); err == nil {
				kind = info.Kind
			}
		}
		if !yield(name, kind) {
			return false
		}
	}
	return true
}

func (d *descriptor) close() error { return unix.Close(d.n) }

type descriptorFile struct {
	n        int
	size     int64 // when it was opened
	confined *atomic.Bool
}

// pread treats a short read as the end only if it stops at the size when the file was opened.
// Files of /proc have no size and may read short at any point.
func (f *descriptorFile) pread(b []byte, off int64) (n int, err error) {
	n, err = retry(func() (int, error) { return unix.Pread(f.n, b, off) })
	if err == unix.EACCES && f.confined.Load() {
		err = ErrRefused // a file of /proc checks who reads it
	}
	if err != nil {
		return 0, err
	}
	if n == 0 || n < len(b) && off+int64(n) == f.size {
		err = io.EOF
	}
	return n, err
}

func (f *descriptorFile) stat() (Info, error) { return infoOfStat(fstat(f.n)) }
func (f *descriptorFile) openedSize() int64   { return f.size }
func (f *descriptorFile) close() error        { return unix.Close(f.n) }

func (f *descriptorFile) version() version {
	var fs unix.Statfs_t
	st, err := fstat(f.n)
	if err != nil || unix.Fstatfs(f.n, &fs) != nil || !slices.Contains(keepingFiles, int64(fs.Type)) {
		return version{}
	}
	return version{
		file:     fileID{st.Dev, st.Ino},
		size:     st.Size,
		modified: time.Unix(st.Mtim.Unix()),
		changed:  time.Unix(st.Ctim.Unix()),
	}
}

func infoOfStat(st unix.Stat_t, err error) (Info, error) {
	if err != nil {
		return Info{}, err
	}
	return Info{kindOfMode(st.Mode), st.Size, time.Unix(st.Mtim.Unix())}, nil
}

func kindOfMode(mode uint32) EntryKind {
	switch mode & unix.S_IFMT {
	case 0:
		return Unknown
	case unix.S_IFREG:
		return Regular
	case unix.S_IFDIR:
		return Directory
	case unix.S_IFLNK:
		return Symlink
	default:
		return Other
	}
}

// keepingFiles are the types of local file systems that set the times of a file with every change
// of it. A remote change of a network file system may stay invisible for a minute, and tmpfs, which
// can be below overlayfs, does not notice writes through a memory mapping.
var keepingFiles = []int64{
	unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC,
}
