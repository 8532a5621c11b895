package gander

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"iter"
	"math"
	"path"

	"gander/internal/files/fsys"
	"gander/internal/files/names"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// FS returns the directory dir of the workspace as an [fs.FS], which is also an [fs.StatFS], [fs.ReadDirFS] and
// [fs.ReadLinkFS]. A relative dir is relative to the first root, as in calls. The file system is confined like the tools,
// whatever happens to the files meanwhile, and safe for concurrent use. It differs from [os.DirFS] in this:
//
//   - A path that leads out of the workspace is an error that matches [tool.ErrOutside], whether it exists or not. Symlinks
//     that lead inside are followed, even out of dir. What a deny pattern matches is listed but not opened.
//   - Only regular files and directories are opened. FIFOs, sockets and devices are listed with the type
//     [fs.ModeIrregular].
//   - Names that are not UTF-8 are left out, since no valid path names them.
//   - Permissions say that nothing can be written, instead of what is on disk.
//   - Files are also an [io.ReaderAt] and an [io.Seeker].
//
// The error is an [*tool.Error] about dir. Policy, limits and middleware do not apply, since they are for calls. To read a
// large directory, [Toolset.List] is better: it holds no more entries than are asked for.
func (t *Toolset) FS(dir string) (fs.FS, error) {
	p, err := t.directory(dir)
	if err != nil {
		return nil, listError(dir, err)
	}
	return fsys.New(p, tool.ErrOutside), nil
}

// directory returns the place of a directory after opening it once.
func (t *Toolset) directory(dir string) (workspace.Location, error) {
	p, err := t.workspace.Find(dir)
	if err != nil {
		return p, err
	}
	opened, err := p.Dir()
	if err != nil {
		return p, err
	}
	return p, opened.Close()
}

// An Order is the order of a listing. Names are compared byte by byte.
type Order uint8

// The orders of a listing.
const (
	// PreOrder lists a directory, then everything below it, then its next sibling.
	PreOrder Order = iota
	// DirectoriesFirst is PreOrder with the subdirectories of each directory before its other entries.
	DirectoriesFirst
	// PathOrder is one list sorted by path. What is below a directory comes where the directory's path followed by a slash
	// belongs, as in a, a-b, a.txt, a/x, a0.
	PathOrder
	// BreadthFirst lists all entries of a directory, then those of its subdirectories, and so on.
	BreadthFirst
	// NewestFirst lists the entries that were modified last first, and those of the same time by path. All directories are
	// read before the first entry is listed.
	NewestFirst
)

// walk returns the order of a walk, and that within a directory.
func (o Order) walk() (walk.Order, names.Order) {
	switch o {
	case DirectoriesFirst:
		return walk.PreOrder, names.Order{Class: names.DirectoriesFirst}
	case PathOrder:
		return walk.PathOrder, names.Order{}
	case BreadthFirst:
		return walk.BreadthFirst, names.Order{}
	case NewestFirst:
		return walk.NewestFirst, names.Order{}
	default:
		return walk.PreOrder, names.Order{}
	}
}

// ListOptions say what [Toolset.List] lists. The zero value lists the entries of the directory itself.
type ListOptions struct {
	// Order is the order of the listing.
	Order Order
	// Depth is how deep to go. 0 means 1, the entries of the directory itself; negative means no limit.
	Depth int
	// Limit is the most entries to list. 0 sets no limit.
	Limit int
	// Keep reports whether an entry is listed. A directory that is not listed is not entered. Keep is called before entries
	// are counted, and may be called for entries beyond the limit. Nil keeps all.
	Keep func(Entry) bool
}

// An Entry is an entry of a listing. It is an [fs.DirEntry].
type Entry struct {
	// Path is relative to the listed directory: names as they are on disk, not necessarily UTF-8, joined by slashes.
	Path string
	// Depth is 1 for the entries of the listed directory.
	Depth int

	kind workspace.EntryKind
	in   *workspace.Location // the listed directory
}

var _ fs.DirEntry = Entry{}

// Name returns the last part of the path.
func (e Entry) Name() string { return path.Base(e.Path) }

