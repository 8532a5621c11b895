package search

import (
	"context"
	"iter"
	"slices"

	"gander/internal/engine/walk"
	"gander/internal/engine/workspace"
)

// FindOptions specify what [Find] finds.
type FindOptions struct {
	Scope
	// Kinds are the kinds of entry that are found. None means all.
	Kinds []workspace.EntryKind
	// Keep, unless nil, reports whether an entry that the scope includes is found. Path is relative to the start.
	Keep func(path string, kind workspace.EntryKind) bool
	// Limit is the most entries that are yielded. 0 sets no limit.
	Limit int
	// Totals, unless nil, is added to while entries are found.
	Totals *Totals
}

// Find yields the entries below the directory at start that have the names, paths and kinds asked for. Directories are entered
// whether they are found or not. It is lazy, except in [walk.NewestFirst]. Errors are as those of [walk.Entries]; directories
// that vanish or are denied are left out.
func Find(ctx context.Context, w *workspace.Workspace, start workspace.Place, o FindOptions) iter.Seq2[walk.Entry, error] {
	return func(yield func(walk.Entry, error) bool) {
		if o.Totals == nil {
			o.Totals = new(Totals)
		}
		sel, err := newSelector(ctx, w, o.Scope, o.Totals)
		if err != nil {
			yield(walk.Entry{}, err)
			return
		}
		dir, err := start.Dir()
		if err != nil {
			yield(walk.Entry{}, err)
			return
		}
		defer dir.Close()
		for e, err := range walk.Entries(ctx, dir, sel.forFind(&o)) {
			if err != nil && e.Dir != nil && !o.Totals.tells(err) {
				continue
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// forFind returns a walk that yields what is found.
func (s *selector) forFind(o *FindOptions) walk.Options {
	s.shows = func(dir *walk.Directory, name []byte, kind workspace.EntryKind) bool {
		if len(o.Kinds) > 0 && !slices.Contains(o.Kinds, kind) {
			return false
		}
		return o.Keep == nil || o.Keep(walk.Entry{Name: name, Dir: dir}.Path(), kind)
	}
	w := s.options()
	w.Limit = o.Limit
	return w
}
