package workspace

import "io/fs"

// A File is an open regular file in a workspace. It is safe for concurrent use.
type File struct {
	cache  *cache
	opened *opening // in the trail of the call, or nil
	shared[fileHandle]
}

func newFile(w *Workspace, h fileHandle, o *opening) *File {
	return &File{w.cache, o, shared[fileHandle]{handle: h}}
}

// ReadAt implements [io.ReaderAt]. Its errors contain no path.
func (f *File) ReadAt(b []byte, off int64) (n int, err error) {
	if !f.acquire() {
		return 0, fs.ErrClosed
	}
	for n < len(b) && err == nil {
		var read int
		read, err = f.handle.pread(b[n:], off+int64(n))
		n += read
	}
	f.opened.add(off, n)
	f.release()
	return n, err
}

// Size returns the size when the file was opened. It is 0 for files of /proc that are not empty.
func (f *File) Size() int64 { return f.handle.openedSize() }

func (f *File) Info() (Info, error) {
	if !f.acquire() {
		return Info{}, fs.ErrClosed
	}
	defer f.release()
	return f.handle.stat()
}

// Close closes f. Concurrent calls that use it finish first.
func (f *File) Close() error { return f.close() }
