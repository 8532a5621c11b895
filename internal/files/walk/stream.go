package walk

import (
	"math"

	"gander/internal/files/names"
	"gander/internal/files/workspace"
)

// A stream yields the entries of one directory in order. It stores only the first of the remaining
// names, and reads the directory again when these are used up. The first pass usually stores enough
// names for the limit. Each further pass stores more.
type stream struct {
	w            *walker
	dir          *Directory
	order        names.Order
	unsearchable bool // see Options.CheckSearch

	list   names.List
	cached bool // list is in the cache, and its memory cannot be reused
	next   int  // index in list
	limit  int  // of the last pass

	// add adds a name to w.topK. Directories reuse it to avoid allocations.
	add func(name []byte, kind workspace.EntryKind) bool
}

const (
	// checkEvery is the number of entries between checks of the context.
	checkEvery = 256
	// readAhead is the minimum number of names to cache, for the following pages.
	readAhead = 1000
	// minCached is the minimum size of a cached directory.
	minCached = 4096
)

// fill gets the first list from the cache or by a pass.
func (s *stream) fill() error {
	s.limit = s.left()
	if s.w.o.CheckSearch {
		searchable, err := s.dir.open.Searchable()
		s.unsearchable = !searchable && err == nil
	}
	if s.w.o.CacheKey == "" {
		return s.pass(nil)
	}
	c, err := s.dir.open.CacheEntry(s.w.o.CacheKey, s.order.MaxKey)
	if err != nil {
		return err
	}
	if l, ok := c.Value().(names.List); ok && (!l.More() || s.limit <= l.Len()) {
		s.list, s.cached = l, true
		return nil
	}
	s.limit = max(s.limit, readAhead)
	if err := s.pass(nil); err != nil {
		return err
	}
	if s.w.topK.Added() >= minCached {
		s.cached = true
		s.w.memory.Forget(s.list)
		c.Store(s.list, s.list.Bytes())
	}
	return nil
}

// left returns the number of entries left until the limit.
func (s *stream) left() int { return max(s.w.o.Limit-s.w.count, 1) }

// take returns the next entry, or a zero Item at the end.
func (s *stream) take() (names.Item, error) {
	if s.next == s.list.Len() {
		if !s.list.More() {
			return names.Item{}, nil
		}
		last := s.list.At(s.next - 1)
		s.limit = max(s.left(), 2*min(s.limit, math.MaxInt/2))
		if err := s.pass(s.order.Bound(last.Name, last.Kind)); err != nil || s.list.Len() == 0 {
			return names.Item{}, err
		}
	}
	if s.next%checkEvery == 0 {
		if err := s.w.ctx.Err(); err != nil {
			return names.Item{}, err
		}
	}
	s.next++
	return s.list.At(s.next - 1), nil
}

// skip skips at most n entries up to the next directory or the end of the list, and returns the
// number of skipped entries.
func (s *stream) skip(n int) int {
	n = min(n, s.list.NonDirRun(s.next))
	s.next += n
	return n
}

// pass reads the directory and stores the first names after a bound, or from the start if after is
// nil.
func (s *stream) pass(after *names.Bound) error {
	s.free()
	q := names.Query{
		Order: s.order, Limit: s.limit, After: after, Keep: s.filter(), Memory: s.w.memory,
	}
	if s.w.count >= s.w.o.Skip {
		q.MaxBytes = s.w.o.MaxBytes
	}
	var reuse names.List
	if last := len(s.w.spare) - 1; last >= 0 {
		reuse, s.w.spare = s.w.spare[last], s.w.spare[:last]
	}
	top := &s.w.topK
	top.Reset(s.w.ctx, q, reuse)
	if s.add == nil {
		s.add = func(name []byte, kind workspace.EntryKind) bool {
			if s.unsearchable {
				kind = workspace.Unknown
			}
			return top.Add(name, kind)
		}
	}
	if err := s.dir.open.Names(s.w.ctx, s.add); err != nil {
		return err
	}
	s.next = 0
	var err error
	s.list, err = top.List()
	return err
}

// filter adapts Options.Filter for this directory. It marks hidden directories.
func (s *stream) filter() func([]byte, workspace.EntryKind) (keep, mark bool) {
	filter := s.w.o.Filter
	if filter == nil {
		return nil
	}
	return func(name []byte, kind workspace.EntryKind) (keep, mark bool) {
		switch filter(s.dir, name, kind) {
		case Show:
			return true, false
		case Hide:
			return kind == workspace.Directory, true
		default:
			return false, false
		}
	}
}

// free makes the memory of the list available for reuse.
func (s *stream) free() {
	if s.list.Len() > 0 && !s.cached {
		s.w.spare = append(s.w.spare, s.list)
	}
	s.list, s.cached = names.List{}, false
}
