// Package filesystem shows a directory of a workspace as an [fs.FS]. It knows that interface; the workspace keeps what is
// opened inside.
package fsys

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"

	"gander/internal/engine/workspace"
	"gander/tool"
)

// FS is a directory. It is safe for concurrent use.
type FS struct{ at workspace.Place }

var (
	_ fs.StatFS     = FS{}
	_ fs.ReadDirFS  = FS{}
	_ fs.ReadLinkFS = FS{}
)

// New returns the directory at p.
func New(p workspace.Place) FS { return FS{p} }

// place returns the place of a name, which must be valid to [fs.ValidPath] and one that the system can have.
func (f FS) place(op, name string) (workspace.Place, error) {
	if _, err := filepath.Localize(name); err != nil {
		return workspace.Place{}, fail(op, name, fs.ErrInvalid)
	}
	return f.at.Join(name), nil
}

// fail returns err as the functions of package fs return errors, nil for nil.
func fail(op, name string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, workspace.ErrOutside) {
		err = tool.ErrOutside
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// Open opens a regular file or a directory; nothing else is opened.
func (f FS) Open(name string) (fs.File, error) {
	p, err := f.place("open", name)
	if err != nil {
		return nil, err
	}
	opened, err := p.File()
	if err == nil {
		return &file{name: name, file: opened}, nil
	}
	if !errors.Is(err, workspace.ErrIsDirectory) {
		return nil, fail("open", name, err)
	}
	dir, err := p.Dir()
	if err != nil {
		return nil, fail("open", name, err)
	}
	return &directory{name: name, at: p, dir: dir}, nil
}

// Stat describes what name leads to, without opening it.
func (f FS) Stat(name string) (fs.FileInfo, error) {
	p, err := f.place("stat", name)
	if err != nil {
		return nil, err
	}
	return Describe("stat", name, p.Stat)
}

// Lstat describes what is called name, also a symlink.
func (f FS) Lstat(name string) (fs.FileInfo, error) {
	p, err := f.place("lstat", name)
	if err != nil {
		return nil, err
	}
	return Describe("lstat", name, p.Lstat)
}

// ReadLink returns the target of a symlink as it stands there, wherever it leads.
func (f FS) ReadLink(name string) (string, error) {
	p, err := f.place("readlink", name)
	if err != nil {
		return "", err
	}
	target, err := p.Readlink()
	return target, fail("readlink", name, err)
}

// ReadDir returns the entries of a directory in the order of their names.
func (f FS) ReadDir(name string) ([]fs.DirEntry, error) {
	p, err := f.place("readdir", name)
	if err != nil {
		return nil, err
	}
	dir, err := p.Dir()
	if err != nil {
		return nil, fail("readdir", name, err)
	}
	defer dir.Close()
	entries, err := read(p, dir)
	return entries, fail("readdir", name, err)
}

// Describe returns what ask tells of the file called name. Its errors are those of package fs, but for
// [tool.ErrOutside].
func Describe(op, name string, ask func() (workspace.Info, error)) (fs.FileInfo, error) {
	i, err := ask()
	if err != nil {
		return nil, fail(op, name, err)
	}
	return info{path.Base(name), i}, nil
}
