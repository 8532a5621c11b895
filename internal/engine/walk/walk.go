// Package walk turns an open directory into an ordered, lazy, bounded stream of the entries below it. It knows no tool
// and no output; a directory is read when its entries are due and not before, and no more of it is kept than can still
// be asked for.
package walk

import (
	"context"
	"iter"

	"gander/internal/engine/names"
	"gander/internal/engine/workspace"
)

// An Order is the order in which a walk yields entries.
type Order uint8

const (
	// PreOrder yields every directory before what is below it, and all of that before its next sibling. A directory that
	// cannot be read is yielded once, with the error, even if it is hidden.
	PreOrder Order = iota
	// PathOrder yields all entries as one list ordered by path: by the keys of the names on the way joined by slashes, cut
	// to MaxKey, then by the raw path. What is below a directory therefore comes where its path with a slash at the end
	// belongs, which need not be right behind it: a, a-b, a.txt, a/x, a0. A directory that cannot be read is yielded a
	// second time there, with the error. NameOrder.Class is ignored.
	PathOrder
)

// A Decision is what a filter decides about an entry.
type Decision uint8

const (
	// Omit leaves the entry out. A directory is not entered.
	Omit Decision = iota
	// Show yields the entry, and enters a directory.
	Show
	// Hide enters a directory without yielding or counting it. Any other entry is left out.
	Hide
)

// Options say which entries a walk yields.
type Options struct {
	// Order is the order of the whole walk.
	Order Order
	// Depth is how deep to go: the entries of the start are at depth 1, and directories at Depth are yielded and not read.
	// It must be at least 1.
	Depth int
	// Limit is the most entries to yield; 0 sets no limit. The entry that reaches it is not read if it is a directory.
	Limit int
	// MaxBytes is how many bytes the names of the yielded entries come to at most, each with one more for its end, before the
	// caller breaks off; 0 is any number. It only bounds what is kept.
	MaxBytes int
	// Skip is how many entries are passed over before the first is yielded; they count toward Limit. Only [PathOrder] heeds
	// it.
	Skip int
	// NameOrder is the order within a directory.
	NameOrder names.Order
	// Filter decides about an entry before anything is counted. It may be called for any of a directory's names, in any
	// order and more than once, and must not retain name. Nil shows all.
	Filter func(dir *Directory, name []byte, kind workspace.EntryKind) Decision
	// CheckSearch makes every entry of a directory that may be read but not searched one of kind Unknown: nothing can be said
	// about it. Without it the kind is what the directory itself says.
	CheckSearch bool
	// CacheKey names the order and the filter, for the workspace to remember the order of large directories by: walks with
	// the same CacheKey must order and filter alike. "" remembers nothing.
	CacheKey string
	// MaxKey cuts the path by which [PathOrder] orders an entry to so many bytes, at a character boundary; 0 does not.
	MaxKey int
}

// A Directory is a directory of the walk. The start is at depth 0 and has the path "".
type Directory struct {
	// Path is relative to the start: raw names joined by slashes.
	Path  string
	Depth int

	open *workspace.Dir
	rest stream
}

// An Entry is what a walk yields.
type Entry struct {
	// Name is as it is on disk, not necessarily UTF-8. It is valid until the walk goes on.
	Name []byte
	Kind workspace.EntryKind
	// Dir is the directory that the entry lies in.
	Dir *Directory

	hidden bool // a directory that is entered and not yielded
}

// Depth is 1 for the entries of the start.
func (e Entry) Depth() int { return e.Dir.Depth + 1 }

// Path is relative to the start: raw names joined by slashes.
func (e Entry) Path() string { return e.Dir.join(e.Name) }

// AppendPath appends the path to dst.
func (e Entry) AppendPath(dst []byte) []byte {
	if e.Dir.Path != "" {
		dst = append(append(dst, e.Dir.Path...), '/')
	}
	return append(dst, e.Name...)
}

// join is the path of an entry of d.
func (d *Directory) join(name []byte) string {
	if d.Path == "" {
		return string(name)
	}
	return d.Path + "/" + string(name)
}

// Last reports, in [PreOrder] and until the walk goes on, whether the directory has no entry after this one.
func (e Entry) Last() bool {
	rest := &e.Dir.rest
	return rest.next == rest.list.Len() && !rest.list.More()
}

