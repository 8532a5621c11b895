// Package walk yields the entries below an open directory in one of several orders. Except in
// [NewestFirst], a walk is lazy: it reads a directory just before it yields the first entry, and
// stores only names that it can still yield.
package walk

import (
	"context"
	"iter"

	"gander/internal/files/names"
	"gander/internal/files/workspace"
)

// An Order is the order of the entries of a walk. [PreOrder] and [PathOrder] order the entries of
// one directory by Options.NameOrder.
type Order uint8

const (
	// PreOrder yields a directory, then everything below it, then its next sibling. A directory that
	// cannot be entered is yielded once, with the error, even if hidden. If its further names cannot
	// be read, it is yielded again, with that error.
	PreOrder Order = iota
	// PathOrder sorts all entries by the keys of their names, joined by slashes and cut to MaxKey,
	// then by path. The entries of a directory are sorted as if its path ended in a slash. Example: a,
	// a-b, a.txt, a/x, a0. A directory that cannot be entered is yielded a second time, with the
	// error, in the position of its entries. NameOrder.Class is ignored.
	PathOrder
	// NewestFirst sorts all entries by modification time, newest first, then by path in byte order. It
	// reads the whole tree before it yields the first entry. It stores at most max(2*Limit, 512)
	// entries, in the memory of [names.Memory], and reads larger trees again for the entries that
	// follow. Entries modified between two reads may be missing. The error of an entry that cannot be
	// entered or described is yielded immediately, and is not counted. NameOrder and CheckSearch are
	// ignored.
	NewestFirst
)

// A Decision is the result of a filter.
type Decision uint8

const (
	Omit Decision = iota // neither yield nor enter the entry
	Show                 // yield the entry, and enter it if it is a directory
	Hide                 // enter a directory without yielding or counting it; omit other entries
)

// Options configures a walk.
type Options struct {
	Order Order
	// NameOrder is the order of the entries of one directory.
	NameOrder names.Order
	// Depth is the maximum depth of entries, at least 1. Entries of the start have depth 1.
	Depth int
	// Limit is the maximum number of entries, including skipped ones. Zero means no limit. A directory
	// that is the last entry is not entered. The error of a hidden directory is not an entry.
	Limit int
	// Skip is the number of entries to skip, in [PathOrder] only. An error is also skipped while
	// entries are still to be skipped.
	Skip int
	// MaxBytes limits the memory for names. The caller must end the walk before the total size of the
	// yielded names, plus one byte each, exceeds it. Zero means no limit.
	MaxBytes int
	// MaxKey is the maximum size of the key of a path in [PathOrder], in bytes. Longer keys are
	// truncated at a character boundary. Zero means no limit.
	MaxKey int

	// Filter decides whether to show an entry. It may be called for the names of a directory in any
	// order and several times, and not at all for names outside the page. It must not retain name. If
	// nil, all entries are shown.
	Filter func(dir *Directory, name []byte, kind workspace.EntryKind) Decision
	// Enter, if not nil, is called for each directory, including the start, before Filter is called
	// for its entries. It may set dir.Data. It must not close or retain open. If the error is
	// [fs.SkipDir], the directory is treated as empty, and for any other error as unreadable.
	Enter func(dir *Directory, open *workspace.Dir) error

	// CheckSearch makes the walk check search permission on directories. Entries of a readable
	// directory without search permission have kind Unknown. If false, their kinds are as listed in
	// the directory.
	CheckSearch bool
}

// A Directory is a directory that a walk has entered. The start has an empty path and depth 0.
type Directory struct {
	// Path is the path relative to the start, with the names on disk joined by slashes.
	Path  string
	Depth int
	// Data is set by Options.Enter. The default is the parent's Data. It is for Enter and Filter:
	// [NewestFirst] yields entries without it.
	Data any

	open    *workspace.Dir
	entries names.Sorted
}

// Share returns the directory for another goroutine; see [workspace.Dir.Share].
func (d *Directory) Share() (*workspace.Dir, error) { return d.open.Share() }

// join returns the path of an entry of d.
func (d *Directory) join(name []byte) string {
	if d.Path == "" {
		return string(name)
	}
	return d.Path + "/" + string(name)
}

// appendPrefix appends the part of an entry's path before its name to dst.
func (d *Directory) appendPrefix(dst []byte) []byte {
	if d.Path == "" {
		return dst
	}
	return append(append(dst, d.Path...), '/')
}

// An Entry is an entry of a directory. It is valid until the walk continues.
type Entry struct {
	// Name is the name on disk, not necessarily UTF-8.
	Name []byte
	Kind workspace.EntryKind
	Dir  *Directory
	// ForError reports that the entry is yielded only because of its error: it is hidden, or is also
	// yielded without the error. Dir may be closed by then.
	ForError bool

	info *workspace.Info // nil except in NewestFirst
}

// Depth returns the depth of the entry, 1 for an entry of the start.
func (e Entry) Depth() int { return e.Dir.Depth + 1 }

// Path returns the path relative to the start, with the names on disk joined by slashes.
func (e Entry) Path() string { return e.Dir.join(e.Name) }

// AppendPath appends the path to dst.
func (e Entry) AppendPath(dst []byte) []byte { return append(e.Dir.appendPrefix(dst), e.Name...) }

// Lstat describes the entry without following a symlink. In [NewestFirst] it returns the recorded
// description that the order is based on.
func (e Entry) Lstat() (workspace.Info, error) {
	if e.info != nil {
		return *e.info, nil
	}
	return e.Dir.open.Lstat(string(e.Name))
}

// FileKind returns the kind to open the entry with; see [workspace.Dir.File].
func (e Entry) FileKind() workspace.EntryKind {
	if e.info != nil {
		return workspace.Unknown // the listed kind may be out of date
	}
	return e.Kind
}

// File opens the entry, which must be a regular file. See [workspace.Dir.File].
func (e Entry) File() (*workspace.File, error) {
	return e.Dir.open.File(string(e.Name), e.FileKind())
}

// Entries walks the tree below start. It does not close start. If an error is yielded with the zero
// Entry, it is from ctx or about the start, and ends the walk. Other errors are about their entry.
func Entries(ctx context.Context, start *workspace.Dir, o Options) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		switch o.Order {
		case PathOrder:
			pathOrder(ctx, start, o, yield)
		case NewestFirst:
			newestFirst(ctx, start, o, yield)
		default:
			preOrder(ctx, start, o, yield)
		}
	}
}
