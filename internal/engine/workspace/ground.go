package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// A node is an open directory. Every name is a single component, neither "." nor ".." unless stated, and no method
// follows a symlink: where one is in the way, enter and list fail with errNotDirectory and file with ErrNotRegular.
// Methods may be called concurrently, except names.
type node interface {
	// enter opens a subdirectory to go through it; being allowed to read it is not needed.
	enter(name string) (node, error)
	// list opens a subdirectory, or the directory itself as ".", to read its names.
	list(name string) (node, error)
	// file opens a regular file for reading.
	file(name string) (handle, error)
	// lstat describes an entry, or the directory itself as ".".
	lstat(name string) (Info, error)
	readlink(name string) (string, error)
	// names yields the names and kinds of all entries from the start, in no order, until yield returns false, and returns
	// how many those were. A name is valid until yield returns. buf is for the node to read into.
	names(ctx context.Context, buf []byte, yield func(name []byte, kind EntryKind) bool) (int, error)
	close() error
}

// A ground opens an absolute path that is free of symlinks as a node to enter.
type ground func(path string) (node, error)

// listBuffer is how much of a directory is read at a time; more gains nothing measurable.
const listBuffer = 64 << 10

// bare strips paths from an error of the operating system: where a file lies is not for every caller to know.
func bare(err error) error {
	if err == nil {
		return nil
	}
	return strip(err)
}

func strip(err error) error {
	var pathError *fs.PathError
	var linkError *os.LinkError
	var sysError *os.SyscallError
	switch {
	case errors.As(err, &pathError):
		err = pathError.Err
	case errors.As(err, &linkError):
		err = linkError.Err
	case errors.As(err, &sysError):
		err = sysError.Err
	}
	switch {
	case errors.Is(err, syscall.ENOTDIR):
		return ErrNotDirectory
	case errors.Is(err, syscall.ELOOP):
		return ErrLoop
	default:
		return err
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

func infoOf(fi fs.FileInfo) Info {
	return Info{Kind: kindOf(fi.Mode()), Size: fi.Size(), ModTime: fi.ModTime()}
}
