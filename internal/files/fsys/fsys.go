// Package fsys presents a directory of a workspace as an [fs.FS].
package fsys

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"gander/internal/files/workspace"
)

// An FS is a directory. It is safe for concurrent use.
type FS struct {
	at      workspace.Location
	outside error
}

var (
	_ fs.StatFS     = FS{}
	_ fs.ReadDirFS  = FS{}
	_ fs.ReadLinkFS = FS{}
)

// New returns an FS for the directory at p. Its errors are an [fs.PathError] with outside instead
// of [workspace.ErrOutside].
func New(p workspace.Location, outside error) FS { return FS{p, outside} }

// Open opens the regular file or the directory at l. Errors are as those of an [FS], about name.
func Open(l workspace.Location, name string, outside error) (fs.File, error) {
	return New(l, outside).open(l, name)
}

// Open opens a regular file or a directory.
func (f FS) Open(name string) (fs.File, error) {
	at, err := f.find("open", name)
	if err != nil {
		return nil, err
	}
	return f.open(at, name)
}

func (f FS) open(at workspace.Location, name string) (fs.File, error) {
	opened, err := at.File()
	if errors.Is(err, workspace.ErrIsDirectory) {
		return &directory{in: f, at: at, name: name}, nil
	}
	if err != nil {
		return nil, f.fail("open", name, err)
	}
	file := &file{in: f, name: name, opened: opened}
	file.section = io.NewSectionReader(file, 0, math.MaxInt64)
	return file, nil
}

// Stat describes the file called name. It follows symlinks and does not open the file.
func (f FS) Stat(name string) (fs.FileInfo, error) {
	at, err := f.find("stat", name)
	if err != nil {
		return nil, err
	}
	info, err := at.Stat()
	return f.describe("stat", name, info, err)
}

// Lstat describes the entry called name. It does not follow a symlink.
func (f FS) Lstat(name string) (fs.FileInfo, error) {
	at, err := f.find("lstat", name)
	if err != nil {
		return nil, err
	}
	info, err := at.Lstat()
	return f.describe("lstat", name, info, err)
}

// describe returns the description of a file, or the error of an operation that describes it.
func (f FS) describe(op, name string, info workspace.Info, err error) (fs.FileInfo, error) {
	if err != nil {
		return nil, f.fail(op, name, err)
	}
	return fileInfo{path.Base(name), info}, nil
}

// ReadLink returns the target of a symlink as stored. It may be outside the workspace.
func (f FS) ReadLink(name string) (string, error) {
	at, err := f.find("readlink", name)
	if err != nil {
		return "", err
	}
	target, err := at.Readlink()
	return target, f.fail("readlink", name, err)
}

// ReadDir returns the entries of a directory, sorted by name. It omits names that are not UTF-8,
// because they are not valid paths.
func (f FS) ReadDir(name string) ([]fs.DirEntry, error) {
	at, err := f.find("readdir", name)
	if err != nil {
		return nil, err
	}
	return f.readDir(at, name)
}

func (f FS) readDir(at workspace.Location, name string) (entries []fs.DirEntry, err error) {
	dir, err := at.Dir()
	if err != nil {
		return nil, f.fail("readdir", name, err)
	}
	defer dir.Close()
	in := FS{at, f.outside}
	err = dir.Names(at.Context(), func(name []byte, kind workspace.EntryKind) bool {
		if utf8.Valid(name) {
			entries = append(entries, entry{in, string(name), kind})
		}
		return true
	})
	slices.SortFunc(entries, func(a, b fs.DirEntry) int {
		return strings.Compare(a.Name(), b.Name())
	})
	return entries, f.fail("readdir", name, err)
}

// find returns the location of name, which must be valid for [fs.ValidPath] and the system.
func (f FS) find(op, name string) (workspace.Location, error) {
	if _, err := filepath.Localize(name); err != nil {
		return workspace.Location{}, f.fail(op, name, fs.ErrInvalid)
	}
	return f.at.Join(name), nil
}

func (f FS) fail(op, name string, err error) error { return NewError(op, name, err, f.outside) }

