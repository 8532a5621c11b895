package workspace

import (
	"errors"
	"io"
	"io/fs"
)

// A File is an open regular file in a workspace. It is safe for concurrent use.
type File struct {
	w      *Workspace
	root   *root
	handle fileHandle
	useCount
}

var _ io.ReaderAt = (*File)(nil)

// File opens the regular file at p for reading. Symlinks are followed while they stay inside. Errors: [ErrOutside],
// [ErrDenied], [ErrIsDirectory], [ErrNotRegular], [ErrLoop] and those of the operating system.
func (p Location) File() (*File, error) {
	var file *File
	err := p.resolve(true, func(r *resolver, name string) error {
		h, err := r.dir.openFile(name, Unknown)
		if err == nil {
			file = &File{w: p.w, root: r.root, handle: h}
		}
		return err
	})
	if err != nil && file != nil {
		err = errors.Join(err, file.Close())
	}
	return file, err
}

// ReadAt implements [io.ReaderAt]. Its errors carry no path.
func (f *File) ReadAt(b []byte, off int64) (n int, err error) {
	if !f.acquire() {
		return 0, fs.ErrClosed
	}
	for n < len(b) && err == nil {
		var read int
		read, err = f.handle.pread(b[n:], off+int64(n))
		n += read
	}
	f.release()
	return n, err
}

// Size returns the size that the file had when it was opened. Some files that are not empty have the size 0, as in /proc.
func (f *File) Size() int64 { return f.handle.openedSize() }

// Info describes the open file.
func (f *File) Info() (Info, error) {
	if !f.acquire() {
		return Info{}, fs.ErrClosed
	}
	defer f.release()
	return f.handle.stat()
}

// CacheEntry returns the cache entry for the file under a name of the caller's. It must be used before the file is closed.
func (f *File) CacheEntry(what string) CacheEntry { return f.w.cacheEntry(f.handle, what, 0) }

// Close closes the file, once the calls that still use it have ended.
func (f *File) Close() error {
	last, first := f.useCount.close()
	switch {
	case !first:
		return fs.ErrClosed
	case last:
		return f.handle.close()
	default:
		return nil
	}
}

func (f *File) release() {
	if f.useCount.release() {
		_ = f.handle.close()
	}
}
