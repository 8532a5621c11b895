// Package fsys presents a directory of a workspace as an [fs.FS].
package fsys

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"time"
	"unicode/utf8"

	"gander/internal/files/walk"
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

// Open opens a regular file or a directory.
func (f FS) Open(name string) (fs.File, error) {
	return do(f, "open", name, func(p workspace.Location) (fs.File, error) {
		opened, err := p.File()
		if err == nil {
			return &file{in: f, name: name, file: opened}, nil
		}
		if !errors.Is(err, workspace.ErrIsDirectory) {
			return nil, err
		}
		dir, err := p.Dir()
		if err != nil {
			return nil, err
		}
		return &directory{at: FS{p, f.outside}, name: name, dir: dir}, nil
	})
}

// Stat describes the file called name. It follows symlinks and does not open the file.
func (f FS) Stat(name string) (fs.FileInfo, error) {
	return do(f, "stat", name, func(p workspace.Location) (fs.FileInfo, error) {
		return newInfo(name)(p.Stat())
	})
}

// Lstat describes the entry called name. It does not follow a symlink.
func (f FS) Lstat(name string) (fs.FileInfo, error) {
	return do(f, "lstat", name, func(p workspace.Location) (fs.FileInfo, error) {
		return newInfo(name)(p.Lstat())
	})
}

// ReadLink returns the target of a symlink as stored. It may be outside the workspace.
func (f FS) ReadLink(name string) (string, error) {
	return do(f, "readlink", name, workspace.Location.Readlink)
}

// ReadDir returns the entries of a directory, sorted by name.
func (f FS) ReadDir(name string) ([]fs.DirEntry, error) {
	return do(f, "readdir", name, func(p workspace.Location) ([]fs.DirEntry, error) {
		dir, err := p.Dir()
		if err != nil {
			return nil, err
		}
		defer dir.Close()
		return FS{p, f.outside}.read(dir)
	})
}

// do returns the result of an operation on name, which must be valid for [fs.ValidPath] and the
// system.
func do[T any](
	f FS, op, name string, operation func(workspace.Location) (T, error),
) (result T, err error) {
	if _, err := filepath.Localize(name); err != nil {
		return result, f.fail(op, name, fs.ErrInvalid)
	}
	result, err = operation(f.at.Join(name))
	return result, f.fail(op, name, err)
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

// read returns the entries of dir, the directory f, sorted by name. It omits names that are not
// UTF-8, because they are not valid paths.
func (f FS) read(dir *workspace.Dir) ([]fs.DirEntry, error) {
	var entries []fs.DirEntry
	for e, err := range walk.Entries(context.Background(), dir, walk.Options{Depth: 1}) {
		if err != nil {
			return nil, err
		}
		if utf8.Valid(e.Name) {
			entries = append(entries, entry{f, string(e.Name), e.Kind})
		}
	}
	return entries, nil
}

// An entry implements [fs.DirEntry].
type entry struct {
	in   FS // the directory
	name string
	kind workspace.EntryKind
}

func (e entry) Name() string      { return e.name }
func (e entry) IsDir() bool       { return e.kind == workspace.Directory }
func (e entry) Type() fs.FileMode { return typeOf(e.kind) }

// Info describes the current entry of that name.
func (e entry) Info() (fs.FileInfo, error) { return e.in.Lstat(e.name) }

// typeOf returns the type bits of an entry. FIFOs, sockets, devices and entries of unknown kind are
// [fs.ModeIrregular].
func typeOf(k workspace.EntryKind) fs.FileMode {
	switch k {
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

// An info describes a file. Its permissions are read-only, whatever they are on disk.
type info struct {
	name string
	workspace.Info
}

// newInfo returns a function that describes the file called name.
func newInfo(name string) func(workspace.Info, error) (fs.FileInfo, error) {
	return func(i workspace.Info, err error) (fs.FileInfo, error) {
		if err != nil {
			return nil, err
		}
		return info{path.Base(name), i}, nil
	}
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.Info.Size }
func (i info) ModTime() time.Time { return i.Info.ModTime }
func (i info) IsDir() bool        { return i.Kind == workspace.Directory }
func (i info) Sys() any           { return nil }

func (i info) Mode() fs.FileMode {
	if i.IsDir() {
		return fs.ModeDir | 0o555
	}
	return typeOf(i.Kind) | 0o444
}