// NewError returns an [fs.PathError] for err, or nil if err is nil. It replaces
// [workspace.ErrOutside] by outside.
func NewError(op, name string, err, outside error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, workspace.ErrOutside) {
		err = outside
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// An entry is an [fs.DirEntry].
type entry struct {
	in   FS // the directory
	name string
	kind workspace.EntryKind
}

func (e entry) Name() string               { return e.name }
func (e entry) IsDir() bool                { return e.kind == workspace.Directory }
func (e entry) Type() fs.FileMode          { return typeBits(e.kind) }
func (e entry) Info() (fs.FileInfo, error) { return e.in.Lstat(e.name) }

// A fileInfo is an [fs.FileInfo]. Its permissions are read-only, whatever they are on disk.
type fileInfo struct {
	name string
	info workspace.Info
}

func (f fileInfo) Name() string       { return f.name }
func (f fileInfo) Size() int64        { return f.info.Size }
func (f fileInfo) ModTime() time.Time { return f.info.ModTime }
func (f fileInfo) IsDir() bool        { return f.info.Kind == workspace.Directory }
func (f fileInfo) Sys() any           { return nil }

func (f fileInfo) Mode() fs.FileMode {
	if f.IsDir() {
		return fs.ModeDir | 0o555
	}
	return typeBits(f.info.Kind) | 0o444
}

// typeBits returns [fs.ModeIrregular] for FIFOs, sockets, devices and entries of unknown kind.
func typeBits(kind workspace.EntryKind) fs.FileMode {
	switch kind {
	case workspace.Regular:
		return 0
	case workspace.Directory:
		return fs.ModeDir
	case workspace.Symlink:
		return fs.ModeSymlink
	default:
		return fs.ModeIrregular
	}
}

// A file is an open regular file.
type file struct {
	in      FS
	name    string
	opened  *workspace.File
	section *io.SectionReader // the whole file, for Read and Seek
}

func (f *file) fail(op string, err error) error { return f.in.fail(op, f.name, err) }
func (f *file) Read(b []byte) (int, error)      { return f.section.Read(b) }
func (f *file) Close() error                    { return f.fail("close", f.opened.Close()) }

func (f *file) Stat() (fs.FileInfo, error) {
	info, err := f.opened.Info()
	return f.in.describe("stat", f.name, info, err)
}

func (f *file) ReadAt(b []byte, offset int64) (int, error) {
	n, err := f.opened.ReadAt(b, offset)
	if err != io.EOF {
		err = f.fail("read", err)
	}
	return n, err
}

func (f *file) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekEnd {
		info, err := f.opened.Info()
		if err != nil {
			return 0, f.fail("seek", err)
		}
		offset, whence = info.Size+offset, io.SeekStart
	}
	at, err := f.section.Seek(offset, whence)
	if err != nil {
		err = f.fail("seek", fs.ErrInvalid)
	}
	return at, err
}

// A directory is an open directory. It has no handle: methods find it by its location.
type directory struct {
	in     FS
	at     workspace.Location
	name   string
	closed bool
	read   bool
	rest   []fs.DirEntry // for the next ReadDir
}

// check returns the error of an operation if d is closed.
func (d *directory) check(op string) error {
	if !d.closed {
		return nil
	}
	return d.in.fail(op, d.name, fs.ErrClosed)
}

func (d *directory) Stat() (fs.FileInfo, error) {
	if err := d.check("stat"); err != nil {
		return nil, err
	}
	info, err := d.at.Stat()
	return d.in.describe("stat", d.name, info, err)
}

func (d *directory) Close() error {
	err := d.check("close")
	d.closed = true
	return err
}

func (d *directory) Read([]byte) (int, error) {
	if err := d.check("read"); err != nil {
		return 0, err
	}
	return 0, d.in.fail("read", d.name, workspace.ErrIsDirectory)
}

func (d *directory) ReadDir(n int) (next []fs.DirEntry, _ error) {
	if err := d.check("readdir"); err != nil {
		return nil, err
	}
	if !d.read {
		entries, err := d.in.readDir(d.at, d.name)
		if err != nil && n <= 0 {
			return entries, err
		}
		if err != nil {
			return nil, err
		}
		d.rest, d.read = entries, true
	}
	if n > 0 && len(d.rest) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(d.rest) {
		n = len(d.rest)
	}
	next, d.rest = d.rest[:n:n], d.rest[n:]
	return next, nil
}
