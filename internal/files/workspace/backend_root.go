package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
)

// A rootBackend has an [os.Root] for every directory. It serves Windows, and Unix systems whose openat x/sys does not
// know. An os.Root confines, but it follows symlinks inside, which no deny pattern then judges. So each entry is examined
// before it is opened, and what was opened must be the same file.
type rootBackend struct{ hook syscallHook }

func (b *rootBackend) open(path string) (dirHandle, error) {
	return b.openRoot(os.OpenRoot, path)
}

// openRoot opens a directory with the given function. The "/." keeps it from waiting for a writer where name is a FIFO.
func (b *rootBackend) openRoot(open func(string) (*os.Root, error), name string) (*rootDir, error) {
	d := &rootDir{backend: b}
	err := b.hook.do("openroot", func() (err error) {
		d.root, err = open(name + "/.")
		return err
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// A rootDir is an open directory.
type rootDir struct {
	root    *os.Root
	backend *rootBackend
}

// openPath needs permission to read the directory: an [os.Root] cannot be opened otherwise.
func (d *rootDir) openPath(name string) (dirHandle, error) {
	var sub *rootDir
	err := d.openSame(name, checkDirectory, func() (_ rootHandle, err error) {
		sub, err = d.backend.openRoot(d.root.OpenRoot, name)
		return sub, err
	})
	if err != nil {
		return nil, err
	}
	return sub, nil
}

func (d *rootDir) openDir(name string) (dirHandle, error) { return d.openPath(name) }

func (d *rootDir) openFile(name string, _ EntryKind) (fileHandle, error) {
	f := &rootFile{hook: d.backend.hook}
	err := d.openSame(name, checkRegular, func() (_ rootHandle, err error) {
		f.File, err = d.open(name, nonBlocking)
		return f, err
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// A rootHandle is an open file or directory.
type rootHandle interface {
	fileInfo() (fs.FileInfo, error)
	close() error
}

// openSame calls open until the file it opens is the one that name itself was just before. It fails with check's error
// where name is not of the wanted kind, or is replaced too often.
func (d *rootDir) openSame(name string, check func(EntryKind) error, open func() (rootHandle, error)) error {
	const attempts = 10
	for range attempts {
		want, err := d.lstatFile(name)
		if err == nil {
			err = check(kindOf(want.Mode()))
		}
		if err != nil {
			return err
		}
		h, err := open()
		if err != nil {
			return err
		}
		got, err := h.fileInfo()
		if err == nil && os.SameFile(want, got) {
			return nil
		}
		if closeErr := h.close(); err != nil {
			return errors.Join(err, closeErr)
		}
	}
	return check(Symlink)
}

func checkDirectory(kind EntryKind) error {
	if kind != Directory {
		return ErrNotDirectory
	}
	return nil
}

func (d *rootDir) open(name string, flags int) (f *os.File, err error) {
	err = d.backend.hook.do("open", func() (err error) {
		f, err = d.root.OpenFile(name, os.O_RDONLY|flags, 0)
		return err
	})
	return f, err
}

func (d *rootDir) lstatFile(name string) (fi fs.FileInfo, err error) {
	err = d.backend.hook.do("lstat", func() (err error) {
		fi, err = d.root.Lstat(name)
		return err
	})
	return fi, err
}

func (d *rootDir) fileInfo() (fs.FileInfo, error) { return d.lstatFile(".") }

func (d *rootDir) lstat(name string) (Info, error) {
	fi, err := d.lstatFile(name)
	if err != nil {
		return Info{}, err
	}
	return infoOf(fi), nil
}

func (d *rootDir) details(name string) (Details, error) {
	fi, err := d.lstatFile(name)
	if err != nil {
		return Details{}, err
	}
	accessed, created := fileTimes(fi)
	return Details{Info: infoOf(fi), Permissions: uint32(fi.Mode().Perm()), Accessed: accessed, Created: created}, nil
}

func (d *rootDir) readlink(name string) (target string, err error) {
	err = d.backend.hook.do("readlink", func() (err error) {
		target, err = d.root.Readlink(name)
		return err
	})
	return target, err
}

func (d *rootDir) identity() (identity, error) {
	fi, err := d.fileInfo()
	return identity{info: fi}, err
}

func (d *rootDir) names(ctx context.Context, _ []byte, yield func([]byte, EntryKind) bool) (int, error) {
	f, err := d.open(".", 0)
	if err != nil {
		return 0, err
	}
	read, err := readNames(ctx, d.backend.hook, f, yield)
	_ = d.backend.hook.close(f.Close)
	return read, err
}

func (d *rootDir) close() error { return d.backend.hook.close(d.root.Close) }

// A rootFile is an open regular file.
type rootFile struct {
	*os.File
	hook syscallHook
	size int64 // when it was opened
}

func (f *rootFile) openedSize() int64 { return f.size }

func (f *rootFile) pread(b []byte, off int64) (n int, err error) {
	err = f.hook.do("pread", func() (err error) {
		n, err = f.ReadAt(b, off)
		return err
	})
	return n, err
}

// fileInfo describes the file for openSame, and notes its size.
func (f *rootFile) fileInfo() (fs.FileInfo, error) {
	fi, err := f.describe()
	if err == nil {
		f.size = fi.Size()
	}
	return fi, err
}

func (f *rootFile) describe() (fi fs.FileInfo, err error) {
	err = f.hook.do("fstat", func() (err error) {
		fi, err = f.Stat()
		return err
	})
	return fi, err
}

func (f *rootFile) stat() (Info, error) {
	fi, err := f.describe()
	if err != nil {
		return Info{}, err
	}
	return infoOf(fi), nil
}

func (f *rootFile) close() error { return f.hook.close(f.Close) }
