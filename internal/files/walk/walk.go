// Package walk yields the entries below an open directory, one at a time, in one of several orders. It is lazy, except where
// [NewestFirst] has to see everything: a directory is read when its first entry is due, and of its names no more are kept
// than can still be asked for.
package walk

import (
	"context"
	"iter"

	"gander/internal/files/names"
	"gander/internal/files/workspace"
)

// An Order is the order in which a walk yields entries. Within one directory, [PreOrder], [PathOrder] and [BreadthFirst] follow
// Options.NameOrder.
type Order uint8

const (
	// PreOrder yields a directory, then everything below it, then its next sibling. A directory that cannot be entered is
	// yielded once, with the error, even if it is hidden.
	PreOrder Order = iota
	// PathOrder sorts all entries by path: by the keys of the names in it, joined by slashes and cut to MaxKey, then by the
	// path itself. What is below a directory therefore comes where the directory's path with a slash at the end belongs,
	// which need not be right after it: a, a-b, a.txt, a/x, a0. A directory that cannot be entered is yielded again there,
	// with the error. NameOrder.Class is ignored.
	PathOrder
	// BreadthFirst yields all entries of the start, then all entries of its subdirectories, and so on. It holds the names of
	// the directories that are still to be entered. A directory that cannot be entered is yielded again where its entries
	// would begin, with the error.
	BreadthFirst
	// NewestFirst sorts all entries by modification time, the latest first, and entries of the same time by path, byte by
	// byte. It reads the whole tree before it yields the first, and holds at most twice as many entries as Limit, or 512 if
	// that is more, but never more than 262,144. If there are more, it reads the tree again for those that follow the first
	// 131,072; an entry that is modified meanwhile may then be left out. A directory that cannot be entered and an entry that
	// cannot be described are yielded only with the error, as soon as they are met, and are not counted. NameOrder, CheckSearch and
	// CacheKey are ignored.
	NewestFirst
)

// A Decision is what a filter decides about an entry.
type Decision uint8

const (
	// Omit leaves the entry out. A directory is not entered.
	Omit Decision = iota
	// Show yields the entry. A directory is entered.
	Show
	// Hide enters a directory without yielding or counting it. Any other entry is left out.
	Hide
)

// Options specify a walk.
type Options struct {
	// Order is the order of the walk.
	Order Order
	// NameOrder is the order within a directory.
	NameOrder names.Order
	// Depth is the number of levels to walk, at least 1: the entries of the start have depth 1, and directories of depth Depth
	// are yielded and not entered.
	Depth int
	// Limit is the maximum number of entries to yield; zero sets no limit. A directory that reaches the limit is not entered.
	Limit int
	// Skip is the number of entries that are passed over before the first is yielded. They count toward Limit. An error of
	// a directory that is passed over is passed over too.
	Skip int
	// MaxBytes bounds the names that are kept: the caller breaks off before the names of the yielded entries, with one byte
	// added for each, come to more. Zero sets no bound. It does not end the walk.
	MaxBytes int
	// MaxKey is the number of bytes after which [PathOrder] cuts the key of a path, at a character boundary. Zero does not
	// cut.
	MaxKey int

	// Filter decides about an entry before it is counted. It is called for the names of a directory in any order, perhaps more
	// than once, or not at all for names that cannot be due, and must not retain name. A nil Filter shows everything.
	Filter func(dir *Directory, name []byte, kind workspace.EntryKind) Decision
	// Enter, unless nil, is called once for each directory that is entered, the start included, before Filter is called for
	// its entries. It may set dir.Data. It may use open, but neither close nor retain it. If it returns an error that is
	// [fs.SkipDir], the directory counts as empty; any other error is handled as if the directory could not be read.
	Enter func(dir *Directory, open *workspace.Dir) error

	// CheckSearch makes the walk look up whether directories may be searched. The entries of one that may be read and not
	// searched then have kind Unknown, as nothing can be found out about them. Otherwise kinds are those that the
	// directory lists.
	CheckSearch bool
	// CacheKey, unless empty, lets the workspace cache the sorted names of large directories. Walks with the same CacheKey
	// must have equal NameOrders, and filters that always decide alike.
	CacheKey string
}

// A Directory is a directory that a walk has entered. The start has the path "" and depth 0.
type Directory struct {
	// Path is relative to the start: names as they are on disk, joined by slashes.
	Path  string
	Depth int
	// Data is for the caller's use. A directory has the Data of the one that it lies in, unless Options.Enter sets another.
	Data any

	open    *workspace.Dir
	entries stream
}

// join returns the path of an entry of d.
func (d *Directory) join(name []byte) string {
	if d.Path == "" {
		return string(name)
	}
	return d.Path + "/" + string(name)
}

// An Entry is an entry of a directory. It and its methods are valid until the walk goes on.
type Entry struct {
	// Name is as it is on disk, not necessarily UTF-8.
	Name []byte
	Kind workspace.EntryKind
	// Dir is the directory that the entry lies in.
	Dir *Directory

	info *workspace.Info // nil unless the walk has asked for it
}

// Depth returns the depth of the entry, 1 for an entry of the start.
func (e Entry) Depth() int { return e.Dir.Depth + 1 }

// Path returns the path relative to the start: names as they are on disk, joined by slashes.
func (e Entry) Path() string { return e.Dir.join(e.Name) }

// AppendPath appends the path to dst.
func (e Entry) AppendPath(dst []byte) []byte {
	if e.Dir.Path != "" {
		dst = append(append(dst, e.Dir.Path...), '/')
	}
	return append(dst, e.Name...)
}

// Lstat describes the entry; a symlink is not followed. In [NewestFirst] the description is the one that the order rests on.
func (e Entry) Lstat() (workspace.Info, error) {
	if e.info != nil {
		return *e.info, nil
	}
	return e.Dir.open.Lstat(string(e.Name))
}

// Share returns the directory of the entry for another goroutine, which can open the entry there with
// the returned kind. See [workspace.Dir.Share].
func (e Entry) Share() (*workspace.Dir, workspace.EntryKind, error) {
	dir, err := e.Dir.open.Share()
	if e.info != nil {
		return dir, workspace.Unknown, err // it was listed long ago
	}
	return dir, e.Kind, err
}

// File opens the entry, which must be a regular file, in the directory that the walk has open; its path is not resolved again.
// Errors are those of [workspace.Dir.File].
func (e Entry) File() (*workspace.File, error) {
	kind := e.Kind
	if e.info != nil {
		kind = workspace.Unknown // it was listed long ago
	}
	return e.Dir.open.File(string(e.Name), kind)
}

// Entries walks the tree below start. If it yields an error together with an Entry whose Dir is nil, the error is about the
// start or is that of ctx, and the walk is over; other errors are about their entry, and the walk goes on. The walk does not
// close start.
func Entries(ctx context.Context, start *workspace.Dir, o Options) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		switch o.Order {
		case PathOrder:
			pathOrder(ctx, start, o, yield)
		case BreadthFirst:
			breadthFirst(ctx, start, o, yield)
		case NewestFirst:
			newestFirst(ctx, start, o, maxNewest, yield)
		default:
			preOrder(ctx, start, o, yield)
		}
	}
}
