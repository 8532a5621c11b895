package fsys

import (
	"context"
	"io/fs"
	"time"
	"unicode/utf8"

	"gander/internal/engine/walk"
	"gander/internal/engine/workspace"
)

// Type returns what an entry is as package fs has it. FIFOs, sockets, devices and what cannot be told are irregular.
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

// info is a file's information. The permissions say that nothing can be written; those on disk are not told.
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

// An entry is an entry of a directory.
type entry struct {
	in   *workspace.Place
	name string
	kind workspace.EntryKind
}

func (e entry) Name() string      { return e.name }
func (e entry) IsDir() bool       { return e.kind == workspace.Directory }
func (e entry) Type() fs.FileMode { return Type(e.kind) }

// Info describes what has that name by now.
func (e entry) Info() (fs.FileInfo, error) {
	return Describe("lstat", e.name, e.in.Join(e.name).Lstat)
}

// read returns the entries of an open directory in the order of their names. Names that are not UTF-8 are left out: they
// are no valid paths.
func read(p workspace.Place, dir *workspace.Dir) ([]fs.DirEntry, error) {
	var entries []fs.DirEntry
	for e, err := range walk.Entries(context.Background(), dir, walk.Options{Depth: 1}) {
		if err != nil {
			return nil, err
		}
		if utf8.Valid(e.Name) {
			entries = append(entries, entry{&p, string(e.Name), e.Kind})
		}
	}
	return entries, nil
}
