package workspace

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"
)

// A Dir is an open directory in a workspace. It is not safe for concurrent use. If it, or a
// directory above it, is moved or replaced, its methods fail with [fs.ErrNotExist] within 10 ms.
type Dir struct {
	w       *Workspace
	root    *root
	rel     string    // without symlinks, "." for the root
	paths   []string  // the absolute paths, that without symlinks first
	handle  dirHandle // nil after Release or Close
	closed  bool
	users   *atomic.Int32 // the Dirs that share handle; nil if d is the only one
	checked time.Time     // the last time that it was known to be at rel
	trail   *Trail        // of the call, or nil
}

// Root returns the index of the root that contains d.
func (d *Dir) Root() int { return d.root.index }

// Path returns the slashed path of d relative to its root, without symlinks, "." for the root.
func (d *Dir) Path() string { return d.rel }

// Names yields the name and kind of every entry except "." and "..", in no order, until yield
// returns false. It inspects an entry only if the file system does not list its kind. A name is
// valid until yield returns. ctx is checked between buffers.
func (d *Dir) Names(ctx context.Context, yield func(name []byte, kind EntryKind) bool) error {
	if err := d.reopen(); err != nil {
		return err
	}
	buf := d.w.buffers.Get().(*[listBuffer]byte)
	defer d.w.buffers.Put(buf)
	arrived := func() error { // whether the names that the system has just listed may be used
		if err := ctx.Err(); err != nil {
			return err
		}
		return d.check()
	}
	return d.handle.names(buf[:], arrived, yield)
}

// checkEntry returns an error if the entry called name must not be opened. It reopens d.
func (d *Dir) checkEntry(name string) error {
	if !d.w.semantics.isName(name) {
		return fs.ErrInvalid
	}
	if err := d.reopen(); err != nil {
		return err
	}
	err := d.CheckDenied(name)
	if err != nil {
		d.trail.refuse(filepath.FromSlash(joinPath(d.paths[0], name)), err)
	}
	return err
}

// CheckDenied returns a [DeniedError] if a deny pattern matches the entry called name.
func (d *Dir) CheckDenied(name string) error { return d.w.deny.check(d.paths, name) }

// Exact reports whether name is a single component under which the system opens no entry of another
// name, so that it is as [Dir.Names] yields it.
func (d *Dir) Exact(name string) bool {
	isName := d.w.semantics.isName(name) && d.reopen() == nil
	return isName && d.w.classOf(name, d.root, d.rel, d.handle) == ordinaryName
}

// Open opens the subdirectory called name. It fails with [ErrNotDirectory] for a symlink, with
// [fs.ErrInvalid] if name is not a single component, and if the path is longer than
// [Workspace.Find] accepts. The name must be as [Dir.Names] yields it: deny patterns are matched
// with it, and some systems open an entry under other names too.
func (d *Dir) Open(name string) (*Dir, error) {
	if len(entryPath(d.rel, name)) > maxPath {
		return nil, syscall.ENAMETOOLONG
	}
	if err := d.checkEntry(name); err != nil {
		return nil, err
	}
	sub, err := d.handle.openDir(name)
	if err != nil {
		return nil, err
	}
	rel := entryPath(d.rel, name)
	d.trail.open(d.root, rel, true)
	return &Dir{
		w: d.w, root: d.root, rel: rel, paths: joinEach(d.paths, name), handle: sub, checked: d.checked,
		trail: d.trail,
	}, nil
}

// File opens the regular file called name, which must be as [Dir.Names] yields it, as for
// [Dir.Open]. It fails with [ErrNotRegular] for a symlink, and with [fs.ErrInvalid] if name is not
// a single component. kind is the kind that [Dir.Names] has yielded, or Unknown. A Regular entry is
// opened immediately, and closed unread if it has been replaced. Any other entry is examined before
// it is opened, because opening a device can have effects.
func (d *Dir) File(name string, kind EntryKind) (*File, error) {
	if err := d.checkEntry(name); err != nil {
		return nil, err
	}
	h, err := d.handle.openFile(name, kind)
	if err != nil {
		return nil, err
	}
	if err := d.check(); err != nil {
		return nil, errors.Join(err, h.close())
	}
	return newFile(d.w, h, d.trail.open(d.root, entryPath(d.rel, name), false)), nil
}

