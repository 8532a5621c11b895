package workspace

import (
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// maxPath is the maximum length of a path in bytes, as on Linux.
const maxPath = 4096

// A Location is a path in the workspace. Methods follow symlinks inside the roots, and resolve ".."
// after the symlinks before it, as the operating system does.
type Location struct {
	ctx  context.Context // that of the call, which ends the search for a name in a directory
	w    *Workspace
	root *root
	rest string // relative to root, slash-separated, as the caller wrote it
}

// Find returns the location of a path. An absolute path must begin with a root in one of its two
// spellings, and belongs to the first such root. A relative one belongs to the first root. Find
// inspects no files. The error is [ErrOutside], [ErrBadPath] or [syscall.ENAMETOOLONG].
//
// The methods of the Location fail after ctx is done if they have to read a directory.
func (w *Workspace) Find(ctx context.Context, p string) (Location, error) {
	if strings.ContainsRune(p, 0) {
		return Location{}, ErrBadPath
	}
	if len(p) > maxPath {
		return Location{}, syscall.ENAMETOOLONG
	}
	slashed := w.semantics.slashed(p)
	if w.semantics.isRelative(slashed) {
		return Location{ctx: ctx, w: w, root: w.roots[0], rest: slashed}, nil
	}
	return w.locate(ctx, slashed)
}

// locate finds the first root that contains a path that is not relative.
func (w *Workspace) locate(ctx context.Context, abs string) (Location, error) {
	for _, r := range w.roots {
		for _, dir := range r.paths {
			if rest, ok := w.semantics.cutRoot(abs, dir); ok {
				return Location{ctx: ctx, w: w, root: r, rest: rest}, nil
			}
		}
	}
	return Location{}, ErrOutside
}

// cutRoot removes the components of prefix from abs. It resolves "." and ".." lexically, because
// nothing above a root is inspected.
func (s pathSemantics) cutRoot(abs, prefix string) (rest string, ok bool) {
	for _, start := range []string{"/", "//"} { // of the current drive, and shares
		if s == windowsSemantics && strings.HasPrefix(abs, start) != strings.HasPrefix(prefix, start) {
			return "", false
		}
	}
	want := splitPath(prefix)
	var have []string
	for {
		if len(have) == len(want) && slices.EqualFunc(have, want, s.same) {
			return strings.TrimLeft(abs, "/"), true
		}
		if abs == "" {
			return "", false
		}
		var name string
		name, abs, _ = strings.Cut(strings.TrimLeft(abs, "/"), "/")
		switch {
		case name == "..":
			have = have[:max(len(have)-1, 0)]
		case name != "." && name != "":
			have = append(have, name)
		}
	}
}

// IsRelative reports whether a path is relative to a root on this platform. Other paths need not be
// absolute: on Windows, a path may be relative to a drive.
func IsRelative(p string) bool { return native().isRelative(native().slashed(p)) }

// SameName reports whether two names denote the same entry on this platform.
func SameName(a, b string) bool { return native().same(a, b) }

// Join returns the location of rel, a path relative to l.
func (l Location) Join(rel string) Location {
	l.rest += "/" + rel
	return l
}

// Context returns the context that l was found with.
func (l Location) Context() context.Context { return l.ctx }

// Root returns the index of the root that l is relative to.
func (l Location) Root() int { return l.root.index }

// Path returns the path relative to the root, cleaned lexically, "." for the root itself.
func (l Location) Path() string { return strings.TrimPrefix(path.Clean("./"+l.rest), "./") }

// Absolute returns the absolute path, using the path of the root without symlinks.
func (l Location) Absolute() string {
	return filepath.FromSlash(joinPath(l.root.real(), l.Path()))
}

// A File is an open regular file in a workspace. It is safe for concurrent use.
type File struct {
	w *Workspace
	shared[fileHandle]
}

func newFile(w *Workspace, h fileHandle) *File {
	w.activity.Files.Add(1)
	return &File{w, shared[fileHandle]{handle: h}}
}

// File opens the regular file at l for reading. It follows symlinks inside the roots. The error is
// [ErrOutside], [ErrDenied], [ErrIsDirectory], [ErrNotRegular], [ErrLoop] or a system error.
func (l Location) File() (*File, error) {
	return resolve(l, true, func(r *resolver, end component) (*File, error) {
		h, err := r.dir.openFile(end.name, Unknown)
		if err != nil {
			return nil, err
		}
		return newFile(l.w, h), nil
	})
}

// ReadAt implements [io.ReaderAt]. Its errors contain no path.
func (f *File) ReadAt(b []byte, off int64) (n int, err error) {
	if !f.acquire() {
		return 0, fs.ErrClosed
	}
	f.w.activity.begin()
	for n < len(b) && err == nil {
		var read int
		read, err = f.handle.pread(b[n:], off+int64(n))
		n += read
	}
	f.w.activity.end()
	f.w.activity.Bytes.Add(int64(n))
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
