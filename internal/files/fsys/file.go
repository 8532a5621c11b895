package fsys

import (
	"io"
	"io/fs"

	"gander/internal/files/workspace"
)

// A file implements [fs.File] for a regular file.
type file struct {
	in     FS
	name   string
	file   *workspace.File
	offset int64
}

var (
	_ io.ReadSeeker = (*file)(nil)
	_ io.ReaderAt   = (*file)(nil)
)

func (f *file) Stat() (fs.FileInfo, error) {
	i, err := newInfo(f.name)(f.file.Info())
	return i, f.in.fail("stat", f.name, err)
}

func (f *file) Read(b []byte) (int, error) {
	n, err := f.ReadAt(b, f.offset)
	f.offset += int64(n)
	return n, err
}

func (f *file) ReadAt(b []byte, offset int64) (int, error) {
	n, err := f.file.ReadAt(b, offset)
	if err != io.EOF {
		err = f.in.fail("read", f.name, err)
	}
	return n, err
}

func (f *file) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekStart:
	case io.SeekCurrent:
		offset += f.offset
	case io.SeekEnd:
		i, err := f.file.Info()
		if err != nil {
			return 0, f.in.fail("seek", f.name, err)
		}
		offset += i.Size
	default:
		offset = -1
	}
	if offset < 0 {
		return 0, f.in.fail("seek", f.name, fs.ErrInvalid)
	}
	f.offset = offset
	return offset, nil
}

func (f *file) Close() error { return f.in.fail("close", f.name, f.file.Close()) }

// A directory implements [fs.ReadDirFile].
type directory struct {
	at     FS
	name   string
	dir    *workspace.Dir
	closed bool // because the workspace would reopen dir
	read   bool
	rest   []fs.DirEntry // for the next ReadDir
}

var _ fs.ReadDirFile = (*directory)(nil)

// fail returns an [fs.PathError] for err, or for [fs.ErrClosed] if d is closed.
func (d *directory) fail(op string, err error) error {
	if d.closed {
		err = fs.ErrClosed
	}
	return d.at.fail(op, d.name, err)
}

func (d *directory) Stat() (fs.FileInfo, error) {
	if d.closed {
		return nil, d.fail("stat", nil)
	}
	i, err := newInfo(d.name)(d.dir.Lstat("."))
	return i, d.fail("stat", err)
}

func (d *directory) Read([]byte) (int, error) {
	return 0, d.at.fail("read", d.name, workspace.ErrIsDirectory)
}

func (d *directory) ReadDir(n int) (_ []fs.DirEntry, err error) {
	if !d.closed && !d.read {
		d.rest, err = d.at.read(d.dir)
		d.read = err == nil
	}
	if err = d.fail("readdir", err); err != nil {
		return nil, err
	}
	if n > 0 && len(d.rest) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(d.rest) {
		n = len(d.rest)
	}
	next := d.rest[:n:n]
	d.rest = d.rest[n:]
	return next, nil
}

func (d *directory) Close() error {
	err := d.fail("close", nil)
	if err == nil {
		d.closed = true
		err = d.at.fail("close", d.name, d.dir.Close())
	}
	return err
}
