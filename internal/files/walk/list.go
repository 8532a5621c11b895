package walk

import (
	"gander/internal/files/names"
	"gander/internal/files/workspace"
)

// list reads the first names of d, which are usually enough for the limit.
func (w *walker) list(d *Directory) (err error) {
	q := names.Query{Order: w.o.NameOrder, Limit: max(w.o.Limit-w.count, 1), Keep: w.filter(d)}
	q.Order.MaxKey = d.maxKey
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