// IsDir reports whether the entry is a directory. A symlink is not.
func (e Entry) IsDir() bool { return e.kind == workspace.Directory }

// Type returns what the entry is: 0 for a regular file, [fs.ModeDir], [fs.ModeSymlink], or [fs.ModeIrregular] for anything
// else.
func (e Entry) Type() fs.FileMode { return fsys.Type(e.kind) }

// Info describes the entry as it is now. Symlinks are not followed. Listing does not need this information.
func (e Entry) Info() (fs.FileInfo, error) {
	if e.in == nil {
		return nil, &fs.PathError{Op: "lstat", Path: e.Path, Err: fs.ErrInvalid}
	}
	return fsys.New(*e.in, tool.ErrOutside).Describe("lstat", e.Path, e.in.Join(e.Path).Lstat)
}

// Target returns the target of a symlink as it is now. It may lead out of the workspace.
func (e Entry) Target() (string, error) {
	if e.in == nil {
		return "", &fs.PathError{Op: "readlink", Path: e.Path, Err: fs.ErrInvalid}
	}
	target, err := e.in.Join(e.Path).Readlink()
	if err != nil {
		return "", listError(e.Path, err)
	}
	return target, nil
}

// List lists a directory of the workspace, for programs that want entries instead of text. A relative dir is relative to the
// first root, as in calls. List is confined like the tools: it does not follow symlinks below dir, and does not enter what a
// deny pattern matches. It reads a directory when its first entry is due, and holds no more entries than can still be asked
// for.
//
// A directory that cannot be read is yielded with the error: as its entry, or in [PathOrder] and [BreadthFirst] a second time
// where its entries would begin, or in [NewestFirst] before all entries. An error with a zero Entry is about dir or ctx and
// ends the listing. Errors are of type [*tool.Error]. Policy, limits and middleware do not apply, since they are for calls.
func (t *Toolset) List(ctx context.Context, dir string, o ListOptions) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		p, err := t.workspace.Find(dir)
		if err != nil {
			yield(Entry{}, listError(dir, err))
			return
		}
		start, err := p.Dir()
		if err != nil {
			yield(Entry{}, listError(dir, err))
			return
		}
		defer start.Close()
		for e, err := range o.walk(ctx, start, &p) {
			if e.Dir == nil {
				yield(Entry{}, listError(dir, err))
				return
			}
			entry := entryOf(e, &p)
			if err != nil {
				err = listError(path.Join(dir, entry.Path), err)
			}
			if !yield(entry, err) {
				return
			}
		}
	}
}

// walk walks from start, the directory at p.
func (o ListOptions) walk(ctx context.Context, start *workspace.Dir, p *workspace.Location) iter.Seq2[walk.Entry, error] {
	w := walk.Options{Depth: cmp.Or(o.Depth, 1), Limit: max(o.Limit, 0)}
	w.Order, w.NameOrder = o.Order.walk()
	if w.Depth < 0 {
		w.Depth = math.MaxInt
	}
	if o.Keep != nil {
		w.Filter = func(dir *walk.Directory, name []byte, kind workspace.EntryKind) walk.Decision {
			if o.Keep(entryOf(walk.Entry{Name: name, Kind: kind, Dir: dir}, p)) {
				return walk.Show
			}
			return walk.Omit
		}
	}
	return walk.Entries(ctx, start, w)
}

func entryOf(e walk.Entry, p *workspace.Location) Entry {
	return Entry{Path: e.Path(), Depth: e.Depth(), kind: e.Kind, in: p}
}

// listError returns the error of a listing of dir.
func listError(dir string, err error) error { return pathError("list", dir, err) }

// pathError returns the error of doing something with a path.
func pathError(doing, path string, err error) error {
	kind := shared.ErrorKind(err)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		kind = tool.Timeout
	case errors.Is(err, context.Canceled):
		kind = tool.Cancelled
	}
	return &tool.Error{Kind: kind, Message: "cannot " + doing + " " + path + ": " + shared.PathErrorText(err), Err: err}
}
