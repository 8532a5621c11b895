//go:build darwin || freebsd || linux || netbsd || openbsd

package workspace

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// An openatBackend works with file descriptors, each opened by openat from its parent's with O_NOFOLLOW. That confines as
// well as openat2 with RESOLVE_BENEATH does, since a single component that is no symlink cannot lead elsewhere, and it
// needs no kernel or seccomp filter that knows openat2.
type openatBackend struct {
	hook syscallHook
	// traverse is the flag with which a directory is opened that need not be listed.
	traverse int
	// list reads the names of a directory. Linux has a faster way than [descriptor.readDir].
	list func(d *descriptor, ctx context.Context, buf []byte, yield func([]byte, EntryKind) bool) (int, error)
}

func (b *openatBackend) open(path string) (dirHandle, error) {
	return b.openDirectory(unix.AT_FDCWD, path, b.traverse)
}

func (b *openatBackend) openat(at int, name string, flags int) (n int, err error) {
	err = b.hook.do("openat", func() (err error) {
		n, err = unix.Openat(at, name, flags|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		return err
	})
	return n, err
}

func (b *openatBackend) openDirectory(at int, name string, flags int) (dirHandle, error) {
	n, err := b.openat(at, name, flags|unix.O_DIRECTORY)
	if isSymlink(err) {
		return nil, ErrNotDirectory
	}
	if err != nil {
		return nil, err
	}
	return &descriptor{n: n, backend: b}, nil
}

func (b *openatBackend) close(n int) error {
	return b.hook.close(func() error { return unix.Close(n) })
}

func (b *openatBackend) fstat(n int, st *unix.Stat_t) error {
	return b.hook.do("fstat", func() error { return unix.Fstat(n, st) })
}

// A descriptor is an open directory.
type descriptor struct {
	n       int
	listed  bool // its offset may have moved from the start
	backend *openatBackend
}

func (d *descriptor) openPath(name string) (dirHandle, error) {
	return d.backend.openDirectory(d.n, name, d.backend.traverse)
}

func (d *descriptor) openDir(name string) (dirHandle, error) {
	return d.backend.openDirectory(d.n, name, unix.O_RDONLY)
}

// openFile examines what it has opened too, because the entry may have been replaced. O_NONBLOCK keeps the open of a FIFO
// from waiting for a writer.
func (d *descriptor) openFile(name string, kind EntryKind) (fileHandle, error) {
	if kind != Regular {
		info, err := d.lstat(name)
		if err == nil {
			err = checkRegular(info.Kind)
		}
		if err != nil {
			return nil, err
		}
	}
	n, err := d.backend.openat(d.n, name, unix.O_RDONLY|unix.O_NOCTTY)
	if isSymlink(err) {
		return nil, ErrNotRegular
	}
	if err != nil {
		return nil, err
	}
	var st unix.Stat_t
	if err = d.backend.fstat(n, &st); err == nil {
		err = checkRegular(kindOfMode(uint32(st.Mode)))
	}
	if err != nil {
		return nil, errors.Join(err, d.backend.close(n))
	}
	return &descriptorFile{n: n, size: st.Size, backend: d.backend}, nil
}

func (d *descriptor) lstat(name string) (Info, error) {
	var st unix.Stat_t
	err := d.backend.hook.do("fstatat", func() error {
		return unix.Fstatat(d.n, name, &st, unix.AT_SYMLINK_NOFOLLOW|noAutomount)
	})
	if err != nil {
		return Info{}, err
	}
	return infoOfStat(&st), nil
}

func (d *descriptor) readlink(name string) (string, error) {
	for size := 256; ; size *= 2 {
		buf := make([]byte, size)
		n := 0
		err := d.backend.hook.do("readlinkat", func() (err error) {
			n, err = unix.Readlinkat(d.n, name, buf)
			return err
		})
		if err != nil {
			return "", err
		}
		if n < size {
			return string(buf[:n]), nil
		}
	}
}

func (d *descriptor) identity() (identity, error) {
	var st unix.Stat_t
	err := d.backend.fstat(d.n, &st)
	return identity{id: fileID{uint64(st.Dev), st.Ino}}, err
}

func (d *descriptor) names(ctx context.Context, buf []byte, yield func([]byte, EntryKind) bool) (int, error) {
	if d.listed {
		err := d.backend.hook.do("lseek", func() error {
			_, err := unix.Seek(d.n, 0, io.SeekStart)
			return err
		})
		if err != nil {
			return 0, err
		}
	}
	d.listed = true
	return d.backend.list(d, ctx, buf, yield)
}

// readDir reads the names through an [os.File], which knows how each system lays out directory records.
func (d *descriptor) readDir(ctx context.Context, _ []byte, yield func([]byte, EntryKind) bool) (int, error) {
	n := -1
	err := d.backend.hook.do("dup", func() (err error) {
		n, err = unix.FcntlInt(uintptr(d.n), unix.F_DUPFD_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return 0, err
	}
	f := os.NewFile(uintptr(n), ".")
	read, err := readNames(ctx, d.backend.hook, f, yield)
	_ = d.backend.hook.close(f.Close)
	return read, err
}

func (d *descriptor) close() error { return d.backend.close(d.n) }

// A descriptorFile is an open regular file.
type descriptorFile struct {
	n       int
	size    int64 // when it was opened
	backend *openatBackend
}

// pread takes a read that falls short for the end of the file where it stops at the size that the file was opened with.
// Otherwise only a read of nothing is the end: files of /proc have no size and may read short at any point.
func (f *descriptorFile) pread(b []byte, off int64) (n int, err error) {
	b = b[:min(len(b), 1<<30)] // macOS refuses 2 GiB and more
	err = f.backend.hook.do("pread", func() (err error) {
		n, err = unix.Pread(f.n, b, off)
		return err
	})
	if err != nil {
		return 0, err
	}
	if n == 0 || n < len(b) && off+int64(n) == f.size {
		err = io.EOF
	}
	return n, err
}

func (f *descriptorFile) openedSize() int64 { return f.size }

func (f *descriptorFile) stat() (Info, error) {
	var st unix.Stat_t
	if err := f.backend.fstat(f.n, &st); err != nil {
		return Info{}, err
	}
	return infoOfStat(&st), nil
}

func (f *descriptorFile) close() error { return f.backend.close(f.n) }

func (d *descriptor) version() (version, bool)     { return d.backend.version(d.n) }
func (f *descriptorFile) version() (version, bool) { return f.backend.version(f.n) }

func (b *openatBackend) version(n int) (version, bool) {
	var st unix.Stat_t
	if b.fstat(n, &st) != nil {
		return version{}, false
	}
	return version{
		file:     fileID{uint64(st.Dev), st.Ino},
		size:     st.Size,
		modified: time.Unix(st.Mtim.Unix()),
		changed:  time.Unix(st.Ctim.Unix()),
	}, true
}

func infoOfStat(st *unix.Stat_t) Info {
	return Info{Kind: kindOfMode(uint32(st.Mode)), Size: st.Size, ModTime: time.Unix(st.Mtim.Unix())}
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
