package walk

import (
	"context"

	"gander/internal/files/names"
	"gander/internal/files/workspace"
)

// maxOpen is the maximum number of open directories. In [PreOrder] it applies to the parents of the
// current directory.
const maxOpen = 32

func preOrder(ctx context.Context, start *workspace.Dir, o Options, yield func(Entry, error) bool) {
	w := newWalker(ctx, start, o, yield)
	defer w.memory.Release()
	d := new(Directory)
	w.init(d, start)
	if err := w.read(d); err != nil {
		w.end(err)
		return
	}
	w.below(d)
}

// below yields the entries below d and reports whether to continue.
func (w *walker) below(d *Directory) bool {
	for {
		item, err := d.entries.take()
		if err != nil {
			return w.end(err)
		}
		if item.Name == nil {
			d.entries.free()
			return true
		}
		if !w.visit(d, item) {
			return false
		}
	}
}

// visit yields an entry of d and the entries below it, and reports whether to continue. It reads a
// directory before it yields the entry, because errors are yielded with the entry.
func (w *walker) visit(d *Directory, item names.Item) bool {
	e, hidden := Entry{Name: item.Name, Kind: item.Kind, Dir: d}, item.Marked
	if !hidden {
		w.count++
	}
	var sub *Directory
	var err error
	if w.enters(d, e.Kind) && !w.full() {
		sub, err = w.enter(d, string(e.Name))
		if done := w.ctx.Err(); done != nil {
			err, e = done, Entry{}
		}
	}
	if sub != nil {
		defer sub.open.Release() // not Close, because NewestFirst yields the entries later
	}
	if err != nil && hidden {
		w.count++
	}
	shown := (!hidden || err != nil) && w.count > w.o.Skip || e.Dir == nil
	if shown && !w.yield(e, err) || w.full() || e.Dir == nil {
		return false
	}
	if sub != nil && d.Depth >= maxOpen {
		d.open.Release() // after the yield, because methods of the entry use it
	}
	return sub == nil || w.below(sub)
}
