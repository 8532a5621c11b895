package fsys

import (
	"context"
	"io/fs"
	"time"
	"unicode/utf8"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
)

// Type returns the type bits of an entry. FIFOs, sockets, devices and entries of unknown kind are
// [fs.ModeIrregular].
func Type(k workspace.EntryKind) fs.FileMode {
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

// An info describes a file. Its permissions say that nothing can be written, instead of what is on
// disk.
type info struct {
	name string
	workspace.Info
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
	return Type(i.Kind) | 0o444
}

// An entry implements [fs.DirEntry].
type entry struct {
	in   *FS // the directory
	name string
	kind workspace.EntryKind
}

func (e entry) Name() string      { return e.name }
func (e entry) IsDir() bool       { return e.kind == workspace.Directory }
func (e entry) Type() fs.FileMode { return Type(e.kind) }

// Info describes the current entry of that name.
func (e entry) Info() (fs.FileInfo, error) {
	return e.in.Describe("lstat", e.name, e.in.at.Join(e.name).Lstat)
}

// read returns the entries of dir, which is open at in, sorted by name. It omits names that are not
// UTF-8, because they are not valid paths.
func read(in FS, dir *workspace.Dir) ([]fs.DirEntry, error) {
	var entries []fs.DirEntry
	for e, err := range walk.Entries(context.Background(), dir, walk.Options{Depth: 1}) {
		if err != nil {
			return nil, err
		}
		if utf8.Valid(e.Name) {
			entries = append(entries, entry{&in, string(e.Name), e.Kind})
		}
	}
	return entries, nil
}
