// Package fsys presents a directory of a workspace as an [fs.FS].
package fsys

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"

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

// New returns an FS for the directory at p. Errors are those of package fs, with outside in place of
// [workspace.ErrOutside].
func New(p workspace.Location, outside error) FS { return FS{p, outside} }

// locate returns the location of name, which must be valid for [fs.ValidPath] and the system.
func (f FS) locate(op, name string) (workspace.Location, error) {
	if _, err := filepath.Localize(name); err != nil {
		return workspace.Location{}, f.fail(op, name, fs.ErrInvalid)
	}
	return f.at.Join(name), nil
}

// fail returns an [fs.PathError] for err, or nil if err is nil.
func (f FS) fail(op, name string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, workspace.ErrOutside) {
		err = f.outside
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// Open opens a regular file or a directory.
func (f FS) Open(name string) (fs.File, error) {
	p, err := f.locate("open", name)
	if err != nil {
		return nil, err
	}
	opened, err := p.File()
	if err == nil {
		return &file{fsys: f, name: name, file: opened}, nil
	}
	if !errors.Is(err, workspace.ErrIsDirectory) {
		return nil, f.fail("open", name, err)
	}
	dir, err := p.Dir()
	if err != nil {
		return nil, f.fail("open", name, err)
	}
	return &directory{at: FS{p, f.outside}, name: name, dir: dir}, nil
}

// Stat describes what name resolves to. It does not open the file.
func (f FS) Stat(name string) (fs.FileInfo, error) {
	p, err := f.locate("stat", name)
	if err != nil {
		return nil, err
	}
	return f.Describe("stat", name, p.Stat)
}

// Lstat describes the entry called name. It does not follow a symlink.
func (f FS) Lstat(name string) (fs.FileInfo, error) {
	p, err := f.locate("lstat", name)
	if err != nil {
		return nil, err
	}
	return f.Describe("lstat", name, p.Lstat)
}

// ReadLink returns the target of a symlink as stored. It may be outside the workspace.
func (f FS) ReadLink(name string) (string, error) {
	p, err := f.locate("readlink", name)
	if err != nil {
		return "", err
	}
	target, err := p.Readlink()
	return target, f.fail("readlink", name, err)
}

// ReadDir returns the entries of a directory, sorted by name.
func (f FS) ReadDir(name string) ([]fs.DirEntry, error) {
	p, err := f.locate("readdir", name)
	if err != nil {
		return nil, err
	}
	dir, err := p.Dir()
	if err != nil {
		return nil, f.fail("readdir", name, err)
	}
	defer dir.Close()
	entries, err := read(FS{p, f.outside}, dir)
	return entries, f.fail("readdir", name, err)
}

// Describe calls look and returns the result for the file called name.
func (f FS) Describe(op, name string, look func() (workspace.Info, error)) (fs.FileInfo, error) {
	i, err := look()
	if err != nil {
		return nil, f.fail(op, name, err)
	}
	return info{path.Base(name), i}, nil
}
