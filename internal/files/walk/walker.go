package walk

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"math"

	"gander/internal/files/names"
	"gander/internal/files/workspace"
)

// maxOpen is the maximum number of open directories. In [PreOrder] it applies to the parents of the
// current directory.
const maxOpen = 32

// A walker is the common state of walks in all orders.
type walker struct {
	ctx      context.Context // of the walk, which recurs through visit and below
	o        Options
	yield    func(Entry, error) bool
	count    int // yielded or skipped entries
	startLen int // length of the start's path in its root, including a trailing slash
	memory   *names.Memory
}

func newWalker(
	ctx context.Context, start *workspace.Dir, o Options, yield func(Entry, error) bool,
) *walker {
	o.Limit = cmp.Or(o.Limit, math.MaxInt)
	w := &walker{ctx: ctx, o: o, yield: yield, memory: names.NewMemory(ctx)}
	if path := start.Path(); path != "." {
		w.startLen = len(path) + len("/")
	}
	return w
}

// openDir initializes d with the subdirectory of parent called name.
func (w *walker) openDir(d, parent *Directory, name string) error {
	open, err := parent.open.Open(name)
	if err != nil {
		return err
	}
	*d = Directory{
		Path: open.Path()[w.startLen:], Depth: parent.Depth + 1, Data: parent.Data, open: open,
	}
	return nil
}

// enter opens a subdirectory and reads its first names. On error, nothing is left open.
func (w *walker) enter(parent *Directory, name string) (*Directory, error) {
	d := new(Directory)
	err := w.openDir(d, parent, name)
	if err != nil {
		return nil, err
	}
	err = w.read(d, w.o.NameOrder.MaxKey)
	if err != nil {
		d.open.Release()
		return nil, err
	}
	return d, nil
}

// read calls Options.Enter for an open directory and reads its first names, which are usually
// enough for the limit.
func (w *walker) read(d *Directory, maxKey int) (err error) {
	if w.o.Enter != nil {
		err := w.o.Enter(d, d.open)
		if errors.Is(err, fs.SkipDir) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	q := names.Query{Order: w.o.NameOrder, Limit: max(w.o.Limit-w.count, 1), Keep: w.filter(d)}
	q.Order.MaxKey = maxKey
	if w.count >= w.o.Skip {
		q.MaxBytes = w.o.MaxBytes
	}
	d.entries, err = w.memory.Sort(q, w.reader(d.open))
	return err
}

// reader returns a function that reads all entries of a directory, with the kinds that
// Options.CheckSearch specifies.
func (w *walker) reader(open *workspace.Dir) names.ReadFunc {
	isShut := false
	if w.o.CheckSearch {
		searchable, err := open.Searchable()
		isShut = !searchable && err == nil
	}
	return func(add func([]byte, workspace.EntryKind) bool) error {
		if !isShut {
			return open.Names(w.ctx, add)
		}
		return open.Names(w.ctx, func(name []byte, _ workspace.EntryKind) bool {
			return add(name, workspace.Unknown)
		})
	}
}

// filter adapts Options.Filter for a directory. It marks hidden directories.
func (w *walker) filter(d *Directory) func([]byte, workspace.EntryKind) (keep, mark bool) {
	if w.o.Filter == nil {
		return nil
	}
	return func(name []byte, kind workspace.EntryKind) (keep, mark bool) {
		switch w.o.Filter(d, name, kind) {
		case Show:
			return true, false
		case Hide:
			return kind == workspace.Directory, true
		default:
			return false, false
		}
	}
}

// end ends the walk with an error. It always returns false.
func (w *walker) end(err error) bool {
	w.yield(Entry{}, err)
	return false
}

func (w *walker) full() bool { return w.count >= w.o.Limit }

// enters reports whether the walk enters an entry of d of the given kind.
func (w *walker) enters(d *Directory, kind workspace.EntryKind) bool {
	return kind == workspace.Directory && d.Depth+1 < w.o.Depth
}

func preOrder(ctx context.Context, start *workspace.Dir, o Options, yield func(Entry, error) bool) {
	w := newWalker(ctx, start, o, yield)
	defer w.memory.Release()
	d := &Directory{open: start}
	err := w.read(d, o.NameOrder.MaxKey)
	if err == nil {
		_, err = w.below(d)
	}
	if err != nil {
		w.end(err)
	}
}

// below yields the entries below d and reports whether to continue. The error is about d itself.
func (w *walker) below(d *Directory) (more bool, err error) {
	for {
		item, err := d.entries.Next()
		if err != nil {
			return false, err
		}
		if item.Name == nil {
			d.entries.Free()
			return true, nil
		}
		if !w.visit(d, item) {
			return false, nil
		}
	}
}

// visit yields an entry of d and the entries below it, and reports whether to continue. It reads a
// directory before it yields the entry, because errors are yielded with the entry.
func (w *walker) visit(d *Directory, item names.Item) bool {
	e := Entry{Name: item.Name, Kind: item.Kind, Dir: d, ForError: item.Marked}
	isCounted := !item.Marked
	if isCounted {
		w.count++
	}
	var sub *Directory
	var err error
	if w.enters(d, e.Kind) && !w.full() {
		sub, err = w.enter(d, string(e.Name))
		if sub != nil {
			defer sub.open.Close()
		}
		if done := w.ctx.Err(); done != nil {
			return w.end(done)
		}
	}
	isShown := isCounted || err != nil
	if isShown && !w.yield(e, err) {
		return false
	}
	if w.full() {
		return false
	}
	if sub == nil {
		return true
	}
	if d.Depth >= maxOpen {
		d.open.Release() // after the yield, because methods of the entry use it
	}
	more, err := w.below(sub)
	if done := w.ctx.Err(); err != nil && done != nil {
		return w.end(done)
	}
	if err != nil {
		e.ForError = true
		return w.yield(e, err)
	}
	return more
}