// Lstat describes the entry. It may be called until the walk goes on.
func (e Entry) Lstat() (workspace.Info, error) { return e.Dir.open.Lstat(string(e.Name)) }

// openHandles is the depth beyond which the directories above the current one are put away while it is walked.
const openHandles = 32

// Entries yields the entries below start. An error with an entry whose Dir is nil is one of the start or of ctx, and the
// last. The walk does not close start. An entry and its Dir are valid until the walk goes on.
func Entries(ctx context.Context, start *workspace.Dir, o Options) iter.Seq2[Entry, error] {
	if o.Order == PathOrder {
		return pathOrderEntries(ctx, start, o)
	}
	return func(yield func(Entry, error) bool) {
		w := &preOrder{walker: newWalker(ctx, start, o), yield: yield}
		d := new(Directory)
		w.start(d, start)
		if err := d.rest.fill(); err != nil {
			yield(Entry{}, err)
			return
		}
		w.children(d)
	}
}

// walker is what both orders share.
type walker struct {
	ctx    context.Context
	o      Options
	count  int
	above  int // how much of a directory's path in its root leads to the start
	picker names.TopK
	spare  []names.List // memory of directories that are done with
}

func newWalker(ctx context.Context, start *workspace.Dir, o Options) walker {
	w := walker{ctx: ctx, o: o}
	if path := start.Path(); path != "." {
		w.above = len(path) + len("/")
	}
	return w
}

// take takes memory that is not needed any more.
func (w *walker) take() names.List {
	last := len(w.spare) - 1
	if last < 0 {
		return names.List{}
	}
	l := w.spare[last]
	w.spare = w.spare[:last]
	return l
}

// left is how many entries may still be yielded; 0 means any number.
func (w *walker) left() int {
	if w.o.Limit == 0 {
		return 0
	}
	return max(w.o.Limit-w.count, 1)
}

func (w *walker) full() bool { return w.o.Limit > 0 && w.count >= w.o.Limit }

// start makes d the directory that the walk starts from.
func (w *walker) start(d *Directory, open *workspace.Dir) {
	*d = Directory{open: open, rest: stream{w: w, dir: d, order: w.o.NameOrder, add: d.rest.add}}
}

// enter opens the subdirectory called name as d.
func (w *walker) enter(d, parent *Directory, name string) error {
	open, err := parent.open.Open(name)
	if err != nil {
		return err
	}
	w.start(d, open)
	d.Path, d.Depth = open.Path()[w.above:], parent.Depth+1
	return nil
}

type preOrder struct {
	walker
	yield func(Entry, error) bool
}

// children yields what is below d and reports whether to go on.
func (w *preOrder) children(d *Directory) bool {
	for {
		next, err := d.rest.take()
		if err != nil {
			w.yield(Entry{}, err)
			return false
		}
		if next.Name == nil {
			d.rest.free()
			return true
		}
		if !w.visit(Entry{next.Name, next.Kind, d, next.Marked}) {
			return false
		}
	}
}

// visit yields an entry and what is below it.
func (w *preOrder) visit(e Entry) bool {
	enter := e.Kind == workspace.Directory && e.Depth() < w.o.Depth
	hidden := e.hidden
	if !hidden {
		w.count++
	}
	var sub *Directory
	var err error
	if enter && !w.full() {
		sub, err = w.begin(e)
		if over := w.ctx.Err(); over != nil {
			err, e = over, Entry{}
		}
	}
	if sub != nil {
		defer sub.open.Close()
	}
	if err != nil && hidden {
		w.count++
	}
	if (!hidden || err != nil) && !w.yield(e, err) {
		return false
	}
	if w.full() || e.Dir == nil {
		return false
	}
	if sub != nil && e.Dir.Depth >= openHandles {
		e.Dir.open.Release() // now that the caller may have looked at the entry
	}
	return sub == nil || w.children(sub)
}

// begin opens the directory at e and reads what is due of it.
func (w *preOrder) begin(e Entry) (*Directory, error) {
	sub := new(Directory)
	if err := w.enter(sub, e.Dir, string(e.Name)); err != nil {
		return nil, err
	}
	if err := sub.rest.fill(); err != nil {
		sub.open.Close()
		return nil, err
	}
	return sub, nil
}
