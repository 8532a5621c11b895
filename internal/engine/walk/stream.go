package walk

import (
	"errors"
	"io/fs"

	"gander/internal/engine/names"
	"gander/internal/engine/workspace"
)

// A stream yields the entries of one directory in order. It reads the directory as often as it must and keeps only the
// smallest names not yet taken: one pass is enough for as many as were asked for, and each further pass keeps more.
type stream struct {
	w      *walker
	dir    *Directory
	order  names.Order
	opaque bool // nothing can be said about the entries: the directory cannot be searched

	list   names.List
	shared bool // the workspace remembers the list, so its memory is not the walk's
	next   int  // in list
	want   int  // how many names the last pass was to keep; 0: all

	add func(name []byte, kind workspace.EntryKind) bool // shows the picker a name; kept for the next directory
}

// fill makes the first pass: as many entries will be taken as the walk has left, as far as is known.
func (s *stream) fill() error {
	s.want = s.w.left()
	if s.w.o.CheckSearch {
		_, err := s.dir.open.Lstat(".")
		s.opaque = errors.Is(err, fs.ErrPermission)
	}
	if s.w.o.CacheKey == "" {
		return s.read(nil)
	}
	r, err := s.dir.open.CacheEntry(s.w.o.CacheKey, s.order.MaxKey)
	if err != nil {
		return err
	}
	if l, ok := r.Value().(names.List); ok && serves(&l, s.want) {
		s.list, s.shared = l, true
		return nil
	}
	if s.want > 0 {
		s.want = max(s.want, ahead)
	}
	if err := s.read(nil); err != nil {
		return err
	}
	if s.w.picker.Added() >= large {
		s.shared = true
		r.Store(s.list, s.list.Bytes())
	}
	return nil
}

const (
	// batch is the number of entries after which the context is asked.
	batch = 256
	// ahead is how much of a directory is kept where it may be remembered: for the next pages, at no measurable cost.
	ahead = 1000
	// large is how many names make a directory worth remembering.
	large = 4096
)

// serves reports whether l is as good as what a pass for so many names would give.
func serves(l *names.List, want int) bool {
	return !l.More() || want > 0 && want <= l.Len()
}

// take takes the next entry. It is zero at the end.
func (s *stream) take() (names.Item, error) {
	if s.next == s.list.Len() {
		if !s.list.More() {
			return names.Item{}, nil
		}
		last := s.list.At(s.next - 1)
		s.want = max(s.w.left(), 2*s.want)
		if err := s.read(s.order.Bound(last.Name, last.Kind)); err != nil || s.list.Len() == 0 {
			return names.Item{}, err
		}
	}
	if s.next%batch == 0 {
		if err := s.w.ctx.Err(); err != nil { // what is done with the entries may take long
			return names.Item{}, err
		}
	}
	s.next++
	return s.list.At(s.next - 1), nil
}

// skip passes over at most n entries, as far as they are known and not directories, and returns how many those were.
func (s *stream) skip(n int) int {
	n = min(n, s.list.NonDirRun(s.next))
	s.next += n
	return n
}

// read makes a pass for the smallest names after one.
func (s *stream) read(after *names.Bound) error {
	s.free()
	p := &s.w.picker
	p.Reset(s.w.ctx, names.Query{Order: s.order, Limit: s.want, MaxBytes: s.room(), After: after, Keep: s.keep()}, s.w.take())
	if s.add == nil {
		s.add = func(name []byte, kind workspace.EntryKind) bool {
			if s.opaque {
				kind = workspace.Unknown
			}
			return p.Add(name, kind)
		}
	}
	if err := s.dir.open.Names(s.w.ctx, s.add); err != nil {
		return err
	}
	s.next = 0
	var err error
	s.list, err = p.List()
	return err
}

// room is what the names still wanted come to, which says nothing as long as some are only passed over.
func (s *stream) room() int {
	if s.w.count < s.w.o.Skip {
		return 0
	}
	return s.w.o.MaxBytes
}

// keep is the walk's filter for this directory. A mark means that the directory of that name is hidden.
func (s *stream) keep() func([]byte, workspace.EntryKind) (keep, mark bool) {
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

// free gives the list's memory back to the walk.
func (s *stream) free() {
	if s.list.Len() > 0 && !s.shared {
		s.w.spare = append(s.w.spare, s.list)
	}
	s.list, s.shared = names.List{}, false
}
