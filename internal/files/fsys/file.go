package fsys

import (
	"io"
	"io/fs"

	"gander/internal/files/workspace"
)

// A file implements [fs.File] for a regular file.
type file struct {
	fsys   FS
	name   string
	file   *workspace.File
	offset int64
}

var (
	_ io.ReadSeeker = (*file)(nil)
	_ io.ReaderAt   = (*file)(nil)
)

func (f *file) Stat() (fs.FileInfo, error) { return f.fsys.Describe("stat", f.name, f.file.Info) }

func (f *file) Read(b []byte) (int, error) {
	n, err := f.ReadAt(b, f.offset)
	f.offset += int64(n)
	return n, err
}

func (f *file) ReadAt(b []byte, offset int64) (int, error) {
	n, err := f.file.ReadAt(b, offset)
	if err != nil && err != io.EOF {
		err = f.fsys.fail("read", f.name, err)
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
			return 0, f.fsys.fail("seek", f.name, err)
		}
		offset += i.Size
	default:
		offset = -1
	}
	if offset < 0 {
		return 0, f.fsys.fail("seek", f.name, fs.ErrInvalid)
	}
	f.offset = offset
	return offset, nil
}

func (f *file) Close() error { return f.fsys.fail("close", f.name, f.file.Close()) }

// A directory implements [fs.ReadDirFile].
type directory struct {
	name   string
	at     FS
	dir    *workspace.Dir
	closed bool
	read   bool
	rest   []fs.DirEntry // for the next ReadDir
}

var _ fs.ReadDirFile = (*directory)(nil)

// check returns an error for a closed directory. The workspace would open it again.
func (d *directory) check(op string) error {
	if d.closed {
		return d.at.fail(op, d.name, fs.ErrClosed)
	}
	return nil
}

func (d *directory) Stat() (fs.FileInfo, error) {
	if err := d.check("stat"); err != nil {
		return nil, err
	}
	return d.at.Describe("stat", d.name, func() (workspace.Info, error) { return d.dir.Lstat(".") })
}

func (d *directory) Read([]byte) (int, error) {
	return 0, d.at.fail("read", d.name, workspace.ErrIsDirectory)
}

func (d *directory) ReadDir(n int) ([]fs.DirEntry, error) {
	if err := d.check("readdir"); err != nil {
		return nil, err
	}
	if !d.read {
		entries, err := read(d.at, d.dir)
		if err != nil {
			return nil, d.at.fail("readdir", d.name, err)
		}
		d.read, d.rest = true, entries
	}
	if n <= 0 {
		n = len(d.rest)
	} else if len(d.rest) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.rest))
	next := d.rest[:n:n]
	d.rest = d.rest[n:]
	return next, nil
}

func (d *directory) Close() error {
	if err := d.check("close"); err != nil {
		return err
	}
	d.closed = true
	return d.at.fail("close", d.name, d.dir.Close())
}
