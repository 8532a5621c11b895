package workspace

import (
	"io"
	"os"
)

// A File is an open regular file in a workspace.
type File struct {
	w *Workspace
	f *os.File
}

var _ io.ReaderAt = (*File)(nil)

// File opens the regular file at p for reading. Symlinks on the way and at the end are followed while they stay inside.
// Errors: [ErrOutside], [ErrDenied], [ErrIsDirectory], [ErrNotRegular], [ErrLoop] and those of the operating system.
func (p Place) File() (*File, error) {
	var f *os.File
	err := p.resolve(true, func(r *resolver, name string) (err error) {
		f, err = r.node.file(name)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &File{p.w, f}, nil
}

// ReadAt reads as [io.ReaderAt] says; its errors carry no path.
func (f *File) ReadAt(b []byte, off int64) (int, error) {
	n, err := f.f.ReadAt(b, off)
	if err != nil && err != io.EOF {
		err = bare(err)
	}
	return n, err
}

// Info describes the open file.
func (f *File) Info() (Info, error) {
	fi, err := f.f.Stat()
	if err != nil {
		return Info{}, bare(err)
	}
	return infoOf(fi), nil
}

// Recall returns what is remembered of the file under a name of the caller's.
func (f *File) Recall(what string) *Recollection {
	return f.w.recollection(openFile{f.f}, what)
}

// Close closes the file.
func (f *File) Close() error { return f.f.Close() }
