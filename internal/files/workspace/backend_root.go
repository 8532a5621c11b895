package workspace

import (
	"io"
	"io/fs"
	"os"
	"runtime"
	"syscall"
)

// openRootDir is a backend that keeps an [os.Root] open for every directory. An os.Root confines,
// but follows symlinks inside, which would bypass deny patterns. The backend therefore examines
// each entry before opening it, and verifies that it has opened the same file.
func openRootDir(path string) (dirHandle, error) {
	root, err := os.OpenRoot(directory(path))
	if err != nil {
		return nil, bare(err)
	}
	return &rootDir{root}, nil
}

// directory returns the path to open a directory by. Its end keeps the open from waiting if a FIFO
// is there. Windows takes "." literally in some paths.
func directory(path string) string {
	if runtime.GOOS == "windows" {
		return path
	}
	return path + "/."
}

type rootDir struct{ root *os.Root }

// openPath needs permission to read the directory: an [os.Root] cannot be opened otherwise.
func (d *rootDir) openPath(name string) (dirHandle, error) {
	sub := &rootDir{}
	err := d.openSame(name, Directory, sub, func() (err error) {
		sub.root, err = d.root.OpenRoot(directory(name))
		return err
	})
	return sub, err
}

func (d *rootDir) openDir(name string) (dirHandle, error) { return d.openPath(name) }

func (d *rootDir) openFile(name string, _ EntryKind) (fileHandle, error) {
	flags := os.O_RDONLY
	if runtime.GOOS != "windows" { // opening a FIFO would wait, a terminal could take control
		flags |= syscall.O_NONBLOCK | syscall.O_NOCTTY
	}
	f := &rootFile{}
	err := d.openSame(name, Regular, f, func() (err error) {
		f.file, err = d.root.OpenFile(name, flags, 0)
		return err
	})
	return f, err
}

// openSame calls open, which opens h, until h is the file that name itself was immediately before.
// It fails if name is of another kind, or is replaced too often.
func (d *rootDir) openSame(name string, kind EntryKind, h rootHandle, open func() error) error {
	const attempts = 10
	for range attempts {
		want, err := d.root.Lstat(name)
		if err != nil {
			return bare(err)
		}
		if err := checkKind(kindOf(want.Mode()), kind); err != nil {
			return err
		}
		if err := open(); err != nil {
			return bare(err)
		}
		got, err := h.fileInfo()
		if err == nil && os.SameFile(want, got) {
			return nil
		}
		_ = h.close()
		if err != nil {
			return bare(err)
		}
	}
	return checkKind(Symlink, kind)
}

type rootHandle interface {
	handle
	fileInfo() (fs.FileInfo, error)
}

func (d *rootDir) fileInfo() (fs.FileInfo, error) { return d.root.Lstat(".") }

// mayFold returns true: what an [os.Root] finds depends on the file system, which it does not tell.
func (d *rootDir) mayFold() bool { return true }

func (d *rootDir) lstat(name string) (Info, error) { return infoOf(d.root.Lstat(name)) }

func (d *rootDir) details(name string) (Details, error) {
	fi, err := d.root.Lstat(name)
	info, err := infoOf(fi, err)
	if err != nil {
		return Details{}, err
	}
	modified := info.ModTime
	details := Details{Info: info, Accessed: modified, Changed: modified, Created: modified}
	details.describe(fi)
	return details, nil
}

func (d *rootDir) readlink(name string) (string, error) {
	target, err := d.root.Readlink(name)
	return target, bare(err)
}

func (d *rootDir) confine(opened string) string { return opened }

func (d *rootDir) identity() (any, error) {
	fi, err := d.fileInfo()
	return fi, bare(err)
}

func (d *rootDir) names(
	_ []byte, arrived func() error, yield func([]byte, EntryKind) bool,
) error {
	f, err := d.root.Open(".")
	if err != nil {
		return bare(err)
	}
	defer f.Close()
	for {
		entries, err := f.ReadDir(1024)
		if err := arrived(); err != nil {
			return err
		}
		for _, e := range entries {
			if !yield([]byte(e.Name()), kindOf(e.Type())) {
				return nil
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return bare(err)
		}
	}
}

func (d *rootDir) close() error { return d.root.Close() }

type rootFile struct {
	file *os.File
	size int64 // when it was opened
}

func (f *rootFile) pread(b []byte, off int64) (int, error) {
	n, err := f.file.ReadAt(b, off)
	return n, bare(err)
}

// fileInfo describes the file for openSame, and stores its size.
func (f *rootFile) fileInfo() (fs.FileInfo, error) {
	fi, err := f.file.Stat()
	if err == nil {
		f.size = fi.Size()
	}
	return fi, err
}

func (f *rootFile) stat() (Info, error) { return infoOf(f.file.Stat()) }
func (f *rootFile) openedSize() int64   { return f.size }
func (f *rootFile) close() error        { return f.file.Close() }
func (f *rootFile) version() version    { return version{} }
