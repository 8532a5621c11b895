// Package walk yields the entries below an open directory in one of several orders. It is lazy,
// except in [NewestFirst]: it reads a directory when its first entry is due, and keeps only names
// that can still be yielded.
package walk

import (
	"context"
	"iter"

	"gander/internal/files/names"
	"gander/internal/files/workspace"
)

// An Order is the order in which a walk yields entries. Within one directory, [PreOrder]
// and [PathOrder] follow Options.NameOrder.
type Order uint8

const (
	// PreOrder yields a directory, then everything below it, then its next sibling. A directory that
	// cannot be entered is yielded once, with the error, even if it is hidden.
	PreOrder Order = iota
	// PathOrder sorts all entries by the keys of their names, joined by slashes and cut to MaxKey,
	// then by path. The entries of a directory are sorted as if its path ended in a slash: a, a-b,
	// a.txt, a/x, a0. A directory that cannot be entered is yielded again there, with the error.
	// NameOrder.Class is ignored.
	PathOrder
	// NewestFirst sorts all entries by modification time, newest first, then by path in byte order. It
	// reads the whole tree before it yields the first entry, and holds at most max(2*Limit, 512) and
	// never more than 262,144 entries. In larger trees it reads the tree again for the entries after
	// the first 131,072; entries modified in the meantime may then be missing. A directory that cannot
	// be entered and an entry that cannot be described are yielded immediately, with the error, and
	// are not counted. NameOrder, CheckSearch and CacheKey are ignored.
	NewestFirst
)

// A Decision is the result of a filter.
type Decision uint8

const (
	Omit Decision = iota // neither yield nor enter the entry
	Show                 // yield it, and enter a directory
	Hide                 // enter a directory, but do not yield or count it; omit other entries
)

// Options configure a walk.
type Options struct {
	Order Order
	// NameOrder is the order within a directory.
	NameOrder names.Order
	// Depth is the maximum depth of entries, at least 1. Entries of the start have depth 1.
	Depth int
	// Limit is the maximum number of entries to yield; zero means no limit. A directory that reaches
	// the limit is not entered.
	Limit int
	// Skip is the number of entries to skip. They count toward Limit. Errors of skipped directories
	// are skipped too.
	Skip int
	// MaxBytes limits the names that are kept: the caller stops before the total size of the names of
	// the yielded entries, plus one byte each, exceeds it. Zero means no limit. It does not end the
	// walk.
	MaxBytes int
	// MaxKey is the maximum size of the key of a path in [PathOrder], in bytes. Longer keys are cut at
	// a character boundary. Zero means no limit.
	MaxKey int

	// Filter decides about an entry before it is counted. It may be called for the names of a
	// directory in any order and several times, or not at all for names that cannot be due. It must
	// not retain name. If nil, everything is shown.
	Filter func(dir *Directory, name []byte, kind workspace.EntryKind) Decision
	// Enter, if not nil, is called for each directory, including the start, before Filter is called
	// for its entries. It may set dir.Data. It must neither close nor retain open. If the error is
	// [fs.SkipDir], the directory counts as empty; other errors are handled as if the directory could
	// not be read.
	Enter func(dir *Directory, open *workspace.Dir) error

	// CheckSearch makes the walk check search permission on directories. Entries of a directory that
	// can be read but not searched then have kind Unknown. Otherwise kinds are those that the
	// directory lists.
	CheckSearch bool
	// CacheKey, if not empty, lets the workspace cache the sorted names of large directories. Walks
	// with the same CacheKey must have equal NameOrders and equivalent filters.
	CacheKey string
}

// A Directory is a directory that a walk has entered. The start has the path "" and depth 0.
type Directory struct {
	// Path is relative to the start, with the names on disk joined by slashes.
	Path  string
	Depth int
	// Data is for the caller. A directory inherits its parent's Data unless Options.Enter sets it.
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

// An Entry is an entry of a directory. It is valid until the walk continues.
type Entry struct {
	// Name is the name on disk, not necessarily UTF-8.
	Name []byte
	Kind workspace.EntryKind
	Dir  *Directory

	info *workspace.Info // nil except in NewestFirst
}

// Depth returns the depth of the entry, 1 for an entry of the start.
func (e Entry) Depth() int { return e.Dir.Depth + 1 }

// Path returns the path relative to the start, with the names on disk joined by slashes.
func (e Entry) Path() string { return e.Dir.join(e.Name) }

// AppendPath appends the path to dst.
func (e Entry) AppendPath(dst []byte) []byte {
	if e.Dir.Path != "" {
		dst = append(append(dst, e.Dir.Path...), '/')
	}
	return append(dst, e.Name...)
}

// Lstat describes the entry without following a symlink. In [NewestFirst] the description is the
// one that determined the order.
func (e Entry) Lstat() (workspace.Info, error) {
	if e.info != nil {
		return *e.info, nil
	}
	return e.Dir.open.Lstat(string(e.Name))
}

// Share returns the directory of the entry for another goroutine, which can open the entry there
// with the returned kind. See [workspace.Dir.Share].
func (e Entry) Share() (*workspace.Dir, workspace.EntryKind, error) {
	dir, err := e.Dir.open.Share()
	if e.info != nil {
		return dir, workspace.Unknown, err // the listed kind may be out of date
	}
	return dir, e.Kind, err
}

// File opens the entry, which must be a regular file, in its open directory. Errors are those of
// [workspace.Dir.File].
func (e Entry) File() (*workspace.File, error) {
	kind := e.Kind
	if e.info != nil {
		kind = workspace.Unknown // it was listed long ago
	}
	return e.Dir.open.File(string(e.Name), kind)
}

// Entries walks the tree below start, which it does not close. An error with an Entry whose Dir is
// nil is about the start or from ctx, and ends the walk. Other errors are about their entry.
func Entries(ctx context.Context, start *workspace.Dir, o Options) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		switch o.Order {
		case PathOrder:
			pathOrder(ctx, start, o, yield)
		case NewestFirst:
			newestFirst(ctx, start, o, maxNewest, yield)
		default:
			preOrder(ctx, start, o, yield)
		}
	}
}
