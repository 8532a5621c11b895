package workspace

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// A backend opens a directory by an absolute path without symlinks, by the means of an operating
// system. It need not be readable.
type backend func(path string) (dirHandle, error)

type handle interface{ close() error }

// A dirHandle is an open directory. A name is a single component, not "." or ".." unless noted. No
// method follows symlinks: for a symlink, openPath and openDir fail with [ErrNotDirectory], and
// openFile fails with [ErrNotRegular]. Methods may be called concurrently, except names.
type dirHandle interface {
	handle
	// openPath opens a subdirectory. It needs no permission to read it if the system permits that.
	openPath(name string) (dirHandle, error)
	// openDir opens a subdirectory, or the directory itself as ".", to read its names as well.
	openDir(name string) (dirHandle, error)
	// openFile opens a regular file for reading. Unless kind, the listed kind of the entry, is
	// Regular, the entry is examined before it is opened, because opening a device can have effects.
	openFile(name string, kind EntryKind) (fileHandle, error)
	// lstat describes an entry, or the directory itself as ".".
	lstat(name string) (Info, error)
	// mayFold reports whether the file system may find an entry of the directory by another name than
	// the one that it lists, for example in another case.
	mayFold() bool
	details(name string) (Details, error)
	readlink(name string) (string, error)
	// confine returns a path that opens the directory wherever it is, or else opened. It prepares
	// for [Workspace.Confine].
	confine(opened string) string
	// identity returns a fileID or an [fs.FileInfo], which identify the directory even if it is moved.
	identity() (any, error)
	// names yields the names and kinds of all entries from the start, in no order, until yield
	// returns false. A name is valid until yield returns. The handle may read into buf. It calls
	// arrived after each read from the system, before it yields the names, and returns its error.
	names(buf []byte, arrived func() error, yield func(name []byte, kind EntryKind) bool) error
}

// sameIdentity reports whether two identities of one backend are of the same directory.
func sameIdentity(a, b any) bool {
	info, ok := a.(fs.FileInfo)
	if !ok {
		return a == b
	}
	return os.SameFile(info, b.(fs.FileInfo))
}

// A fileHandle is an open regular file. Its methods may be called concurrently, except close.
type fileHandle interface {
	handle
	// version returns the zero version if the file system may not tell that the file has changed.
	version() version
	// pread may read less than len(b). At the end of the file it returns io.EOF.
	pread(b []byte, off int64) (int, error)
	openedSize() int64 // when the file was opened
	stat() (Info, error)
}

// listBuffer is the size of the buffers for names. Larger ones are not measurably faster.
const listBuffer = 64 << 10

// bare returns the innermost error, which has no path: callers may not know it.
func bare(err error) error {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	switch {
	case errors.Is(err, syscall.ENOTDIR):
		return ErrNotDirectory
	case errors.Is(err, syscall.ELOOP):
		return ErrLoop
	}
	return err
}

// checkKind returns the error of an entry that is not of the wanted kind, Regular or Directory.
func checkKind(kind, want EntryKind) error {
	switch {
	case kind == want:
		return nil
	case want == Directory:
		return ErrNotDirectory
	case kind == Directory:
		return ErrIsDirectory
	default:
		return ErrNotRegular
	}
}

func kindOf(mode fs.FileMode) EntryKind {
	switch {
	case mode.IsRegular():
		return Regular
	case mode.IsDir():
		return Directory
	case mode&fs.ModeSymlink != 0:
		return Symlink
	default:
		return Other
	}
}

func infoOf(fi fs.FileInfo, err error) (Info, error) {
	if err != nil {
		return Info{}, bare(err)
	}
	return Info{Kind: kindOf(fi.Mode()), Size: fi.Size(), ModTime: fi.ModTime()}, nil
}
