package walk

import (
	"gander/internal/files/names"
	"gander/internal/files/workspace"
)

const (
	// readAhead is the minimum number of names to cache, for the following pages.
	readAhead = 500
	// minCached is the minimum size of a cached directory.
	minCached = 4096
)

// list reads the first names of d, unless they are cached. They are usually enough for the limit.
func (w *walker) list(d *Directory) error {
	q := names.Query{Order: w.o.NameOrder, Limit: max(w.o.Limit-w.count, 1), Keep: w.filter(d)}
	q.Order.MaxKey = d.maxKey
	if w.count >= w.o.Skip {
		q.MaxBytes = w.o.MaxBytes
	}
	read := w.reader(d.open)
	if w.o.CacheKey == "" {
		var err error
		d.entries, err = w.memory.Sort(q, read)
		return err
	}
	c, err := d.open.CacheEntry(w.o.CacheKey, d.maxKey)
	if err != nil {
		return err
	}
	if l, ok := c.Value().(*names.List); ok && (!l.More() || q.Limit <= l.Len()) {
		d.entries = w.memory.Resume(q, read, *l)
		return nil
	}
	q.Limit = max(q.Limit, readAhead)
	d.entries, err = w.memory.Sort(q, read)
	if err == nil && d.entries.Added() >= minCached {
		l := d.entries.Share()
		c.Store(&l)
	}
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
