package workspace

import (
	"context"
	"io"

	"gander/internal/meter"
)

// A File is an open regular file in a workspace.
type File struct {
	w     *Workspace
	root  *root
	f     handle
	meter *meter.Meter // nil where nobody counts
}

var _ io.ReaderAt = (*File)(nil)

// File opens the regular file at p for reading. Symlinks on the way and at the end are followed while they stay inside.
// Errors: [ErrOutside], [ErrDenied], [ErrIsDirectory], [ErrNotRegular], [ErrLoop] and those of the operating system.
func (p Place) File() (*File, error) {
	var file *File
	err := p.resolve(true, func(r *resolver, name string) error {
		f, err := r.node.file(name)
		if err == nil {
			file = &File{w: p.w, root: r.root, f: f}
		}
		return err
	})
	return file, err
}

// Count makes the meter of ctx count what is read of the file from now on.
func (f *File) Count(ctx context.Context) {
	f.meter = meter.From(ctx)
	f.meter.SetRoot(&f.root.shown)
}

// ReadAt reads as [io.ReaderAt] says; its errors carry no path.
func (f *File) ReadAt(b []byte, off int64) (int, error) {
	n, err := f.f.readAt(b, off)
	f.meter.Add(0, int64(n))
	return n, err
}

// Info describes the open file.
func (f *File) Info() (Info, error) { return f.f.stat() }

// CacheEntry returns the cache entry for the file under a name of the caller's.
func (f *File) CacheEntry(what string) CacheEntry {
	return f.w.recollection(f.f, what, 0)
}

// Close closes the file.
func (f *File) Close() error { return f.f.close() }