// Lstat describes the entry called name, or d itself as ".". It does not follow symlinks.
func (d *Dir) Lstat(name string) (Info, error) {
	return inspect(d, name, dirHandle.lstat)
}

// Describe is like [Dir.Lstat].
func (d *Dir) Describe(name string) (Details, error) {
	return inspect(d, name, dirHandle.details)
}

func inspect[T any](d *Dir, name string, with func(dirHandle, string) (T, error)) (T, error) {
	var none T
	if name != "." && !d.w.semantics.isName(name) {
		return none, fs.ErrInvalid
	}
	if err := d.reopen(); err != nil {
		return none, err
	}
	result, err := with(d.handle, name)
	moved := d.check()
	if err != nil || moved != nil {
		return none, cmp.Or(err, moved)
	}
	return result, nil
}

// Searchable reports whether entries of d can be inspected. Otherwise only their names are known.
func (d *Dir) Searchable() (bool, error) {
	_, err := d.Lstat(".")
	if errors.Is(err, fs.ErrPermission) {
		return false, nil
	}
	return err == nil, err
}

// Stat describes the entry called name by its path. It follows symlinks.
func (d *Dir) Stat(ctx context.Context, name string) (Info, error) {
	return Location{ctx, d.w, d.root, entryPath(d.rel, name)}.Stat()
}

// Share returns a Dir for the same directory, for another goroutine. They share a handle, which is
// closed with the last of them. Only one of them may call Names at a time.
func (d *Dir) Share() (*Dir, error) {
	if err := d.reopen(); err != nil {
		return nil, err
	}
	if d.users == nil {
		d.users = new(atomic.Int32)
		d.users.Add(1)
	}
	d.users.Add(1)
	shared := *d
	return &shared, nil
}

// Release closes the handle of d until d is next used. The path is then reopened, which fails if it
// contains a symlink. It may name another directory by that time.
func (d *Dir) Release() {
	if d.handle != nil {
		if d.users == nil || d.users.Add(-1) == 0 {
			_ = d.handle.close()
		}
		d.handle, d.users = nil, nil
	}
}

// Released returns the directory at a path below d through which names were yielded, as if it had
// been opened from there and released.
func (d *Dir) Released(rel string) *Dir {
	return &Dir{
		w: d.w, root: d.root, rel: entryPath(d.rel, rel), paths: joinEach(d.paths, rel), trail: d.trail,
	}
}

// Close releases d for good: its methods then fail with [fs.ErrClosed].
func (d *Dir) Close() error {
	d.Release()
	d.closed = true
	return nil
}

// reopen opens d again after Release. Otherwise it calls check.
func (d *Dir) reopen() error {
	if d.closed {
		return fs.ErrClosed
	}
	if d.handle != nil {
		return d.check()
	}
	now := time.Now()
	r := &resolver{w: d.w}
	defer r.close()
	if err := r.descend(d.root, path.Dir(d.rel)); err != nil {
		return err
	}
	h, err := r.dir.openDir(path.Base(d.rel))
	if err == nil {
		d.handle, d.checked = h, now
	}
	return err
}

// check returns an error if d was moved. It inspects the path at most once in an interval, so it is
// cheap enough for each entry.
func (d *Dir) check() error {
	now := time.Now()
	if now.Sub(d.checked) < d.w.recheck {
		return nil
	}
	if d.rel != "." || d.root.parent != nil {
		r := &resolver{w: d.w}
		if err := r.checkHeld(d.root, d.rel, d.handle); err != nil {
			return err
		}
	}
	d.checked = now
	return nil
}

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
