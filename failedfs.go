package gander

import "io/fs"

// A failedFS is the file system of a root that cannot be opened.
type failedFS struct{ err error }

var (
	_ fs.StatFS     = failedFS{}
	_ fs.ReadDirFS  = failedFS{}
	_ fs.ReadLinkFS = failedFS{}
)

func (f failedFS) fail(operation, name string) error {
	return &fs.PathError{Op: operation, Path: name, Err: f.err}
}

func (f failedFS) Open(name string) (fs.File, error) { return nil, f.fail("open", name) }

func (f failedFS) Stat(name string) (fs.FileInfo, error) { return nil, f.fail("stat", name) }

func (f failedFS) Lstat(name string) (fs.FileInfo, error) { return nil, f.fail("lstat", name) }

func (f failedFS) ReadLink(name string) (string, error) { return "", f.fail("readlink", name) }

func (f failedFS) ReadDir(name string) ([]fs.DirEntry, error) {
	return nil, f.fail("readdir", name)
}
