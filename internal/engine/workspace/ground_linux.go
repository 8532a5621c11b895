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
func system(path string) (node, error) { return systemBehind(nil)(path) }

func systemBehind(g gate) ground {
	return func(path string) (node, error) { return openNode(g, unix.AT_FDCWD, path, unix.O_PATH) }
}

// fd is a node: O_PATH where it is only entered, O_RDONLY where it is listed.
type fd struct {
	n      int
	listed bool
	gate   gate
}

func openat(g gate, at int, name string, flags int) (n int, err error) {
	err = g.try("openat", func() (err error) {
		n, err = unix.Openat(at, name, flags|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		return err
	})
	return n, err
}

func openNode(g gate, at int, name string, flags int) (node, error) {
	n, err := openat(g, at, name, flags|unix.O_DIRECTORY)
	if err != nil {
		return nil, err
	}
	return &fd{n: n, gate: g}, nil
}

func (d *fd) enter(name string) (node, error) {
	return openNode(d.gate, d.n, name, unix.O_PATH)
}

func (d *fd) list(name string) (node, error) {
	return openNode(d.gate, d.n, name, unix.O_RDONLY|unix.O_NONBLOCK)
}

// file looks before it opens, because opening a device can have effects, and looks again at what it has opened, because
// the entry may have been replaced; O_NONBLOCK keeps a FIFO that slipped in between from blocking.
func (d *fd) file(name string) (handle, error) {
	if err := d.checkRegular(name); err != nil {
		return handle{}, err
	}
	n, err := openat(d.gate, d.n, name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY)
	if err != nil {
		return handle{}, err
	}
	var st unix.Stat_t
	err = d.gate.try("fstat", func() error { return unix.Fstat(n, &st) })
	if err == nil && st.Mode&unix.S_IFMT != unix.S_IFREG {
		err = ErrNotRegular
	}
	if err != nil {
		return handle{}, errors.Join(err, d.gate.shut(func() error { return unix.Close(n) }))
	}
	return handle{os.NewFile(uintptr(n), name), d.gate}, nil
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
	err := d.gate.try("fstatat", func() error {
		return unix.Fstatat(d.n, name, &st, unix.AT_SYMLINK_NOFOLLOW|unix.AT_NO_AUTOMOUNT)
	})
	if err != nil {
		return Info{}, err
	}
	return Info{Kind: kindOfMode(st.Mode), Size: st.Size, ModTime: time.Unix(st.Mtim.Unix())}, nil
}

func (d *fd) readlink(name string) (string, error) {
	for size := 256; ; size *= 2 {
		buf := make([]byte, size)
		n := 0
		err := d.gate.try("readlinkat", func() (err error) {
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

func (d *fd) close() error { return d.gate.shut(func() error { return unix.Close(d.n) }) }

// names reads raw directory records, which hold name and kind: nothing is asked about an entry, nothing allocated.
func (d *fd) names(ctx context.Context, buf []byte, yield func([]byte, EntryKind) bool) (read int, err error) {
	if d.listed {
		err := d.gate.try("lseek", func() error {
			_, err := unix.Seek(d.n, 0, io.SeekStart)
			return err
		})
		if err != nil {
			return 0, err
		}
	}
	d.listed = true
	for {
		if err := ctx.Err(); err != nil {
			return read, err
		}
		n := 0
		err := d.gate.try("getdents64", func() (err error) {
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
// length 2, type 1, name with a NUL at its end. It returns how many those are, and whether yield wants more.
func (d *fd) records(buf []byte, yield func([]byte, EntryKind) bool) (read int, more bool) {
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

func kindOfRecord(t byte) EntryKind {
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

func kindOfMode(mode uint32) EntryKind {
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
