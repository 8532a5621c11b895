package gander

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"math"
	"path"

	"gander/internal/dialect"
	"gander/internal/engine/fsys"
	"gander/internal/engine/names"
	"gander/internal/engine/walk"
	"gander/internal/engine/workspace"
	"gander/tool"
)

// FS returns the directory dir of the workspace as an [fs.FS], also an [fs.StatFS], [fs.ReadDirFS] and [fs.ReadLinkFS].
// A relative dir is one of the first root, as in calls of tools. It is as confined as the tools are, whatever happens to
// the files meanwhile, and safe for concurrent use. It differs from [os.DirFS] in this:
//
//   - What leads out of the workspace is an error that matches [tool.ErrOutside], whether it exists or not. Symlinks that
//     lead inside are followed, also out of dir. What a deny pattern matches is listed, and not opened.
//   - Only regular files and directories are opened. FIFOs, sockets and devices are listed with type
//     [fs.ModeIrregular].
//   - Names that are not UTF-8 are left out, as no valid path names them.
//   - Permissions say that nothing can be written, and not what is on disk.
//   - Files are also an [io.ReaderAt] and an [io.Seeker].
//
// The error is an [*tool.Error] about dir. Policy, limits and middleware are about calls, not about this; a large
// directory is better read with [Toolset.List], which holds no more of it than is asked for.
func (t *Toolset) FS(dir string) (fs.FS, error) {
	p, err := t.directory(dir)
	if err != nil {
		return nil, listError(dir, err)
	}
	return fsys.New(p), nil
}

// directory returns the place of a directory that can be opened by now.
func (t *Toolset) directory(dir string) (workspace.Place, error) {
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

// An Order is the order in which a listing comes. Names are compared byte by byte.
type Order uint8

// The orders of a listing.
const (
	// PreOrder lists a directory, then all that is below it, then its next sibling.
	PreOrder Order = iota
	// DirectoriesFirst is PreOrder with the directories in each directory before everything else.
	DirectoriesFirst
	// PathOrder lists everything as one list sorted by path: what is below a directory comes where its path with a slash at
	// the end belongs, as in a, a-b, a.txt, a/x, a0.
	PathOrder
)

// ListOptions say what [Toolset.List] lists. The zero value lists the entries of the directory itself.
type ListOptions struct {
	// Order is the order of the listing.
	Order Order
	// Depth is how deep to go. 0 means 1, the entries of the directory itself; negative means no limit.
	Depth int
	// Limit is the most entries to list. 0 sets no limit.
	Limit int
	// Keep decides, before anything is counted, whether an entry is listed; a directory that is not is not entered. It may
	// be asked about entries that are then beyond the limit. Nil keeps all.
	Keep func(Entry) bool
	// Enter is called before the entries of a directory are decided about, and what it returns decides about them as Keep
	// does; nil keeps all. dir is the directory's path as an Entry has it, "" for the listed directory. lstat describes the
	// entry with a name, until Enter returns. A directory that is read again may be entered again. It is for rules that
	// hold in a directory, or lie there.
	Enter func(dir string, lstat func(name string) (fs.FileInfo, error)) (keep func(name string, kind fs.FileMode) bool)
}

// An Entry is an entry of a listing. It is an [fs.DirEntry].
type Entry struct {
	// Path is relative to the listed directory: names as they are on disk, not necessarily UTF-8, joined by slashes.
	Path string
	// Depth is 1 for the entries of the listed directory.
	Depth int
	// Last says that no entry of the same directory follows, whatever the limit. It is not set in [PathOrder], nor for
	// [ListOptions.Keep].
	Last bool

	kind workspace.EntryKind
	in   *workspace.Place // the listed directory
}

var _ fs.DirEntry = Entry{}

// Name returns the last part of the path.
func (e Entry) Name() string { return path.Base(e.Path) }

// IsDir reports whether the entry is a directory. A symlink is none.
func (e Entry) IsDir() bool { return e.kind == workspace.Directory }

// Type returns what the entry is: 0 for a regular file, [fs.ModeDir], [fs.ModeSymlink], or [fs.ModeIrregular] for anything
// else.
func (e Entry) Type() fs.FileMode { return fsys.Type(e.kind) }

// Info describes the entry, as of now; symlinks are not followed. Listing asks for none of this.
func (e Entry) Info() (fs.FileInfo, error) {
	if e.in == nil {
		return nil, &fs.PathError{Op: "lstat", Path: e.Path, Err: fs.ErrInvalid}
	}
	return fsys.Describe("lstat", e.Path, e.in.Join(e.Path).Lstat)
}

// Target returns where a symlink leads, as it stands there and as of now. It need not lead inside.
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

// List lists a directory of the workspace, for programs that want entries rather than text. A relative dir is one of the
// first root, as in calls of tools. It is as confined as the tools are: symlinks below dir are listed and not followed,
// and what a deny pattern matches is listed and not entered. Directories are read when their entries are due, and of each
// only as much is held as can still be asked for.
//
// A directory that cannot be read comes with the error: in the place of its entry, or in [PathOrder] once more where its
// entries would begin. An error with a zero Entry is about dir or ctx and ends the listing. Errors are of type
// [*tool.Error]. Policy, limits and middleware are about calls, not about this.
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
			entry.Last = o.Order != PathOrder && e.Last()
			if err != nil {
				err = listError(path.Join(dir, entry.Path), err)
			}
			if !yield(entry, err) {
				return
			}
		}
	}
}

// walk walks from start, which is open at p.
func (o ListOptions) walk(ctx context.Context, start *workspace.Dir, p *workspace.Place) iter.Seq2[walk.Entry, error] {
	w := walk.Options{Depth: or(o.Depth, 1), Limit: max(o.Limit, 0)}
	if w.Depth < 0 {
		w.Depth = math.MaxInt
	}
	if o.Keep != nil || o.Enter != nil {
		w.Filter = o.filter(p)
	}
	switch o.Order {
	case PathOrder:
		w.Order = walk.PathOrder
	case DirectoriesFirst:
		w.NameOrder = names.Order{Class: names.DirectoriesFirst}
	}
	return walk.Entries(ctx, start, w)
}

// filter is Keep and Enter for a walk from p.
func (o ListOptions) filter(p *workspace.Place) func(*walk.Directory, []byte, workspace.EntryKind) walk.Decision {
	entered := "/" // no directory's path
	var keep func(string, fs.FileMode) bool
	return func(dir *walk.Directory, name []byte, kind workspace.EntryKind) walk.Decision {
		if o.Enter != nil && dir.Path != entered {
			entered = dir.Path
			keep = o.Enter(entered, func(name string) (fs.FileInfo, error) {
				return fsys.Describe("lstat", name, walk.Entry{Name: []byte(name), Dir: dir}.Lstat)
			})
		}
		if keep != nil && !keep(string(name), fsys.Type(kind)) ||
			o.Keep != nil && !o.Keep(entryOf(walk.Entry{Name: name, Kind: kind, Dir: dir}, p)) {
			return walk.Omit
		}
		return walk.Show
	}
}

func entryOf(e walk.Entry, p *workspace.Place) Entry {
	return Entry{Path: e.Path(), Depth: e.Depth(), kind: e.Kind, in: p}
}

// listError is the error of a listing of dir.
func listError(dir string, err error) error {
	kind := dialect.ErrorKind(err)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		kind = tool.Timeout
	case errors.Is(err, context.Canceled):
		kind = tool.Cancelled
	}
	return &tool.Error{Kind: kind, Message: "cannot list " + dir + ": " + dialect.ErrorText(err), Err: err}
}
