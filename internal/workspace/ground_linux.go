package workspace

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// system is the ground of this platform: file descriptors, each opened from its parent's with O_NOFOLLOW. That
// confines as well as openat2 with RESOLVE_BENEATH does, since a single component that is no symlink has nowhere to
// lead, and needs no kernel or seccomp filter that knows openat2.
func system(path string) (node, error) {
	return openNode(unix.AT_FDCWD, path, unix.O_PATH)
}

// fd is a node: O_PATH where it is only entered, O_RDONLY where it is listed.
type fd struct {
	n      int
	listed bool
}

func openat(at int, name string, flags int) (int, error) {
	for {
		n, err := unix.Openat(at, name, flags|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if err != unix.EINTR {
			return n, bare(err)
		}
	}
}

func openNode(at int, name string, flags int) (node, error) {
	n, err := openat(at, name, flags|unix.O_DIRECTORY)
	if err != nil {
		return nil, err
	}
	return &fd{n: n}, nil
}

func (d *fd) enter(name string) (node, error) {
	return openNode(d.n, name, unix.O_PATH)
}

func (d *fd) list(name string) (node, error) {
	return openNode(d.n, name, unix.O_RDONLY|unix.O_NONBLOCK)
}

// file looks before it opens, because opening a device can have effects, and looks again at what it has opened, because
// the entry may have been replaced; O_NONBLOCK keeps a FIFO that slipped in between from blocking.
func (d *fd) file(name string) (*os.File, error) {
	if err := d.checkRegular(name); err != nil {
		return nil, err
	}
	n, err := openat(d.n, name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY)
	if err != nil {
		return nil, err
	}
	var st unix.Stat_t
	if err := unix.Fstat(n, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil, errors.Join(ErrNotRegular, unix.Close(n))
	}
	return os.NewFile(uintptr(n), name), nil
}

func (d *fd) checkRegular(name string) error {
	info, err := d.lstat(name)
	switch {
	case err != nil:
		return err
	case info.Kind == Directory:
		return ErrIsDirectory
	case info.Kind != Regular:
		return ErrNotRegular
	}
	return nil
}

func (d *fd) lstat(name string) (Info, error) {
	var st unix.Stat_t
	for {
		err := unix.Fstatat(d.n, name, &st, unix.AT_SYMLINK_NOFOLLOW|unix.AT_NO_AUTOMOUNT)
		if err == nil {
			return Info{Kind: kindOfMode(st.Mode), Size: st.Size, ModTime: time.Unix(st.Mtim.Unix())}, nil
		}
		if err != unix.EINTR {
			return Info{}, bare(err)
		}
	}
}

func (d *fd) readlink(name string) (string, error) {
	buf := make([]byte, 256)
	for {
		n, err := unix.Readlinkat(d.n, name, buf)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return "", bare(err)
		case n < len(buf):
			return string(buf[:n]), nil
		default:
			buf = make([]byte, 2*len(buf))
		}
	}
}

func (d *fd) close() error { return unix.Close(d.n) }

// names reads raw directory records, which hold name and kind: nothing is asked about an entry, nothing allocated.
func (d *fd) names(ctx context.Context, buf []byte, yield func([]byte, Kind) bool) (read int, err error) {
	if d.listed {
		if _, err := unix.Seek(d.n, 0, io.SeekStart); err != nil {
			return 0, err
		}
	}
	d.listed = true
	for {
		if err := ctx.Err(); err != nil {
			return read, err
		}
		n, err := unix.Getdents(d.n, buf)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil || n == 0:
			return read, err
		}
		count, more := d.records(buf[:n], yield)
		if read += count; !more {
			return read, nil
		}
	}
}

// records yields the entries of one buffer of struct linux_dirent64 (getdents(2)): inode 8 bytes, offset 8, record
// length 2, type 1, name with a NUL at its end. It returns how many those are, and whether yield wants more.
func (d *fd) records(buf []byte, yield func([]byte, Kind) bool) (read int, more bool) {
	for len(buf) >= 20 {
		size := int(binary.NativeEndian.Uint16(buf[16:]))
		end := max(19, size-8) // the NUL and what pads the record to a multiple of 8 are its last bytes
		for end < size && buf[end] != 0 {
			end++
		}
		kind, name := kindOfRecord(buf[18]), buf[19:end]
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

func kindOfRecord(t byte) Kind {
	switch t {
	case unix.DT_REG:
		return Regular
	case unix.DT_DIR:
		return Directory
	case unix.DT_LNK:
		return Symlink
	case unix.DT_UNKNOWN:
		return Unknown
	default:
		return Other
	}
}

func kindOfMode(mode uint32) Kind {
	switch mode & unix.S_IFMT {
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
